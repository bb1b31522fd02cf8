// Evidence on disk: what was last seen of each application, and how far each log table was read.
import { insertIfAbsent } from './dialect.ts';
import type { Engine, StateDb, StateTx } from './schema.ts';

/** One application row of StreamPark. Ids come back after a reset of its tables, create_time does not. */
export interface CheckpointKey {
  readonly engine: Engine;
  readonly appId: string;
  /** Raw text of the source. */
  readonly createTime: string;
}

export interface Checkpoint extends CheckpointKey {
  /** The tracker of the application, as its stage wrote it. */
  readonly json: string;
  readonly version: number;
}

/** All checkpoints. */
export async function loadCheckpoints(db: StateDb): Promise<Checkpoint[]> {
  const rows = await db.selectFrom('checkpoint').select(['engine', 'app_id', 'create_time', 'row_json', 'version']).execute();
  return rows.map((row) => ({
    engine: row.engine,
    appId: row.app_id,
    createTime: row.create_time,
    json: row.row_json,
    version: Number(row.version),
  }));
}

/** The checkpoint of one application row. */
export async function readCheckpoint(db: StateDb, key: CheckpointKey): Promise<Checkpoint | undefined> {
  const row = await db
    .selectFrom('checkpoint')
    .select(['row_json', 'version'])
    .where('engine', '=', key.engine)
    .where('app_id', '=', key.appId)
    .where('create_time', '=', key.createTime)
    .executeTakeFirst();
  return row === undefined ? undefined : { ...key, json: row.row_json, version: Number(row.version) };
}

/** Number of checkpoints and the sum of their versions: together they tell whether another program wrote any. */
export async function sumCheckpoints(db: StateDb): Promise<{ readonly many: number; readonly total: number }> {
  const row = await db
    .selectFrom('checkpoint')
    .select((eb) => [eb.fn.countAll().as('many'), eb.fn.sum('version').as('total')])
    .executeTakeFirstOrThrow();
  return { many: Number(row.many), total: Number(row.total ?? 0) };
}

/**
 * Writes a checkpoint if its version is still `expected` (0: there is none yet); the new version is `expected` + 1.
 * @returns false when someone else wrote it meanwhile: nothing was changed, roll back
 */
export async function saveCheckpoint(tx: StateTx, key: CheckpointKey, json: string, expected: number, now: number): Promise<boolean> {
  if (expected === 0) {
    // Version 0 is only visible inside this transaction: whoever inserts the row also moves it to 1.
    await insertIfAbsent(tx, 'checkpoint', 'version', [
      { engine: key.engine, app_id: key.appId, create_time: key.createTime, row_json: '', version: 0, updated_at: now },
    ]);
  }
  const saved = await tx
    .updateTable('checkpoint')
    .set({ row_json: json, version: expected + 1, updated_at: now })
    .where('engine', '=', key.engine)
    .where('app_id', '=', key.appId)
    .where('create_time', '=', key.createTime)
    .where('version', '=', expected)
    .executeTakeFirst();
  return saved.numUpdatedRows > 0n;
}

/** Forgets an application. */
export async function deleteCheckpoint(tx: StateTx, key: CheckpointKey): Promise<void> {
  await tx
    .deleteFrom('checkpoint')
    .where('engine', '=', key.engine)
    .where('app_id', '=', key.appId)
    .where('create_time', '=', key.createTime)
    .execute();
}

/** Highest id read of a log table (decimal text); undefined before the first read. */
export async function loadCursor(db: StateDb, logTable: string): Promise<string | undefined> {
  const row = await db.selectFrom('log_cursor').select('last_id').where('log_table', '=', logTable).executeTakeFirst();
  return row?.last_id;
}

/** Sets the highest id read; a smaller one than before means that the table was reset, and is taken as well. */
export async function saveCursor(tx: StateTx, logTable: string, lastId: string, now: number): Promise<void> {
  const row = { log_table: logTable, last_id: lastId, updated_at: now };
  const updated = await tx
    .updateTable('log_cursor')
    .set({ last_id: lastId, updated_at: now })
    .where('log_table', '=', logTable)
    .executeTakeFirst();
  if (updated.numUpdatedRows === 0n) await tx.insertInto('log_cursor').values(row).execute();
}
