// What was last reported of each application, from the newest run of each in the state tables.
import { sql } from 'kysely';
import type { StateDb } from '../../state/state.ts';
import { type AppKey, appKey, type Engine } from '../../watch/watch.ts';

interface NewestRun {
  engine: string;
  app_id: string;
  attempt: number;
  phase: string;
  emitted: string;
  desired_json: string;
  at: bigint | number | string;
}

/** One line for each application that ever had a run, such as `COMPLETE 2026-03-01T10:00:00Z (attempt 4)`. */
export async function lastResultsOf(db: StateDb): Promise<Map<AppKey, string>> {
  const { rows } = await sql<NewestRun>`
    select r.engine as engine, r.app_id as app_id, r.attempt as attempt, r.phase as phase, r.emitted as emitted,
           r.desired_json as desired_json, coalesce(r.last_event_at, r.ended_at, r.started_at) as at
      from run r
      join (select engine, app_id, max(created_at) as created_at from run group by engine, app_id) newest
        on newest.engine = r.engine and newest.app_id = r.app_id and newest.created_at = r.created_at
     order by r.attempt, r.continuation`.execute(db);
  return new Map(rows.map((row) => [appKey(row.engine as Engine, row.app_id), describe(row)]));
}

const words: Readonly<Record<string, string>> = { none: 'waits for the planner', start: 'START', running: 'RUNNING' };

function describe(row: NewestRun): string {
  const { how, notes } = facts(row.desired_json);
  const event = row.emitted === 'terminal' ? how : (words[row.emitted] ?? row.emitted);
  const at = new Date(Number(row.at)).toISOString().replace('.000Z', 'Z');
  return [event, at, `(attempt ${row.attempt})`, ...notes].join(' ');
}

/** The daemon writes this JSON; what is not as expected is left out. */
function facts(json: string): { readonly how: string; readonly notes: readonly string[] } {
  const ends: Readonly<Record<string, string>> = { complete: 'COMPLETE', fail: 'FAIL', abort: 'ABORT' };
  try {
    const { end, facts } = JSON.parse(json) as { end?: { how?: string } | null; facts?: { notes?: unknown } };
    const notes = Array.isArray(facts?.notes) ? facts.notes.filter((note): note is string => typeof note === 'string') : [];
    return { how: ends[end?.how ?? ''] ?? 'ended', notes };
  } catch {
    return { how: 'ended', notes: [] };
  }
}
