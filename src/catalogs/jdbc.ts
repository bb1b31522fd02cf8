// A JDBC catalog is its server: columns are read there, with the user of the settings unless they say otherwise.
import { sql } from 'kysely';
import { type Database, openDatabase } from '../database/database.ts';
import type { CatalogSettings } from '../settings/settings.ts';
import { inDatabase, urlOfDefinition } from './jdbc/address.ts';
import { readMysql } from './jdbc/mysql.ts';
import { readPostgres } from './jdbc/postgres.ts';
import { type CatalogReader, type Definition, Unreadable } from './table.ts';

/** PostgreSQL; other databases of the server may well be there. */
const noSuchDatabase = '3D000';

/** @throws Unreadable where the script's own address is to be used and is none */
export function jdbcReader(entry: Extract<CatalogSettings, { type: 'jdbc' }>, definition: Definition): CatalogReader {
  const url = entry.url ?? urlOfDefinition(definition);
  const databases = new Map<string, Database<unknown>>();
  /** PostgreSQL shows one database per connection; MySQL shows all in each. */
  const connected = (name: string | undefined): Database<unknown> => {
    const isOne = name === undefined || !/^postgres/i.test(url);
    const address = isOne ? url : inDatabase(url, name);
    const known = databases.get(address);
    if (known !== undefined) return known;
    const limits = { statementTimeoutMs: entry.timeout, connectTimeoutMs: entry.timeout, poolSize: 2 };
    const opened = openDatabase<unknown>(address, { ...limits, onIdleError: () => undefined });
    databases.set(address, opened);
    return opened;
  };
  return {
    read: ([, database, table], signal) => {
      const { db, family } = connected(database);
      return within(signal, family === 'mysql' ? readMysql(db, database, table) : readPostgres(db, table));
    },
    probe: async (signal) => {
      await within(signal, sql`select 1`.execute(connected(undefined).db));
    },
    close: () => {
      for (const database of databases.values()) void database.close().catch(() => undefined);
    },
  };
}

/** A query of these drivers cannot be taken back; its answer is left alone when the time is over. */
async function within<T>(signal: AbortSignal, query: Promise<T>): Promise<T> {
  query.catch(() => undefined);
  let late = (): void => undefined;
  const overdue = new Promise<never>((_, reject) => {
    late = () => reject(signal.reason);
    signal.addEventListener('abort', late, { once: true });
  });
  try {
    signal.throwIfAborted();
    return await Promise.race([query, overdue]);
  } catch (cause) {
    if (signal.aborted) throw cause;
    // The message of a driver may quote what it was given; its code does not.
    const code = (cause as { readonly code?: unknown } | null)?.code;
    throw new Unreadable(
      code === noSuchDatabase ? 'table' : 'catalog',
      `the database refuses (${typeof code === 'string' ? code : 'error'})`,
      { cause },
    );
  } finally {
    signal.removeEventListener('abort', late);
  }
}
