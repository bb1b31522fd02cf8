// What of ours is in StreamPark's tables: the column lineage_enable and the lineage.* rows of t_setting.
// Read from the catalogs first, so that a half-applied, a foreign or an absent migration is seen as it is.
import { type Kysely, sql } from 'kysely';
import type { SqlFamily } from '../database/database.ts';
import { SourceError } from '../errors/errors.ts';
import { type StoredKey, storedKeys } from '../settings/settings.ts';
import { type Engine, optInColumn } from '../watch/watch.ts';
import { settingRows } from './settingrows.ts';

/** The two tables that carry the opt-in column. */
export type AppTable = 't_flink_app' | 't_spark_app';

/** Table of an engine's applications. */
export const appTable = (engine: Engine): AppTable => (engine === 'flink' ? 't_flink_app' : 't_spark_app');

/** One application table that exists. */
export interface TableFootprint {
  readonly table: AppTable;
  readonly engine: Engine;
  /** All columns of the table that this user can see. */
  readonly columns: readonly string[];
  readonly optIn: OptInColumn | undefined;
}

/** The column as it is, whoever made it. */
export interface OptInColumn {
  /** `data_type` of the catalog, such as `tinyint` or `boolean`. */
  readonly type: string;
  readonly boolean: boolean;
  /** Why the column cannot serve, one line; undefined when it can. */
  readonly problem: string | undefined;
}

/** One of our rows of t_setting; the value itself is not kept. */
export interface SettingFootprint {
  readonly key: StoredKey;
  readonly present: boolean;
  /** True when the value is neither null, blank nor what `migrate up` writes. */
  readonly changed: boolean;
}

/** The application tables of a database. */
export interface ApplicationTables {
  readonly family: SqlFamily;
  /** t_flink_app first; t_spark_app only where it exists. */
  readonly tables: readonly TableFootprint[];
}

export interface Footprint extends ApplicationTables {
  /** Undefined when t_setting does not exist, or is not shown to this user (MySQL). */
  readonly settings: readonly SettingFootprint[] | undefined;
}

interface CatalogRow {
  table_name: string;
  column_name: string;
  data_type: string;
  nullable: number;
  defaulted: number;
}

/** Types that can hold the flag: what we make, what upstream makes, and what people make by hand. */
const flagTypes: Readonly<Record<SqlFamily, readonly string[]>> = {
  mysql: ['tinyint', 'smallint', 'mediumint', 'int', 'bigint', 'bit'],
  postgres: ['boolean', 'smallint', 'integer', 'bigint'],
};

/**
 * Reads which application tables there are.
 * @param db a connection whose current database (MySQL) or current schema (PostgreSQL) holds StreamPark's tables
 * @throws SourceError SOURCE_SCHEMA when there is no t_flink_app
 */
export async function readApplicationTables(db: Kysely<unknown>, family: SqlFamily): Promise<ApplicationTables> {
  return { family, tables: applicationTables(await readCatalog(db, family), family) };
}

/**
 * Reads all that the migration touches.
 * @param db as for `readApplicationTables`
 * @throws SourceError SOURCE_SCHEMA when there is no t_flink_app; the driver's error when t_setting may not be read
 */
export async function readFootprint(db: Kysely<unknown>, family: SqlFamily): Promise<Footprint> {
  const rows = await readCatalog(db, family);
  const tables = applicationTables(rows, family);
  return { family, tables, settings: rows.some((row) => row.table_name === 't_setting') ? await readSettingRows(db) : undefined };
}

function applicationTables(rows: readonly CatalogRow[], family: SqlFamily): TableFootprint[] {
  const tables = (['flink', 'spark'] as const).flatMap((engine): TableFootprint[] => {
    const table = appTable(engine);
    const own = rows.filter((row) => row.table_name === table);
    if (own.length === 0) return [];
    const column = own.find((row) => row.column_name === optInColumn);
    return [{ table, engine, columns: own.map((row) => row.column_name), optIn: column && describe(family, column) }];
  });
  if (tables[0]?.table !== 't_flink_app') {
    throw new SourceError('SOURCE_SCHEMA', 'no table t_flink_app is visible to this user in the current database or schema');
  }
  return tables;
}

function describe(family: SqlFamily, column: CatalogRow): OptInColumn {
  const type = column.data_type.toLowerCase();
  const problem = !flagTypes[family].includes(type)
    ? `has the type ${type}, which holds no flag`
    : column.nullable === 0 && column.defaulted === 0
      ? 'is NOT NULL without a default, so the console cannot create applications'
      : undefined;
  return { type, boolean: type === 'boolean', problem };
}

/** PostgreSQL's own catalogs show every column; its information_schema hides those without a grant. */
async function readCatalog(db: Kysely<unknown>, family: SqlFamily): Promise<CatalogRow[]> {
  const query =
    family === 'mysql'
      ? sql<CatalogRow>`
          select table_name as table_name, column_name as column_name, data_type as data_type,
                 case is_nullable when 'YES' then 1 else 0 end as nullable,
                 case when column_default is null then 0 else 1 end as defaulted
            from information_schema.columns
           where table_schema = database() and table_name in ('t_flink_app', 't_spark_app', 't_setting')
           order by ordinal_position`
      : sql<CatalogRow>`
          select c.relname::text as table_name, a.attname::text as column_name, format_type(a.atttypid, null) as data_type,
                 case when a.attnotnull then 0 else 1 end as nullable, case when a.atthasdef then 1 else 0 end as defaulted
            from pg_class c
            join pg_attribute a on a.attrelid = c.oid
           where c.relnamespace = (select oid from pg_namespace where nspname = current_schema())
             and c.relname in ('t_flink_app', 't_spark_app', 't_setting')
             and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
           order by a.attnum`;
  const { rows } = await query.execute(db);
  return rows.map((row) => ({ ...row, nullable: Number(row.nullable), defaulted: Number(row.defaulted) }));
}

async function readSettingRows(db: Kysely<unknown>): Promise<SettingFootprint[]> {
  const { rows } = await sql<{ setting_key: string; setting_value: string | null }>`
    select setting_key, setting_value from t_setting where setting_key in (${sql.join([...storedKeys])})`.execute(db);
  const values = new Map(rows.map((row) => [row.setting_key, row.setting_value]));
  return storedKeys.map((key) => {
    const value = values.get(key)?.trim() ?? '';
    return { key, present: values.has(key), changed: value !== '' && value !== (settingRows[key].value ?? '') };
  });
}
