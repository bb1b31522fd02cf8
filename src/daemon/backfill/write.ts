// The writes of a backfill for one application: its runs and its checkpoint in one step, then the events of each run. Killed
// in between, the runs wait in phase `planning` for the next backfill or the next start of the daemon.
import type { FrozenRun } from '../../openlineage/openlineage.ts';
import { identityText } from '../../openlineage/openlineage.ts';
import { enqueue, resend } from '../../outbox/outbox.ts';
import {
  type FrozenRunRecord,
  findByIdentity,
  firstRun,
  lastRun,
  lastWriteBefore,
  listUndecided,
  markDecided,
  type RowKey,
  type RunRecord,
  readCheckpoint,
  type StateTx,
  saveCheckpoint,
} from '../../state/state.ts';
import { type AppRow, appKey, type Change } from '../../watch/watch.ts';
import type { Context } from '../context.ts';
import { decideRun, eventsOf, outboxDestinations, takenBy } from '../decide.ts';
import type { Gathered } from '../gather.ts';
import type { Remembered } from '../known.ts';
import { observe } from '../observe.ts';
import type { Planning } from '../planning.ts';
import type { AppPlan, Known } from './plan.ts';

/** More runs than this of one application are decided in the next round. */
const atOnce = 1_000;

export const rowKeyOf = ({ engine, id, createTime }: AppRow): RowKey => ({ engine, appId: id, createTime });

/** What is known of an application, read in the caller's transaction or outside of any. */
export async function readKnown(context: Context, row: AppRow, db = context.state.database.db): Promise<Known> {
  const key = rowKeyOf(row);
  const checkpoint = await readCheckpoint(db, key);
  const tracker = checkpoint === undefined ? null : (JSON.parse(checkpoint.json) as Remembered).tracker;
  return { tracker, first: await firstRun(db, key) };
}

/**
 * Writes the planned runs, in phase `planning`, and the checkpoint of an application that had none.
 * @param basis what the plan was made from; when it holds no longer nothing is written
 * @returns the runs that were written, oldest first; null when another program was quicker
 */
export async function writeRuns(
  context: Context,
  row: AppRow,
  basis: Known,
  plan: AppPlan,
  gathered: ReadonlyMap<Change, Gathered | undefined>,
  namesakes: readonly AppRow[],
): Promise<RunRecord[] | null> {
  return context.underLease(async (tx) => {
    const now = await readKnown(context, row, tx);
    if ((now.tracker === null) !== (basis.tracker === null) || now.first?.attempt !== basis.first?.attempt) return null;
    let kept: Remembered['kept'] = null;
    const reported = await reportedBefore(tx, row, plan.changes);
    for (const change of plan.changes) {
      if (reported.has(change.attempt)) continue;
      kept = await observe(context, tx, { changes: [change], kept, gathered: gathered.get(change) }, () => namesakes);
    }
    if (plan.tracker !== null) {
      const remembered: Remembered = { tracker: plan.tracker, kept };
      if (!(await saveCheckpoint(tx, rowKeyOf(row), JSON.stringify(remembered), 0, context.now()))) return null;
    }
    return listUndecided(tx, rowKeyOf(row), atOnce);
  });
}

/** Attempts whose run this application has reported already, under its bare identity. */
async function reportedBefore(tx: StateTx, row: AppRow, changes: readonly Change[]): Promise<ReadonlySet<number>> {
  const reported = new Set<number>();
  for (const change of changes) {
    if (!('evidence' in change)) continue;
    const run = await findByIdentity(tx, identityText(change.evidence.identity, { continuation: change.evidence.continuation }));
    if (run?.engine === row.engine && run.appId === row.id && run.createTime === row.createTime) reported.add(change.attempt);
  }
  return reported;
}

export interface DecidedRuns {
  readonly runs: number;
  readonly events: number;
  /** They wait for the planner; whoever comes next goes on. */
  readonly waiting: number;
}

/**
 * Decides the runs of an application that wait, oldest first, and puts the newest run behind them.
 * @param paced called with the number of events after each run
 */
export async function decideRuns(
  context: Context,
  planning: Planning,
  row: AppRow,
  paced: (events: number) => Promise<void>,
): Promise<DecidedRuns> {
  const { db } = context.state.database;
  let [runs, events] = [0, 0];
  for (;;) {
    const waiting = await listUndecided(db, rowKeyOf(row), atOnce);
    if (waiting.length === 0) break;
    for (const [index, run] of waiting.entries()) {
      if (context.stopping.aborted) return { runs, events, waiting: 0 };
      const written = await decideRun(context, planning, run);
      if (written === 'waiting') return { runs, events, waiting: waiting.length - index };
      runs += 1;
      events += written;
      await paced(written);
    }
  }
  const restated = await restate(context, row, runs > 0);
  if (restated > 0) await paced(restated);
  return { runs, events: events + restated, waiting: 0 };
}

/**
 * Consumers take the last arrival for the state of a job. When runs older than the newest one were told after it, it is told
 * once more: with a heartbeat while it is open, all its events when it has ended.
 * @param wrote older runs were told just now
 */
async function restate(context: Context, row: AppRow, wrote: boolean): Promise<number> {
  return context.underLease(async (tx) => {
    const last = await lastRun(tx, rowKeyOf(row));
    if (last === undefined || last.frozenJson === null || last.emitted === 'none') return 0;
    const older = await lastWriteBefore(tx, last);
    if (older === null || !(older > last.updatedAt || (wrote && older === last.updatedAt && last.createdAt < older))) return 0;
    const frozen = JSON.parse(last.frozenJson) as FrozenRun;
    return last.phase === 'open' ? heartbeat(context, tx, last, frozen) : again(context, tx, last, frozen);
  });
}

async function heartbeat(context: Context, tx: StateTx, run: FrozenRunRecord, frozen: FrozenRun): Promise<number> {
  const now = context.now();
  const events = eventsOf(context, frozen, [{ type: 'RUNNING', at: now }], run.lastEventAt, now);
  await markDecided(tx, run, { phase: 'open', emitted: run.emitted, lastEventAt: events.at(-1)?.at ?? now }, now);
  await enqueue(tx, events, outboxDestinations(context), appKey(frozen.engine, frozen.app.appId), now);
  return takenBy(context, events).length;
}

async function again(context: Context, tx: StateTx, run: FrozenRunRecord, frozen: FrozenRun): Promise<number> {
  const { phase, emitted, lastEventAt } = run;
  const moved = await resend(tx, runIdsOf(frozen));
  await markDecided(tx, run, { phase, emitted, lastEventAt: lastEventAt ?? context.now() }, context.now());
  return moved;
}

const runIdsOf = (frozen: FrozenRun): string[] => [frozen.runId, ...frozen.children.map((child) => child.runId)];

/** The newest run has ended, and its end is no longer in the outbox: nothing older may be told after it. */
export async function laterRunGone(context: Context, row: AppRow): Promise<boolean> {
  const { db } = context.state.database;
  const last = await lastRun(db, rowKeyOf(row));
  if (last === undefined || last.phase !== 'closed') return false;
  if (last.frozenJson === null) return true;
  const runIds = runIdsOf(JSON.parse(last.frozenJson) as FrozenRun);
  const found = await db
    .selectFrom('outbox')
    .select('seq')
    .where('run_id', 'in', runIds)
    .where('terminal', '=', 1)
    .where('state', 'in', ['sent', 'waiting'])
    .limit(1)
    .execute();
  return found.length === 0;
}
