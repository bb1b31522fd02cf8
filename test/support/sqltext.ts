// Single statements as text, for what tests write into a StreamPark database.
import mysql from 'mysql2';
import pg from 'pg';
import type { Family } from './streampark.ts';

/** Column values; a boolean becomes 0 or 1 on MySQL. */
export type RowValues = Readonly<Record<string, unknown>>;

/** A value as it is written in a statement. */
export function literal(family: Family, value: unknown): string {
  if (family === 'mysql') return mysql.escape(value as string | number | boolean | null);
  return value === null ? 'null' : typeof value === 'string' ? pg.escapeLiteral(value) : String(value);
}

/** A name as it is written in a statement; some columns are reserved words. */
export const quoted = (family: Family, name: string): string => (family === 'mysql' ? `\`${name}\`` : `"${name}"`);

/** `insert into …` one row. */
export function insertText(family: Family, table: string, row: RowValues): string {
  const columns = Object.keys(row).map((column) => quoted(family, column));
  const values = Object.values(row).map((value) => literal(family, value));
  return `insert into ${table} (${columns.join(', ')}) values (${values.join(', ')})`;
}

/** `update …` the rows with this key. */
export function updateText(family: Family, table: string, key: RowValues, row: RowValues): string {
  const set = Object.entries(row).map(([column, value]) => `${quoted(family, column)} = ${literal(family, value)}`);
  return `update ${table} set ${set.join(', ')} ${whereText(family, key)}`;
}

/** `delete from …` the rows with this key. */
export const deleteText = (family: Family, table: string, key: RowValues): string => `delete from ${table} ${whereText(family, key)}`;

const whereText = (family: Family, key: RowValues): string =>
  `where ${Object.entries(key)
    .map(([column, value]) => `${quoted(family, column)} = ${literal(family, value)}`)
    .join(' and ')}`;
