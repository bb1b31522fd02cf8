// The work of the active daemon, from the moment it holds the lease: poll, track, observe, decide, deliver.

import type { ErrorCode } from '../errors/errors.ts';
import type { StoredSettings } from '../settings/settings.ts';
import { listUnsettled, loadCursor, readLearnedZone, saveCursor, saveLearnedZone } from '../state/state.ts';
import {
  type AppKey,
  appKey,
  appTables,
  freshTimes,
  type LearnedZone,
  type Limits,
  type LogCursor,
  learnZone,
  logTables,
  observations,
  optInColumn,
  type PollMemory,
  type PollRead,
  partsOfKey,
  pollMemory,
  type ZoneClock,
  zoneClock,
} from '../watch/watch.ts';
import { CheckpointMoved, type Context, LeaseLost } from './context.ts';
import { decideApp } from './decide.ts';
import { createKnownApps, type KnownApps } from './known.ts';
import { createPlanning } from './planning.ts';
import { createKeyedQueue } from './queue.ts';
import { recordSteps } from './record.ts';
import { trackAll } from './steps.ts';
import { raiseAway, troubleOf } from './trouble.ts';

export interface Session {
  /** One poll with all that follows from it at once; planning and delivery go on beside. Gives the rows of t_setting. */
  tick(): Promise<StoredSettings>;
  /** Resolves when nothing is left to decide, except for runs that wait for the planner. */
  settled(): Promise<void>;
  /** Applications that are watched. */
  readonly known: KnownApps;
  stop(): Promise<void>;
}

/** Applications decided at once; each may wait for the planner. */
const decidedAtOnce = 8;
/** What could not be decided is tried again this often. */
const retryAfterMs = 10_000;
/** A backfill beside may have made checkpoints. */
const lookEveryMs = 60_000;
/** After this time in STARTING without proof a warning is written, once. */
const stuckAfterMs = 30 * 60_000;

/** Opens a session: reads the checkpoints and takes up whatever was left undone. `wake` tells the lanes of new events. */
export async function openSession(context: Context, wake: () => void): Promise<Session> {
  const known = createKnownApps();
  await known.load(context.state.database.db);
  const planning = createPlanning(context);
  const limits: Limits = { lostGraceMs: context.settings.events.lostGrace, stuckAfterMs };
  /** Applications to decide again later: a run waits for the planner, or deciding failed. */
  const again = new Set<AppKey>();
  /** Applications that could not be decided, and the code that was logged. */
  const failing = new Map<AppKey, ErrorCode>();
  const queue = createKeyedQueue(decidedAtOnce, (key, error) => {
    again.add(key as AppKey);
    failed(context, failing, key as AppKey, error);
  });
  let retryAt = 0;
  let lookAt = 0;
  let taken = false;
  /** What may not be read, as it was said last. */
  let unreadable: ReadonlySet<string> = new Set();
  let memory = await loadMemory(context, known);

  const stored = await readLearnedZone(context.state.database.db);
  let learned = stored === null ? null : (JSON.parse(stored) as LearnedZone);

  const learn = async (result: PollRead): Promise<ZoneClock> => {
    const before = JSON.stringify(learned);
    learned = learnZone(learned, freshTimes(result, memory.rows), result.before, result.now);
    if (JSON.stringify(learned) !== before) await context.underLease((tx) => saveLearnedZone(tx, JSON.stringify(learned)));
    return zoneClock(context.settings.sourceTimezone, learned, result.serverZone, result.now);
  };

  const decide = (key: AppKey) =>
    queue.add(key, async () => {
      const { engine, id } = partsOfKey(key);
      if ((await decideApp(context, planning, engine, id)) === 'waiting') again.add(key);
      else again.delete(key);
      failing.delete(key);
      context.metrics.planning.set(again.size);
      wake();
    });

  /** Another program wrote checkpoints: they are read again, and the next poll begins from them. */
  const takeUp = async (error?: unknown): Promise<void> => {
    if (error !== undefined && !(error instanceof CheckpointMoved)) throw error;
    await known.load(context.state.database.db);
    for (const run of await listUnsettled(context.state.database.db)) decide(appKey(run.engine, run.appId));
    context.log.info(
      { stage: 'daemon', applications: known.size },
      'checkpoints were read again: another program wrote some, or the answer to a commit was lost',
    );
    taken = true;
  };

  for (const run of await listUnsettled(context.state.database.db)) decide(appKey(run.engine, run.appId));

  return {
    known,
    async tick() {
      let { result, memory: next } = await context.source.pollOnce(memory, known.open);
      // The schema changed under the poll: the memory now says so, and another look tells how it is.
      if (result.kind === 'skipped') ({ result, memory: next } = await context.source.pollOnce(next, known.open));
      if (result.kind === 'skipped') {
        memory = next;
        throw result.error;
      }
      const clock = await learn(result);
      const seen = observations(result, next, known.trackers, limits);
      const steps = await trackAll(context, known, seen, limits, clock.toInstant);
      await recordSteps(context, known, steps, planning, decide).catch(takeUp);
      // also when the clock was set back
      if (!taken && Math.abs(context.now() - lookAt) >= lookEveryMs) {
        lookAt = context.now();
        if (await known.isBehind(context.state.database.db)) await takeUp();
      }
      if (taken) {
        taken = false;
        memory = pollMemory(rowsOf(known), memory.cursor);
        return result.settings;
      }
      await storeCursor(context, memory.cursor, next.cursor);
      memory = next;
      reportRead(context, result, clock);
      unreadable = reportUnreadable(context, result, unreadable);
      context.metrics.apps.set(known.size);
      const left = retryAt - context.now();
      // More than the interval: the clock was set back.
      if (again.size > 0 && (left <= 0 || left > retryAfterMs)) {
        retryAt = context.now() + retryAfterMs;
        for (const key of again) decide(key);
      }
      return result.settings;
    },
    settled: () => queue.idle(),
    async stop() {
      queue.clear();
      await queue.idle();
    },
  };
}

