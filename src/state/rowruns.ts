// The runs of one application row, for those who look back: the first, the last, and those that are not decided yet.
import { type FrozenRunRecord, type RunKey, type RunRecord, runOf, runWithFrozenOf, withoutFrozen } from './runrow.ts';
import type { StateDb } from './schema.ts';

/** An application row: engine, id and create_time. */
export type RowKey = Omit<RunKey, 'attempt' | 'continuation'>;

const columns = ({ engine, appId, createTime }: RowKey) => ({ engine, app_id: appId, create_time: createTime });

/** The run with the lowest attempt; undefined when there is none. */
export async function firstRun(db: StateDb, row: RowKey): Promise<RunRecord | undefined> {
  const found = await db
    .selectFrom('run')
    .select(withoutFrozen)
    .where((eb) => eb.and(columns(row)))
    .orderBy('attempt')
    .orderBy('continuation')
    .limit(1)
    .executeTakeFirst();
  return found === undefined ? undefined : runOf(found);
}

/** The run with the highest attempt, with what was frozen. */
export async function lastRun(db: StateDb, row: RowKey): Promise<FrozenRunRecord | undefined> {
  const found = await db
    .selectFrom('run')
    .selectAll()
    .where((eb) => eb.and(columns(row)))
    .orderBy('attempt', 'desc')
    .orderBy('continuation', 'desc')
    .limit(1)
    .executeTakeFirst();
  return found === undefined ? undefined : runWithFrozenOf(found);
}

/** Its runs that wait for a decision, oldest first, at most `limit`. */
export async function listUndecided(db: StateDb, row: RowKey, limit: number): Promise<RunRecord[]> {
  const rows = await db
    .selectFrom('run')
    .select(withoutFrozen)
    .where((eb) => eb.and(columns(row)))
    .where('phase', '=', 'planning')
    .orderBy('attempt')
    .orderBy('continuation')
    .limit(limit)
    .execute();
  return rows.map(runOf);
}

/** When any run before this one was last written, ms since the epoch; null when there is none. */
export async function lastWriteBefore(db: StateDb, run: RunKey): Promise<number | null> {
  const row = await db
    .selectFrom('run')
    .select((eb) => eb.fn.max('updated_at').as('at'))
    .where((eb) => eb.and(columns(run)))
    .where('attempt', '<', run.attempt)
    .executeTakeFirst();
  return row?.at == null ? null : Number(row.at);
}
