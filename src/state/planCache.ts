// Plans by the keyed hash of everything they depend on. The text holds no secret; names are computed from it on use.
import { insertIfAbsent } from './dialect.ts';
import type { StateDb, StateTx } from './schema.ts';

/** A cached plan and when it was last noted as in use, ms since the epoch. */
export interface KeptPlan {
  readonly json: string;
  readonly usedAt: number;
}

/** The cached text of a key. */
export async function getPlan(db: StateDb, planKey: string): Promise<KeptPlan | undefined> {
  const row = await db.selectFrom('plan_cache').select(['plan_json', 'used_at']).where('plan_key', '=', planKey).executeTakeFirst();
  return row === undefined ? undefined : { json: row.plan_json, usedAt: Number(row.used_at) };
}

/** Keeps a plan; one that is there stays, for the key determines the text. */
export async function putPlan(db: StateDb | StateTx, planKey: string, planJson: string, now: number): Promise<void> {
  await insertIfAbsent(db, 'plan_cache', 'plan_key', [{ plan_key: planKey, plan_json: planJson, used_at: now }]);
}

/** Keeps a plan in the place of one whose time is over. */
export async function renewPlan(db: StateDb | StateTx, planKey: string, planJson: string, now: number): Promise<void> {
  await db.deleteFrom('plan_cache').where('plan_key', '=', planKey).execute();
  await putPlan(db, planKey, planJson, now);
}

/** Notes that a plan is still in use. */
export async function touchPlan(db: StateDb, planKey: string, now: number): Promise<void> {
  await db.updateTable('plan_cache').set({ used_at: now }).where('plan_key', '=', planKey).execute();
}

/** Forgets plans not used since `before`, at most `limit`; returns how many. */
export async function purgePlans(db: StateDb, before: number, limit: number): Promise<number> {
  const rows = await db.selectFrom('plan_cache').select('plan_key').where('used_at', '<', before).limit(limit).execute();
  if (rows.length === 0) return 0;
  const keys = rows.map((row) => row.plan_key);
  await db.deleteFrom('plan_cache').where('plan_key', 'in', keys).where('used_at', '<', before).execute();
  return rows.length;
}
