// Runs the migration so that the console hardly notices: each statement alone, with a short wait for its lock.
// An ALTER that waits makes every later query on the table wait behind it; so it gives up quickly and tries again later.
import { type Kysely, sql } from 'kysely';
import type { Database, SqlFamily } from '../database/database.ts';
import { explain, kindOf, OptInError, selectCure } from './failures.ts';
import { type ApplicationTables, type Footprint, readApplicationTables, readFootprint } from './footprint.ts';
import { readLogin } from './grantfacts.ts';
import { migrateGrant } from './grants.ts';
import type { Statement } from './statements.ts';

export interface ApplyOptions {
  /** Longest wait for one lock in ms, at least a second: MySQL counts in seconds. */
  readonly lockWaitMs: number;
  /** Tries per statement while the table is locked. */
  readonly attempts: number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Told before each further try. */
  readonly onLocked?: (statement: Statement, attempt: number) => void;
}

/** Three seconds is shorter than any timeout of the console's connection pool. */
export const defaultApply = { lockWaitMs: 3_000, attempts: 5 } as const;

/**
 * Runs the statements of `plan` and then asks `plan` again, which must find nothing left to do.
 * Safe beside another run: what that one has done already counts as done.
 * @returns the statements of the plan, in order
 * @throws SourceError SOURCE_PRIVILEGE with the GRANT as cure; SOURCE_QUERY when a table stays locked
 */
export async function apply(
  database: Database<unknown>,
  plan: (footprint: Footprint) => Statement[],
  options: ApplyOptions,
): Promise<Statement[]> {
  const statements = plan(await inspect(database));
  if (statements.length === 0) return [];
  const login = await readLogin(database.db, database.family);
  for (const statement of statements) await runPatiently(database, statement, migrateGrant(login, statement.table), options);
  const left = plan(await inspect(database));
  if (left.length > 0) {
    throw new OptInError(
      'SOURCE_QUERY',
      `after the migration this is still to do: ${left.map((s) => s.purpose).join('; ')}`,
      'Another migration ran against this one; run the same command again.',
    );
  }
  return statements;
}

/**
 * `readFootprint` with coded errors.
 * @throws SourceError
 */
export function inspect(database: Database<unknown>): Promise<Footprint> {
  return explained(database, readFootprint);
}

/**
 * `readApplicationTables` with coded errors.
 * @throws SourceError
 */
export function inspectTables(database: Database<unknown>): Promise<ApplicationTables> {
  return explained(database, readApplicationTables);
}

async function explained<T>(database: Database<unknown>, read: (db: Kysely<unknown>, family: SqlFamily) => Promise<T>): Promise<T> {
  try {
    return await read(database.db, database.family);
  } catch (error) {
    throw explain(error, 'reading the tables', database.label, selectCure);
  }
}

/**
 * Runs one statement with a short wait for its lock, several times while the table stays locked.
 * @returns the number of rows it touched; 0 when another session had done it already
 * @throws SourceError with `grant` as the cure of a missing right
 */
export async function runPatiently(
  database: Database<unknown>,
  statement: Statement,
  grant: string,
  options: ApplyOptions,
): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(database, statement.sql, options.lockWaitMs);
    } catch (error) {
      const kind = kindOf(error);
      if (kind === 'present' || kind === 'absent') return 0;
      if (kind !== 'locked' || attempt >= options.attempts) throw explain(error, statement.purpose, database.label, grant);
      options.onLocked?.(statement, attempt);
      await options.sleep(options.lockWaitMs);
    }
  }
}

/** One statement in one transaction; MySQL commits at each DDL anyway. */
function runOnce(database: Database<unknown>, statement: string, lockWaitMs: number): Promise<number> {
  const seconds = Math.max(1, Math.ceil(lockWaitMs / 1_000));
  if (database.family === 'postgres') {
    return database.db.transaction().execute(async (tx) => {
      await execute(tx, `set local lock_timeout = ${lockWaitMs}`);
      return await execute(tx, statement);
    });
  }
  return database.db.connection().execute(async (connection) => {
    await execute(connection, `set session lock_wait_timeout = ${seconds}, session innodb_lock_wait_timeout = ${seconds}`);
    try {
      return await execute(connection, statement);
    } finally {
      // a connection that broke takes its settings with it
      await execute(connection, 'set session lock_wait_timeout = default, session innodb_lock_wait_timeout = default').catch(
        () => undefined,
      );
    }
  });
}

const execute = async (db: Kysely<unknown>, statement: string): Promise<number> =>
  Number((await sql.raw(statement).execute(db)).numAffectedRows ?? 0);
