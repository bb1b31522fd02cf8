// Reading and settling rows of the outbox for the lane of one destination.
import { type Selectable, sql } from 'kysely';
import { type OutboxTable, type StateDb, type StateTx, waitingOrder } from '../state/state.ts';

/** A row that waits to be sent. */
export interface WaitingRow {
  readonly seq: number;
  readonly key: string;
  readonly eventId: string;
  readonly type: string;
  readonly runId: string | null;
  readonly payload: string;
  readonly attempts: number;
  /** Attempts that failed while other events to the same destination were taken. */
  readonly serverErrors: number;
  /** Not before this instant, ms since the epoch. */
  readonly nextAt: number;
}

type StoredRow = Selectable<OutboxTable>;

/** Waiting rows of a destination in their order, beginning after `after`, without those of the keys in `except`. */
export async function readWaiting(
  db: StateDb,
  destination: string,
  after: number,
  except: readonly string[],
  limit: number,
): Promise<WaitingRow[]> {
  const others = except.length === 0 ? sql`` : sql`and order_key not in (${sql.join(except)})`;
  const { outbox, seq } = waitingOrder(db);
  const { rows } = await sql<StoredRow>`
    select seq, order_key, event_id, type, run_id, payload, attempts, server_errors, next_at
    from ${outbox}
    where destination = ${destination} and state = 'waiting' and ${seq} > ${after} ${others}
    order by ${seq} limit ${limit}`.execute(db);
  return rows.map((row) => ({
    seq: Number(row.seq),
    key: row.order_key,
    eventId: row.event_id,
    type: row.type,
    runId: row.run_id,
    payload: row.payload,
    attempts: Number(row.attempts),
    serverErrors: Number(row.server_errors),
    nextAt: Number(row.next_at),
  }));
}

/** The last of the waiting rows of a destination; 0 when none waits. */
export async function lastWaiting(db: StateDb, destination: string): Promise<number> {
  const { outbox } = waitingOrder(db);
  const { rows } = await sql<{ last: number | string | bigint | null }>`
    select max(seq) as last from ${outbox} where destination = ${destination} and state = 'waiting'`.execute(db);
  return Number(rows[0]?.last ?? 0);
}

/** What became of a row. */
export type Settlement =
  | { readonly kind: 'sent' | 'skipped'; readonly seq: number }
  | { readonly kind: 'dead'; readonly seq: number; readonly error: string; readonly serverErrors: number }
  /** Still waiting: one attempt more, and what was said. */
  | { readonly kind: 'waiting'; readonly seq: number; readonly error: string; readonly serverErrors: number; readonly nextAt: number };

// One statement for many rows; PostgreSQL and MySQL both plan a list of this length as index look-ups.
const rowsPerStatement = 500;
const maxError = 1_000;

/** Writes settlements in their order; the rows of one key thus never show a later one sent before an earlier one. */
export async function settle(tx: StateTx, settlements: readonly Settlement[], now: number): Promise<void> {
  for (const kind of ['sent', 'skipped'] as const) {
    const seqs = settlements.filter((one) => one.kind === kind).map((one) => one.seq);
    for (let from = 0; from < seqs.length; from += rowsPerStatement) {
      await tx
        .updateTable('outbox')
        .set((eb) => ({ state: kind, settled_at: now, error: null, ...(kind === 'sent' ? { attempts: eb('attempts', '+', 1) } : {}) }))
        .where('seq', 'in', seqs.slice(from, from + rowsPerStatement))
        .execute();
    }
  }
  for (const one of settlements) {
    if (one.kind !== 'dead' && one.kind !== 'waiting') continue;
    await tx
      .updateTable('outbox')
      .set((eb) => ({
        attempts: eb('attempts', '+', 1),
        server_errors: one.serverErrors,
        error: storable(one.error),
        ...(one.kind === 'dead' ? { state: 'dead' as const, settled_at: now } : { next_at: one.nextAt }),
      }))
      .where('seq', '=', one.seq)
      .execute();
  }
}

/** One line that both families store: no NUL, at most 1,000 characters. */
function storable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: PostgreSQL refuses NUL in text, and lists want one line
  return text.replace(/[\u0000-\u001f]+/g, ' ').slice(0, maxError);
}
