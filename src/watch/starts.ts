// START and CANCEL log rows: the proof of submissions, and the trace of runs that began and ended between two looks.
import type { Provisional, StartMark } from './attempt.ts';
import { beganAfter, endInstant, isAbort, keyOf, plausible, showsNewJob, successVisible } from './evidence.ts';
import type { AppRow, LogRow } from './rows.ts';
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

/**
 * Index of the log row of the start that a row in STARTING stands for, the number of log rows when it is not there. The row
 * of a success is written after the success itself.
 */
export function ownLog(row: AppRow, fresh: readonly LogRow[]): number {
  const own = fresh.findLastIndex((log) => log.operation === 'start');
  const log = fresh[own];
  return log !== undefined && beganAfter(log, row.optionTime) && (!log.success || successVisible(row)) ? own : fresh.length;
}

/** A start that the row stands in and that comes after the log rows: its own log row may be there already. */
export type Following = 'none' | 'logged' | 'unlogged';

/** Works through fresh log rows. */
export function readLogs(walk: Walk, fresh: readonly LogRow[], following: Following): void {
  // Within the seconds of MySQL a second row may look late too; a start has one.
  const late = fresh.find((log) => log.operation === 'start' && isLate(walk, log));
  const starts = fresh.filter((log) => log.operation === 'start' && log !== late && !(isLate(walk, log) && nothingAskedSince(walk)));
  const lastSuccess = starts.findLastIndex((log) => log.success);
  const moved = following === 'none' && askedUnlogged(walk, fresh);
  const certain = following !== 'unlogged' && !moved;
  const overwritten = following !== 'none' && successVisible(walk.row);
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
    const later = starts.length - 1 - index + (following !== 'none' || moved ? 1 : 0);
    const after: After = { later, certain, shown: index > lastSuccess && !overwritten };
    if (log.success) succeeded(walk, log, after);
    else failed(walk, log, after);
  }
}

/** Something was asked for after all log rows: perhaps an automatic start that never happened, which is counted all the same. */
function askedUnlogged({ row, before }: Walk, fresh: readonly LogRow[]): boolean {
  return row.optionTime !== before?.optionTime && !fresh.some((log) => beganAfter(log, row.optionTime));
}

/**
 * The log row belongs to a start that is already known (it is written up to 200 ms after the row): no operation was asked
 * for since, or it was begun between that start's request and its start_time.
 */
function isLate(walk: Walk, log: LogRow): boolean {
  const mark = knownStart(walk);
  if (mark === null) return false;
  if (nothingAskedSince(walk)) return true;
  if (mark.logId !== null || log.createTime === null || mark.startTime === null) return false;
  return (mark.optionTime === null || log.createTime >= mark.optionTime) && log.createTime <= mark.startTime;
}

const nothingAskedSince = (walk: Walk): boolean => {
  const mark = knownStart(walk);
  return mark !== null && mark.optionTime !== null && mark.optionTime === walk.row.optionTime;
};

const knownStart = (walk: Walk): StartMark | null =>
  walk.current === null ? walk.last : walk.current.phase === 'open' ? walk.current.mark : null;

function noteLate(walk: Walk, log: LogRow): void {
  const named = (mark: StartMark): StartMark => ({ ...mark, logId: mark.logId ?? log.id });
  if (walk.current === null) walk.last = walk.last === null ? null : named(walk.last);
  else walk.current = { ...walk.current, mark: named(walk.current.mark) };
}

function succeeded(walk: Walk, log: LogRow, after: After): void {
  const { current } = walk;
  if (current?.phase === 'provisional' && current.proof === null && current.failure === null) {
    walk.current = { ...current, proof: log, mark: { ...current.mark, logId: log.id } };
    return;
  }
  attemptAfter(walk, log, after, { proof: log });
}

function failed(walk: Walk, log: LogRow, after: After): void {
  const { current } = walk;
  if (current?.phase === 'provisional' && current.proof === null && current.failure === null) {
    if (isAbort(log)) discard(walk, current);
    else walk.current = { ...current, failure: log };
    return;
  }
  if (isAbort(log)) supersede(walk, log.createTime, after);
  else attemptAfter(walk, log, after, { failure: log });
}

function attemptAfter(walk: Walk, log: LogRow, after: After, of: Partial<Pick<Provisional, 'proof' | 'failure'>>): void {
  const { current, before } = walk;
  const baseKey = current?.phase === 'open' ? current.key : (current?.baseKey ?? (before === null ? null : keyOf(before)));
  supersede(walk, log.createTime, after);
  if (!walk.row.optIn) return;
  attempt(walk, { baseKey, baseStartTime: before?.startTime ?? null, mark: markOf(walk.row, log, false), ...of });
}

/** What is known of the starts from the one on that ends an attempt. */
export interface After {
  /** Starts after that one: tells whether it was an automatic restart. */
  readonly later: number;
  /** Every one of them is known; starts that never happen leave no log row, but restart_count counts them. */
  readonly certain: boolean;
  /** No submission succeeded since: job id and times of the row are still those of the attempt. */
  readonly shown: boolean;
}

/** The newer start is the last one, and its submission may have succeeded. */
export const lastStart: After = { later: 0, certain: true, shown: false };

/**
 * The current attempt is over because a newer start was seen.
 * @param startedBy raw time of the newer start: a bound for the end
 */
export function supersede(walk: Walk, startedBy: string | null, after: After): void {
  const { current, row, now, toInstant } = walk;
  if (current === null) return;
  const as = inferred(walk, current.stopping, after);
  const bound = plausible(startedBy, now, toInstant);
  if (current.phase === 'open') {
    const seen = keyOf(row) === current.key ? endInstant(row, current.staleEnd, now, toInstant) : null;
    const reason = as.how === 'fail' && seen !== null ? 'FAILED' : as.reason;
    end(walk, current, { ...as, reason }, seen ?? bound ?? now);
  } else if (current.failure !== null) {
    failSubmission(walk, current, current.failure);
  } else if (current.proof !== null) {
    const key = after.shown && showsNewJob(row, current, walk.closed) ? keyOf(row) : null;
    miss(walk, current, key, as, (key === null ? null : endInstant(row, null, now, toInstant)) ?? bound);
  } else {
    discard(walk, current);
  }
}

/**
 * How a run ended whose end was not seen. restart_count counts the automatic starts since the last manual one, and only a
 * failed run is started automatically; a CANCEL log row tells a stop; with neither the kind of end is not known.
 */
export function inferred(walk: Walk, stopping: boolean, { later, certain }: Pick<After, 'later' | 'certain'>): End {
  if (stopping) return { how: 'abort', reason: 'CANCELED', reconstructed: false };
  if ((walk.row.restartCount ?? 0) > later) return { how: 'fail', reason: 'RESTARTED', reconstructed: !certain };
  return { how: 'abort', reason: 'REPLACED', reconstructed: true };
}
