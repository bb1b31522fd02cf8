// The state machine of one application: what was known + one observation -> what is known now + the changes.
// Pure, and repeatable: an observation that was already worked through yields nothing.
import type { Diagnostic } from '../errors/errors.ts';
import type { Limits, Tracker } from './attempt.ts';
import type { Change } from './changes.ts';
import { beganAfter, keyOf, showsOldJob, successVisible, type ToInstant } from './evidence.ts';
import { deadlineOf } from './follow.ts';
import { readRow, restart, startsAnew } from './lifecycle.ts';
import type { AppRow, LogRow } from './rows.ts';
import { ownLog, readLogs, takeFresh } from './starts.ts';
import { meaningOf } from './states.ts';
import { adopt, attempt, beginWalk, close, discard, endWalk, markOf, miss, type Walk } from './walk.ts';

/** What one poll saw of one application. */
export interface Observation {
  /** null = the row is gone. */
  readonly row: AppRow | null;
  /** Log rows of this application in id order; rows that were handed in before are recognised. */
  readonly logs: readonly LogRow[];
  /** The session or remote cluster that the application runs on is down (t_flink_cluster). */
  readonly clusterLost: boolean;
  /** The database's clock, ms since the epoch. */
  readonly now: number;
}

export interface TrackContext extends Limits {
  /**
   * Last attempt of a row that is seen for the first time, where an earlier life of it was reported: its attempts go on from there.
   * By default 0.
   */
  readonly attemptsOf?: (row: AppRow) => number;
  /** Raw time of the database -> ms since the epoch, null when it is not a time. */
  readonly toInstant: ToInstant;
}

export interface Tracked {
  /** null = forget the application. */
  readonly tracker: Tracker | null;
  /** In the order in which they happened. */
  readonly changes: readonly Change[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Moves one application on by one observation.
 * A row with the id of a known one but another create_time is another application: the old one vanished.
 * @param tracker null = never seen before: a run that is alive is adopted, one that has ended is not reported
 */
export function track(tracker: Tracker | null, seen: Observation, context: TrackContext): Tracked {
  if (seen.row === null) return tracker === null ? nothing : vanish(tracker, seen, context);
  if (tracker !== null && tracker.row.createTime !== seen.row.createTime) {
    const gone = vanish(tracker, seen, context);
    const fresh = track(null, seen, context);
    return { ...fresh, changes: [...gone.changes, ...fresh.changes] };
  }
  if (tracker === null && !seen.row.optIn) return nothing;
  const walk = beginWalk(tracker, seen.row, seen.now, context.toInstant);
  if (tracker === null) walk.attempts = context.attemptsOf?.(seen.row) ?? 0;
  const optedIn = seen.row.optIn && tracker?.row.optIn !== true;
  if (tracker === null || (optedIn && tracker.current === null)) {
    firstSight(walk, takeFresh(walk, seen.logs), seen.logs);
    if (walk.current !== null || walk.lostRun !== null) readRow(walk, seen.clusterLost, context);
  } else {
    if (!seen.row.optIn && walk.current?.phase === 'provisional') discard(walk, walk.current);
    const fresh = takeFresh(walk, seen.logs);
    const anew = startsAnew(walk);
    // The log row of the start that the row stands for must not prove an attempt before it.
    const own = anew ? ownLog(seen.row, fresh) : fresh.length;
    readLogs(walk, fresh.slice(0, own), !anew ? 'none' : own < fresh.length ? 'logged' : 'unlogged');
    if (anew) restart(walk);
    readLogs(walk, fresh.slice(own), 'none');
    readRow(walk, seen.clusterLost, context);
  }
  if (tracker?.row.optIn === true && !seen.row.optIn) walk.changes.push({ kind: 'optedOut', app: seen.row, attempt: walk.attempts });
  return { tracker: endWalk(walk), changes: walk.changes, diagnostics: walk.diagnostics };
}

/** The instant at which the application must be observed again although nothing changed; null = never. */
export function deadline(tracker: Tracker, limits: Limits): number | null {
  return deadlineOf(tracker, limits);
}

/** The tracker holds a run whose START went out, so the row must be followed even when it is opted out. */
export const hasOpenRun = (tracker: Tracker): boolean => tracker.current?.phase === 'open';

const nothing: Tracked = { tracker: null, changes: [], diagnostics: [] };

function vanish(tracker: Tracker, seen: Observation, context: TrackContext): Tracked {
  const walk = beginWalk(tracker, tracker.row, seen.now, context.toInstant);
  const { current } = walk;
  if (current?.phase === 'open') {
    const at = Math.max(current.evidence.startedAt, seen.now);
    walk.changes.push({
      kind: 'ended',
      app: walk.row,
      attempt: current.number,
      how: 'abort',
      reason: 'DELETED',
      at,
      reconstructed: false,
      message: null,
    });
  } else if (current?.proof != null && walk.row.optIn) {
    miss(walk, current, null, { how: 'abort', reason: 'DELETED', reconstructed: false }, seen.now);
  } else if (current !== null) {
    discard(walk, current);
  }
  walk.changes.push({ kind: 'vanished', app: walk.row, attempt: walk.attempts });
  return { tracker: null, changes: walk.changes, diagnostics: [] };
}

/** An application seen for the first time, or opted in again: only what is alive or about to start counts. */
function firstSight(walk: Walk, fresh: readonly LogRow[], logs: readonly LogRow[]): void {
  const { row } = walk;
  const key = keyOf(row);
  const meaning = meaningOf(row.engine, row.state);
  const startLog = logs.filter((log) => log.operation === 'start' && log.success).at(-1) ?? null;
  walk.last = markOf(row, null, false);
  walk.doubtSince = null;
  walk.mapping = meaning.kind === 'mapping';
  if (meaning.kind === 'starting') {
    const ofThisStart = fresh.filter((log) => log.operation === 'start' && beganAfter(log, row.optionTime)).at(-1) ?? null;
    const old = showsOldJob(row);
    attempt(walk, {
      baseKey: old ? key : null,
      baseStartTime: successVisible(row) ? null : row.startTime,
      mark: markOf(row, ofThisStart, false),
      proof: ofThisStart?.success === true ? ofThisStart : null,
      failure: ofThisStart?.success === false ? ofThisStart : null,
    });
    if (old) close(walk, key);
  } else if (meaning.kind === 'live' && key !== null) {
    // Reported and closed before it was opted out; if it was lost, it may go on.
    const same = row.startTime === walk.before?.startTime || key === walk.lostRun?.key;
    if (walk.closed.includes(key) && same) return;
    if (row.endTime !== null) walk.doubtSince = walk.now;
    // Every start of the console moves option_time, so a job beside none was started elsewhere.
    else adopt(walk, key, row.optionTime === null && startLog === null, startLog, meaning.stopping);
  } else if (meaning.kind === 'ended' || meaning.kind === 'idle') {
    close(walk, key);
  }
}
