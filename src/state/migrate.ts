// Applies the numbered SQL files. PostgreSQL: one transaction per file. MySQL commits at every DDL statement, so each
// finished statement is counted, and the one a crash may have left half recorded is allowed to find its work done.
import { type Kysely, sql } from 'kysely';
import { familyOfDb } from './dialect.ts';
import type { AppliedMigration, Migration } from './migrations.ts';
import { pendingMigrations } from './migrations.ts';
import type { StateSchema } from './schema.ts';

/** Rows of the table `migration` in `schema`; undefined when there is no such table. */
export async function appliedMigrations(db: Kysely<StateSchema>, schema: string): Promise<AppliedMigration[] | undefined> {
  const table = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = ${schema} and table_name = 'migration'`.execute(db);
  if (table.rows.length === 0) return undefined;
  const rows = await db.selectFrom('migration').selectAll().orderBy('number').execute();
  return rows.map((row) => ({
    number: Number(row.number),
    name: row.name,
    checksum: row.checksum,
    breaking: Number(row.breaking) === 1,
    steps: Number(row.steps),
    appliedAt: row.applied_at === null ? null : Number(row.applied_at),
  }));
}

/**
 * Brings the tables up to date and returns what was applied. The caller holds the migration lock.
 * @param now ms since the epoch
 * @throws StateError STATE_NEWER or STATE_CHECKSUM
 */
export async function migrate(
  db: Kysely<StateSchema>,
  schema: string,
  files: { readonly bootstrap: Migration; readonly migrations: readonly Migration[] },
  now: () => number,
): Promise<Migration[]> {
  let applied = await appliedMigrations(db, schema);
  if (applied === undefined) {
    for (const statement of files.bootstrap.statements) await sql.raw(statement).execute(db);
    applied = [];
  }
  const pending = pendingMigrations(files.migrations, applied);
  const stepsOf = new Map(applied.map((row) => [row.number, row.steps]));
  for (const migration of pending) {
    if (familyOfDb(db) === 'mysql') await applyStepwise(db, migration, stepsOf.get(migration.number), now);
    else await db.transaction().execute((tx) => applyAtOnce(tx, migration, now));
  }
  return pending;
}

async function applyAtOnce(tx: Kysely<StateSchema>, migration: Migration, now: () => number): Promise<void> {
  await insertRow(tx, migration, now());
  for (const statement of migration.statements) await sql.raw(statement).execute(tx);
  await finish(tx, migration, now());
}

/** @param begun statements known to be done by an interrupted start; undefined when the file was never begun */
async function applyStepwise(db: Kysely<StateSchema>, migration: Migration, begun: number | undefined, now: () => number): Promise<void> {
  if (begun === undefined) await insertRow(db, migration, now());
  const first = begun ?? 0;
  for (const [index, statement] of migration.statements.entries()) {
    if (index < first) continue;
    const uncertain = begun !== undefined && index === first;
    try {
      await sql.raw(statement).execute(db);
    } catch (error) {
      if (!uncertain || !isAlreadyDone(error)) throw error;
    }
    await db
      .updateTable('migration')
      .set({ steps: index + 1 })
      .where('number', '=', migration.number)
      .execute();
  }
  await finish(db, migration, now());
}

async function insertRow(db: Kysely<StateSchema>, migration: Migration, now: number): Promise<void> {
  const { number, name, checksum, breaking } = migration;
  await db
    .insertInto('migration')
    .values({ number, name, checksum, breaking: breaking ? 1 : 0, steps: 0, started_at: now, applied_at: null })
    .execute();
}

async function finish(db: Kysely<StateSchema>, migration: Migration, now: number): Promise<void> {
  await db
    .updateTable('migration')
    .set({ steps: migration.statements.length, applied_at: now })
    .where('number', '=', migration.number)
    .execute();
}

// MySQL: table exists, unknown table, duplicate column, duplicate key name, multiple primary key, nothing to drop.
const alreadyDone: ReadonlySet<unknown> = new Set([1050, 1051, 1060, 1061, 1068, 1091]);

function isAlreadyDone(error: unknown): boolean {
  return alreadyDone.has((error as { errno?: unknown } | null)?.errno);
}
