// What went wrong with the own tables, from the codes of three drivers: worth a retry, unreachable, a missing privilege.
import { isTlsFailure } from '../database/database.ts';
import { CodedError, StateError } from '../errors/errors.ts';

interface DriverError {
  readonly code?: unknown;
  readonly errno?: unknown;
  readonly message?: unknown;
}

const asDriverError = (error: unknown): DriverError => (typeof error === 'object' && error !== null ? (error as DriverError) : {});

/** Whether a driver threw it: both give their errors a code. */
export function isOfDriver(error: unknown): boolean {
  const { code, errno } = asDriverError(error);
  return code !== undefined || errno !== undefined;
}

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

// MySQL: 1044/1045/1698 access denied, 1142/1143 command or column denied, 1227 needs a privilege, 1370 routine.
// PostgreSQL: 42501 privilege, 28000/28P01 login refused.
const privilege: ReadonlySet<unknown> = new Set([1044, 1045, 1698, 1142, 1143, 1227, 1370, '42501', '28000', '28P01']);
// MySQL: 1290 --read-only, 1792 and 1836 read-only transaction and mode; 3 and 1026 a write failed, 1021 disk full, 1114 table full,
// 1030 error of the storage engine. PostgreSQL: 25006 read-only transaction, 53100 disk full.
const notWritable: ReadonlySet<unknown> = new Set([1290, 1792, 1836, 3, 1021, 1026, 1030, 1114, '25006', '53100']);
// MySQL: 1146 no such table, 1054 no such column. PostgreSQL: 42P01, 42703.
const gone: ReadonlySet<unknown> = new Set([1146, 1054, '42P01', '42703']);
// Sockets, MySQL's own names for a lost connection, 1040/1203/1226 too many connections, 1053 shutdown, 1049 no such database,
// 1317/1927 killed, 1205/1213/1969/3024 waited too long; PostgreSQL class 08 and 57P, 53200 memory, 53300 too many connections,
// 3D000 no such database, 25P03 idle in a transaction, 40001/40P01/55P03/57014 waited too long.
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
  1226,
  1053,
  1049,
  1317,
  1927,
  1205,
  1213,
  1969,
  3024,
  '53200',
  '53300',
  '3D000',
  '25P03',
  '40001',
  '40P01',
  '55P03',
  '57014',
  '57P01',
  '57P02',
  '57P03',
  '57P05',
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
  if (notWritable.has(errno) || notWritable.has(code)) return new StateError('STATE_NOT_WRITABLE', line, { cause: error });
  if (gone.has(errno) || gone.has(code)) return new StateError('STATE_TABLES_GONE', line, { cause: error });
  const lost =
    unreachable.has(errno) ||
    unreachable.has(code) ||
    (typeof code === 'string' && code.startsWith('08')) ||
    /connection (terminated|timeout|ended)|timeout exceeded when trying to connect|connection is in closed state|not queryable/i.test(
      String(message),
    );
  return new StateError(lost ? 'STATE_UNREACHABLE' : 'INTERNAL', line, { cause: error });
}
