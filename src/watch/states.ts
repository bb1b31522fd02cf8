// What the state codes of the two engines mean for a run. The same number means different things in Flink and Spark.
// Codes: FlinkAppStateEnum and SparkAppStateEnum of StreamPark; a code that is not listed tells nothing.
import type { EndKind, EndReason } from './changes.ts';
import type { Engine } from './rows.ts';

export type StateMeaning =
  /** Not started, or its release was revoked. */
  | { readonly kind: 'idle' }
  /** A submission was asked for; the row still describes the run before it. */
  | { readonly kind: 'starting' }
  /** The job exists. `running` = reported as RUNNING; `stopping` = a stop was asked for. */
  | { readonly kind: 'live'; readonly running: boolean; readonly stopping: boolean }
  | { readonly kind: 'ended'; readonly how: EndKind; readonly reason: EndReason }
  /** The console lost sight of the job: it may come back. */
  | { readonly kind: 'lost' }
  /** A job that runs elsewhere was bound to the application. */
  | { readonly kind: 'mapping' }
  | { readonly kind: 'unknown' };

const idle: StateMeaning = { kind: 'idle' };
const starting: StateMeaning = { kind: 'starting' };
const live: StateMeaning = { kind: 'live', running: false, stopping: false };
const running: StateMeaning = { kind: 'live', running: true, stopping: false };
const stopping: StateMeaning = { kind: 'live', running: false, stopping: true };
const lost: StateMeaning = { kind: 'lost' };
const mapping: StateMeaning = { kind: 'mapping' };
const unknown: StateMeaning = { kind: 'unknown' };
const ended = (how: EndKind, reason: EndReason): StateMeaning => ({ kind: 'ended', how, reason });

const flink: Readonly<Record<number, StateMeaning>> = {
  0: idle, // ADDED
  1: live, // INITIALIZING
  2: live, // CREATED
  3: starting,
  4: live, // RESTARTING
  5: running,
  6: live, // FAILING
  7: ended('fail', 'FAILED'),
  8: stopping, // CANCELLING
  9: ended('abort', 'CANCELED'),
  10: ended('complete', 'FINISHED'),
  11: live, // SUSPENDED
  12: live, // RECONCILING
  13: lost,
  14: mapping,
  16: idle, // REVOKED
  17: live, // SILENT
  18: ended('abort', 'TERMINATED'),
  20: ended('complete', 'SUCCEEDED'),
  [-9]: ended('abort', 'KILLED'),
};

const spark: Readonly<Record<number, StateMeaning>> = {
  0: idle, // ADDED
  1: live, // NEW
  2: live, // NEW_SAVING
  3: starting,
  4: live, // SUBMITTED
  5: live, // ACCEPTED
  6: running,
  7: ended('complete', 'FINISHED'),
  8: ended('fail', 'FAILED'),
  9: lost,
  10: mapping,
  12: idle, // REVOKED
  13: stopping,
  14: ended('complete', 'SUCCEEDED'),
  [-9]: ended('abort', 'KILLED'),
};

/** Meaning of a state code of t_flink_app / t_spark_app. */
export function meaningOf(engine: Engine, state: number): StateMeaning {
  return (engine === 'flink' ? flink : spark)[state] ?? unknown;
}

/** t_flink_cluster.cluster_state codes of a cluster whose jobs cannot be alive: stopped, lost, failed or killed. */
export function clusterIsLost(state: number): boolean {
  return state === 2 || state === 3 || state === 7 || state === 8;
}
