// The application rows of one table in one snapshot: digests first, then only the id ranges that changed.
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { SqlFamily } from '../database/database.ts';
import { type DigestKind, rangeOf, rangeWidth, rowDigest } from './digest.ts';
import type { AnySchema, AppTable } from './features.ts';
import type { RangeDigests } from './memory.ts';
import { appRowOf, flag, type RawRow } from './normalise.ts';
import { idIn } from './optin.ts';
import { type AppKey, type AppRow, appKey } from './rows.ts';

/** Ids per `id in (…)` list. */
const listSize = 1000;

export interface AppRead {
  /** Rows of the ranges that were read. */
  readonly read: ReadonlyMap<AppKey, AppRow>;
  /** Rows that were known in those ranges and were not read. */
  readonly missing: readonly AppRow[];
  readonly ranges: RangeDigests;
}

export interface AppQuery {
  readonly db: Kysely<AnySchema>;
  readonly family: SqlFamily;
  readonly digest: DigestKind;
  readonly table: AppTable;
  /** Opt-in condition; null = the deciding column is missing, so only rows that are known already are followed. */
  readonly condition: RawBuilder<boolean> | null;
  /** Ids that are followed though they are opted out. */
  readonly followed: readonly string[];
  /** Rows of this engine as last seen; asked for only when something changed. */
  readonly known: () => readonly AppRow[];
}

/** Reads what changed since `before`; everything when `before` is null or was made by another query. */
export async function readApps(query: AppQuery, before: RangeDigests | null): Promise<AppRead> {
  const { condition, followed } = query;
  const where =
    condition === null ? sql<boolean>`1 = 1` : followed.length === 0 ? condition : sql<boolean>`(${condition} or ${idIn(followed)})`;
  const text = where.compile(query.db);
  const signature = JSON.stringify([
    text.sql,
    text.parameters,
    query.digest,
    query.table.columns.map((c) => c.name),
    query.table.optIn?.name ?? null,
  ]);
  if (before === null || before.query !== signature) return readAll(query, where, signature);
  const digests = await readDigests(query, where, before.width);
  const changed = [...new Set([...digests.keys(), ...before.digests.keys()])].filter((r) => digests.get(r) !== before.digests.get(r));
  const ranges = { ...before, digests };
  if (changed.length === 0) return { read: new Map(), missing: [], ranges };
  const inRange = new Set(changed);
  const id = sql.ref('id');
  const bounds = changed.map((r) => {
    const from = BigInt(r) * before.width;
    return sql`${id} between ${sql.raw(from.toString())} and ${sql.raw((from + before.width - 1n).toString())}`;
  });
  const read = await readRows(query, sql<boolean>`(${sql.join(bounds, sql` or `)}) and ${where}`);
  const missing = query
    .known()
    .filter((row) => inRange.has((BigInt(row.id) / before.width).toString()) && !read.has(appKey(row.engine, row.id)));
  return { read, missing, ranges };
}

async function readAll(query: AppQuery, where: RawBuilder<boolean>, signature: string): Promise<AppRead> {
  const read = await readRows(query, where);
  const ids = [...read.values()].map((row) => BigInt(row.id)).sort((a, b) => (a < b ? -1 : 1));
  const width = rangeWidth(ids[0] ?? 0n, ids.at(-1) ?? 0n);
  const digests = await readDigests(query, where, width);
  const missing = query.known().filter((row) => !read.has(appKey(row.engine, row.id)));
  return { read, missing, ranges: { width, query: signature, digests } };
}

async function readDigests(query: AppQuery, where: RawBuilder<boolean>, width: bigint): Promise<Map<string, string>> {
  const { db, family, digest, table } = query;
  const asText = family === 'mysql' ? sql`char` : sql`text`;
  const { rows } = await sql<RawRow>`select ${rangeOf(family, width)} as part, count(*) as many,
    cast(sum(${rowDigest(digest, table)}) as ${asText}) as digest from ${sql.table(table.table)} where ${where} group by 1`.execute(db);
  return new Map(rows.map((row) => [String(row['part']), `${row['many']}/${row['digest']}`]));
}

async function readRows(query: AppQuery, where: RawBuilder<boolean>): Promise<Map<AppKey, AppRow>> {
  const { db, table, condition } = query;
  const columns = table.columns.map((column) => sql`${sql.ref(column.name)} as ${sql.ref(column.alias)}`);
  const optIn = condition === null ? sql`null` : sql`case when ${condition} then 1 else 0 end`;
  const { rows } = await sql<RawRow>`select ${sql.join(columns)}, ${optIn} as opt_in from ${sql.table(table.table)} where ${where}`.execute(
    db,
  );
  const known = new Map(query.known().map((row) => [row.id, row]));
  const read = new Map<AppKey, AppRow>();
  for (const raw of rows) {
    const id = String(raw['id']);
    const before = known.get(id);
    const row = appRowOf(table.engine, raw, condition === null ? before?.optIn === true : flag(raw['opt_in']));
    // An id that was given again is another application, and nobody opted that one in.
    if (condition === null && before?.createTime !== row.createTime) continue;
    read.set(appKey(table.engine, id), row);
  }
  return read;
}

/** Rows by id whatever their opt-in says: tells an application that was opted out from one that was deleted. */
export async function readByIds(query: AppQuery, ids: readonly string[]): Promise<Map<AppKey, AppRow>> {
  const found = new Map<AppKey, AppRow>();
  for (let i = 0; i < ids.length; i += listSize) {
    for (const [key, row] of await readRows(query, idIn(ids.slice(i, i + listSize)))) found.set(key, row);
  }
  return found;
}
