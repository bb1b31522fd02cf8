// Keeps the own tables bounded: what is older than the settings say goes, a few rows per transaction, so that nobody waits for a
// lock. Not under the lease, whose row would be locked as long: a row that two processes delete is deleted all the same.
import { purgeBatch, purgeSome } from '../outbox/outbox.ts';
import { listRetirable, pruneRuns, purgePlans, retireRun, type StateTx } from '../state/state.ts';
import type { Context } from './context.ts';
import type { Desired } from './desired.ts';

/** A plan that nobody asked for in this time is made again when it is needed. */
const keepPlansMs = 90 * 86_400_000;
const batch = 200;

export interface Pruned {
  readonly outbox: number;
  /** Rows of runs whose large texts were emptied. */
  readonly retired: number;
  readonly runs: number;
  readonly plans: number;
}

/**
 * Prunes everything that is due.
 * @throws StateError; what was deleted until then stays deleted
 */
export async function prune(context: Pick<Context, 'state' | 'settings' | 'stopping'>, now: number): Promise<Pruned> {
  const { outbox, housekeeping } = context.settings;
  const all = async (size: number, some: (tx: StateTx) => Promise<number>): Promise<number> => {
    for (let total = 0; ; ) {
      if (context.stopping.aborted) return total;
      const done = await context.state.transaction(some);
      total += done;
      if (done < size) return total;
    }
  };
  let events = 0;
  for (const state of ['sent', 'skipped', 'dead'] as const) {
    const before = now - (state === 'dead' ? outbox.keepDead : outbox.keepSent);
    events += await all(purgeBatch, (tx) => purgeSome(tx, { state, before }));
  }
  const retired = await all(batch, (tx) => retire(tx, now - outbox.keepSent));
  const runs = await all(batch, (tx) => pruneRuns(tx, now - housekeeping.keepRuns, batch));
  const plans = await all(batch, (tx) => purgePlans(tx, now - keepPlansMs, batch));
  return { outbox: events, retired, runs, plans };
}

/** A run whose events can no longer be sent again needs neither them nor its script. */
async function retire(tx: StateTx, before: number): Promise<number> {
  const old = await listRetirable(tx, before, batch);
  for (const run of old) {
    const desired = JSON.parse(run.desiredJson) as Desired;
    const { script } = desired.facts;
    const facts = { ...desired.facts, script: script === null ? null : { ...script, text: null } };
    await retireRun(tx, run, JSON.stringify({ ...desired, facts }));
  }
  return old.length;
}
