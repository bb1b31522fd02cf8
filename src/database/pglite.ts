// Kysely dialect for PGlite: PostgreSQL's compiler over one embedded session, guarded by a promise chain.
// The package itself is loaded when an instance is created: the daemon never pays for it.
import type { PGlite } from '@electric-sql/pglite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';

const asText = (value: string): string => value;

/** Creates an embedded PostgreSQL in memory with the parsers that `openDatabase` uses; `dump` is a former `dumpDataDir()`. */
export async function createPglite(dump?: Blob): Promise<PGlite> {
  const { PGlite, types } = await import('@electric-sql/pglite');
  return PGlite.create({
    ...(dump === undefined ? {} : { loadDataDir: dump }),
    parsers: { [types.TIMESTAMP]: asText, [types.TIMESTAMPTZ]: asText, [types.DATE]: asText, [types.INT8]: BigInt },
  });
}

export class PgliteDialect implements Dialect {
  readonly #pglite: PGlite;
  constructor(pglite: PGlite) {
    this.#pglite = pglite;
  }
  createAdapter(): DialectAdapter {
    return new PostgresAdapter();
  }
  createDriver(): Driver {
    return new PgliteDriver(this.#pglite);
  }
  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new PostgresIntrospector(db);
  }
  createQueryCompiler(): QueryCompiler {
    return new PostgresQueryCompiler();
  }
}

class PgliteDriver implements Driver {
  readonly #pglite: PGlite;
  #free: Promise<void> = Promise.resolve();
  #release: () => void = () => undefined;
  constructor(pglite: PGlite) {
    this.#pglite = pglite;
  }
  async init(): Promise<void> {
    await this.#pglite.waitReady;
  }
  async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#free;
    let release: () => void = () => undefined;
    this.#free = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    this.#release = release;
    return new PgliteConnection(this.#pglite);
  }
  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const isolation = settings.isolationLevel === undefined ? '' : ` isolation level ${settings.isolationLevel}`;
    const access = settings.accessMode === undefined ? '' : ` ${settings.accessMode}`;
    await connection.executeQuery(raw(`begin${isolation}${access}`));
  }
  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(raw('commit'));
  }
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(raw('rollback'));
  }
  async releaseConnection(): Promise<void> {
    this.#release();
  }
  async destroy(): Promise<void> {
    if (!this.#pglite.closed) await this.#pglite.close();
  }
}

const raw = (sql: string): CompiledQuery =>
  ({
    sql,
    parameters: [],
    query: { kind: 'RawNode', sqlFragments: [sql], parameters: [] },
    queryId: { queryId: '' },
  }) as unknown as CompiledQuery;

class PgliteConnection implements DatabaseConnection {
  readonly #pglite: PGlite;
  constructor(pglite: PGlite) {
    this.#pglite = pglite;
  }
  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const result = await this.#pglite.query<R>(query.sql, [...query.parameters]);
    return {
      rows: result.rows,
      ...(result.affectedRows === undefined ? {} : { numAffectedRows: BigInt(result.affectedRows) }),
    };
  }
  // biome-ignore lint/correctness/useYield: PGlite has no cursor; the contract is a generator
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('PGlite does not stream');
  }
}
