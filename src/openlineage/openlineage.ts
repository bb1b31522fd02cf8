// Stage openlineage: a run's facts + named pipelines -> OpenLineage events; pure. Knows the spec, facets, run ids, size limits.
import type { NamedPipeline } from '../identity/identity.ts';

export { type EventOptions, runEvents } from './events.ts';
export { type FreezeInput, freezeRun } from './freeze.ts';
export { childRunId, type IdentitySuffix, identityText, nameUuid, parentRunId } from './ids.ts';
export { jobName, type NamedApp, sinkJobNames } from './naming.ts';
export { atVersions, type Pins } from './spec.ts';
export { createValidator, type EventFault, type Validator } from './validate.ts';

/** All that is frozen at START: later settings, names and scripts do not touch an open run. Stored as JSON, holds no option. */
export interface FrozenRun {
  readonly engine: 'flink' | 'spark';
  readonly namespace: string;
  readonly jobName: string;
  readonly runId: string;
  /** `streampark-4498`-compatible naming (`events.jobNaming: app`): one run per sink, named after the app, no parent. */
  readonly naming: 'sink' | 'app';
  readonly processing: 'STREAMING' | 'BATCH';
  readonly engineVersion: string | null;
  /** Text for the sql facet, already masked; null = no facet. */
  readonly sql: string | null;
  /** What an application without a script runs: its pipeline file, or main class and arguments; masked. Absent in older rows. */
  readonly code?: { readonly language: string; readonly text: string } | null;
  /** Web address of the script where one is known; it differs per SQL version. */
  readonly source: { readonly url: string; readonly version: string | null } | null;
  /** The git project that the application was built from, without credentials. Absent, as what follows, in older rows. */
  readonly project?: { readonly url: string; readonly branch: string | null; readonly path: string | null } | null;
  readonly tags?: readonly string[];
  /** Jobs that the settings declare this one to depend on. */
  readonly upstream?: readonly { readonly namespace: string; readonly name: string }[];
  readonly owner: string | null;
  readonly description: string | null;
  readonly app: AppFacts;
  readonly children: readonly FrozenChild[];
  /** Facets of the application's own job that an extension adds. */
  readonly added?: AddedFacets;
  /** ms since the epoch. */
  readonly startedAt: number;
}

/** The `streampark_app` run facet of ours. */
export interface AppFacts {
  readonly engine: 'flink' | 'spark';
  readonly appId: string;
  readonly team: string | null;
  readonly clusterId: string | null;
  readonly jobId: string | null;
  readonly deployMode: string;
  /** Number of the start, from 1; below 1 for one before the first that was followed. */
  readonly attempt: number;
  /** plan, tree, text, or none when the script has no lineage. */
  readonly tier: string;
  readonly sqlId: string | null;
  readonly sqlVersion: number | null;
  /** The run before this one, and why that ended. */
  readonly previousRunId: string | null;
  readonly previousEnd?: string;
  /** The known tool that a JAR application is, and what it was asked to do. */
  readonly tool?: string;
  readonly action?: string;
  /** Why lineage is missing or partial: error codes. */
  readonly notes: readonly string[];
}

/** One sink dataset with its run and job. */
export interface FrozenChild {
  readonly runId: string;
  readonly jobName: string;
  readonly pipeline: NamedPipeline;
  readonly added?: AddedFacets;
}

/** Facets of others by key, without `_producer` where they have none; the keys are none of ours. */
export interface AddedFacets {
  readonly run: Readonly<Record<string, object>>;
  readonly job: Readonly<Record<string, object>>;
  readonly output: Readonly<Record<string, object>>;
  /** In the order of the event's inputs. */
  readonly inputs: readonly Readonly<Record<string, object>>[];
}

export type RunEventType = 'START' | 'RUNNING' | 'COMPLETE' | 'FAIL' | 'ABORT';

/** What happened to a run, at `at` (ms since the epoch). */
export interface Moment {
  readonly type: RunEventType;
  readonly at: number;
  /** Only on FAIL; masked by `runEvents`, cut to 4 KB. */
  readonly message?: string | null;
  /** Our reason code (EndReason) and whether the kind of end was inferred. */
  readonly reason?: string;
  readonly reconstructed?: boolean;
}

/** One event, ready to be stored. */
export interface OutgoingEvent {
  /** Deterministic: the same event made twice has the same id. */
  readonly id: string;
  readonly kind: 'run' | 'job';
  /** OTHER: an event of another producer, of which a newer one does not repeat the state. */
  readonly type: RunEventType | 'JOB' | 'OTHER';
  /** Run the event belongs to; null for job events. */
  readonly runId: string | null;
  readonly terminal: boolean;
  /** The event's time in ms, as it stands in `json`. */
  readonly at: number;
  readonly json: string;
}
