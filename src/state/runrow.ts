// The record of a run, and the way between it and the columns of `run`: names, numbers that drivers give as text, the key.
import type { Selectable } from 'kysely';
import type { Engine, RunTable } from './schema.ts';

export type RunPhase = RunTable['phase'];
/** How far the run was reported. */
export type Emitted = RunTable['emitted'];

export interface RunKey {
  readonly engine: Engine;
  readonly appId: string;
  /** create_time of the application, raw text. */
  readonly createTime: string;
  readonly attempt: number;
  readonly continuation: number;
}

/** A run as it is first written, with its evidence. Times are ms since the epoch. */
export interface NewRun extends RunKey {
  readonly phase: RunPhase;
  /** The text its run id is made of; unique in this installation. */
  readonly identityText: string;
  readonly runId: string;
  readonly jobId: string | null;
  readonly yarnId: string | null;
  readonly logId: string | null;
  readonly optionTime: string | null;
  readonly sqlId: string | null;
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** What should be reported, as the daemon wrote it. */
  readonly desiredJson: string;
}

export interface RunRecord extends NewRun {
  readonly emitted: Emitted;
  readonly planKey: string | null;
  readonly lastEventAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A run with what was frozen at START; null until it was decided, and again when it was cleared. */
export interface FrozenRunRecord extends RunRecord {
  readonly frozenJson: string | null;
}

/** All columns but the large one. */
export const withoutFrozen = [
  'engine',
  'app_id',
  'create_time',
  'attempt',
  'continuation',
  'phase',
  'identity_text',
  'run_id',
  'job_id',
  'yarn_id',
  'log_id',
  'option_time',
  'sql_id',
  'plan_key',
  'desired_json',
  'emitted',
  'started_at',
  'ended_at',
  'last_event_at',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof RunTable)[];

type RunRow = Selectable<Omit<RunTable, 'frozen_json'>>;

const instant = (value: number | string | bigint | null): number | null => (value === null ? null : Number(value));

export function runOf(row: RunRow): RunRecord {
  return {
    engine: row.engine,
    appId: row.app_id,
    createTime: row.create_time,
    attempt: Number(row.attempt),
    continuation: Number(row.continuation),
    phase: row.phase,
    identityText: row.identity_text,
    runId: row.run_id,
    jobId: row.job_id,
    yarnId: row.yarn_id,
    logId: row.log_id,
    optionTime: row.option_time,
    sqlId: row.sql_id,
    planKey: row.plan_key,
    desiredJson: row.desired_json,
    emitted: row.emitted,
    startedAt: Number(row.started_at),
    endedAt: instant(row.ended_at),
    lastEventAt: instant(row.last_event_at),
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
  };
}

export function runWithFrozenOf(row: RunRow & { readonly frozen_json: string | null }): FrozenRunRecord {
  return { ...runOf(row), frozenJson: row.frozen_json };
}

/** The key as conditions. */
export function keyColumns(key: RunKey) {
  return {
    engine: key.engine,
    app_id: key.appId,
    create_time: key.createTime,
    attempt: key.attempt,
    continuation: key.continuation,
  };
}
