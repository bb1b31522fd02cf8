// Events become rows of the outbox, in the transaction that decided them.
import type { Insertable } from 'kysely';
import type { OutgoingEvent } from '../openlineage/openlineage.ts';
import { insertIfAbsent, type OutboxTable, type StateTx } from '../state/state.ts';

/** Which events a destination takes. */
export interface OutboxDestination {
  /** Its configured name; URL and token are read when sending. */
  readonly name: string;
  readonly kinds: 'run' | 'job' | 'both';
}

// One statement stays far below max_allowed_packet (4 MB on MySQL 5.7) and PostgreSQL's 65,535 parameters.
const maxRows = 100;
const maxChars = 1_000_000;

/**
 * Writes one row per event and destination that takes its kind, in the order given. An event whose id the destination
 * already has is left alone, so a decision that is repeated adds nothing.
 * @param orderKey the application: events of one key are sent one after the other
 * @param now ms since the epoch
 */
export async function enqueue(
  tx: StateTx,
  events: readonly OutgoingEvent[],
  destinations: readonly OutboxDestination[],
  orderKey: string,
  now: number,
): Promise<void> {
  const rows = destinations.flatMap((destination) =>
    events
      .filter((event) => destination.kinds === 'both' || destination.kinds === event.kind)
      .map((event) => waitingRow(event, destination.name, orderKey, now)),
  );
  await insertRows(tx, rows);
}

/** Inserts rows in their order, several per statement. */
export async function insertRows(tx: StateTx, rows: readonly Insertable<OutboxTable>[]): Promise<void> {
  let chunk: Insertable<OutboxTable>[] = [];
  let chars = 0;
  for (const row of rows) {
    if (chunk.length >= maxRows || (chunk.length > 0 && chars + row.payload.length > maxChars)) {
      await insertIfAbsent(tx, 'outbox', 'event_id', chunk);
      chunk = [];
      chars = 0;
    }
    chunk.push(row);
    chars += row.payload.length;
  }
  if (chunk.length > 0) await insertIfAbsent(tx, 'outbox', 'event_id', chunk);
}

function waitingRow(event: OutgoingEvent, destination: string, orderKey: string, now: number): Insertable<OutboxTable> {
  return {
    destination,
    order_key: orderKey,
    event_id: event.id,
    kind: event.kind,
    type: event.type,
    run_id: event.runId,
    terminal: event.terminal ? 1 : 0,
    payload: event.json,
    state: 'waiting',
    attempts: 0,
    server_errors: 0,
    next_at: 0,
    error: null,
    created_at: now,
    settled_at: null,
  };
}
