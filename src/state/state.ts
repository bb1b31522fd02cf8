// Stage state: the own tables. Opens them, brings them up to date, gives transactions; small stores take the transaction
// as their first argument. Knows nothing of what the texts in its rows mean.
import type { PGlite } from '@electric-sql/pglite';
import { type Kysely, sql } from 'kysely';
import { type Database, embeddedDatabase, type OpenOptions, openDatabase } from '../database/database.ts';
import type { StateError } from '../errors/errors.ts';
import { isOfDriver, stateError } from './failures.ts';
import { creationOf, locate, schemaExists } from './location.ts';
import { withMigrationLock } from './lock.ts';
import { appliedMigrations, migrate } from './migrate.ts';
import { type AppliedMigration, installedSqlFolder, type Migration, pendingMigrations, readMigrations } from './migrations.ts';
import type { StateSchema, StateTx } from './schema.ts';
import { type Retrying, realRetrying, transact } from './transaction.ts';

/** Where the own tables are and how to reach them. */
export interface StateOptions {
  /** `state.url`, else `source.url`. */
  readonly url: string;
  /** Database (MySQL) or schema (PostgreSQL) of the own tables. */
  readonly schema: string;
  /** Default: the folder of this installation. */
  readonly sqlFolder?: string;
  readonly connection?: Partial<Omit<OpenOptions, 'schema'>>;
  readonly now?: () => number;
  readonly retrying?: Retrying;
}

export interface State {
  readonly database: Database<StateSchema>;
  readonly schema: string;
  /**
   * Runs `work` in one READ COMMITTED transaction; repeated after a deadlock, so `work` has no other effects.
   * @throws StateError for every error of the database; what `work` throws by itself
   */
  transaction<T>(work: (tx: StateTx) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const defaults: Omit<OpenOptions, 'schema'> = {
  statementTimeoutMs: 30_000,
  connectTimeoutMs: 5_000,
  poolSize: 6,
  onIdleError: () => undefined,
};

/** State over a database that is already open and migrated. */
export function stateOver(database: Database<StateSchema>, schema: string, retrying: Retrying = realRetrying): State {
  return {
    database,
    schema,
    transaction: async (work) => {
      try {
        return await transact(database.db, work, retrying);
      } catch (error) {
        const coded = stateError(error, database.label);
        // What `work` threw by itself is no error of the database.
        throw coded.code === 'INTERNAL' && !isOfDriver(error) ? error : coded;
      }
    },
    close: () => database.close(),
  };
}

/**
 * Opens the own tables: makes their database or schema when it is missing and applies what is pending. Programs that start
 * at once take turns.
 * @throws StateError STATE_UNREACHABLE, STATE_PRIVILEGE, STATE_NEWER, STATE_CHECKSUM
 * @throws TypeError when the URL is of no known family
 */
export async function openState(options: StateOptions): Promise<State> {
  const { schema, retrying = realRetrying, now = Date.now } = options;
  return await opened(options, async (server, tables) => {
    const files = readMigrations(options.sqlFolder ?? installedSqlFolder, tables.family);
    if ((await pendingIn(server.db, tables, schema, files.migrations))?.length !== 0) {
      await server.db.connection().execute((connection) =>
        withMigrationLock(connection, schema, retrying, async () => {
          if (!(await schemaExists(connection, schema))) await sql.raw(creationOf(tables.family, schema)).execute(connection);
          await migrate(tables.db, schema, files, now);
        }),
      );
    }
    return stateOver(tables, schema, retrying);
  });
}

/** Opens the own tables in an embedded PostgreSQL of their own (demo and quick tests); one session, so no lock is needed. */
export async function openEmbeddedState(
  pglite: PGlite,
  options: Pick<StateOptions, 'sqlFolder' | 'now' | 'retrying'> = {},
): Promise<State> {
  const database = embeddedDatabase<StateSchema>(pglite);
  const files = readMigrations(options.sqlFolder ?? installedSqlFolder, 'postgres');
  await migrate(database.db, 'public', files, options.now ?? Date.now);
  return stateOver(database, 'public', options.retrying);
}

/** How the own tables stand, without changing anything. */
export interface StateStatus {
  readonly schemaExists: boolean;
  readonly applied: readonly AppliedMigration[];
  readonly pending: readonly Migration[];
  /** Statements that `openState` would run, in order. */
  readonly statements: readonly string[];
  /** STATE_NEWER or STATE_CHECKSUM; then `pending` is empty. */
  readonly problem: StateError | undefined;
}

/**
 * Reads how the own tables stand.
 * @throws StateError STATE_UNREACHABLE or STATE_PRIVILEGE
 */
export async function inspectState(options: StateOptions): Promise<StateStatus> {
  const state = await opened(options, async (server, tables) => {
    const { bootstrap, migrations } = readMigrations(options.sqlFolder ?? installedSqlFolder, tables.family);
    const exists = await schemaExists(server.db, options.schema);
    const rows = exists ? await appliedMigrations(tables.db, options.schema) : undefined;
    const { pending, problem } = judge(migrations, rows ?? []);
    const statements = [
      ...(exists ? [] : [creationOf(tables.family, options.schema)]),
      ...(rows === undefined ? bootstrap.statements : []),
      ...pending.flatMap((migration) => migration.statements),
    ];
    return { database: tables, status: { schemaExists: exists, applied: rows ?? [], pending, statements, problem } };
  });
  await state.database.close();
  return state.status;
}

function judge(known: readonly Migration[], applied: readonly AppliedMigration[]): Pick<StateStatus, 'pending' | 'problem'> {
  try {
    return { pending: pendingMigrations(known, applied), problem: undefined };
  } catch (error) {
    return { pending: [], problem: error as StateError };
  }
}

/** Pending migrations; undefined when the schema or the table `migration` is not there yet. */
async function pendingIn(
  server: Kysely<StateSchema>,
  tables: Database<StateSchema>,
  schema: string,
  known: readonly Migration[],
): Promise<Migration[] | undefined> {
  if (!(await schemaExists(server, schema))) return undefined;
  const applied = await appliedMigrations(tables.db, schema);
  return applied === undefined ? undefined : pendingMigrations(known, applied);
}

/** Opens both connections for `work`; the one to the server is closed afterwards, the one to the tables only on failure. */
async function opened<T>(
  options: StateOptions,
  work: (server: Database<StateSchema>, tables: Database<StateSchema>) => Promise<T>,
): Promise<T> {
  const urls = locate(options.url, options.schema);
  const connection = { ...defaults, ...options.connection };
  const server = openDatabase<StateSchema>(urls.server, { ...connection, poolSize: 1 });
  const tables = openDatabase<StateSchema>(urls.tables, { ...connection, schema: options.schema });
  try {
    return await work(server, tables);
  } catch (error) {
    await tables.close();
    throw stateError(error, server.label);
  } finally {
    await server.close();
  }
}

export * from './checkpoints.ts';
export { familyOfDb, insertIfAbsent, waitingOrder } from './dialect.ts';
export { isDuplicate, stateError } from './failures.ts';
export * from './injections.ts';
export * from './installation.ts';
export * from './lease.ts';
export type { AppliedMigration, Migration } from './migrations.ts';
export * from './planCache.ts';
export * from './removal.ts';
export * from './rowruns.ts';
export * from './runretention.ts';
export * from './runs.ts';
export type { OutboxState, OutboxTable, StateDb, StateSchema, StateTx } from './schema.ts';
