// What the parts of the daemon share: settings, the opened neighbours, clock and log. Handed down, never global.

import type { Extension } from '../extension/extension.ts';
import type { Names } from '../names/names.ts';
import type { Conditions, Log, Metrics } from '../ops/ops.ts';
import type { Planner } from '../plan/plan.ts';
import type { Effective, Settings } from '../settings/settings.ts';
import type { Installation, State, StateTx } from '../state/state.ts';
import type { Source } from '../watch/watch.ts';

export interface Context {
  readonly settings: Settings;
  readonly source: Source;
  readonly state: State;
  readonly installation: Installation;
  readonly planner: Planner;
  readonly names: Names;
  /** Code of the site's, where there is any. */
  readonly extension?: Extension | undefined;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly conditions: Conditions;
  readonly now: () => number;
  readonly version: string;
  /** Settings joined with t_setting as of the last poll. */
  readonly effective: () => Effective;
  /** Aborted when this process stops being active. */
  readonly stopping: AbortSignal;
  /**
   * Opens a transaction on the own tables that fails with `LeaseLost` when another process has taken over: whatever an
   * active daemon writes goes through it.
   */
  readonly underLease: <T>(work: (tx: StateTx) => Promise<T>) => Promise<T>;
}

/** Another process is the active daemon now. */
export class LeaseLost extends Error {
  constructor() {
    super('the lease was taken over');
    this.name = 'LeaseLost';
  }
}

/** The checkpoint is not as it is remembered: a backfill wrote it beside the daemon, or the answer to a commit was lost. */
export class CheckpointMoved extends Error {
  constructor() {
    super('the checkpoint was written by another program');
    this.name = 'CheckpointMoved';
  }
}
