// The runs that an application had before anybody watched it, from what its row and its log rows still tell. The same state
// machine as in a poll works through them, as if it had last looked before the first start: so a run is found, named and ended
// by the rules that a daemon would have used.
import type { Tracker } from './attempt.ts';
import type { Change, Missed, SubmissionFailed } from './changes.ts';
import { endInstant, keyOf, plausible, type ToInstant } from './evidence.ts';
import type { AppRow, LogRow } from './rows.ts';
import { meaningOf } from './states.ts';
import { type TrackContext, type Tracked, track } from './tracker.ts';

/** A run that is over. */
export type PastRun = Missed | SubmissionFailed;

/** What is known of an application when its past is asked for. */
export interface Past {
  /** The row as it is now, whatever its opt-in says. */
  readonly row: AppRow;
  /** All START and CANCEL rows of the application that are left, in id order. */
  readonly logs: readonly LogRow[];
  readonly clusterLost: boolean;
  /** The database's clock, ms since the epoch. */
  readonly now: number;
}

/** The oldest run that was reported already: everything from its start on is no business of the past. */
export interface FirstKnown {
  readonly jobId: string | null;
  readonly logId: string | null;
  readonly startedAt: number;
  /** A job that was bound by hand: no START log row is its own. */
  readonly mapped: boolean;
}

/**
 * The whole life of an application that was never watched: its past runs, and the one that is alive.
 * @returns the changes in the order in which they happened, and a tracker from which a poll goes on
 */
export function lifeOf(past: Past, context: TrackContext): Tracked {
  const row = { ...past.row, optIn: true };
  let { tracker, changes, diagnostics } = track(before(row), { ...past, row }, context);
  // Lost for longer than it may come back: it has ended when the console said so.
  const lostAt = plausible(row.endTime, past.now, context.toInstant);
  if (tracker?.current?.phase === 'open' && tracker.current.lost?.by === 'row' && lostAt !== null) {
    if (past.now - lostAt >= context.lostGraceMs) {
      const later = track(tracker, { row, logs: [], clusterLost: past.clusterLost, now: past.now + context.lostGraceMs }, context);
      ({ tracker, diagnostics } = { ...later, diagnostics: [...diagnostics, ...later.diagnostics] });
      changes = [...changes, ...later.changes];
    }
  }
  return {
    tracker: tracker === null ? null : { ...tracker, row: past.row },
    changes: changes.map((change) => dated(change, past, context.toInstant)),
    diagnostics,
  };
}

/**
 * The runs of a watched application that ended before the first one that was reported.
 * @param first undefined = nothing was ever reported of it
 * @param seen the row that the tracker last saw; what came after it is found by the daemon
 */
export function earlierRuns(past: Past, first: FirstKnown | undefined, seen: AppRow, context: TrackContext): PastRun[] {
  const bounded = first === undefined ? upToSeen(past, seen) : upToFirst(past, first, context.toInstant);
  const { changes } = lifeOf(bounded, context);
  return changes.filter((change): change is PastRun => change.kind === 'missed' || change.kind === 'submissionFailed');
}

/** Nothing after the row that was last seen: its start is the last one that may be worked through. */
function upToSeen(past: Past, seen: AppRow): Past {
  const newest = [seen.optionTime, seen.startTime].reduce((a, b) => (b !== null && (a === null || b > a) ? b : a), null);
  return { ...past, row: seen, logs: past.logs.filter((log) => newest !== null && log.createTime !== null && log.createTime <= newest) };
}

/** As if the row stood in STARTING for the first known run: that ends the one before it and says nothing of itself. */
function upToFirst(past: Past, first: FirstKnown, toInstant: ToInstant): Past {
  let logs = past.logs.filter((log) => isBefore(log, first, toInstant));
  if (first.logId === null && !first.mapped) {
    // The last submission before its start is its own.
    const own = logs.findLastIndex((log) => log.operation === 'start' && log.success);
    if (own >= 0) logs = logs.slice(0, own);
  }
  const next = past.logs.find((log) => log.operation === 'start' && log.createTime !== null && !logs.includes(log));
  const isCurrent = first.jobId !== null && first.jobId === keyOf(past.row);
  const row: AppRow = {
    ...blank(past.row),
    state: 3,
    // Without a log row of its own the request is of any time after all others; the clock bounds it.
    optionTime: next?.createTime ?? '9999-12-31 23:59:59',
    restartCount: isCurrent ? past.row.restartCount : 0,
  };
  return { ...past, row, logs, now: first.startedAt };
}

function isBefore(log: LogRow, first: FirstKnown, toInstant: ToInstant): boolean {
  if (first.logId !== null) return BigInt(log.id) < BigInt(first.logId);
  const at = log.createTime === null ? null : toInstant(log.createTime);
  return at !== null && at <= first.startedAt;
}

const blank = (row: AppRow): AppRow => ({
  ...row,
  state: 0,
  optionState: 0,
  tracking: 0,
  jobId: null,
  clusterId: null,
  startTime: null,
  endTime: null,
  optionTime: null,
  restartCount: 0,
});

/** The tracker before the first start. */
const before = (row: AppRow): Tracker => ({
  version: 1,
  row: blank(row),
  attempts: 0,
  current: null,
  last: null,
  closed: [],
  lostRun: null,
  logs: [],
  mapping: false,
  doubtSince: null,
});

/**
 * A poll that finds a run over dates its end by the clock when nothing else tells. Of a run that is long past the row or the
 * request for its stop tell more; where they do not, only its start is certain.
 */
function dated(change: Change, past: Past, toInstant: ToInstant): Change {
  if (change.kind === 'submissionFailed') return { ...change, at: change.evidence.startedAt };
  if (change.kind !== 'missed') return change;
  const { startedAt } = change.evidence;
  const instant = (raw: string | null) => plausible(raw, past.now, toInstant);
  if (change.reason === 'CANCELED') {
    const stop = past.logs
      .filter((log) => log.operation === 'cancel' && log.success)
      .map((log) => instant(log.createTime))
      .find((at): at is number => at !== null && at >= startedAt && at <= change.at);
    if (stop !== undefined && change.evidence.jobId === null) return { ...change, at: stop };
  }
  if (change.at < past.now) return change;
  const { row } = past;
  const ended = meaningOf(row.engine, row.state).kind === 'starting' ? null : endInstant(row, null, past.now, toInstant);
  const asked = instant(row.optionTime);
  const at = [ended, asked].find((time) => time !== null && time >= startedAt) ?? startedAt;
  return { ...change, at, reconstructed: true };
}
