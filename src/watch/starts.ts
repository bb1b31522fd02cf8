// START and CANCEL log rows: the proof of submissions, and the trace of runs that began and ended between two looks.
import type { Provisional, StartMark } from './attempt.ts';
import { beganAfter, endInstant, isAbort, keyOf, plausible } from './evidence.ts';
import type { LogRow } from './rows.ts';
import { attempt, discard, type End, end, failSubmission, logOverlap, markOf, miss, type Walk } from './walk.ts';

const logKey = (log: LogRow): string => `${log.id}@${log.createTime ?? ''}`;

/**
 * The log rows that were not used before, in id order; they count as used from now on.
 * Remembers only what the cursor's overlap can bring again, counted from the newest row, so that a table that was emptied
 * and counts from below again is followed.
 */
export function takeFresh(walk: Walk, logs: readonly LogRow[]): LogRow[] {
  const used = new Set(walk.logs);
  const fresh = logs.filter((log) => (log.operation === 'start' || log.operation === 'cancel') && !used.has(logKey(log)));
  if (fresh.length === 0) return [];
  fresh.sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
  const newest = BigInt(fresh.at(-1)?.id ?? 0);
  const near = (entry: string) => {
    const distance = newest - BigInt(entry.slice(0, entry.indexOf('@')));
    return distance < 2n * BigInt(logOverlap) && distance > -2n * BigInt(logOverlap);
  };
  walk.logs = [...walk.logs, ...fresh.map(logKey)].filter(near);
  return fresh;
}

/** Works through fresh log rows. `rowStarts` = the row stands in STARTING for a request that was not seen before. */
export function readLogs(walk: Walk, fresh: readonly LogRow[], rowStarts: boolean): void {
  const starts = fresh.filter((log) => log.operation === 'start' && !isLate(walk, log));
  const last = starts.at(-1);
  const oneMore = rowStarts && (last === undefined || !beganAfter(last, walk.row.optionTime));
  for (const log of fresh) {
    if (log.operation === 'cancel') {
      if (log.success && walk.current !== null) walk.current = { ...walk.current, stopping: true };
      continue;
    }
    const index = starts.indexOf(log);
    if (index === -1) {
      noteLate(walk, log);
      continue;
    }
    const later = starts.length - 1 - index + (oneMore ? 1 : 0);
    if (log.success) succeeded(walk, log, later);
    else failed(walk, log, later);
  }
}

/**
 * The log row belongs to a start that is already known (it is written up to 200 ms after the row): no operation was asked
 * for since, or it was begun between that start's request and its start_time.
 */
function isLate(walk: Walk, log: LogRow): boolean {
  const mark = knownStart(walk);
  if (mark === null) return false;
  if (mark.optionTime !== null && mark.optionTime === walk.row.optionTime) return true;
  if (mark.logId !== null || log.createTime === null || mark.startTime === null) return false;
  return (mark.optionTime === null || log.createTime >= mark.optionTime) && log.createTime <= mark.startTime;
}

const knownStart = (walk: Walk): StartMark | null =>
  walk.current === null ? walk.last : walk.current.phase === 'open' ? walk.current.mark : null;

function noteLate(walk: Walk, log: LogRow): void {
  const named = (mark: StartMark): StartMark => ({ ...mark, logId: mark.logId ?? log.id });
  if (walk.current === null) walk.last = walk.last === null ? null : named(walk.last);
  else walk.current = { ...walk.current, mark: named(walk.current.mark) };
}

function succeeded(walk: Walk, log: LogRow, later: number): void {
  const { current } = walk;
  if (current?.phase === 'provisional' && current.proof === null && current.failure === null) {
    walk.current = { ...current, proof: log, mark: { ...current.mark, logId: log.id } };
    return;
  }
  attemptAfter(walk, log, later, { proof: log });
}

function failed(walk: Walk, log: LogRow, later: number): void {
  const { current } = walk;
  if (current?.phase === 'provisional' && current.proof === null && current.failure === null) {
    if (isAbort(log)) discard(walk, current);
    else walk.current = { ...current, failure: log };
    return;
  }
  if (isAbort(log)) supersede(walk, log.createTime, later);
  else attemptAfter(walk, log, later, { failure: log });
}

function attemptAfter(walk: Walk, log: LogRow, later: number, of: Partial<Pick<Provisional, 'proof' | 'failure'>>): void {
  const { current, before } = walk;
  const baseKey = current?.phase === 'open' ? current.key : (current?.baseKey ?? (before === null ? null : keyOf(before)));
  supersede(walk, log.createTime, later);
  if (!walk.row.optIn) return;
  attempt(walk, { baseKey, baseStartTime: before?.startTime ?? null, mark: markOf(walk.row, log, false), ...of });
}

/**
 * The current attempt is over because a newer start was seen.
 * @param startedBy raw time of the newer start: a bound for the end
 * @param later how many starts followed the newer one: tells whether it was an automatic restart
 */
export function supersede(walk: Walk, startedBy: string | null, later: number): void {
  const { current, row, now, toInstant } = walk;
  if (current === null) return;
  const as = inferred(walk, current.stopping, later);
  const bound = plausible(startedBy, now, toInstant);
  if (current.phase === 'open') {
    const seen = keyOf(row) === current.key ? endInstant(row, current.staleEnd, now, toInstant) : null;
    const reason = as.how === 'fail' && seen !== null ? 'FAILED' : as.reason;
    end(walk, current, { ...as, reason }, seen ?? bound ?? now);
  } else if (current.failure !== null) {
    failSubmission(walk, current, current.failure);
  } else if (current.proof !== null) {
    miss(walk, current, null, as, bound);
  } else {
    discard(walk, current);
  }
}

/**
 * How a run ended whose end was not seen. restart_count counts the automatic starts since the last manual one, and only a
 * failed run is started automatically; a CANCEL log row tells a stop; with neither the kind of end is not known.
 */
export function inferred(walk: Walk, stopping: boolean, later: number): End {
  if (stopping) return { how: 'abort', reason: 'CANCELED', reconstructed: false };
  if ((walk.row.restartCount ?? 0) > later) return { how: 'fail', reason: 'RESTARTED', reconstructed: false };
  return { how: 'abort', reason: 'REPLACED', reconstructed: true };
}
