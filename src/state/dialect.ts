// The places where MySQL and PostgreSQL need different SQL: an insert that leaves an existing row alone, the clock of the
// server, the index of waiting events; beside them only the lock functions (lock.ts) and the steps of a migration (migrate.ts).
import { type Insertable, type Kysely, MysqlAdapter, type RawBuilder, sql } from 'kysely';
import type { SqlFamily } from '../database/database.ts';
import type { StateSchema } from './schema.ts';

/** Family of a connection or transaction, from the adapter it was made with. */
export function familyOfDb<S>(db: Kysely<S>): SqlFamily {
  return db.getExecutor().adapter instanceof MysqlAdapter ? 'mysql' : 'postgres';
}

/**
 * Inserts rows and leaves those alone whose key exists. Not INSERT IGNORE, which would also swallow other faults of a row;
 * `column` (any column of the table) is set to itself instead.
 */
export async function insertIfAbsent<T extends keyof StateSchema>(
  db: Kysely<StateSchema>,
  table: T,
  column: keyof StateSchema[T] & string,
  rows: readonly Insertable<StateSchema[T]>[],
): Promise<void> {
  const insert = (db as unknown as Kysely<Record<T, Record<string, unknown>>>).insertInto(table).values(rows as never);
  const quiet =
    familyOfDb(db) === 'mysql'
      ? insert.onDuplicateKeyUpdate({ [column]: sql.ref(column) } as never)
      : insert.onConflict((conflict) => conflict.doNothing());
  await quiet.execute();
}

/** Now by the clock of the server, in ms since the epoch; independent of any session time zone. */
export function serverNow(db: Kysely<StateSchema>): RawBuilder<number> {
  return familyOfDb(db) === 'mysql'
    ? sql<number>`(timestampdiff(microsecond, '1970-01-01 00:00:00', utc_timestamp(3)) div 1000)`
    : sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
}

/**
 * The outbox and its order, written so that waiting rows are found by the index of waiting rows and by no other. An ordered
 * read with a limit tempts both planners into the primary key, past all rows that were sent in a week: MySQL is told by a
 * hint, PostgreSQL by an expression that only that index is over.
 */
export function waitingOrder(db: Kysely<StateSchema>): { readonly outbox: RawBuilder<unknown>; readonly seq: RawBuilder<unknown> } {
  return familyOfDb(db) === 'mysql'
    ? { outbox: sql`outbox force index (outbox_waiting)`, seq: sql`seq` }
    : { outbox: sql`outbox`, seq: sql`(seq + 0)` };
}
