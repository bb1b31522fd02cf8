// What a database's refusal means here: one coded line and the exact statement that cures it.
// Numbers are MySQL's and MariaDB's errno, five-character texts are PostgreSQL's SQLSTATE.
import { isTlsFailure, type SqlFamily } from '../database/database.ts';
import { type ErrorCode, SourceError } from '../errors/errors.ts';

/** A failure with a cure of its own, more exact than the one of the catalogue. */
export class OptInError extends SourceError {
  readonly #cure: string;
  constructor(code: ErrorCode, message: string, cure: string, options?: { cause?: unknown }) {
    super(code, message, options);
    this.#cure = cure;
  }
  override get cure(): string {
    return this.#cure;
  }
}

/** The cure for a column that may not be read. */
export const selectCure =
  'Give this user the SELECT grants that an administrator prints with `streampark-lineage migrate status --target streampark --grants`.';

/** Kinds of refusal that are told apart. */
export type FailureKind = 'privilege' | 'locked' | 'present' | 'absent' | 'readOnly' | 'unreachable' | 'login' | 'schema' | 'query';

const kinds: Readonly<Record<Exclude<FailureKind, 'query'>, readonly (number | string)[]>> = {
  privilege: [1044, 1142, 1143, 1227, 1370, 1410, '42501'],
  locked: [1205, 1213, 3572, 1969, 3024, '55P03', '57014', '40P01'],
  present: [1060, 1062, '42701', '23505'],
  absent: [1091],
  readOnly: [1290, 1792, 1836, '25006'],
  login: [1045, 1698, '28P01', '28000'],
  schema: [1046, 1049, 1146, '3D000', '3F000', '42P01'],
  unreachable: [
    ...['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EPIPE'],
    ...['PROTOCOL_CONNECTION_LOST', 1040, 1053, 1927, '08000', '08001', '08003', '08004', '08006', '53300', '57P01', '57P02', '57P03'],
  ],
};

/** Sorts an error of mysql2, pg or PGlite. pg reports a connect timeout without any code. */
export function kindOf(error: unknown): FailureKind {
  const { errno, code, message } = (error ?? {}) as { errno?: unknown; code?: unknown; message?: unknown };
  for (const [kind, codes] of Object.entries(kinds)) {
    if (codes.includes(errno as number) || codes.includes(code as string)) return kind as FailureKind;
  }
  // Node joins the refusals of several addresses (IPv4 and IPv6) into one AggregateError that has their code only inside
  if (error instanceof AggregateError) return kindOf(error.errors[0]);
  return /timeout exceeded when trying to connect|Connection terminated/i.test(String(message)) ? 'unreachable' : 'query';
}

/** The message of a driver as one line; drivers never put a password into it. */
export function oneLine(error: unknown): string {
  const inner = error instanceof AggregateError ? error.errors[0] : error;
  const text = inner instanceof Error ? inner.message || String((inner as NodeJS.ErrnoException).code ?? inner.name) : String(inner);
  return text.replace(/\s+/g, ' ').trim().slice(0, 300);
}

/** Who is logged in, as the database names it in a GRANT, and who owns the application table (PostgreSQL). */
export interface Login {
  readonly family: SqlFamily;
  /** Quoted, ready for a GRANT. */
  readonly user: string;
  /** Database (MySQL) or schema (PostgreSQL) of StreamPark's tables. */
  readonly source: string;
  readonly owner: string | undefined;
}

/**
 * Makes the coded error for a failure on StreamPark's database.
 * @param what what was being done, such as `t_flink_app: add lineage_enable`
 * @param grant the statement that gives the missing right
 */
export function explain(error: unknown, what: string, label: string, grant: string): SourceError {
  if (error instanceof SourceError) return error;
  const said = oneLine(error);
  const options = { cause: error };
  if (isTlsFailure(error)) return new SourceError('SOURCE_TLS', `${label}: ${said}`, options);
  switch (kindOf(error)) {
    case 'privilege':
      return new OptInError('SOURCE_PRIVILEGE', `${what}: ${said}`, grant, options);
    case 'locked':
      return new OptInError(
        'SOURCE_QUERY',
        `${what}: the table stayed locked by another session, so the change was given up before it could hold up the console`,
        'Run the same command again at a quieter moment; it continues where it stopped.',
        options,
      );
    case 'readOnly':
      return new OptInError('SOURCE_QUERY', `${what}: ${said}`, 'Run the command against the primary server, not a replica.', options);
    case 'login':
      return new OptInError('SOURCE_UNREACHABLE', `${label}: ${said}`, 'Correct user and password in source.url.', options);
    case 'unreachable':
      return new SourceError('SOURCE_UNREACHABLE', `${label}: ${said}`, options);
    case 'schema':
      return new SourceError('SOURCE_SCHEMA', `${label}: ${said}`, options);
    default:
      return new SourceError('SOURCE_QUERY', `${what}: ${said}`, options);
  }
}
