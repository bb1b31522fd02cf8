// A digest of the columns that tell of a run, computed inside the database per range of ids, so that an unchanged table costs
// one aggregate. 64 bits per row, NULLs marked, text prefixed with its length, summed (a sum, unlike XOR, does not cancel equal
// rows), with the row count beside it. Swapped values between rows are seen because the id goes into every bit of a row's digest.
import { type RawBuilder, sql } from 'kysely';
import type { Database, SqlFamily } from '../database/database.ts';
import { digestColumns } from './columns.ts';
import { isPrivilege, isSchemaChange } from './failure.ts';
import type { AnySchema, AppTable, FoundColumn } from './features.ts';

/** Types whose text never contains the separator: no length prefix needed. */
const plainType = /^(tinyint|smallint|mediumint|int|integer|bigint|datetime|timestamp|date)\b/;

/** Text of one MySQL column that is equal for equal values only: `-` for NULL. */
function part(column: FoundColumn): RawBuilder<unknown> {
  const ref = sql.ref(column.name);
  if (plainType.test(column.type)) return sql`ifnull(${ref}, '-')`;
  return sql`ifnull(concat(length(${ref}), ':', ${ref}), '-')`;
}

/** How a server digests a row: PostgreSQL's seeded hashes, CRC-32 with CRC-32C, or CRC-32 with that of the reversed text. */
export type DigestKind = 'hash' | 'crc32c' | 'crc32';

/** The best kind that the server knows; MariaDB has CRC-32C since 10.8, MySQL has not. Asked, since a proxy may tell another version. */
export async function digestKind({ family, db }: Database<AnySchema>): Promise<DigestKind> {
  if (family === 'postgres') return 'hash';
  try {
    await sql`select crc32c('') as known`.execute(db);
    return 'crc32c';
  } catch (error) {
    // A user who may not call functions of the database is told no more.
    if (isSchemaChange(error) || isPrivilege(error)) return 'crc32';
    throw error;
  }
}

/**
 * Two CRCs of 32 bits with different polynomials are together one of 64 bits, and cost half of an MD5; that of the reversed text has the
 * reciprocal polynomial. CRCs are linear, so that equal changes of two rows could cancel in a sum; a product of the two is not.
 */
function crcDigest(columns: readonly FoundColumn[], kind: 'crc32c' | 'crc32'): RawBuilder<unknown> {
  const text = sql`concat_ws(',', ${sql.join(columns.map(part))})`;
  return kind === 'crc32c' ? sql`crc32(${text}) * crc32c(${text})` : sql`crc32(${text}) * crc32(reverse(${text}))`;
}

/**
 * A 64-bit hash of one PostgreSQL column, seeded with the hash of those before it. NULL becomes a value that the console never writes.
 * A bigint is hashed as text, since its own hash folds it into 32 bits.
 */
function chained(column: FoundColumn, seed: RawBuilder<unknown>): RawBuilder<unknown> {
  const ref = sql.ref(column.name);
  if (column.type === 'boolean') return sql`hashint4extended(coalesce(${ref}::int, -1), ${seed})`;
  if (column.type === 'smallint' || column.type === 'integer') {
    return sql`hashint4extended(coalesce(${ref}, ${sql.raw(column.type === 'integer' ? '(-2147483648)' : '(-32768)')}), ${seed})`;
  }
  if (/^timestamp\b.* without time zone$/.test(column.type)) {
    return sql`timestamp_hash_extended(coalesce(${ref}, '-infinity'), ${seed})`;
  }
  return sql`hashtextextended(coalesce(${ref}::text, chr(1)), ${seed})`;
}

/** The digest of one row as a 64-bit integer expression. */
export function rowDigest(kind: DigestKind, table: AppTable): RawBuilder<unknown> {
  const watched = table.columns.filter((column) => digestColumns.includes(column.alias));
  const columns = table.optIn === null ? watched : [...watched, table.optIn];
  if (kind !== 'hash') return crcDigest(columns, kind);
  return columns.reduce<RawBuilder<unknown>>((seed, column) => chained(column, seed), sql`0`);
}

/** Number of the id range that a row belongs to. */
export function rangeOf(family: SqlFamily, width: bigint): RawBuilder<unknown> {
  const id = sql.ref('id');
  const size = sql.lit(Number(width));
  return family === 'mysql' ? sql`${id} div ${size}` : sql`${id} / ${size}`;
}

/** Ranges per table: enough that one change re-reads little, few enough that the answer stays small. */
const ranges = 64n;
const narrowest = 64n;

/** Width of the id ranges for ids between `min` and `max`. */
export function rangeWidth(min: bigint, max: bigint): bigint {
  const width = (max - min) / ranges + 1n;
  return width < narrowest ? narrowest : width;
}
