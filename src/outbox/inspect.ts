// What is in the outbox, for the commands and the metrics.
import type { OutboxState, StateDb } from '../state/state.ts';

export interface DestinationStats {
  readonly destination: string;
  readonly waiting: number;
  readonly sent: number;
  readonly dead: number;
  readonly skipped: number;
  /** When the oldest waiting event was written, ms since the epoch; null when none waits. */
  readonly oldestWaitingAt: number | null;
}

const allStates: readonly OutboxState[] = ['waiting', 'sent', 'dead', 'skipped'];

/**
 * Rows per destination and state. Counting what was sent reads a week of rows; a gauge that is read often asks for
 * `['waiting', 'dead']` only (the other numbers are then 0).
 */
export async function outboxStats(db: StateDb, states: readonly OutboxState[] = allStates): Promise<DestinationStats[]> {
  const rows = await db
    .selectFrom('outbox')
    .select((eb) => ['destination', 'state', eb.fn.countAll().as('total'), eb.fn.min('created_at').as('oldest')])
    .where('state', 'in', states)
    .groupBy(['destination', 'state'])
    .orderBy('destination')
    .execute();
  const byName = new Map<string, DestinationStats>();
  for (const row of rows) {
    const empty = { destination: row.destination, waiting: 0, sent: 0, dead: 0, skipped: 0, oldestWaitingAt: null };
    const before = byName.get(row.destination) ?? empty;
    const oldest = row.state === 'waiting' ? Number(row.oldest) : before.oldestWaitingAt;
    byName.set(row.destination, { ...before, [row.state]: Number(row.total), oldestWaitingAt: oldest });
  }
  return [...byName.values()];
}

export interface OutboxEntry {
  readonly seq: number;
  readonly destination: string;
  readonly key: string;
  readonly eventId: string;
  readonly kind: string;
  readonly type: string;
  readonly runId: string | null;
  readonly state: OutboxState;
  readonly attempts: number;
  /** Not before this instant; 0 = at once. */
  readonly nextAt: number;
  /** What the destination said last. */
  readonly error: string | null;
  readonly createdAt: number;
  readonly settledAt: number | null;
}

export interface OutboxFilter {
  readonly state?: OutboxState;
  readonly destination?: string;
  readonly runId?: string;
  readonly limit: number;
}

/** Rows without their payload: waiting ones in the order they go out, all others newest first. */
export async function listOutbox(db: StateDb, filter: OutboxFilter): Promise<OutboxEntry[]> {
  let query = db
    .selectFrom('outbox')
    .select(['seq', 'destination', 'order_key', 'event_id', 'kind', 'type', 'run_id', 'state', 'attempts', 'next_at', 'error'])
    .select(['created_at', 'settled_at'])
    .orderBy('seq', filter.state === 'waiting' ? 'asc' : 'desc')
    .limit(filter.limit);
  if (filter.state !== undefined) query = query.where('state', '=', filter.state);
  if (filter.destination !== undefined) query = query.where('destination', '=', filter.destination);
  if (filter.runId !== undefined) query = query.where('run_id', '=', filter.runId);
  return (await query.execute()).map((row) => ({
    seq: Number(row.seq),
    destination: row.destination,
    key: row.order_key,
    eventId: row.event_id,
    kind: row.kind,
    type: row.type,
    runId: row.run_id,
    state: row.state,
    attempts: Number(row.attempts),
    nextAt: Number(row.next_at),
    error: row.error,
    createdAt: Number(row.created_at),
    settledAt: row.settled_at === null ? null : Number(row.settled_at),
  }));
}

/** The bytes of one row, as they are or were sent before the profile of the backend. */
export async function outboxPayload(db: StateDb, seq: number): Promise<string | undefined> {
  return (await db.selectFrom('outbox').select('payload').where('seq', '=', seq).executeTakeFirst())?.payload;
}
