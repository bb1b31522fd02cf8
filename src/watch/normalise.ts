// Raw columns of either database -> AppRow and LogRow. Drivers give numbers, text, bigint or booleans for the same thing.
import type { AppRow, Engine, JobType, LogRow } from './rows.ts';

/** One result row by alias. */
export type RawRow = Readonly<Record<string, unknown>>;

/** Text of a value, null for NULL and for what is not there. */
export function text(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value);
}

/** Text with NULL and blank taken as the same. */
export function filled(value: unknown): string | null {
  const given = text(value)?.trim();
  return given === undefined || given === '' ? null : given;
}

/** A number; null for NULL and for text that is none. */
export function number(value: unknown): number | null {
  const given = filled(value);
  if (given === null) return null;
  const parsed = Number(given);
  // -0 would not survive the JSON of the checkpoint
  return Number.isFinite(parsed) ? parsed + 0 : null;
}

/** tinyint, smallint, bit and boolean flags. */
export function flag(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  if (value instanceof Uint8Array) return value.some((byte) => byte !== 0);
  const given = filled(value)?.toLowerCase();
  return given === 'true' || given === 't' || (given !== undefined && Number(given) > 0);
}

/** Widths of the own columns that keep such a text; StreamPark's own columns are no wider. */
const widest = { time: 40, jobId: 64, clusterId: 128 } as const;

/** A short text that identifies something. NUL, which PostgreSQL cannot store, is no part of one. */
function short(value: unknown, width: number): string | null {
  return filled(filled(value)?.replaceAll('\0', '').slice(0, width));
}

/** A raw time; the `T` of some drivers becomes a blank so that text of one column always compares. */
export function time(value: unknown): string | null {
  const given = short(value, widest.time);
  return given === null || given.startsWith('0000-') ? null : given.replace('T', ' ');
}

const jobTypes: Readonly<Record<number, JobType>> = { 1: 'jar', 2: 'sql', 3: 'python' };

/** Normalises one application row; the aliases are those of `appColumns`. */
export function appRowOf(engine: Engine, raw: RawRow, optIn: boolean): AppRow {
  return {
    engine,
    id: String(raw['id']),
    createTime: time(raw['create_time']) ?? '',
    teamId: filled(raw['team_id']),
    userId: filled(raw['user_id']),
    name: text(raw['name']) ?? '',
    jobType: jobTypes[number(raw['job_type']) ?? 0] ?? 'unknown',
    deployMode: number(raw['deploy_mode']) ?? -1,
    state: number(raw['state']) ?? 0,
    optionState: number(raw['option_state']) ?? 0,
    tracking: number(raw['tracking']) ?? 0,
    release: number(raw['release']) ?? 0,
    jobId: engine === 'flink' ? short(raw['job_id'], widest.jobId) : null,
    clusterId: short(raw['cluster_id'], widest.clusterId) ?? short(raw['yarn_id'], widest.clusterId),
    startTime: time(raw['start_time']),
    endTime: time(raw['end_time']),
    optionTime: time(raw['option_time']),
    restartCount: number(raw['restart_count']),
    flinkClusterId: filled(raw['flink_cluster_id']),
    versionId: filled(raw['version_id']),
    optIn,
  };
}

const flinkOperations: Readonly<Record<number, LogRow['operation']>> = { 0: 'release', 1: 'start', 2: 'savepoint', 3: 'cancel' };
const sparkOperations: Readonly<Record<number, LogRow['operation']>> = { 0: 'release', 1: 'start', 2: 'cancel' };

/** Normalises one log row. job_type 2 is Spark; NULL (Flink RELEASE rows, rows migrated from 2.1) is Flink. */
export function logRowOf(raw: RawRow): LogRow {
  const engine: Engine = number(raw['job_type']) === 2 ? 'spark' : 'flink';
  const success = flag(raw['success']);
  const operation = (engine === 'spark' ? sparkOperations : flinkOperations)[number(raw['option_name']) ?? -1] ?? 'unknown';
  return {
    id: String(raw['id']),
    engine,
    appId: String(raw['app_id']),
    operation,
    success,
    clusterId: short(raw['cluster_id'], widest.clusterId),
    createTime: time(raw['create_time']),
    exception: operation === 'start' && !success ? (text(raw['exception'])?.slice(0, 4000) ?? null) : null,
  };
}

/** Whether two normalised rows say the same. */
export function sameRow(a: AppRow, b: AppRow): boolean {
  return (Object.keys(a) as (keyof AppRow)[]).every((column) => a[column] === b[column]);
}
