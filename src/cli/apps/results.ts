// What came of each application, from the state tables: the run that was followed last, the event that arrived last, and what went
// wrong last. Rows of the outbox are kept for days only, so the last event may be forgotten while the run is not.
import { sql } from 'kysely';
import { type ErrorCode, errorCatalogue } from '../../errors/errors.ts';
import type { StateDb } from '../../state/state.ts';
import { type AppKey, appKey, type Engine } from '../../watch/watch.ts';

/** Times are ISO texts in UTC, to the second. */
export interface AppResult {
  /** The newest run, such as `COMPLETE 2026-03-01T10:00:00Z (attempt 4)`. */
  readonly lastResult: string | null;
  /** The event that a destination took last. */
  readonly lastDelivered: { readonly at: string; readonly type: string; readonly destination: string } | null;
  /** An event that waits after a failed attempt, else the later of: one that was refused, the newest run without its tables. */
  readonly lastError: AppError | null;
}

export interface AppError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly cure: string;
  /** When it happened; of an event that waits, since when. */
  readonly at: string;
}

/** Nothing went wrong: the tables are complete, or none were to be expected. */
const harmless: ReadonlySet<string> = new Set([
  'PLAN_NO_INSERT',
  'PLAN_COMPILE',
  'PLAN_TREE_DIFFERS',
  'COLUMNS_UNKNOWN',
  'COLUMNS_INFERRED',
  'LOCATION_ASSUMED',
  'NO_IDENTITY',
  'JOB_NOT_RECOGNISED',
]);
/** Findings of earlier stages first: what a script lacks explains what its tables lack. */
const stages = Object.keys(errorCatalogue) as ErrorCode[];
/** Planning takes less; what takes longer waits for the planner. */
const waitingAfterMs = 60_000;
/** Rows with large columns read at once. */
const pageSize = 200;

/** The results of all applications of which the state tables know. `now` is the clock, ms since the epoch. */
export async function resultsOf(db: StateDb, now: number): Promise<Map<AppKey, AppResult>> {
  const [runs, deliveries] = [await newestRuns(db, now), await deliveriesOf(db)];
  const keys = new Set([...runs.keys(), ...deliveries.keys()]);
  return new Map(
    [...keys].map((key) => {
      const [run, delivery] = [runs.get(key), deliveries.get(key)];
      const sent = delivery?.sent;
      return [
        key,
        {
          lastResult: run?.text ?? null,
          lastDelivered: sent === undefined ? null : { at: timeText(sent.at), type: sent.type, destination: sent.destination },
          lastError: errorText(delivery?.waiting ?? later(delivery?.dead, run?.error)),
        },
      ];
    }),
  );
}

interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly at: number;
}

const later = (a: Failure | undefined, b: Failure | undefined): Failure | undefined => ((a?.at ?? 0) > (b?.at ?? 0) ? a : (b ?? a));

const errorText = (failure: Failure | undefined): AppError | null =>
  failure === undefined ? null : { ...failure, cure: errorCatalogue[failure.code].cure, at: timeText(failure.at) };

const timeText = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');

interface NewestRun {
  engine: string;
  app_id: string;
  attempt: number;
  run_id: string;
  phase: string;
  emitted: string;
  desired_json: string;
  created_at: bigint | number | string;
  at: bigint | number | string;
}

async function newestRuns(db: StateDb, now: number): Promise<Map<AppKey, { readonly text: string; readonly error: Failure | undefined }>> {
  const { rows } = await sql<NewestRun>`
    select r.engine as engine, r.app_id as app_id, r.attempt as attempt, r.run_id as run_id, r.phase as phase, r.emitted as emitted,
           r.desired_json as desired_json, r.created_at as created_at, coalesce(r.last_event_at, r.ended_at, r.started_at) as at
      from run r
      join (select engine, app_id, max(started_at) as started_at from run group by engine, app_id) newest
        on newest.engine = r.engine and newest.app_id = r.app_id and newest.started_at = r.started_at
     order by r.created_at, r.attempt, r.continuation`.execute(db);
  const newest = new Map(rows.map((row) => [appKey(row.engine as Engine, row.app_id), row]));
  const notes = await frozenNotes(
    db,
    [...newest.values()].map((row) => row.run_id),
  );
  return new Map(
    [...newest].map(([key, row]) => {
      const { how, notes: before } = facts(row.desired_json);
      const all = [...new Set([...before, ...(notes.get(row.run_id) ?? [])])];
      return [key, { text: describe(row, how, all), error: planningError(row, all, now) }];
    }),
  );
}

