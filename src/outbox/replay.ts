// Sending again: the events of a run go to the end of the queue, all of them and in their order, so the last one that
// arrives is the same as before: never a START or RUNNING after a terminal event that stays the last.

import type { Selectable } from 'kysely';
import { lockLease, type OutboxTable, type State, type StateTx } from '../state/state.ts';
import { insertRows } from './enqueue.ts';

/** What to send again. An event stands for its whole run; an event without a run (job events) for itself. */
export type ReplaySelector =
  | { readonly run: string; readonly destination?: string }
  | { readonly event: string; readonly destination?: string }
  | { readonly dead: true; readonly destination?: string };

type Row = Selectable<OutboxTable>;
/** One run, or one event without a run, at one destination. */
interface Group {
  readonly destination: string;
  readonly runId: string | null;
  readonly eventId: string | null;
}

/**
 * Puts events back into the queue, at its end; rows keep their event ids and bytes, attempts begin at 0. The lease row is
 * locked meanwhile, so no event of the daemon gets in between.
 * @returns how many events were put back; 0 when nothing matches
 */
export async function replay(state: State, selector: ReplaySelector): Promise<number> {
  let moved = 0;
  for (const group of await groupsOf(state, selector)) {
    moved += await state.transaction(async (tx) => {
      await lockLease(tx, 'daemon');
      return await moveToEnd(tx, group);
    });
  }
  return moved;
}

/** The groups that a selector names, those with the oldest events first. */
async function groupsOf(state: State, selector: ReplaySelector): Promise<Group[]> {
  let query = state.database.db.selectFrom('outbox').select(['destination', 'run_id', 'event_id']).orderBy('seq');
  if ('run' in selector) query = query.where('run_id', '=', selector.run);
  else if ('event' in selector) query = query.where('event_id', '=', selector.event);
  else query = query.where('state', '=', 'dead');
  if (selector.destination !== undefined) query = query.where('destination', '=', selector.destination);
  const groups = new Map<string, Group>();
  for (const row of await query.execute()) {
    const group = { destination: row.destination, runId: row.run_id, eventId: row.run_id === null ? row.event_id : null };
    groups.set(JSON.stringify([row.destination, row.run_id ?? row.event_id]), group);
  }
  return [...groups.values()];
}

/**
 * Puts the events of runs that belong together behind everything that waits, in the caller's transaction, which keeps the
 * daemon out: a run that ended and was told before an older one is told again after it.
 * @returns how many events were put back; 0 when their ends are no longer there, and then nothing was changed
 */
export async function resend(tx: StateTx, runIds: readonly string[]): Promise<number> {
  const rows = await tx
    .selectFrom('outbox')
    .selectAll()
    .where('run_id', 'in', runIds)
    .where('state', 'in', ['sent', 'waiting'])
    .orderBy('seq')
    .forUpdate()
    .execute();
  if (!rows.some((row) => Number(row.terminal) === 1)) return 0;
  await tx
    .deleteFrom('outbox')
    .where(
      'seq',
      'in',
      rows.map((row) => Number(row.seq)),
    )
    .execute();
  await insertRows(tx, rows.map(renewed));
  return rows.length;
}

async function moveToEnd(tx: StateTx, group: Group): Promise<number> {
  let query = tx.selectFrom('outbox').selectAll().where('destination', '=', group.destination).orderBy('seq');
  query = group.runId === null ? query.where('event_id', '=', group.eventId ?? '') : query.where('run_id', '=', group.runId);
  const rows = await query.forUpdate().execute();
  const seqs = rows.map((row) => Number(row.seq));
  if (seqs.length === 0) return 0;
  await tx.deleteFrom('outbox').where('seq', 'in', seqs).execute();
  await insertRows(tx, rows.map(renewed));
  return rows.length;
}

function renewed({ seq: _, ...row }: Row) {
  const created_at = Number(row.created_at);
  return { ...row, created_at, state: 'waiting' as const, attempts: 0, server_errors: 0, next_at: 0, error: null, settled_at: null };
}
