// One application of a backfill: planned, its scripts read, its runs written and decided.

import { type AppRow, appKey, type Change, type PastRead } from '../../watch/watch.ts';
import { type Context, LeaseLost } from '../context.ts';
import type { Gathered } from '../gather.ts';
import type { Planning } from '../planning.ts';
import { type PreviewedRun, preview } from './dryrun.ts';
import { gathering } from './gathering.ts';
import { makesRun, type PlanContext, planApp, type SkipReason } from './plan.ts';
import { decideRuns, laterRunGone, readKnown, writeRuns } from './write.ts';

/** What became of one application. */
export interface AppResult {
  readonly runs: number;
  readonly events: number;
  /** Runs that wait for the planner. */
  readonly waiting: number;
  readonly skipped: SkipReason | null;
  /** Of a dry run. */
  readonly preview: readonly PreviewedRun[];
}

export interface AppWork {
  readonly context: Context;
  readonly planning: Planning;
  readonly limits: PlanContext;
  readonly dryRun: boolean;
  readonly namesakes: (row: AppRow) => readonly AppRow[];
  readonly paced: (events: number) => Promise<void>;
}

/** An application that nothing is done for. */
export const nothing = (skipped: SkipReason): AppResult => ({ runs: 0, events: 0, waiting: 0, skipped, preview: [] });

/**
 * Works one application off.
 * @throws SourceError, StateError, LeaseLost
 */
export async function backfillApp(work: AppWork, read: PastRead): Promise<AppResult> {
  const { context, planning, dryRun } = work;
  const { row } = read;
  const known = await readKnown(context, row);
  const plan = planApp(read, known, work.limits);
  const runs = plan.changes.some(makesRun);
  if (runs && known.first !== undefined && (await laterRunGone(context, row))) return nothing('LATER_RUN_GONE');
  const alive = plan.tracker?.current?.number ?? null;
  const gather = gathering(context, read, alive);
  const gathered = new Map<Change, Gathered | undefined>();
  for (const change of plan.changes) gathered.set(change, await gather(change));
  const written = await writeRuns(context, row, known, plan, gathered, work.namesakes(row));
  if (written === null) return nothing('TAKEN_UP');
  if (dryRun) {
    const shown: (PreviewedRun | null)[] = [];
    for (const run of written) shown.push(await preview(context, planning, run));
    const previews = shown.filter((run): run is PreviewedRun => run !== null);
    const events = previews.reduce((sum, run) => sum + run.events, 0);
    return { ...counted(previews.length, events, shown.length - previews.length, plan.reason), preview: previews };
  }
  // planned side by side; decided one after the other
  for (const of of gathered.values()) planAhead(work, read, of);
  const { runs: told, events, waiting } = await decideRuns(context, planning, row, work.paced);
  return { ...counted(told, events, waiting, plan.reason), preview: [] };
}

function counted(runs: number, events: number, waiting: number, reason: SkipReason | null): Omit<AppResult, 'preview'> {
  return { runs, events, waiting, skipped: runs + waiting > 0 ? null : (reason ?? 'KNOWN') };
}

function planAhead({ context, planning }: AppWork, { row }: PastRead, gathered: Gathered | undefined): void {
  const script = gathered?.loaded.script ?? null;
  const prepared = gathered?.prepared ?? null;
  if (script === null || prepared === null) return;
  planning
    .plan(script.planKey, async () => prepared, { app: appKey(row.engine, row.id), sqlId: script.sqlId })
    .catch((error: unknown) => {
      if (!(error instanceof LeaseLost)) context.log.debug({ stage: 'plan', err: error }, 'not planned ahead');
    });
}
