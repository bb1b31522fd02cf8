// A digest of every column that matters, computed inside the database per range of ids, so that an unchanged table costs
// one aggregate. 64 bits per row, NULLs marked, text prefixed with its length, summed (a sum, unlike XOR, does not
// cancel equal rows), with the row count beside it. Swapped values between rows are seen because the id is part of it.
import { type RawBuilder, sql } from 'kysely';
import type { SqlFamily } from '../database/database.ts';
import { quietColumns } from './columns.ts';
import type { AppTable, FoundColumn } from './features.ts';

/** Types whose text never contains the separator: no length prefix needed. */
const plainType = /^(tinyint|smallint|mediumint|int|integer|bigint|datetime|timestamp|date)\b/;

/** Text of one MySQL column that is equal for equal values only: `-` for NULL. */
function part(column: FoundColumn): RawBuilder<unknown> {
  const ref = sql.ref(column.name);
  if (plainType.test(column.type)) return sql`ifnull(${ref}, '-')`;
  return sql`ifnull(concat(length(${ref}), ':', ${ref}), '-')`;
}

/**
 * The digest of one row as a 64-bit integer expression. PostgreSQL prints a row unambiguously by itself (NULL is nothing, an
 * empty text is `""`, separators are quoted) and has a 64-bit hash of text; both are much cheaper there than MD5 of a concatenation.
 */
export function rowDigest(family: SqlFamily, table: AppTable): RawBuilder<unknown> {
  const watched = table.columns.filter((column) => !quietColumns.includes(column.alias));
  const columns = table.optIn === null ? watched : [...watched, table.optIn];
  if (family === 'mysql') {
    return sql`cast(conv(left(md5(concat_ws(',', ${sql.join(columns.map(part))})), 16), 16, 10) as unsigned)`;
  }
  return sql`hashtextextended(row(${sql.join(columns.map((column) => sql.ref(column.name)))})::text, 0)`;
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