/** What a poll found besides changes, as conditions: one line when it begins and one when it is over. */
function reportRead({ conditions, metrics, log }: Context, result: PollRead, clock: ZoneClock): void {
  for (const table of Object.values(appTables)) {
    if (!result.optInMissing.includes(table)) conditions.clear('OPT_IN_COLUMN_MISSING', table);
    else
      conditions.raise(
        'OPT_IN_COLUMN_MISSING',
        table,
        `${table} has no column ${optInColumn}; its applications that were opted in stay so, no other is taken up`,
      );
  }
  const held = `${result.heldBack} applications are missing from the source at once; they are not taken for deleted yet`;
  if (result.heldBack > 0) conditions.raise('SOURCE_SHRUNK', 'source', held);
  else conditions.clear('SOURCE_SHRUNK', 'source');
  if (clock.diagnostic === null) conditions.clear('SOURCE_TIMEZONE', 'source');
  else conditions.raise('SOURCE_TIMEZONE', 'source', clock.diagnostic.message, 'error');
  for (const { code, message } of result.diagnostics) {
    metrics.conditions.inc({ code });
    log.warn({ stage: 'watch', code }, message);
  }
}

/** Rights that are missing: each is said when it is first missed and when it is there. */
function reportUnreadable({ conditions }: Context, { features }: PollRead, before: ReadonlySet<string>): ReadonlySet<string> {
  for (const { code, message } of features.problems) conditions.raise(code, message, message);
  const now = new Set(features.problems.map(({ message }) => message));
  for (const message of before) if (!now.has(message)) conditions.clear('SOURCE_PRIVILEGE', message);
  return now;
}

async function loadMemory(context: Context, known: KnownApps): Promise<PollMemory> {
  let cursor: LogCursor | null = null;
  // Newest name first: after an upgrade of StreamPark the old table's cursor is still there.
  for (const table of logTables) {
    const id: string | undefined = cursor === null ? await loadCursor(context.state.database.db, table) : undefined;
    if (id !== undefined) cursor = { table, id };
  }
  return pollMemory(rowsOf(known), cursor);
}

const rowsOf = (known: KnownApps) => [...known.trackers.values()].map(({ row }) => row);

async function storeCursor(context: Context, before: LogCursor | null, after: LogCursor | null): Promise<void> {
  if (after === null || (before?.table === after.table && before.id === after.id)) return;
  await context.underLease((tx) => saveCursor(tx, after.table, after.id, context.now()));
}

/** One line when deciding an application begins to fail, and when it fails in another way. */
function failed(context: Context, failing: Map<AppKey, ErrorCode>, key: AppKey, error: unknown): void {
  if (error instanceof LeaseLost || context.stopping.aborted) return;
  const trouble = troubleOf(error, context.state.database.label);
  if (raiseAway(context.conditions, trouble)) return;
  const code = trouble?.code ?? 'INTERNAL';
  context.metrics.conditions.inc({ code });
  if (failing.get(key) === code) return;
  failing.set(key, code);
  context.log.error({ stage: 'daemon', app: key, code, err: trouble ?? error }, 'could not decide; it is tried again');
}
