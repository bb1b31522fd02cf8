// The proven runs: who they are, what should be reported of them, and what was frozen when that was decided.
// A row stays after its run has ended, because its identity must never be given out again; its frozen text does not.
import {
  type Emitted,
  type FrozenRunRecord,
  keyColumns,
  type NewRun,
  type RunKey,
  type RunPhase,
  type RunRecord,
  runOf,
  runWithFrozenOf,
  withoutFrozen,
} from './runrow.ts';
import type { Engine, StateDb, StateTx } from './schema.ts';

export type { Emitted, FrozenRunRecord, NewRun, RunKey, RunPhase, RunRecord } from './runrow.ts';

const idsAtOnce = 500;

/**
 * Writes a new run.
 * @throws the driver's duplicate error when the key, the identity or the run id is taken
 */
export async function insertRun(tx: StateTx, run: NewRun, now: number): Promise<void> {
  await tx
    .insertInto('run')
    .values({
      engine: run.engine,
      app_id: run.appId,
      create_time: run.createTime,
      attempt: run.attempt,
      continuation: run.continuation,
      phase: run.phase,
      identity_text: run.identityText,
      run_id: run.runId,
      job_id: run.jobId,
      yarn_id: run.yarnId,
      log_id: run.logId,
      option_time: run.optionTime,
      sql_id: run.sqlId,
      plan_key: null,
      desired_json: run.desiredJson,
      emitted: 'none',
      frozen_json: null,
      started_at: run.startedAt,
      ended_at: run.endedAt,
      last_event_at: null,
      created_at: now,
      updated_at: now,
    })
    .execute();
}

/** New evidence of a run; members that are absent stay as they are. */
export interface RunEvidenceUpdate {
  readonly desiredJson: string;
  readonly endedAt?: number | null;
  readonly jobId?: string | null;
  readonly yarnId?: string | null;
  readonly sqlId?: string | null;
}

