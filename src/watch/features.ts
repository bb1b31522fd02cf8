// What this StreamPark database has, column by column: releases differ, and hand-patched mixtures exist (no table stores a version).
// A column that exists but may not be read is an error; one that does not exist is a feature that is absent.
import { sql } from 'kysely';
import type { Database, SqlFamily } from '../database/database.ts';
import { type Diagnostic, SourceError } from '../errors/errors.ts';
import {
  appColumns,
  appTables,
  detailColumns,
  historyColumns,
  logColumns,
  logTables,
  optInColumn,
  programColumns,
  releaseLogColumns,
  settingView,
  sideTables,
  variableView,
  type WantedColumn,
} from './columns.ts';
import { type DigestKind, digestKind } from './digest.ts';
import { isPrivilege, isSchemaChange } from './failure.ts';
import { flag } from './normalise.ts';
import type { Engine } from './rows.ts';

/** A column as it is called in this database. */
export interface FoundColumn {
  readonly alias: string;
  readonly name: string;
  /** Data type in lower case: tinyint, boolean, datetime, … */
  readonly type: string;
}

export interface FoundTable {
  readonly table: string;
  readonly columns: readonly FoundColumn[];
}

export interface AppTable extends FoundTable {
  readonly engine: Engine;
  /** lineage_enable, where it exists. */
  readonly optIn: FoundColumn | null;
}

export interface Features {
  readonly family: SqlFamily;
  readonly digest: DigestKind;
  readonly flink: AppTable;
  /** null = no Spark tables. */
  readonly spark: AppTable | null;
  readonly log: FoundTable | null;
  /** Table or view that t_setting rows are read from; null = none may be read. */
  readonly settings: string | null;
  readonly variables: string | null;
  readonly clusters: boolean;
  /** What the columns look like: for `check`; no decision hangs on it. */
  readonly release: string;
  /** Readable columns with their types, by table. */
  readonly catalog: Catalog;
  /** Optional tables that exist but may not be read. */
  readonly problems: readonly Diagnostic[];
}

/** Readable and unreadable columns by table. Unreadable ones are known on PostgreSQL; MySQL hides them. */
export type Catalog = ReadonlyMap<string, ReadonlyMap<string, { readonly type: string; readonly readable: boolean }>>;

// biome-ignore lint/suspicious/noExplicitAny: StreamPark's schema is not ours and differs by release
export type AnySchema = any;

const watchedTables = [
  ...new Set([
    ...Object.values(appTables),
    ...logTables,
    ...Object.keys(sideTables),
    ...Object.keys(historyColumns),
    settingView,
    variableView,
  ]),
];

/** Reads which tables and columns exist and whether they may be read. */
export async function readCatalog(database: Database<AnySchema>, schema: string): Promise<Catalog> {
  const names = sql.join(watchedTables.map((t) => sql`${t}`));
  // MySQL 8 answers information_schema columns in upper case unless they are aliased.
  const query =
    database.family === 'mysql'
      ? sql<Record<string, unknown>>`select table_name as table_name, column_name as column_name, data_type as data_type,
          privileges as privileges from information_schema.columns where table_schema = database() and table_name in (${names})
          order by table_name, ordinal_position`
      : sql<Record<string, unknown>>`select c.relname as table_name, a.attname as column_name, format_type(a.atttypid, null) as data_type,
          has_column_privilege(c.oid, a.attnum, 'SELECT') as readable
          from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
          where n.nspname = ${schema} and c.relname in (${names}) and c.relkind in ('r', 'p', 'v', 'm', 'f')
          and a.attnum > 0 and not a.attisdropped order by c.relname, a.attnum`;
  const { rows } = await query.execute(database.db);
  const catalog = new Map<string, Map<string, { type: string; readable: boolean }>>();
  for (const row of rows) {
    const table = String(row['table_name']).toLowerCase();
    const columns = catalog.get(table) ?? new Map<string, { type: string; readable: boolean }>();
    const readable = row['privileges'] === undefined ? flag(row['readable']) : /\bselect\b/i.test(String(row['privileges']));
    columns.set(String(row['column_name']).toLowerCase(), { type: String(row['data_type']).toLowerCase(), readable });
    catalog.set(table, columns);
  }
  return catalog;
}

/**
 * Decides from the catalog what is read.
 * @param previous features of the same database: returned as they are when the catalog is unchanged
 * @throws SourceError SOURCE_SCHEMA when it is no StreamPark database, SOURCE_PRIVILEGE naming what may not be read
 */
export async function readFeatures(database: Database<AnySchema>, schema: string, previous: Features | null): Promise<Features> {
  const catalog = await readCatalog(database, schema);
  if (previous !== null && sameCatalog(previous.catalog, catalog)) return previous;
  const look = new Look(database, catalog);
  const flink = await look.app('flink');
  const { problems } = look;
  const log = (await look.table(logTables[0], logColumns)) ?? (await look.table(logTables[1], releaseLogColumns));
  const optional = async (table: string): Promise<boolean> => {
    if (look.readable(table, sideTables[table] ?? [])) return true;
    const columns = sideTables[table] ?? [];
    if (await look.hidden(table, columns)) {
      problems.push({ code: 'SOURCE_PRIVILEGE', severity: 'warning', message: `${table} (${columns.join(', ')}) may not be read` });
    }
    return false;
  };
  const settings = look.readable(settingView, ['setting_key', 'setting_value'])
    ? settingView
    : (await optional('t_setting'))
      ? 't_setting'
      : null;
  const variables = look.readable(variableView, sideTables['t_variable'] ?? [])
    ? variableView
    : (await optional('t_variable'))
      ? 't_variable'
      : null;
  const clusters = await optional('t_flink_cluster');
  for (const table of Object.keys(sideTables)) {
    if (table.startsWith('t_spark_') && !catalog.has(appTables.spark)) continue;
    if (!['t_setting', 't_variable', 't_flink_cluster'].includes(table)) await optional(table);
  }
  const spark = catalog.has(appTables.spark) ? await look.app('spark') : null;
  const digest = await digestKind(database);
  return {
    family: database.family,
    digest,
    flink,
    spark,
    log,
    settings,
    variables,
    clusters,
    release: releaseOf(catalog),
    catalog,
    problems,
  };
}

