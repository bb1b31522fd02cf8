// What can happen to the runs of an application: the values that leave this stage.
// One change is one fact; the changes of one observation are in the order in which they happened.
import type { AppRow } from './rows.ts';

/** Who runs an attempt: the text that run ids are made of. */
export type RunIdentity =
  | { readonly kind: 'flink-job'; readonly jobId: string }
  | { readonly kind: 'flink-app'; readonly yarnId: string }
  | { readonly kind: 'flink-log'; readonly createTime: string; readonly logId: string }
  | { readonly kind: 'spark-app'; readonly yarnId: string }
  /** A job that another application started and that this one was mapped onto (state 14). */
  | { readonly kind: 'mapped'; readonly jobId: string; readonly appId: string };

/** Everything a change says about the run it belongs to. */
export interface RunEvidence {
  readonly identity: RunIdentity;
  readonly jobId: string | null;
  readonly yarnId: string | null;
  readonly logId: string | null;
  readonly optionTime: string | null;
  /** Instant in ms since the epoch. */
  readonly startedAt: number;
  /** Number of the continuation after a FAIL was sent for a LOST run; 0 = the run itself. */
  readonly continuation: number;
}

export type EndKind = 'complete' | 'fail' | 'abort';
/** Why a run ended, for the facet of ours. */
export type EndReason =
  | 'FINISHED'
  | 'FAILED'
  | 'CANCELED'
  | 'KILLED'
  | 'LOST'
  | 'TERMINATED'
  | 'SUCCEEDED'
  | 'DELETED'
  | 'RESTARTED'
  | 'REPLACED'
  | 'SUBMISSION_FAILED'
  | 'UNKNOWN';

interface ChangeBase {
  readonly app: AppRow;
  /** Counts the attempts of one application row (engine, id, create_time) from 1. */
  readonly attempt: number;
}

/** A start was requested; no proof of a job yet. No event: the script is planned ahead. */
export interface Starting extends ChangeBase {
  readonly kind: 'starting';
}
/** A provisional attempt came to nothing (phantom, abort): forget what was kept for it. */
export interface Discarded extends ChangeBase {
  readonly kind: 'discarded';
}
/** Proven and settled: START. */
export interface Submitted extends ChangeBase {
  readonly kind: 'submitted';
  readonly evidence: RunEvidence;
}
/** First seen in RUNNING after `submitted`. */
export interface Running extends ChangeBase {
  readonly kind: 'running';
  readonly at: number;
}
/** Already running when first seen or opted in: START at start_time, then RUNNING now. `planScript` false = parent only. */
export interface Adopted extends ChangeBase {
  readonly kind: 'adopted';
  readonly evidence: RunEvidence;
  readonly at: number;
  readonly planScript: boolean;
}
/** The run ended. `at` is an instant in ms; `reconstructed` = the kind of end is inferred, not seen. */
export interface Ended extends ChangeBase {
  readonly kind: 'ended';
  readonly how: EndKind;
  readonly reason: EndReason;
  readonly at: number;
  readonly reconstructed: boolean;
  readonly message: string | null;
}
/** A run that began and ended between two polls. */
export interface Missed extends ChangeBase {
  readonly kind: 'missed';
  readonly evidence: RunEvidence;
  readonly how: EndKind;
  readonly reason: EndReason;
  readonly at: number;
  readonly reconstructed: boolean;
}
/** A START log row with success 0: START + FAIL of the application's run only. */
export interface SubmissionFailed extends ChangeBase {
  readonly kind: 'submissionFailed';
  readonly evidence: RunEvidence;
  readonly at: number;
  readonly message: string | null;
}
/** Sight of the run was lost; a grace time runs. No event. */
export interface Lost extends ChangeBase {
  readonly kind: 'lost';
  readonly at: number;
}
/** Sight came back within the grace. No event (a revival after FAIL is a `submitted` with `continuation` > 0). */
export interface Revived extends ChangeBase {
  readonly kind: 'revived';
  readonly at: number;
}
/** The row is gone. Follows the `ended` of its open run, if there was one. */
export interface Vanished extends ChangeBase {
  readonly kind: 'vanished';
}
/** Opted out: an open run is followed to its end, no new ones begin. */
export interface OptedOut extends ChangeBase {
  readonly kind: 'optedOut';
}

export type Change =
  | Starting
  | Discarded
  | Submitted
  | Running
  | Adopted
  | Ended
  | Missed
  | SubmissionFailed
  | Lost
  | Revived
  | Vanished
  | OptedOut;
