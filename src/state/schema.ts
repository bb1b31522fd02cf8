// The own tables as kysely sees them; sql/ is the authority. Times are ms since the epoch (UTC), flags are 0 or 1.
import type { ColumnType, Generated, Kysely, Transaction } from 'kysely';

/** 64-bit column: a number goes in; number, text or bigint comes out, depending on the driver. Normalise with `Number()`. */
type Int8 = ColumnType<number | string | bigint, number, number>;
type NullableInt8 = ColumnType<number | string | bigint | null, number | null, number | null>;

export interface MigrationTable {
  number: number;
  name: string;
  checksum: string;
  breaking: number;
  steps: number;
  started_at: Int8;
  applied_at: NullableInt8;
}

export interface InstallationTable {
  slot: number;
  installation_id: string;
  hash_key: string;
  source_server: string;
  source_database: string;
  smallest_create_time: string | null;
  created_at: Int8;
  adopted_at: NullableInt8;
  learned_zone: string | null;
}

export interface LeaseTable {
  name: string;
  holder: string;
  token: Int8;
  expires_at: Int8;
}

/** The two engines of StreamPark, as the other stages call them. */
export type Engine = 'flink' | 'spark';

export interface CheckpointTable {
  engine: Engine;
  app_id: string;
  create_time: string;
  row_json: string;
  version: Int8;
  updated_at: Int8;
}

export interface LogCursorTable {
  log_table: string;
  last_id: string;
  updated_at: Int8;
}

export interface RunTable {
  engine: Engine;
  app_id: string;
  create_time: string;
  attempt: number;
  continuation: number;
  phase: 'planning' | 'open' | 'closed';
  identity_text: string;
  run_id: string;
  job_id: string | null;
  yarn_id: string | null;
  log_id: string | null;
  option_time: string | null;
  sql_id: string | null;
  plan_key: string | null;
  desired_json: string;
  emitted: 'none' | 'start' | 'running' | 'terminal';
  frozen_json: string | null;
  started_at: Int8;
  ended_at: NullableInt8;
  last_event_at: NullableInt8;
  created_at: Int8;
  updated_at: Int8;
}

export type OutboxState = 'waiting' | 'sent' | 'dead' | 'skipped';

export interface OutboxTable {
  seq: Generated<number | string | bigint>;
  destination: string;
  order_key: string;
  event_id: string;
  kind: string;
  type: string;
  run_id: string | null;
  terminal: number;
  payload: string;
  state: OutboxState;
  attempts: number;
  server_errors: number;
  next_at: Int8;
  error: string | null;
  created_at: Int8;
  settled_at: NullableInt8;
}

export interface PlanCacheTable {
  plan_key: string;
  plan_json: string;
  used_at: Int8;
}

export interface InjectionTable {
  engine: string;
  app_id: string;
  create_time: string;
  column_name: string;
  before_text: string | null;
  after_text: string;
  written_at: Int8;
  /** JSON list of keys; null = none. */
  declined: string | null;
  writes: number;
}

export interface StateSchema {
  migration: MigrationTable;
  installation: InstallationTable;
  lease: LeaseTable;
  checkpoint: CheckpointTable;
  log_cursor: LogCursorTable;
  run: RunTable;
  outbox: OutboxTable;
  plan_cache: PlanCacheTable;
  injection: InjectionTable;
}

/** A connection to the own tables, for reads outside of a transaction. A transaction is one too. */
export type StateDb = Kysely<StateSchema>;
/** A transaction on the own tables. */
export type StateTx = Transaction<StateSchema>;

/** Names of all own tables, in the order in which they may be dropped. */
export const ownTables = [
  'injection',
  'plan_cache',
  'outbox',
  'run',
  'log_cursor',
  'checkpoint',
  'lease',
  'installation',
  'migration',
] as const satisfies readonly (keyof StateSchema)[];
