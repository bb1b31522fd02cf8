// State codes of the two engines by what the simulator does with them.
import type { Engine } from '../../src/watch/watch.ts';

export interface Codes {
  readonly added: number;
  readonly starting: number;
  /** What the watcher may write before RUNNING. */
  readonly early: readonly number[];
  readonly running: number;
  readonly failed: number;
  readonly stopping: number;
  readonly canceled: number;
  readonly finished: number;
  readonly lost: number;
  readonly mapping: number;
  readonly revoked: number;
  readonly killed: number;
  readonly succeeded: number;
}

export const codes: Readonly<Record<Engine, Codes>> = {
  flink: {
    added: 0,
    starting: 3,
    early: [1, 2],
    running: 5,
    failed: 7,
    stopping: 8,
    canceled: 9,
    finished: 10,
    lost: 13,
    mapping: 14,
    revoked: 16,
    killed: -9,
    succeeded: 20,
  },
  spark: {
    added: 0,
    starting: 3,
    early: [4, 5],
    running: 6,
    failed: 8,
    stopping: 13,
    canceled: -9,
    finished: 7,
    lost: 9,
    mapping: 10,
    revoked: 12,
    killed: -9,
    succeeded: 14,
  },
};
