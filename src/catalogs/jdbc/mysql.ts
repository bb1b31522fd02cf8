// Tables of MySQL and MariaDB, with the types that Flink's JDBC catalog gives their columns.
import { type Kysely, sql } from 'kysely';
import type { CatalogTable } from '../table.ts';
import { type ColumnRow, numbers } from './rows.ts';

const texts: ReadonlySet<string> = new Set(['tinytext', 'text', 'mediumtext', 'longtext', 'json']);
const bytes: ReadonlySet<string> = new Set(['tinyblob', 'blob', 'mediumblob', 'longblob', 'binary', 'varbinary']);
const plain: Readonly<Record<string, readonly [signed: string, unsigned: string]>> = {
  tinyint: ['TINYINT', 'SMALLINT'],
  smallint: ['SMALLINT', 'INT'],
  mediumint: ['INT', 'INT'],
  int: ['INT', 'BIGINT'],
  integer: ['INT', 'BIGINT'],
  bigint: ['BIGINT', 'DECIMAL(20, 0)'],
  float: ['FLOAT', 'FLOAT'],
  double: ['DOUBLE', 'DOUBLE'],
  date: ['DATE', 'DATE'],
  bit: ['BOOLEAN', 'BOOLEAN'],
  year: ['SMALLINT', 'SMALLINT'],
};
const maxPrecision = 38;

/** The Flink type of a column; STRING for one that Flink's catalog does not know either. */
export function mysqlType(row: ColumnRow & { readonly written: string }): string {
  const { length, digits, scale, fraction } = numbers(row);
  const type = row.type.toLowerCase();
  const isUnsigned = /\bunsigned\b/i.test(row.written);
  // The driver takes tinyint(1) for a bit.
  if (/^tinyint\(1\)(?! unsigned)/i.test(row.written)) return 'BOOLEAN';
  if (Object.hasOwn(plain, type)) return plain[type]?.[isUnsigned ? 1 : 0] ?? 'STRING';
  if (texts.has(type)) return 'STRING';
  if (bytes.has(type)) return 'BYTES';
  if (type === 'decimal') return `DECIMAL(${Math.min((digits ?? 10) + (isUnsigned ? 1 : 0), maxPrecision)}, ${scale ?? 0})`;
  if (type === 'char') return length ? `CHAR(${length})` : 'STRING';
  if (type === 'varchar') return length ? `VARCHAR(${length})` : 'STRING';
  if (type === 'datetime' || type === 'timestamp') return `TIMESTAMP(${fraction ?? 0})`;
  if (type === 'time') return `TIME(${fraction ?? 0})`;
  return 'STRING';
}

/** One table; undefined where the server has none of this name, or shows none to this user. */
export async function readMysql(db: Kysely<unknown>, database: string, table: string): Promise<CatalogTable | undefined> {
  const { rows } = await sql<ColumnRow & { written: string; comment: string }>`
    select column_name as name, data_type as type, column_type as written, character_maximum_length as length,
           numeric_precision as digits, numeric_scale as scale, datetime_precision as fraction,
           column_comment as comment
      from information_schema.columns
     where table_schema = ${database} and table_name = ${table}
     order by ordinal_position`.execute(db);
  if (rows.length === 0) return undefined;
  const key = await sql<{ name: string }>`
    select column_name as name from information_schema.key_column_usage
     where table_schema = ${database} and table_name = ${table} and constraint_name = 'PRIMARY'
     order by ordinal_position`.execute(db);
  return {
    columns: rows.map((row) => ({ name: row.name, type: mysqlType(row), comment: row.comment })),
    primaryKey: key.rows.map(({ name }) => name),
    partitionKeys: [],
    options: {},
  };
}
