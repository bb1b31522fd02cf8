// Sending again: the events of a run go to the end of the queue, all of them and in their order, so the last one that
// arrives is the same as before: never a START or RUNNING after a terminal event that stays the last.

import type { Selectable } from 'kysely';
import { lockLease, type OutboxTable, type State, type StateDb, type StateTx } from '../state/state.ts';
import { insertRows } from './enqueue.ts';

/**
 * What to send again. A run takes the runs along whose events name it as their parent. An event stands for its own run; an event
 * without a run (job events) for itself.
 */
export type ReplaySelector =
  | { readonly run: string; readonly destination?: string }
  | { readonly event: string; readonly destination?: string }
  | { readonly dead: true; readonly destination?: string };

type Row = Selectable<OutboxTable>;
/** Runs that go together, or one event without a run, at one destination. */
type Group = { readonly destination: string } & ({ readonly runIds: readonly string[] } | { readonly eventId: string });

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
async function groupsOf({ database: { db } }: State, selector: ReplaySelector): Promise<Group[]> {
  if ('run' in selector) {
    const runIds = [selector.run, ...(await childrenOf(db, selector.run))];
    const rows = await db
      .selectFrom('outbox')
      .select('destination')
      .distinct()
      .where('run_id', 'in', runIds)
      .orderBy('destination')
      .execute();
    const wanted = rows.filter(({ destination }) => selector.destination === undefined || destination === selector.destination);
    return wanted.map(({ destination }) => ({ destination, runIds }));
  }
  let query = db.selectFrom('outbox').select(['destination', 'run_id', 'event_id']).orderBy('seq');
  query = 'event' in selector ? query.where('event_id', '=', selector.event) : query.where('state', '=', 'dead');
  if (selector.destination !== undefined) query = query.where('destination', '=', selector.destination);
  const groups = new Map<string, Group>();
  for (const { destination, run_id, event_id } of await query.execute()) {
    const group = run_id === null ? { destination, eventId: event_id } : { destination, runIds: [run_id] };
    groups.set(JSON.stringify(group), group);
  }
  return [...groups.values()];
}

/** Runs whose events name this one as their parent (facet `parent` of the run, OpenLineage ParentRunFacet). They have its order key. */
async function childrenOf(db: StateDb, runId: string): Promise<string[]> {
  const keys = await db.selectFrom('outbox').select('order_key').distinct().where('run_id', '=', runId).execute();
  if (keys.length === 0) return [];
  const rows = await db
    .selectFrom('outbox')
    .select(['run_id', 'payload'])
    .where(
      'order_key',
      'in',
      keys.map((row) => row.order_key),
    )
    .where('run_id', '<>', runId)
    .where('payload', 'like', `%${runId}%`)
    .execute();
  return [...new Set(rows.filter(({ payload }) => parentOf(payload) === runId).map(({ run_id }) => String(run_id)))];
}

function parentOf(payload: string): string | undefined {
  const event = JSON.parse(payload) as { run?: { facets?: { parent?: { run?: { runId?: string } } } } };
  return event.run?.facets?.parent?.run?.runId;
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
  query = 'eventId' in group ? query.where('event_id', '=', group.eventId) : query.where('run_id', 'in', group.runIds);
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
