// What really happened in a simulated history: the runs, however little the tables tell of them.
import type { AppKey, EndKind } from '../../src/watch/watch.ts';

/** One end as the tables show it, or as it follows from what the user did. */
export interface TrueEnd {
  readonly how: EndKind;
  /** The end_time that was written, as an instant; null where StreamPark writes none. */
  readonly at: number | null;
  /** When it could first be read. */
  readonly shownAt: number;
}

export interface TrueRun {
  readonly app: AppKey;
  readonly createTime: string;
  readonly number: number;
  /** A refused submission never was a job; a mapped one was started elsewhere; a second one by YARN without anyone asking. */
  readonly kind: 'started' | 'refused' | 'mapped' | 'second';
  readonly jobId: string | null;
  readonly yarnId: string | null;
  /** Version of the script that was in force at its start; null where there is none. */
  readonly script: number | null;
  /** When it was asked for, and when its first trace was written. */
  readonly askedAt: number;
  readonly visibleAt: number;
  /** Another run of this history has the same job id. */
  readonly sharedKey: boolean;
  /** Id of its START log row. */
  logId: string | null;
  /** The job is over, whatever the row says. */
  real: { readonly how: EndKind; readonly at: number } | null;
  readonly ends: TrueEnd[];
  /** A stop was asked for. */
  stopAskedAt: number | null;
  /** A savepoint was asked for. */
  savepointAt: number | null;
  /** It was shown as ended and then found alive. */
  backAt: number | null;
  /** When sight of it was lost. */
  readonly lostAt: number[];
  /** The next start was asked for. */
  replacedAt: number | null;
  deletedAt: number | null;
  /** Another job took its place in the row and nothing said how it ended: a second ApplicationMaster, a mapping. */
  overtaken: boolean;
  /** The user deleted log rows that told of it. */
  unlogged: boolean;
}

/** For stories. */
export const nameOf = (run: TrueRun): string => `run ${run.number} of ${run.app}`;

/** One application: an id that is given again is another one. */
export const instanceOf = (of: { readonly app: AppKey; readonly createTime: string }): string => `${of.app}@${of.createTime}`;

/** Its end stands in the tables, or follows from a newer start. */
export const isOver = (run: TrueRun): boolean =>
  run.replacedAt !== null || run.deletedAt !== null || run.ends.some((end) => end.shownAt > (run.backAt ?? 0));
