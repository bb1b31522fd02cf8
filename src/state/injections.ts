// What was written into rows of StreamPark, so that exactly that can be taken back.
import type { StateDb, StateTx } from './schema.ts';

export interface InjectionKey {
  readonly engine: string;
  readonly appId: string;
  /** Raw text of the source: an id that comes back is another application. */
  readonly createTime: string;
  readonly column: string;
}

export interface StoredInjection extends InjectionKey {
  /** The column before and after; null = NULL. */
  readonly before: string | null;
  readonly after: string;
  /** Keys that somebody took out or changed since. */
  readonly declined: readonly string[];
  /** How often this was written. */
  readonly writes: number;
}

/** All of them. */
export async function listInjections(db: StateDb): Promise<StoredInjection[]> {
  const rows = await db.selectFrom('injection').selectAll().orderBy('engine').orderBy('app_id').execute();
  return rows.map((row) => ({
    engine: row.engine,
    appId: row.app_id,
    createTime: row.create_time,
    column: row.column_name,
    before: row.before_text,
    after: row.after_text,
    declined: row.declined === null ? [] : (JSON.parse(row.declined) as string[]),
    writes: Number(row.writes),
  }));
}

/** Writes one, in place of the one that was there. */
export async function saveInjection(tx: StateTx, injection: StoredInjection, now: number): Promise<void> {
  await deleteInjection(tx, injection);
  await tx
    .insertInto('injection')
    .values({
      engine: injection.engine,
      app_id: injection.appId,
      create_time: injection.createTime,
      column_name: injection.column,
      before_text: injection.before,
      after_text: injection.after,
      written_at: now,
      declined: injection.declined.length === 0 ? null : JSON.stringify(injection.declined),
      writes: injection.writes,
    })
    .execute();
}

/** Forgets one: nothing of it stands in StreamPark any more. */
export async function deleteInjection(tx: StateTx, { engine, appId, createTime, column }: InjectionKey): Promise<void> {
  await tx
    .deleteFrom('injection')
    .where('engine', '=', engine)
    .where('app_id', '=', appId)
    .where('create_time', '=', createTime)
    .where('column_name', '=', column)
    .execute();
}
