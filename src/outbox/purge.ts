// Retention: settled rows are deleted when they are old enough, a few at a time so that no lock is held long.
import type { OutboxState, StateDb } from '../state/state.ts';

const perStatement = 500;

export interface PurgeFilter {
  /** Waiting events are only dropped when that is asked for by name. */
  readonly state: OutboxState;
  /** Only rows settled (waiting ones: written) before this instant, ms since the epoch. */
  readonly before: number;
  readonly destination?: string;
}

/** Deletes rows for good; returns how many. */
export async function purgeOutbox(db: StateDb, filter: PurgeFilter): Promise<number> {
  let purged = 0;
  for (;;) {
    let query = db
      .selectFrom('outbox')
      .select('seq')
      .where('state', '=', filter.state)
      .where(filter.state === 'waiting' ? 'created_at' : 'settled_at', '<', filter.before)
      .limit(perStatement);
    if (filter.destination !== undefined) query = query.where('destination', '=', filter.destination);
    const seqs = (await query.execute()).map((row) => Number(row.seq));
    if (seqs.length > 0) await db.deleteFrom('outbox').where('seq', 'in', seqs).where('state', '=', filter.state).execute();
    purged += seqs.length;
    if (seqs.length < perStatement) return purged;
  }
}

/** Applies the retention of settings: sent and skipped events, and dead ones. Returns how many rows went. */
export async function retain(db: StateDb, keep: { readonly sentMs: number; readonly deadMs: number }, now: number): Promise<number> {
  let purged = 0;
  for (const state of ['sent', 'skipped', 'dead'] as const) {
    purged += await purgeOutbox(db, { state, before: now - (state === 'dead' ? keep.deadMs : keep.sentMs) });
  }
  return purged;
}
