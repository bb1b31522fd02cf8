// The tables of a database, read from its information_schema in a read-only transaction.
import { type Kysely, sql } from 'kysely';
import { openDatabase } from '../database/database.ts';
import type { Pattern } from '../identity/identity.ts';
import type { ConnectionSettings } from '../settings/settings.ts';
import { onlyDatabase, parseConnection, passwordOf } from './connections.ts';
import type { FoundName } from './matching.ts';

/** Beyond this a server is not listed: the answer would be cut, and a cut list is a wrong one. */
export const mostTables = 100_000;

class TooMany extends Error {
  readonly code = 'TOO_MANY_TABLES';
}

/**
 * Names of the base tables by their parts: MySQL `database, table`, PostgreSQL `database, schema, table`. Those that a user may
 * not read are not there: the databases hide them.
 * @throws whatever the driver says; TOO_MANY_TABLES
 */
export async function listTables(connection: ConnectionSettings, pattern: Pattern): Promise<FoundName[]> {
  const { scheme, hosts, user, rest } = parseConnection(connection.url);
  const password = passwordOf(connection);
  const login = user === undefined ? '' : `${encodeURIComponent(user)}${password === undefined ? '' : `:${encodeURIComponent(password)}`}@`;
  const [, path = '', parameters = ''] = /^([^?]*)([\s\S]*)$/.exec(rest) ?? [];
  const database = pattern.database === null ? path : `/${encodeURIComponent(pattern.database)}`;
  const opened = openDatabase<unknown>(`${scheme}://${login}${hosts[0] ?? ''}${database}${parameters}`, {
    statementTimeoutMs: connection.timeout,
    connectTimeoutMs: connection.timeout,
    poolSize: 1,
    onIdleError: () => undefined,
    ...(connection.tls || connection.ca !== undefined ? { tls: { mode: 'verify-full' as const, ca: connection.ca } } : {}),
  });
  try {
    const rows = await opened.db
      .transaction()
      .setAccessMode('read only')
      .execute((tx) => (pattern.kind === 'mysql' ? mysqlTables(tx, onlyDatabase(pattern)) : postgresTables(tx)));
    if (rows.length > mostTables) throw new TooMany();
    return rows.map(({ s, t }) => (pattern.database === null ? [s, t] : [pattern.database, s, t]));
  } finally {
    await opened.close();
  }
}

interface Row {
  readonly s: string;
  readonly t: string;
}

const limit = mostTables + 1;

async function mysqlTables(db: Kysely<unknown>, only: string | undefined): Promise<Row[]> {
  const one = only === undefined ? sql`` : sql`and table_schema = ${only}`;
  const found = await sql<Row>`select table_schema as s, table_name as t from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('mysql', 'sys', 'performance_schema', 'information_schema') ${one}
    order by table_schema, table_name limit ${sql.lit(limit)}`.execute(db);
  return found.rows;
}

async function postgresTables(db: Kysely<unknown>): Promise<Row[]> {
  const found = await sql<Row>`select table_schema as s, table_name as t from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
    order by table_schema, table_name limit ${sql.lit(limit)}`.execute(db);
  return found.rows;
}
