// What the tracker of one application remembers between two observations. All of it is plain JSON, kept in the checkpoint.
import type { RunEvidence } from './changes.ts';
import type { AppRow, LogRow } from './rows.ts';

/** By what a START log row that turns up late is recognised as the one of a start that is already known. */
export interface StartMark {
  /** option_time of the start; null where a later operation had moved it before we looked. */
  readonly optionTime: string | null;
  readonly startTime: string | null;
  readonly logId: string | null;
}

interface AttemptBase {
  readonly number: number;
  readonly mark: StartMark;
  /** A stop was asked for: a CANCELLING state or a CANCEL log row. */
  readonly stopping: boolean;
}

/** A start was asked for; nothing was said to the outside but `starting`. */
export interface Provisional extends AttemptBase {
  readonly phase: 'provisional';
  /** Job key and start_time before the start: what must differ in a new run. */
  readonly baseKey: string | null;
  readonly baseStartTime: string | null;
  /** The START log row with success 1: proof of a submission. */
  readonly proof: LogRow | null;
  /** A START log row with success 0, until the state tells a failure from an abort. */
  readonly failure: LogRow | null;
  /** `starting` was emitted. */
  readonly announced: boolean;
  /** STARTING_STUCK was said. */
  readonly warned: boolean;
  /** ms since the epoch. */
  readonly since: number;
}

/** A proven run whose START went out. */
export interface OpenRun extends AttemptBase {
  readonly phase: 'open';
  /** Flink job id or YARN application id of Spark. */
  readonly key: string;
  readonly evidence: RunEvidence;
  /** `running` was emitted. */
  readonly running: boolean;
  /** Last option_time seen: a STARTING with another one is a new start. */
  readonly optionTime: string | null;
  readonly lost: { readonly since: number; readonly by: 'row' | 'cluster' } | null;
  /** An end_time that is known to be old (the console cannot write it back to NULL). */
  readonly staleEnd: string | null;
  /** Since when a live state stands beside an end_time. */
  readonly endedSince: number | null;
}

export type Attempt = Provisional | OpenRun;

/** A run that was reported as failed because it was lost; it may come back as a continuation. */
export interface LostRun {
  readonly key: string;
  readonly evidence: RunEvidence;
  readonly endTime: string | null;
}

/** State of one application between observations. */
export interface Tracker {
  readonly version: 1;
  /** The narrow row last seen. */
  readonly row: AppRow;
  /** Number of the last attempt. */
  readonly attempts: number;
  readonly current: Attempt | null;
  readonly last: StartMark | null;
  /** Job keys whose states are ignored, newest last. */
  readonly closed: readonly string[];
  readonly lostRun: LostRun | null;
  /** Log rows already used, `id@create_time`: the overlap of the cursor brings them again. */
  readonly logs: readonly string[];
  /** State MAPPING was seen and its job is awaited. */
  readonly mapping: boolean;
  /** Since when the row, with no open run, shows a live state beside an end_time. */
  readonly doubtSince: number | null;
}

/** How long things may stay undecided. */
export interface Limits {
  /** How long a lost run may come back. */
  readonly lostGraceMs: number;
  /** After this time in STARTING without proof STARTING_STUCK is said, once. */
  readonly stuckAfterMs: number;
}
