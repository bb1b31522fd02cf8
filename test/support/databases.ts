// Databases of their own for tests on real servers: created under a unique name, dropped afterwards.
// In CI a missing server is a failure, elsewhere the suite is skipped and says what was not tested.
import { randomBytes } from 'node:crypto';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { describe, type SuiteAPI } from 'vitest';

export type TestFamily = 'mysql' | 'postgres';

/** Servers without a database in their URL. */
export const serverUrls: Readonly<Record<TestFamily, string>> = {
  mysql: 'mysql://root@127.0.0.1:3306',
  postgres: 'postgres://postgres@127.0.0.1:5432',
};

export interface TestDatabase {
  readonly url: string;
  readonly name: string;
  /** Drops the database, and the sessions still on it. */
  drop(): Promise<void>;
}

/** Runs one statement on the server, outside of any test database. */
export async function onServer(family: TestFamily, statement: string): Promise<void> {
  if (family === 'mysql') {
    const connection = await mysql.createConnection({ uri: serverUrls.mysql, connectTimeout: 3_000 });
    try {
      await connection.query(statement);
    } finally {
      await connection.end();
    }
    return;
  }
  const client = new pg.Client({ connectionString: `${serverUrls.postgres}/postgres`, connectionTimeoutMillis: 3_000 });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** An empty database named `spl_…`. */
export async function createTestDatabase(family: TestFamily): Promise<TestDatabase> {
  const name = `spl_${Date.now().toString(36)}_${randomBytes(4).toString('hex')}`;
  await onServer(family, family === 'mysql' ? `create database ${name} character set utf8mb4` : `create database ${name}`);
  return {
    url: `${serverUrls[family]}/${name}`,
    name,
    drop: () => onServer(family, family === 'mysql' ? `drop database if exists ${name}` : `drop database if exists ${name} with (force)`),
  };
}

/**
 * `describe` for suites that need a server of this family: `const suite = await requireServer('mysql')`.
 * @throws in CI when the server does not answer
 */
export async function requireServer(family: TestFamily): Promise<SuiteAPI | SuiteAPI['skip']> {
  try {
    await onServer(family, 'select 1');
    return describe;
  } catch (cause) {
    if (process.env['CI'] === 'true') throw new Error(`no ${family} server at ${serverUrls[family]}; CI must have one`, { cause });
    process.stderr.write(`not tested: everything here that needs a ${family} server at ${serverUrls[family]}\n`);
    return describe.skip;
  }
}