class Look {
  /** What is not needed and may not be read. */
  readonly problems: Diagnostic[] = [];
  readonly #database: Database<AnySchema>;
  readonly #catalog: Catalog;
  constructor(database: Database<AnySchema>, catalog: Catalog) {
    this.#database = database;
    this.#catalog = catalog;
  }

  /** All these columns may be read. */
  readable(table: string, columns: readonly string[]): boolean {
    const found = this.#catalog.get(table);
    return found !== undefined && columns.every((c) => found.get(c)?.readable === true);
  }

  /** Table or columns are there, but not for us. MySQL says the same for what does not exist when the user has few rights. */
  async hidden(table: string, columns: readonly string[] = []): Promise<boolean> {
    const found = this.#catalog.get(table);
    if (columns.some((c) => found?.get(c)?.readable === false)) return true;
    if (this.#database.family !== 'mysql') return false;
    const unseen = found === undefined ? null : columns.find((c) => !found.has(c));
    return unseen !== undefined && (await this.#refused(table, unseen));
  }

  async app(engine: Engine): Promise<AppTable> {
    const name = appTables[engine];
    const found = await this.table(name, appColumns[engine]);
    if (found === null) {
      if (await this.hidden(name))
        throw new SourceError('SOURCE_PRIVILEGE', `${this.#database.label}: ${name} may not be read, or is not there`);
      throw new SourceError('SOURCE_SCHEMA', `${this.#database.label} has no table ${name}`);
    }
    const optIn = await this.#column(name, { alias: 'opt_in', names: [optInColumn], required: false });
    const unread: string[] = [];
    for (const column of detailColumns[engine].filter((c) => !programColumns.includes(c))) {
      if (await this.hidden(name, [column])) unread.push(column);
    }
    if (unread.length > 0) {
      const message = `${name} (${unread.join(', ')}) may not be read, or is not there`;
      this.problems.push({ code: 'SOURCE_PRIVILEGE', severity: 'warning', message });
    }
    if (engine === 'flink' && (await this.hidden(name, programColumns))) {
      const message = `${name} (${programColumns.join(', ')}) may not be read: JAR and Python applications are reported without datasets`;
      this.problems.push({ code: 'SOURCE_PRIVILEGE', severity: 'warning', message });
    }
    return { ...found, engine, optIn };
  }

  async table(table: string, wanted: readonly WantedColumn[]): Promise<FoundTable | null> {
    if (!this.#catalog.has(table)) return null;
    const columns: FoundColumn[] = [];
    for (const want of wanted) {
      const column = await this.#column(table, want);
      if (column !== null) columns.push(column);
      else if (want.required) {
        throw new SourceError('SOURCE_SCHEMA', `${this.#database.label}: table ${table} has no column ${want.names.join(' or ')}`);
      }
    }
    return { table, columns };
  }

  async #column(table: string, want: WantedColumn): Promise<FoundColumn | null> {
    const columns = this.#catalog.get(table);
    const name = want.names.find((n) => columns?.get(n)?.readable === true);
    if (name !== undefined) return { alias: want.alias, name, type: columns?.get(name)?.type ?? '' };
    const shown = want.names.find((n) => columns?.has(n));
    if (shown !== undefined) throw new SourceError('SOURCE_PRIVILEGE', `${this.#database.label}: column ${table}.${shown} may not be read`);
    // With column grants MariaDB refuses a hidden column and one that does not exist in the same words.
    if (want.alias !== 'opt_in' && this.#database.family === 'mysql' && (await this.#refused(table, want.names[0] ?? ''))) {
      const message = `column ${table}.${want.names.join(' or ')} may not be read, or is not there`;
      if (want.required) throw new SourceError('SOURCE_PRIVILEGE', `${this.#database.label}: ${message}`);
      this.problems.push({ code: 'SOURCE_PRIVILEGE', severity: 'warning', message });
    }
    return null;
  }

  /** Asks MySQL, whose information_schema hides what may not be read. */
  async #refused(table: string, column: string | null): Promise<boolean> {
    const what = column === null ? sql`1` : sql.ref(column);
    try {
      await sql`select ${what} from ${sql.table(table)} limit 0`.execute(this.#database.db);
      return false;
    } catch (error) {
      if (isPrivilege(error)) return true;
      if (isSchemaChange(error)) return false;
      throw error;
    }
  }
}

function sameCatalog(a: Catalog, b: Catalog): boolean {
  const flat = (c: Catalog) => JSON.stringify([...c].map(([t, columns]) => [t, [...columns].map(([n, v]) => [n, v.type, v.readable])]));
  return flat(a) === flat(b);
}

/** The releases that have these columns, in words. */
function releaseOf(catalog: Catalog): string {
  const app = catalog.get(appTables.flink);
  const has = (column: string) => app?.has(column) === true;
  if (has('launch')) return '2.0';
  if (has('deploy_mode') && catalog.has('t_app_log')) return '2.2 or 3.0 (development)';
  if (!has('execution_mode')) return 'unknown';
  if (catalog.has('t_app_log')) return 'between 2.1 and 2.2 (hand-patched)';
  return has('app_id') ? '2.1.0 to 2.1.3' : '2.1.4 to 2.1.7';
}
