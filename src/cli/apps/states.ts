// Names of the application states, for people. Codes of FlinkAppStateEnum and SparkAppStateEnum of StreamPark.
import type { Engine } from '../../watch/watch.ts';

const flink: Readonly<Record<string, string>> = {
  0: 'ADDED',
  1: 'INITIALIZING',
  2: 'CREATED',
  3: 'STARTING',
  4: 'RESTARTING',
  5: 'RUNNING',
  6: 'FAILING',
  7: 'FAILED',
  8: 'CANCELLING',
  9: 'CANCELED',
  10: 'FINISHED',
  11: 'SUSPENDED',
  12: 'RECONCILING',
  13: 'LOST',
  14: 'MAPPING',
  15: 'OTHER',
  16: 'REVOKED',
  17: 'SILENT',
  18: 'TERMINATED',
  19: 'POS_TERMINATED',
  20: 'SUCCEEDED',
  '-9': 'KILLED',
};

const spark: Readonly<Record<string, string>> = {
  0: 'ADDED',
  1: 'NEW',
  2: 'NEW_SAVING',
  3: 'STARTING',
  4: 'SUBMITTED',
  5: 'ACCEPTED',
  6: 'RUNNING',
  7: 'FINISHED',
  8: 'FAILED',
  9: 'LOST',
  10: 'MAPPING',
  11: 'OTHER',
  12: 'REVOKED',
  13: 'STOPPING',
  14: 'SUCCEEDED',
  '-9': 'KILLED',
};

/** Name of a state; StreamPark 2.0 stores the name itself, and an unknown code stays as it is. */
export const stateName = (engine: Engine, state: string): string => (engine === 'flink' ? flink : spark)[state] ?? state;