const words: Readonly<Record<string, string>> = { none: 'waits for the planner', start: 'START', running: 'RUNNING' };

function describe(row: NewestRun, how: string, notes: readonly string[]): string {
  const event = row.emitted === 'terminal' ? how : (words[row.emitted] ?? row.emitted);
  return [event, timeText(Number(row.at)), `(attempt ${row.attempt})`, ...notes].join(' ');
}

function planningError(row: NewestRun, notes: readonly string[], now: number): Failure | undefined {
  const since = Number(row.created_at);
  if (row.emitted === 'none' && row.phase === 'planning' && now - since >= waitingAfterMs) {
    return { code: 'PLANNER_UNAVAILABLE', message: `run ${row.run_id} waits to be planned`, at: since };
  }
  const code = stages.find((known) => notes.includes(known) && !harmless.has(known));
  if (code === undefined) return undefined;
  return { code, message: `run ${row.run_id}: ${errorCatalogue[code].cause}`, at: Number(row.at) };
}

/** The daemon writes this JSON; what is not as expected is left out. */
function facts(json: string): { readonly how: string; readonly notes: readonly string[] } {
  const ends: Readonly<Record<string, string>> = { complete: 'COMPLETE', fail: 'FAIL', abort: 'ABORT' };
  const { end, facts } = parsed(json) as { end?: { how?: string } | null; facts?: { notes?: unknown } };
  return { how: ends[end?.how ?? ''] ?? 'ended', notes: texts(facts?.notes) };
}

/** Why the lineage of runs is missing or partial, by run id. */
async function frozenNotes(db: StateDb, runIds: readonly string[]): Promise<Map<string, readonly string[]>> {
  const notes = new Map<string, readonly string[]>();
  for (let i = 0; i < runIds.length; i += pageSize) {
    const page = runIds.slice(i, i + pageSize);
    const rows = await db.selectFrom('run').select(['run_id', 'frozen_json']).where('run_id', 'in', page).execute();
    for (const { run_id, frozen_json } of rows) {
      const { app } = parsed(frozen_json ?? '{}') as { app?: { notes?: unknown } };
      notes.set(run_id, texts(app?.notes));
    }
  }
  return notes;
}

function parsed(json: string): object {
  try {
    return Object(JSON.parse(json)) as object;
  } catch {
    return {};
  }
}

const texts = (value: unknown): readonly string[] => (Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []);

interface Deliveries {
  sent?: { readonly at: number; readonly type: string; readonly destination: string };
  dead?: Failure;
  waiting?: Failure;
}

/** Of each key: its last row that was sent, its last one that was refused, and the first that waits after a failed attempt. */
async function deliveriesOf(db: StateDb): Promise<Map<AppKey, Deliveries>> {
  const { rows } = await sql<{ seq: bigint | number | string }>`
    select max(seq) as seq from outbox where state = 'sent' group by order_key
    union all select max(seq) as seq from outbox where state = 'dead' group by order_key
    union all select min(seq) as seq from outbox where state = 'waiting' and error is not null group by order_key`.execute(db);
  const found = new Map<AppKey, Deliveries>();
  for (let i = 0; i < rows.length; i += pageSize) {
    const page = await db
      .selectFrom('outbox')
      .select(['order_key', 'destination', 'type', 'state', 'error', 'next_at', 'created_at', 'settled_at'])
      .where(
        'seq',
        'in',
        rows.slice(i, i + pageSize).map(({ seq }) => Number(seq)),
      )
      .execute();
    for (const row of page) {
      const key = row.order_key as AppKey;
      const of = found.get(key) ?? {};
      const at = Number(row.settled_at ?? row.created_at);
      const message = `${row.destination}: ${row.error ?? 'refused'}`;
      if (row.state === 'sent') of.sent = { at, type: row.type, destination: row.destination };
      else if (row.state === 'dead') of.dead = { code: 'TRANSPORT_REFUSED', message, at };
      // The wait of a single event has a time of its own; that of a whole destination has none.
      else of.waiting = { code: Number(row.next_at) === 0 ? 'TRANSPORT_PAUSED' : 'TRANSPORT_LATER', message, at };
      found.set(key, of);
    }
  }
  return found;
}
