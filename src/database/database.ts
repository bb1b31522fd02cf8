// One way to open a database for both sides: StreamPark's own (read) and the state tables (write).
// Times come as text and 64-bit integers as bigint or text, so callers normalise with String()/Number().
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import type { PGlite } from '@electric-sql/pglite';
import { Kysely, MysqlDialect, PostgresDialect } from 'kysely';
import type Mysql from 'mysql2';
import type Pg from 'pg';
import { currentLogin } from './login.ts';
import { PgliteDialect } from './pglite.ts';
import { sslOption, type TlsFiles } from './tls.ts';

const require = createRequire(import.meta.url);
/** The drivers, loaded when a database of their family is opened: the other one would only take memory. */
const mysqlDriver = (): typeof Mysql => require('mysql2');
const pgDriver = (): typeof Pg => require('pg');

/** SQL family of a connection. PGlite speaks `postgres`. */
export type SqlFamily = 'mysql' | 'postgres';

export interface Database<Schema> {
  readonly family: SqlFamily;
  /** True for the embedded PGlite: one session, so no locking between connections. */
  readonly embedded: boolean;
  /** `host:port/database` without user and password: safe to print. */
  readonly label: string;
  readonly db: Kysely<Schema>;
  close(): Promise<void>;
}

export interface OpenOptions {
  /** Upper limit for one statement, enforced by the server. */
  readonly statementTimeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly poolSize: number;
  /** PostgreSQL only: the schema unqualified names resolve to. */
  readonly schema?: string;
  /** Encrypts the connection. */
  readonly tls?: TlsFiles;
  /** The URL as it is now: user and password of each new connection are taken from it. May throw; then the last one holds. */
  readonly freshUrl?: () => string;
  /** Called when an idle pooled connection is lost; the pool makes a new one by itself. */
  readonly onIdleError: (error: Error) => void;
}

const asText = (value: string): string => value;
/** PostgreSQL type oids: date, timestamp, timestamptz as text; int8 as bigint. */
const pgParsers: Readonly<Record<number, (value: string) => unknown>> = { 1082: asText, 1114: asText, 1184: asText, 20: BigInt };

/** Family of a database URL (`mysql:`, `mariadb:`, `postgres:`, `postgresql:`); undefined for any other scheme. */
export function familyOf(url: string): SqlFamily | undefined {
  const scheme = /^([a-z]+):\/\//i.exec(url)?.[1]?.toLowerCase();
  if (scheme === 'mysql' || scheme === 'mariadb') return 'mysql';
  if (scheme === 'postgres' || scheme === 'postgresql') return 'postgres';
  return undefined;
}

/** `host:port/database` of a database URL, for messages. */
export function labelOf(url: string): string {
  try {
    const u = new URL(url);
    const port = u.port || (familyOf(url) === 'mysql' ? '3306' : '5432');
    return `${u.hostname}:${port}${u.pathname}`;
  } catch {
    return '(not a URL)';
  }
}

/**
 * Opens a pool; connects lazily, so it only throws on a URL of another scheme.
 * @throws TypeError when the scheme is neither MySQL nor PostgreSQL
 */
export function openDatabase<Schema>(url: string, options: OpenOptions): Database<Schema> {
  const family = familyOf(url);
  if (family === 'mysql') return openMysql(url, options);
  if (family === 'postgres') return openPostgres(url, options);
  throw new TypeError('a database URL begins with mysql://, mariadb://, postgres:// or postgresql://');
}

/**
 * The server ends a session that does nothing inside a transaction for this long: the locks of a process that is frozen, or cut
 * off without a word, must not keep others from taking over. (MySQL, unlike MariaDB, has no such limit.)
 */
const idleInTransactionMs = 20_000;

/** How much longer than the longest statement a server may be silent. */
const silenceMarginMs = 5_000;

/**
 * Gives up a connection in use on which nothing came or went for longer than the server lets a statement run. Its network path
 * is dead; TCP alone would notice that after many minutes, and a query would hang as long.
 */