/** Writes what should be reported from now on; false when there is no such run. */
export async function updateDesired(tx: StateTx, key: RunKey, evidence: RunEvidenceUpdate, now: number): Promise<boolean> {
  const { desiredJson, endedAt, jobId, yarnId, sqlId } = evidence;
  const updated = await tx
    .updateTable('run')
    .where((eb) => eb.and(keyColumns(key)))
    .set({
      desired_json: desiredJson,
      ...(endedAt === undefined ? {} : { ended_at: endedAt }),
      ...(jobId === undefined ? {} : { job_id: jobId }),
      ...(yarnId === undefined ? {} : { yarn_id: yarnId }),
      ...(sqlId === undefined ? {} : { sql_id: sqlId }),
      updated_at: now,
    })
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

/** What one decision settles; members that are absent stay as they are. */
export interface Decision {
  readonly phase: RunPhase;
  readonly emitted: Emitted;
  readonly lastEventAt: number;
  readonly planKey?: string | null;
  readonly frozenJson?: string;
}

/** Records a decision beside its events in the outbox; false when there is no such run. */
export async function markDecided(tx: StateTx, key: RunKey, decision: Decision, now: number): Promise<boolean> {
  const { phase, emitted, lastEventAt, planKey, frozenJson } = decision;
  const updated = await tx
    .updateTable('run')
    .where((eb) => eb.and(keyColumns(key)))
    .set({
      phase,
      emitted,
      last_event_at: lastEventAt,
      ...(planKey === undefined ? {} : { plan_key: planKey }),
      ...(frozenJson === undefined ? {} : { frozen_json: frozenJson }),
      updated_at: now,
    })
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

/** One run with what was frozen. */
export async function readRun(db: StateDb, key: RunKey): Promise<FrozenRunRecord | undefined> {
  const row = await db
    .selectFrom('run')
    .selectAll()
    .where((eb) => eb.and(keyColumns(key)))
    .executeTakeFirst();
  return row === undefined ? undefined : runWithFrozenOf(row);
}

/** The run that an identity was given to. */
export async function findByIdentity(db: StateDb, identityText: string): Promise<RunRecord | undefined> {
  const row = await db.selectFrom('run').select(withoutFrozen).where('identity_text', '=', identityText).executeTakeFirst();
  return row === undefined ? undefined : runOf(row);
}

/** The run of a (parent) run id, with what was frozen. */
export async function findByRunId(db: StateDb, runId: string): Promise<FrozenRunRecord | undefined> {
  const row = await db.selectFrom('run').selectAll().where('run_id', '=', runId).executeTakeFirst();
  return row === undefined ? undefined : runWithFrozenOf(row);
}

/** Runs that are not closed, oldest first: what a start takes up again. */
export async function listUnsettled(db: StateDb): Promise<RunRecord[]> {
  const rows = await db
    .selectFrom('run')
    .select(withoutFrozen)
    .where('phase', 'in', ['planning', 'open'])
    .orderBy('created_at')
    .orderBy('attempt')
    .orderBy('continuation')
    .execute();
  return rows.map(runOf);
}

/** Runs of one application id that are not closed, in the order in which they happened. */
export async function listUnsettledOf(db: StateDb, engine: Engine, appId: string): Promise<RunRecord[]> {
  const rows = await db
    .selectFrom('run')
    .select(withoutFrozen)
    .where('engine', '=', engine)
    .where('app_id', '=', appId)
    .where('phase', 'in', ['planning', 'open'])
    .orderBy('create_time')
    .orderBy('attempt')
    .orderBy('continuation')
    .execute();
  return rows.map(runOf);
}

/** Runs in one phase, oldest event first (runs without one before all), at most `limit`. */
export async function listByPhase(db: StateDb, phase: RunPhase, limit: number): Promise<RunRecord[]> {
  const rows = await db
    .selectFrom('run')
    .select(withoutFrozen)
    .where('phase', '=', phase)
    .orderBy((eb) => eb.fn.coalesce('last_event_at', eb.val(0)))
    .orderBy('created_at')
    .limit(limit)
    .execute();
  return rows.map(runOf);
}

/** Open runs. */
export async function listOpen(db: StateDb): Promise<RunRecord[]> {
  const rows = await db.selectFrom('run').select(withoutFrozen).where('phase', '=', 'open').orderBy('created_at').execute();
  return rows.map(runOf);
}

/** Open runs whose last event is of `before` or earlier: those due for a heartbeat, the most overdue first. */
export async function listQuiet(db: StateDb, before: number, limit: number): Promise<RunRecord[]> {
  const rows = await db
    .selectFrom('run')
    .select(withoutFrozen)
    .where('phase', '=', 'open')
    .where('last_event_at', '<=', before)
    .orderBy('last_event_at')
    .limit(limit)
    .execute();
  return rows.map(runOf);
}

/** The runs of one application id, newest first, whatever its create_time. */
export async function listByApp(db: StateDb, engine: Engine, appId: string, limit = 100): Promise<RunRecord[]> {
  const rows = await db
    .selectFrom('run')
    .select(withoutFrozen)
    .where('engine', '=', engine)
    .where('app_id', '=', appId)
    .orderBy('create_time', 'desc')
    .orderBy('attempt', 'desc')
    .orderBy('continuation', 'desc')
    .limit(limit)
    .execute();
  return rows.map(runOf);
}

/** The highest attempt of each application row that ever had a run, by `engine:id@create_time`; only of these application ids. */
export async function lastAttempts(db: StateDb, appIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (let i = 0; i < appIds.length; i += idsAtOnce) {
    const rows = await db
      .selectFrom('run')
      .select((eb) => ['engine', 'app_id', 'create_time', eb.fn.max('attempt').as('last')])
      .where('app_id', 'in', appIds.slice(i, i + idsAtOnce))
      .groupBy(['engine', 'app_id', 'create_time'])
      .execute();
    for (const row of rows) found.set(`${row.engine}:${row.app_id}@${row.create_time}`, Number(row.last));
  }
  return found;
}

/** The last closed run of one application row: the previous run of the next one. */
export async function latestClosed(db: StateDb, app: Omit<RunKey, 'attempt' | 'continuation'>): Promise<RunRecord | undefined> {
  const row = await db
    .selectFrom('run')
    .select(withoutFrozen)
    .where('engine', '=', app.engine)
    .where('app_id', '=', app.appId)
    .where('create_time', '=', app.createTime)
    .where('phase', '=', 'closed')
    .orderBy('attempt', 'desc')
    .orderBy('continuation', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? undefined : runOf(row);
}
