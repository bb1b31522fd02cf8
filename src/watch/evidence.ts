// Pure readings of a row and its log rows: which job it shows, whether that proves a start, and when things happened.
import type { Provisional } from './attempt.ts';
import type { RunIdentity } from './changes.ts';
import type { AppRow, LogRow } from './rows.ts';
import { meaningOf } from './states.ts';

/** Converts a raw time of the database; null where it is no time or the zone is not known. */
export type ToInstant = (raw: string) => number | null;

/** Times before this are leftovers such as 1970 (K8s applications watched without a cluster). */
const earliest = Date.UTC(2001, 0, 1);

/** What identifies a run in the row: the Flink job id, or the YARN application id of Spark. */
export const keyOf = (row: AppRow): string | null => (row.engine === 'flink' ? row.jobId : row.clusterId);

/** Modes where a run has a YARN application of its own: 2 per-job and 4 application. The job id arrives late there. */
export const ownYarnApplication = (row: AppRow): boolean =>
  row.engine === 'flink' ? row.deployMode === 2 || row.deployMode === 4 : row.deployMode === 2 || row.deployMode === 3;

/**
 * The success write of the start that this STARTING row stands for is in it: start_time is later than the request.
 * Both are of the console's clock, so their text compares.
 */
export function successVisible(row: AppRow): boolean {
  return row.endTime === null && row.startTime !== null && row.optionTime !== null && row.startTime >= row.optionTime;
}

/**
 * A row in STARTING shows the job of the run before: until the success write, and in the YARN modes of Flink until the
 * watcher writes, which sets another state.
 */
export const showsOldJob = (row: AppRow): boolean => !successVisible(row) || (row.engine === 'flink' && ownYarnApplication(row));

/** The START log row was begun at or after the request the row stands for. */
export function beganAfter(log: LogRow, optionTime: string | null): boolean {
  return optionTime !== null && log.createTime !== null && log.createTime >= optionTime;
}

/** A start that the user gave up: the console logs it as failed with a CancellationException. */
export const isAbort = (log: LogRow): boolean => log.exception !== null && /CancellationException/.test(log.exception);

/** The row shows a job that cannot be the one before the start. `closed` are the keys of runs that are over. */
export function showsNewJob(row: AppRow, attempt: Provisional, closed: readonly string[]): boolean {
  const key = keyOf(row);
  if (key === null || closed.includes(key)) return false;
  return key !== attempt.baseKey || meaningOf(row.engine, row.state).kind === 'live';
}

/**
 * The job key of a proven attempt, once it is certain. In the YARN modes 2 and 4 the success write leaves the old job id
 * in the row; there it is right when it differs, or when the watcher wrote after the success (a state beyond STARTING).
 */
export function settledKey(row: AppRow, attempt: Provisional): string | null {
  const key = keyOf(row);
  if (row.engine === 'spark') return attempt.proof?.clusterId ?? (key === attempt.baseKey ? null : key);
  if (!ownYarnApplication(row) || key !== attempt.baseKey) return key;
  const { kind } = meaningOf(row.engine, row.state);
  const watched = (kind === 'live' || kind === 'lost') && row.startTime !== attempt.baseStartTime;
  return watched ? key : null;
}

/** Identity of a run whose job key is known. */
export function identityOf(row: AppRow, key: string): RunIdentity {
  return row.engine === 'flink' ? { kind: 'flink-job', jobId: key } : { kind: 'spark-app', yarnId: key };
}

/** Identity of a submission that never showed a job id: its own YARN application, else its log row. */
export function identityWithoutJob(row: AppRow, log: LogRow): RunIdentity {
  if (log.success && log.clusterId !== null && ownYarnApplication(row)) {
    return row.engine === 'flink' ? { kind: 'flink-app', yarnId: log.clusterId } : { kind: 'spark-app', yarnId: log.clusterId };
  }
  return { kind: 'flink-log', createTime: row.createTime.slice(0, 19), logId: log.id };
}

/** An instant that can be one of this program's runs: after 2000 and not ahead of the clock; else null. */
export function plausible(raw: string | null, now: number, toInstant: ToInstant): number | null {
  const at = raw === null ? null : toInstant(raw);
  return at === null || at < earliest ? null : Math.min(at, now);
}

/** First of the raw times that is plausible, else now. */
export function firstInstant(raws: readonly (string | null)[], now: number, toInstant: ToInstant): number {
  for (const raw of raws) {
    const at = plausible(raw, now, toInstant);
    if (at !== null) return at;
  }
  return now;
}

/**
 * When the run of the row ended: end_time if it is set, not known to be old, not before start_time and plausible; else null
 * (releases 2.1 leave it NULL after a stop with savepoint).
 */
export function endInstant(row: AppRow, staleEnd: string | null, now: number, toInstant: ToInstant): number | null {
  if (row.endTime === null || row.endTime === staleEnd) return null;
  if (row.startTime !== null && row.endTime < row.startTime) return null;
  return plausible(row.endTime, now, toInstant);
}
