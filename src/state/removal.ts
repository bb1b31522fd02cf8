// Backing out: drops the own tables, and their database or schema when nothing else is in it.
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { StateError } from '../errors/errors.ts';
import { readLease } from './lease.ts';
import { removalOf } from './location.ts';
import { ownTables, type StateSchema } from './schema.ts';

/**
 * Drops all own tables. Not undoable.
 * @param state what `openState` gave; close it afterwards
 * @returns whether the database or schema itself was dropped too
 * @throws StateError STATE_LEASE_HELD while a daemon works
 */
export async function removeState(state: { readonly database: Database<StateSchema>; readonly schema: string }): Promise<boolean> {
  const { db, family, embedded } = state.database;
  const tables = async () => {
    const found = await sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = ${state.schema}`.execute(db);
    return found.rows.map((row) => row.name);
  };
  // A removal that was interrupted is done to its end, so the table of the leases may be gone already.
  const lease = (await tables()).includes('lease') ? await readLease(db, 'daemon') : undefined;
  if (lease !== undefined) throw new StateError('STATE_LEASE_HELD', `${lease.holder} works with the state tables; stop it first`);
  for (const table of ownTables) await sql.raw(`drop table if exists ${table}`).execute(db);
  if (embedded || (await tables()).length > 0) return false;
  await sql.raw(removalOf(family, state.schema)).execute(db);
  return true;
}
