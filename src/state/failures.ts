// What went wrong with the own tables, from the codes of three drivers: worth a retry, unreachable, a missing privilege.
import { isTlsFailure } from '../database/database.ts';
import { CodedError, StateError } from '../errors/errors.ts';

interface DriverError {
  readonly code?: unknown;
  readonly errno?: unknown;
  readonly message?: unknown;
}

const asDriverError = (error: unknown): DriverError => (typeof error === 'object' && error !== null ? (error as DriverError) : {});

/** MySQL 1213 deadlock, 1205 lock wait; PostgreSQL 40001 serialization failure, 40P01 deadlock. */
export function isContention(error: unknown): boolean {
  const { code, errno } = asDriverError(error);
  return errno === 1213 || errno === 1205 || code === '40001' || code === '40P01';
}

const duplicate: ReadonlySet<unknown> = new Set([1062, '23505']);
/** A unique key was hit. */
export function isDuplicate(error: unknown): boolean {
  const { code, errno } = asDriverError(error);
  return duplicate.has(errno) || duplicate.has(code);
}

// MySQL: 1044/1045 access denied, 1142/1143 command or column denied, 1227 needs a privilege, 1370 routine.
// PostgreSQL: 42501 privilege, 28000/28P01 login refused.
const privilege: ReadonlySet<unknown> = new Set([1044, 1045, 1142, 1143, 1227, 1370, '42501', '28000', '28P01']);
// Sockets, MySQL's own names for a lost connection, 1040/1203 too many connections, 1053 shutdown, 1049 no such database;
// PostgreSQL class 08 and 57P, 53300 too many connections, 3D000 no such database.
const unreachable: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_SEQUENCE_TIMEOUT',
  'PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR',
  1040,
  1203,
  1053,
  1049,
  '53300',
  '3D000',
  '57P01',
  '57P02',
  '57P03',
]);

/**
 * Turns the error of a driver into a `StateError` with a code of the catalogue. Coded errors pass unchanged.
 * @param label `host:port/database`, for the message
 */
export function stateError(error: unknown, label: string): CodedError {
  if (error instanceof CodedError) return error;
  const { code, errno, message } = asDriverError(error);
  const text = typeof message === 'string' && message !== '' ? message.split('\n', 1)[0] : String(code ?? 'unknown error');
  const line = `state tables at ${label}: ${text}`;
  if (isTlsFailure(error)) return new StateError('STATE_TLS', line, { cause: error });
  if (privilege.has(errno) || privilege.has(code)) return new StateError('STATE_PRIVILEGE', line, { cause: error });
  const lost =
    unreachable.has(errno) ||
    unreachable.has(code) ||
    (typeof code === 'string' && code.startsWith('08')) ||
    /connection (terminated|timeout|ended)|timeout exceeded when trying to connect|connection is in closed state|not queryable/i.test(
      String(message),
    );
  return new StateError(lost ? 'STATE_UNREACHABLE' : 'INTERNAL', line, { cause: error });
}