function endsWhenSilent(pool: NodeJS.EventEmitter, opened: 'connection' | 'connect', statementTimeoutMs: number): void {
  const socketOf = (connection: unknown): Socket => {
    const { stream, connection: inner } = connection as { stream?: Socket; connection?: { stream: Socket } };
    return stream ?? (inner as { stream: Socket }).stream;
  };
  pool.on(opened, (connection: unknown) => {
    const socket = socketOf(connection);
    const silent = () => socket.destroy(Object.assign(new Error('the server is silent'), { code: 'ETIMEDOUT' }));
    socket.on('timeout', silent);
  });
  pool.on('acquire', (connection: unknown) => socketOf(connection).setTimeout(statementTimeoutMs + silenceMarginMs));
  // pg gives the error first.
  pool.on('release', (...args: unknown[]) => socketOf(args.at(-1)).setTimeout(0));
}

function openMysql<Schema>(url: string, options: OpenOptions): Database<Schema> {
  const pool = mysqlDriver().createPool({
    uri: url.replace(/^mariadb:/i, 'mysql:'),
    connectionLimit: options.poolSize,
    dateStrings: true,
    supportBigNumbers: true,
    timezone: 'Z',
    charset: 'utf8mb4',
    connectTimeout: options.connectTimeoutMs,
    enableKeepAlive: true,
    ...(options.tls === undefined ? {} : { ssl: sslOption(options.tls) }),
  });
  if (options.freshUrl !== undefined) {
    const login = currentLogin(url, options.freshUrl);
    const { connectionConfig } = (pool as unknown as { config: { connectionConfig: object } }).config;
    Object.defineProperty(connectionConfig, 'user', { get: () => login().user, enumerable: true, configurable: true });
    Object.defineProperty(connectionConfig, 'password', { get: () => login().password, enumerable: true, configurable: true });
  }
  endsWhenSilent(pool, 'connection', options.statementTimeoutMs);
  // MySQL and MariaDB name the limit differently and in other units: whichever the server knows is set.
  pool.on('connection', (connection) => {
    connection.on('error', options.onIdleError);
    const ignore = () => undefined;
    connection.query(`set session max_execution_time = ${options.statementTimeoutMs}`, ignore);
    connection.query(`set session max_statement_time = ${options.statementTimeoutMs / 1000}`, ignore);
    connection.query(`set session idle_transaction_timeout = ${idleInTransactionMs / 1000}`, ignore);
  });
  const db = new Kysely<Schema>({ dialect: new MysqlDialect({ pool }) });
  return { family: 'mysql', embedded: false, label: labelOf(url), db, close: () => db.destroy() };
}

function openPostgres<Schema>(url: string, options: OpenOptions): Database<Schema> {
  const { freshUrl } = options;
  const pg = pgDriver();
  const pool = new pg.Pool({
    connectionString: url,
    ...(options.tls === undefined ? {} : { ssl: sslOption(options.tls) }),
    ...(freshUrl === undefined ? {} : { Client: clientWithLogin(pg, currentLogin(url, freshUrl)) }),
    max: options.poolSize,
    connectionTimeoutMillis: options.connectTimeoutMs,
    keepAlive: true,
    options: [
      `-c statement_timeout=${options.statementTimeoutMs}`,
      `-c idle_in_transaction_session_timeout=${idleInTransactionMs}`,
      ...(options.schema === undefined ? [] : [`-c search_path=${options.schema.replace(/[ \\]/g, '\\$&')}`]),
    ].join(' '),
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') => pgParsers[oid] ?? pg.types.getTypeParser(oid, format as 'text'),
    },
  });
  pool.on('error', options.onIdleError);
  // A connection that is checked out and idle reports its loss itself; without a listener that ends the process.
  pool.on('connect', (client) => client.on('error', options.onIdleError));
  endsWhenSilent(pool, 'connect', options.statementTimeoutMs);
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  return { family: 'postgres', embedded: false, label: labelOf(url), db, close: () => db.destroy() };
}

/** A client of the pool whose user and password are asked for when it is made. */
function clientWithLogin(pg: typeof Pg, login: () => { readonly url: string }): typeof Pg.Client {
  return class extends pg.Client {
    constructor(config?: Pg.ClientConfig) {
      super({ ...config, connectionString: login().url });
    }
  };
}

/** Wraps a PGlite instance (demo and quick tests). Closing the database closes the instance. */
export function embeddedDatabase<Schema>(pglite: PGlite): Database<Schema> {
  const db = new Kysely<Schema>({ dialect: new PgliteDialect(pglite) });
  return { family: 'postgres', embedded: true, label: 'embedded', db, close: () => db.destroy() };
}

export { createPglite } from './pglite.ts';
export { isTlsFailure, type TlsFiles } from './tls.ts';
