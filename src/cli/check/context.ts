// What the checks look at. Everything that reaches outside is a function or an open database given by the caller.
import type { Extension } from '../../extension/extension.ts';
import type { FlinkFolder } from '../../plan/plan.ts';
import type { DestinationSettings, Settings } from '../../settings/settings.ts';
import type { StateOptions } from '../../state/state.ts';
import type { Transport } from '../../transports/transports.ts';
import type { ListedApp, PollRead, Source } from '../../watch/watch.ts';
import type { CheckResult } from './result.ts';

export interface CheckInput {
  readonly settings: Settings;
  /** Undefined when source.url is missing or no database URL. */
  readonly source: Source | undefined;
  readonly stateOptions: StateOptions | undefined;
  /** What came of loading `extensions.module`; undefined where none is set. */
  readonly extension?: Extension | { readonly error: unknown } | undefined;
  readonly openTransport: (destination: DestinationSettings) => Transport;
  readonly planner: PlannerProbe;
  /** ms since the epoch. */
  readonly now: () => number;
  /** Limit for one probe of a destination. */
  readonly probeTimeoutMs: number;
}

/** How the planner is looked at. */
export interface PlannerProbe {
  /** What `java -version` says; rejects when the executable cannot be started. */
  readonly javaVersion: () => Promise<string>;
  /** Folder with worker.jar and Flink's planner jars. */
  readonly lib: string;
  /**
   * Starts the bundled worker, or that of a configured version, waits until it has planned its warm-up, ends it; one line of what
   * it is. Rejects with a PlanError.
   */
  readonly start: (flink?: FlinkFolder) => Promise<string>;
  /** The same for the reader of Spark SQL; absent where the settings do not ask for it. */
  readonly startSpark?: () => Promise<string>;
  /** The further versions that the settings name. */
  readonly versions: readonly FlinkFolder[];
}

/** What the checks of the source found for those after them. */
export interface SourceFacts {
  readonly source: Source;
  /** One poll, as `run` makes it. */
  readonly read: PollRead;
  readonly applications: readonly ListedApp[];
}

export interface CheckContext extends CheckInput {
  /** Undefined when the source cannot be read. */
  readonly facts: SourceFacts | undefined;
}

/** One area. It throws nothing that is expected; what it throws all the same becomes a finding. */
export type Check = (context: CheckContext) => Promise<CheckResult[]>;
