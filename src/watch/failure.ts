// Errors of the two drivers -> coded errors. What a schema change looks like is decided here, once.
import { isTlsFailure } from '../database/database.ts';
import { SourceError } from '../errors/errors.ts';

/** Driver error facts that matter, whichever driver it was. */
interface Facts {
  readonly errno: number | null;
  readonly code: string;
  readonly message: string;
}

function facts(error: unknown): Facts {
  const e = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>;
  const text = error instanceof Error ? error.message : String(error);
  return {
    errno: typeof e['errno'] === 'number' ? e['errno'] : null,
    code: typeof e['code'] === 'string' ? e['code'] : '',
    message: (text || (typeof e['code'] === 'string' ? e['code'] : 'unknown error')).split('\n', 1)[0]?.slice(0, 500) ?? '',
  };
}

/** A column, table or function that was there is missing or was altered meanwhile (MySQL 1054, 1146, 1305, 1412; PostgreSQL 42703, 42P01). */
export function isSchemaChange(error: unknown): boolean {
  const { errno, code } = facts(error);
  return errno === 1054 || errno === 1146 || errno === 1412 || errno === 1305 || code === '42703' || code === '42P01';
}

/** The user may not read or call it (MySQL 1142, 1143, 1370; PostgreSQL 42501). */
export function isPrivilege(error: unknown): boolean {
  const { errno, code } = facts(error);
  return errno === 1142 || errno === 1143 || errno === 1370 || code === '42501';
}

const loginRefused = new Set([
  'ER_ACCESS_DENIED_ERROR',
  'ER_ACCESS_DENIED_NO_PASSWORD_ERROR',
  'ER_DBACCESS_DENIED_ERROR',
  '28P01',
  '28000',
]);
const noDatabase = new Set(['ER_BAD_DB_ERROR', '3D000']);

/** Class 08 and 57P of PostgreSQL, and the codes of the network and of mysql2. */
function isUnreachable({ code, errno, message }: Facts): boolean {
  return (
    /^(ECONN|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_|EHOST|ENET|PROTOCOL_|57P0|25P03|08|53)/.test(code) ||
    [1040, 1053, 1203, 1226, 1317, 1927].includes(errno ?? 0) ||
    /connection (terminated|timeout|ended)|timeout exceeded when trying to connect|closed state|not queryable|pool is closed/i.test(message)
  );
}

/** The coded error for anything a query threw; coded errors pass through. `label` names the database without secrets. */
export function sourceError(error: unknown, label: string): SourceError {
  if (error instanceof SourceError) return error;
  const cause = { cause: error };
  const known = facts(error);
  if (isTlsFailure(error)) return new SourceError('SOURCE_TLS', `${label}: ${known.message}`, cause);
  if (isPrivilege(error) || loginRefused.has(known.code)) return new SourceError('SOURCE_PRIVILEGE', `${label}: ${known.message}`, cause);
  if (noDatabase.has(known.code)) return new SourceError('SOURCE_SCHEMA', `${label}: ${known.message}`, cause);
  if (isUnreachable(known)) return new SourceError('SOURCE_UNREACHABLE', `${label}: ${known.message}`, cause);
  return new SourceError('SOURCE_QUERY', `${label}: ${known.message}`, cause);
}
