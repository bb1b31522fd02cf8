// What must be reported of one recorded run, and the words in which the histories beside are written down.

/** One run. Times are UTC; `t` are ms since the begin of the recording. */
export interface RecordedRun {
  readonly job: string;
  /** Text that the ids of the run are made of. */
  readonly identity: string;
  /** start_time of the success write, then as the watcher corrected it; of a failed submission the begin of the request. */
  readonly starts: readonly string[];
  /** t of the write that proves the run. */
  readonly proof: number;
  /** t in which the row shows it as RUNNING; without an end to the last write. */
  readonly running?: readonly [from: number, to: number];
  readonly end?: RecordedEnd;
  readonly script?: 'v1' | 'v2' | 'batch';
}

export interface RecordedEnd {
  readonly type: 'COMPLETE' | 'FAIL' | 'ABORT';
  /** end_time; without it the database has none, and the end is dated by the poll that sees it. */
  readonly at?: string;
  /** t of the write that shows the end. */
  readonly seen: number;
  /** Time of the automatic restart, which dates the end where no poll saw end_time. */
  readonly restarted?: string;
  /** The row was deleted: a run of which no poll saw anything leaves no evidence. */
  readonly deleted?: true;
  /** How the error text begins. */
  readonly message?: string;
}

export interface RecordedHistory {
  readonly runs: readonly RecordedRun[];
  /** t from which t_setting names the token. */
  readonly tokenFrom: number;
  /** t from which t_setting names the namespace `prod`. */
  readonly prodFrom?: number;
}

const day = '2026-11-30T';
export const at = (time: string): string => `${day}${time}Z`;
export const forever = Number.POSITIVE_INFINITY;

interface Facts {
  readonly job: string;
  readonly id: string;
  readonly starts: readonly string[];
  readonly proof: number;
  readonly running?: readonly [number, number];
  readonly end?: RecordedEnd;
  readonly script?: NonNullable<RecordedRun['script']>;
}

export const run = ({ id, starts, ...rest }: Facts): RecordedRun => ({ ...rest, identity: `flink-job:${id}`, starts: starts.map(at) });
export const ended = (type: RecordedEnd['type'], seen: number, time?: string): RecordedEnd => ({
  type,
  seen,
  ...(time === undefined ? {} : { at: at(time) }),
});
export const deleted = (seen: number): RecordedEnd => ({ type: 'ABORT', seen, deleted: true });

/** `identity`: create_time as stored, and the id of the START log row. */
export const refused = (job: string, identity: string, start: string, proof: number, seen: number): RecordedRun => ({
  job,
  identity: `flink-log:${identity}`,
  starts: [at(start)],
  proof,
  end: { type: 'FAIL', seen, message: 'java.util.concurrent.CompletionException: java.lang.reflect.InvocationTargetException' },
});

export const orders = { job: 'orders_enrich' };
export const batch = { job: 'bounded_batch', script: 'batch' as const };
export const failing = { job: 'failing_job' };
export const migrated = { job: 'after_migration' };
