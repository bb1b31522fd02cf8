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

/** One state code of an engine, by StreamPark's name for it. */
export interface State {
  readonly state: number;
  readonly name: string;
  readonly meaning: StateMeaning;
}

const flink: readonly State[] = [
  { state: 0, name: 'ADDED', meaning: idle },
  { state: 1, name: 'INITIALIZING', meaning: live },
  { state: 2, name: 'CREATED', meaning: live },
  { state: 3, name: 'STARTING', meaning: starting },
  { state: 4, name: 'RESTARTING', meaning: live },
  { state: 5, name: 'RUNNING', meaning: running },
  { state: 6, name: 'FAILING', meaning: live },
  { state: 7, name: 'FAILED', meaning: ended('fail', 'FAILED') },
  { state: 8, name: 'CANCELLING', meaning: stopping },
  { state: 9, name: 'CANCELED', meaning: ended('abort', 'CANCELED') },
  { state: 10, name: 'FINISHED', meaning: ended('complete', 'FINISHED') },
  { state: 11, name: 'SUSPENDED', meaning: live },
  { state: 12, name: 'RECONCILING', meaning: live },
  { state: 13, name: 'LOST', meaning: lost },
  { state: 14, name: 'MAPPING', meaning: mapping },
  { state: 16, name: 'REVOKED', meaning: idle },
  { state: 17, name: 'SILENT', meaning: live },
  { state: 18, name: 'TERMINATED', meaning: ended('abort', 'TERMINATED') },
  { state: 20, name: 'SUCCEEDED', meaning: ended('complete', 'SUCCEEDED') },
  { state: -9, name: 'KILLED', meaning: ended('abort', 'KILLED') },
];

const spark: readonly State[] = [
  { state: 0, name: 'ADDED', meaning: idle },
  { state: 1, name: 'NEW', meaning: live },
  { state: 2, name: 'NEW_SAVING', meaning: live },
  { state: 3, name: 'STARTING', meaning: starting },
  { state: 4, name: 'SUBMITTED', meaning: live },
  { state: 5, name: 'ACCEPTED', meaning: live },
  { state: 6, name: 'RUNNING', meaning: running },
  { state: 7, name: 'FINISHED', meaning: ended('complete', 'FINISHED') },
  { state: 8, name: 'FAILED', meaning: ended('fail', 'FAILED') },
  { state: 9, name: 'LOST', meaning: lost },
  { state: 10, name: 'MAPPING', meaning: mapping },
  { state: 12, name: 'REVOKED', meaning: idle },
  { state: 13, name: 'STOPPING', meaning: stopping },
  { state: 14, name: 'SUCCEEDED', meaning: ended('complete', 'SUCCEEDED') },
  { state: -9, name: 'KILLED', meaning: ended('abort', 'KILLED') },
];

const byCode = (states: readonly State[]): ReadonlyMap<number, StateMeaning> =>
  new Map(states.map(({ state, meaning }) => [state, meaning]));
const codes = { flink: byCode(flink), spark: byCode(spark) };

/** All states of an engine that mean something. */
export const statesOf = (engine: Engine): readonly State[] => (engine === 'flink' ? flink : spark);

/** Meaning of a state code of t_flink_app / t_spark_app. */
export function meaningOf(engine: Engine, state: number): StateMeaning {
  return codes[engine].get(state) ?? unknown;
}

/** t_flink_cluster.cluster_state codes of a cluster whose jobs cannot be alive: stopped, lost, failed or killed. */
export function clusterIsLost(state: number): boolean {
  return state === 2 || state === 3 || state === 7 || state === 8;
}
