// What is done now and then under the lease: gauges, heartbeats, retention. Failures are left to the next time.
import { outboxStats, retain } from '../outbox/outbox.ts';
import { clearFrozen, listByPhase, purgePlans } from '../state/state.ts';
import type { AppKey } from '../watch/watch.ts';
import type { Context } from './context.ts';
import { beat } from './heartbeat.ts';

const gaugesEveryMs = 15_000;
const heartbeatEveryMs = 60_000;
const retentionEveryMs = 3_600_000;
/** A plan that nobody asked for in this time is made again when it is needed. */
const keepPlansMs = 90 * 86_400_000;

/** Runs what is due; called after each poll. Returns true when events were written. */
export function createHousekeeping(context: Context): (alive: (key: AppKey) => boolean) => Promise<boolean> {
  const due = { gauges: 0, heartbeat: 0, retention: 0 };
  return async (alive) => {
    const now = context.now();
    // Due later than its interval from now: the clock was set back.
    const isDue = (at: number, everyMs: number) => now >= at || at - now > everyMs;
    let wrote = false;
    if (isDue(due.heartbeat, heartbeatEveryMs)) {
      due.heartbeat = now + heartbeatEveryMs;
      wrote = (await beat(context, alive)) > 0;
    }
    if (isDue(due.gauges, gaugesEveryMs)) {
      due.gauges = now + gaugesEveryMs;
      await gauges(context, now);
    }
    if (isDue(due.retention, retentionEveryMs)) {
      due.retention = now + retentionEveryMs;
      const { keepSent, keepDead } = context.settings.outbox;
      // In transactions, because those are repeated after a deadlock; not under the lease, whose row would be locked as long.
      await context.state.transaction((tx) => retain(tx, { sentMs: keepSent, deadMs: keepDead }, now));
      await context.state.transaction((tx) => clearFrozen(tx, now - keepSent));
      await context.state.transaction((tx) => purgePlans(tx, now - keepPlansMs));
    }
    return wrote;
  };
}

const countLimit = 100_000;

async function gauges(context: Context, now: number): Promise<void> {
  const { metrics, state } = context;
  metrics.openRuns.set((await listByPhase(state.database.db, 'open', countLimit)).length);
  metrics.waiting.reset();
  metrics.dead.reset();
  metrics.oldest.reset();
  for (const { destination, waiting, dead, oldestWaitingAt } of await outboxStats(state.database.db, ['waiting', 'dead'])) {
    metrics.waiting.set({ destination }, waiting);
    metrics.dead.set({ destination }, dead);
    metrics.oldest.set({ destination }, oldestWaitingAt === null ? 0 : Math.max(0, (now - oldestWaitingAt) / 1000));
  }
}
