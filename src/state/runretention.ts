// Old runs: what is large in their rows goes first, the rows later. Of each application that is still known the first and the
// last run stay: the first says how far back was reported, the last is the run before the next one.
import { sql } from 'kysely';
import { keyColumns, type RunKey, type RunRecord, runOf, withoutFrozen } from './runrow.ts';
import type { RunTable, StateDb } from './schema.ts';

/** Closed runs with a last event before `before` whose frozen text is still there, at most `limit`. */
export async function listRetirable(db: StateDb, before: number, limit: number): Promise<RunRecord[]> {
  const rows = await db
    .selectFrom('run')
    .select(withoutFrozen)
    .where('phase', '=', 'closed')
    .where('last_event_at', '<', before)
    .where('frozen_json', 'is not', null)
    .limit(limit)
    .execute();
  return rows.map(runOf);
}

/** Empties what was frozen of a closed run, and replaces what should be reported by something smaller. */
export async function retireRun(db: StateDb, key: RunKey, desiredJson: string): Promise<void> {
  await db
    .updateTable('run')
    .set({ frozen_json: null, desired_json: desiredJson })
    .where((eb) => eb.and(keyColumns(key)))
    .where('phase', '=', 'closed')
    .execute();
}

type Key = Pick<RunTable, 'engine' | 'app_id' | 'create_time' | 'attempt' | 'continuation'>;

/**
 * Deletes closed runs with a last event before `before`, at most `limit`: those between the first and the last of a known
 * application, and all of one that has no checkpoint any more.
 * @returns how many; fewer than `limit`: no more are left
 */
export async function pruneRuns(db: StateDb, before: number, limit: number): Promise<number> {
  const { rows } = await sql<Key>`
    select r.engine as engine, r.app_id as app_id, r.create_time as create_time, r.attempt as attempt, r.continuation as continuation
      from run r
     where r.phase = 'closed' and r.last_event_at < ${before}
       and ((exists (select 1 from run o where o.engine = r.engine and o.app_id = r.app_id and o.create_time = r.create_time
                        and o.attempt < r.attempt)
             and exists (select 1 from run o where o.engine = r.engine and o.app_id = r.app_id and o.create_time = r.create_time
                        and o.attempt > r.attempt))
            or not exists (select 1 from checkpoint c where c.engine = r.engine and c.app_id = r.app_id
                        and c.create_time = r.create_time))
     limit ${limit}`.execute(db);
  if (rows.length === 0) return 0;
  await db
    .deleteFrom('run')
    .where('phase', '=', 'closed')
    .where((eb) => eb.or(rows.map((row) => eb.and({ ...row, attempt: Number(row.attempt), continuation: Number(row.continuation) }))))
    .execute();
  return rows.length;
}
