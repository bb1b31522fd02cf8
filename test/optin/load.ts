// StreamPark databases for the tests of the opt-in: the recorded ones, and one bare enough to stand for a hand-made schema.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { type Database, openDatabase } from '../../src/database/database.ts';
import { type ListedApp, openSource, type Source } from '../../src/watch/watch.ts';
import { createTestDatabase, type TestDatabase, type TestFamily } from '../support/databases.ts';
import { sharedDir } from '../support/shared.ts';

/** Runs a whole SQL text. */
export async function runScript(url: string, text: string): Promise<void> {
  if (url.startsWith('mysql')) {
    const connection = await mysql.createConnection({ uri: url, multipleStatements: true });
    try {
      await connection.query(text);
    } finally {
      await connection.end();
    }
    return;
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

/** Rows of one query, as the drivers give them. */
export async function rowsOf(url: string, text: string): Promise<Record<string, unknown>[]> {
  if (url.startsWith('mysql')) {
    const connection = await mysql.createConnection({ uri: url, dateStrings: true });
    try {
      return (await connection.query(text))[0] as Record<string, unknown>[];
    } finally {
      await connection.end();
    }
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

export type Release = '2.1.7' | '2.2.0-dev';

/** A database of its own with a recorded StreamPark; undefined where the recordings are not there. */
export async function recordedStreampark(family: TestFamily, release: Release): Promise<TestDatabase | undefined> {
  const shared = sharedDir();
  if (shared === undefined) return undefined;
  const database = await createTestDatabase(family);
  await runScript(database.url, readFileSync(join(shared, 'fixtures/streampark-real', `${family}-${release}.sql`), 'utf8'));
  return database;
}

/** The same without our footprint, as StreamPark itself makes it. */
export async function pristineStreampark(family: TestFamily, release: Release): Promise<TestDatabase | undefined> {
  const database = await recordedStreampark(family, release);
  if (database === undefined) return undefined;
  const tables = release === '2.1.7' ? ['t_flink_app'] : ['t_flink_app', 't_spark_app'];
  await runScript(
    database.url,
    `${tables.map((table) => `alter table ${table} drop column lineage_enable`).join(';')}; delete from t_setting where setting_key like 'lineage.%'`,
  );
  return database;
}

/** The same database under another login. */
export const asUser = (url: string, user: string, password: string): string => url.replace(/\/\/[^@]+@/, `//${user}:${password}@`);

export function open(url: string, schema?: string): Database<unknown> {
  return openDatabase<unknown>(url, {
    statementTimeoutMs: 60_000,
    connectTimeoutMs: 3_000,
    poolSize: 2,
    ...(schema === undefined ? {} : { schema }),
    onIdleError: () => undefined,
  });
}

/** Works on a source of its own, opened anew so that it sees the columns as they are now. */
export async function withSource<T>(url: string, work: (source: Source) => Promise<T>): Promise<T> {
  const source = openSource({ source: { url, schema: 'public' }, optIn: 'column' });
  try {
    return await work(source);
  } finally {
    await source.close();
  }
}

/** All applications. */
export const appsOf = (url: string): Promise<ListedApp[]> => withSource(url, (source) => source.listApps());

/** No waiting in tests that do not lock. */
export const patience = { lockWaitMs: 1_000, attempts: 2, sleep: async () => undefined };
