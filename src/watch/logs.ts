// New rows of the operation log: a summary of the last ids is asked for each time, rows only when it differs.
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { SqlFamily } from '../database/database.ts';
import type { Diagnostic } from '../errors/errors.ts';
import type { AnySchema, FoundTable } from './features.ts';
import type { LogCursor, LogWindow } from './memory.ts';
import { logRowOf, type RawRow } from './normalise.ts';
import type { LogRow } from './rows.ts';
import { logOverlap } from './walk.ts';

/** Longest exception text that is read, in characters. */
const exceptionLength = 4000;

export interface LogRead {
  readonly window: LogWindow;
  readonly cursor: LogCursor;
  /** START and CANCEL rows that were not in the window before. */
  readonly fresh: readonly LogRow[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads the log above `cursor` minus the overlap (ids are given before commit, so a lower one may appear later).
 * @param cursor null at the first start, or when the log table has another name since an upgrade: begins at the end
 */
export async function readLogs(
  db: Kysely<AnySchema>,
  family: SqlFamily,
  log: FoundTable,
  cursor: LogCursor | null,
  window: LogWindow | null,
): Promise<LogRead> {
  const table = sql.table(log.table);
  const known = cursor?.table === log.table ? BigInt(cursor.id) : null;
  const above = window !== null && known !== null ? window.above : (known ?? 0n) - BigInt(logOverlap);
  const asText = family === 'mysql' ? sql`char` : sql`text`;
  const { rows } =
    await sql<RawRow>`select cast((select max(id) from ${table}) as ${asText}) as highest, cast(count(*) as ${asText}) as many,
    cast(coalesce(sum(id), 0) as ${asText}) as total from ${table} where id > ${sql.raw(above.toString())}`.execute(db);
  const highest = BigInt(String(rows[0]?.['highest'] ?? 0));
  const summary = `${rows[0]?.['many']}/${rows[0]?.['total']}`;
  if (known === null) return read(db, log, highest - BigInt(logOverlap), highest, null);
  if (highest < known - BigInt(logOverlap)) {
    // What is there now was written before; only rows above it are new.
    const message = `the highest id of ${log.table} fell from ${known} to ${highest}`;
    return {
      window: { above: highest, summary: '0/0', rows: new Map() },
      cursor: { table: log.table, id: highest.toString() },
      fresh: [],
      diagnostics: [{ code: 'LOG_RESET', severity: 'warning', message }],
    };
  }
  const next = { table: log.table, id: (highest > known ? highest : known).toString() };
  if (window !== null && window.summary === summary) return { window, cursor: next, fresh: [], diagnostics: [] };
  return read(db, log, above, BigInt(next.id), window);
}

/** The columns of the log by their aliases; the text of an exception only of failed starts, and cut. */
export function logColumnsOf(log: FoundTable): RawBuilder<unknown>[] {
  const has = (alias: string) => log.columns.find((c) => c.alias === alias);
  return log.columns.map((column) => {
    const ref = sql.ref(column.name);
    if (column.alias !== 'exception') return sql`${ref} as ${sql.ref(column.alias)}`;
    const [option, success] = [has('option_name'), has('success')];
    if (option === undefined || success === undefined) return sql`null as exception`;
    const failed = /^bool/.test(success.type) ? sql`${sql.ref(success.name)} is not true` : sql`coalesce(${sql.ref(success.name)}, 0) = 0`;
    return sql`case when ${sql.ref(option.name)} = 1 and ${failed} then substring(${ref}, 1, ${sql.lit(exceptionLength)}) end as exception`;
  });
}

async function read(db: Kysely<AnySchema>, log: FoundTable, above: bigint, highest: bigint, before: LogWindow | null): Promise<LogRead> {
  const { rows } = await sql<RawRow>`select ${sql.join(logColumnsOf(log))} from ${sql.table(log.table)}
    where id > ${sql.raw(above.toString())} order by id`.execute(db);
  // The next look begins nearer to the end; its summary is known from the rows that were just read.
  const next = highest - BigInt(logOverlap) > above ? highest - BigInt(logOverlap) : above;
  let [many, total] = [0n, 0n];
  const kept = new Map<string, LogRow>();
  const fresh: LogRow[] = [];
  for (const raw of rows) {
    const row = logRowOf(raw);
    const id = BigInt(row.id);
    if (id > next) {
      many += 1n;
      total += id;
    }
    if (row.operation !== 'start' && row.operation !== 'cancel') continue;
    const old = before?.rows.get(row.id);
    if (old === undefined || old.createTime !== row.createTime) fresh.push(row);
    if (id > next) kept.set(row.id, row);
  }
  return {
    window: { above: next, summary: `${many}/${total}`, rows: kept },
    cursor: { table: log.table, id: highest.toString() },
    fresh,
    diagnostics: [],
  };
}
