// Tables of PostgreSQL, with the types that Flink's JDBC catalog gives their columns. Keys come from pg_catalog:
// information_schema shows constraints to owners only, and the user here should do no more than read.
import { type Kysely, sql } from 'kysely';
import type { CatalogTable } from '../table.ts';
import { type ColumnRow, numbers } from './rows.ts';

const plain: Readonly<Record<string, string>> = {
  bool: 'BOOLEAN',
  bytea: 'BYTES',
  int2: 'SMALLINT',
  int4: 'INT',
  int8: 'BIGINT',
  float4: 'FLOAT',
  float8: 'DOUBLE',
  date: 'DATE',
  text: 'STRING',
  uuid: 'VARCHAR(36)',
};
const unlimited = 'DECIMAL(38, 18)';
const maxPrecision = 38;

/** The Flink type of a column; STRING for one that Flink's catalog does not know either. */
export function postgresType(row: ColumnRow): string {
  if (row.type.startsWith('_')) return `ARRAY<${elementType({ ...row, type: row.type.slice(1) })}>`;
  return elementType(row);
}

function elementType(row: ColumnRow): string {
  const { length, digits, scale, fraction } = numbers(row);
  switch (row.type) {
    case 'numeric':
      return digits === undefined ? unlimited : `DECIMAL(${Math.min(digits, maxPrecision)}, ${Math.max(scale ?? 0, 0)})`;
    case 'bpchar':
      return length === undefined ? 'STRING' : `CHAR(${length})`;
    case 'varchar':
      return length === undefined ? 'STRING' : `VARCHAR(${length})`;
    case 'timestamp':
      return `TIMESTAMP(${fraction ?? 6})`;
    case 'timestamptz':
      return `TIMESTAMP_LTZ(${fraction ?? 6})`;
    case 'time':
      return `TIME(${fraction ?? 6})`;
    default:
      return plain[row.type] ?? 'STRING';
  }
}

/** `schema.table` as Flink names a table of PostgreSQL; the schema is `public` where none is named. */
export function splitName(name: string): readonly [schema: string, table: string] {
  const dot = name.indexOf('.');
  return dot < 0 ? ['public', name] : [name.slice(0, dot), name.slice(dot + 1)];
}

/** One table of the database connected to; undefined where it has none of this name, or shows none to this user. */
export async function readPostgres(db: Kysely<unknown>, name: string): Promise<CatalogTable | undefined> {
  const [schema, table] = splitName(name);
  const { rows } = await sql<ColumnRow & { comment: string | null }>`
    select column_name as name, udt_name as type, character_maximum_length as length, numeric_precision as digits,
           numeric_scale as scale, datetime_precision as fraction,
           col_description(to_regclass(quote_ident(table_schema) || '.' || quote_ident(table_name)), ordinal_position) as comment
      from information_schema.columns
     where table_schema = ${schema} and table_name = ${table}
     order by ordinal_position`.execute(db);
  if (rows.length === 0) return undefined;
  const key = await sql<{ name: string }>`
    select a.attname as name
      from pg_catalog.pg_constraint c
      join pg_catalog.pg_class t on t.oid = c.conrelid
      join pg_catalog.pg_namespace n on n.oid = t.relnamespace
      join pg_catalog.pg_attribute a on a.attrelid = t.oid and a.attnum = any (c.conkey)
     where c.contype = 'p' and n.nspname = ${schema} and t.relname = ${table}
     order by array_position(c.conkey, a.attnum)`.execute(db);
  return {
    columns: rows.map((row) => ({ name: row.name, type: postgresType(row), comment: row.comment ?? undefined })),
    primaryKey: key.rows.map((row) => row.name),
    partitionKeys: [],
    options: {},
  };
}
