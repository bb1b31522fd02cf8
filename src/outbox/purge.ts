// Retention: settled rows are deleted when they are old enough, a few at a time so that no lock is held long.
import type { OutboxState, StateDb } from '../state/state.ts';

/** Rows deleted by one statement. */
export const purgeBatch = 500;

export interface PurgeFilter {
  /** Waiting events are only dropped when that is asked for by name. */
  readonly state: OutboxState;
  /** Only rows settled (waiting ones: written) before this instant, ms since the epoch. */
  readonly before: number;
  readonly destination?: string;
}

/** Deletes rows for good, as many as one statement should; returns how many. Fewer than `purgeBatch`: no more are left. */
export async function purgeSome(db: StateDb, filter: PurgeFilter): Promise<number> {
  let query = db
    .selectFrom('outbox')
    .select('seq')
    .where('state', '=', filter.state)
    .where(filter.state === 'waiting' ? 'created_at' : 'settled_at', '<', filter.before)
    .limit(purgeBatch);
  if (filter.destination !== undefined) query = query.where('destination', '=', filter.destination);
  const seqs = (await query.execute()).map((row) => Number(row.seq));
  if (seqs.length > 0) await db.deleteFrom('outbox').where('seq', 'in', seqs).where('state', '=', filter.state).execute();
  return seqs.length;
}

/** Deletes all rows of the filter for good; returns how many. */
export async function purgeOutbox(db: StateDb, filter: PurgeFilter): Promise<number> {
  let purged = 0;
  for (;;) {
    const some = await purgeSome(db, filter);
    purged += some;
    if (some < purgeBatch) return purged;
  }
}
