// What a backfill would add for one application: a pure function of what StreamPark tells and of what was reported before.
import type { RunRecord } from '../../state/state.ts';
import { type Change, earlierRuns, lifeOf, type PastRead, type TrackContext, type Tracker } from '../../watch/watch.ts';

/** Why an application, or some of its runs, is left out. */
export type SkipReason =
  /** Everything that is known of it was reported before. */
  | 'KNOWN'
  /** It never ran, or nothing is left of it. */
  | 'NO_RUN'
  /** Its runs ended before --since. */
  | 'BEFORE_SINCE'
  /** A start is under way and not proven yet. */
  | 'STARTING'
  /** The daemon took it up meanwhile. */
  | 'TAKEN_UP'
  /** A later run has ended and can no longer be told again after the earlier ones. */
  | 'LATER_RUN_GONE'
  /** The row was deleted meanwhile. */
  | 'DELETED'
  /** It could not be read or written; see the log line. */
  | 'FAILED';

export interface Known {
  readonly tracker: Tracker | null;
  readonly first: RunRecord | undefined;
}

export interface AppPlan {
  /** To be written as the checkpoint; null = there is one. */
  readonly tracker: Tracker | null;
  /** Oldest first; those that make a run carry the attempt they will have. */
  readonly changes: readonly Change[];
  /** Set when there is nothing to add. */
  readonly reason: SkipReason | null;
}

export interface PlanContext extends TrackContext {
  readonly since: number | null;
}

/** Plans one application. */
export function planApp(read: PastRead, known: Known, context: PlanContext): AppPlan {
  if (known.tracker === null && known.first === undefined) return unwatched(read, context);
  const first = known.first === undefined ? undefined : { ...known.first, mapped: known.first.identityText.includes(':app:') };
  const runs = earlierRuns(read, first, known.tracker?.row ?? read.row, context);
  // Attempts count backwards from the first that is known: they stay in the order of time, and the tracker's own go on.
  const next = Math.min(known.first?.attempt ?? Number.POSITIVE_INFINITY, (known.tracker?.attempts ?? 0) + 1);
  const last = runs.at(-1)?.attempt ?? 0;
  const numbered = runs.map((run) => asOf({ ...run, attempt: next - 1 - last + run.attempt }, read));
  const changes = numbered.filter((run) => context.since === null || run.at >= context.since);
  const reason = changes.length > 0 ? null : numbered.length > 0 ? 'BEFORE_SINCE' : 'KNOWN';
  return { tracker: null, changes, reason };
}

function unwatched(read: PastRead, context: PlanContext): AppPlan {
  const { tracker, changes: life } = lifeOf(read, context);
  if (tracker === null) return { tracker: null, changes: [], reason: 'NO_RUN' };
  const old = new Set(life.filter((change) => context.since !== null && isOver(change) && change.at < context.since).map((c) => c.attempt));
  const changes = life.filter((change) => !old.has(change.attempt)).map((change) => asOf(change, read));
  if (changes.some(makesRun)) return { tracker, changes, reason: null };
  const reason = old.size > 0 ? 'BEFORE_SINCE' : tracker.current?.phase === 'provisional' ? 'STARTING' : 'NO_RUN';
  return { tracker, changes, reason };
}

/** The change with the row as it is; what the row shows of a later run is no fact of an earlier one. */
function asOf<T extends Change>(change: T, { row }: PastRead): T {
  const earlier = (change.kind === 'missed' || change.kind === 'submissionFailed') && change.evidence.jobId === null;
  return { ...change, app: earlier ? { ...row, clusterId: change.evidence.yarnId } : row };
}

const isOver = (change: Change): change is Extract<Change, { at: number }> =>
  change.kind === 'missed' || change.kind === 'submissionFailed' || change.kind === 'ended';

/** The change begins a run. */
export const makesRun = (change: Change): boolean => ['submitted', 'adopted', 'missed', 'submissionFailed'].includes(change.kind);

/** The raw time at which the start of a run was asked for, where anything tells. */
export function askedAt(change: Change, read: PastRead): string | null {
  if (change.kind !== 'missed' && change.kind !== 'submissionFailed' && change.kind !== 'submitted') return null;
  const { logId, optionTime, jobId } = change.evidence;
  const log = read.logs.find((row) => row.id === logId);
  return log?.createTime ?? optionTime ?? (jobId !== null && jobId === read.row.jobId ? read.row.startTime : null);
}
