// Leases: one holder per name at a time, by the clock of the database, so the clocks of two hosts need not agree.
// The token grows with each takeover: work that began under an older one is recognised inside its own transaction.
import { sql } from 'kysely';
import { insertIfAbsent, serverNow } from './dialect.ts';
import type { StateDb, StateTx } from './schema.ts';

export type LeaseName = 'daemon' | 'backfill';

/**
 * The answer to a request for a lease; `freeInMs` is 0 when the holder let it lapse meanwhile.
 * `lapsed`: the holder before did not give it back, so what it had begun may not be over.
 */
export type LeaseAnswer =
  | { readonly held: true; readonly token: number; readonly lapsed: boolean }
  | { readonly held: false; readonly holder: string; readonly freeInMs: number };

/**
 * Takes the lease when it is free, lapsed, or already the holder's own (then with a new token). One that would hold for longer
 * than any lease does was dated by a clock that has been set back since: it counts as lapsed.
 * @param holder text that is unique per process, shown to others
 */
export async function acquireLease(tx: StateTx, name: LeaseName, holder: string, ttlMs: number): Promise<LeaseAnswer> {
  const known = await tx.selectFrom('lease').select('expires_at').where('name', '=', name).executeTakeFirst();
  if (known === undefined) await insertIfAbsent(tx, 'lease', 'name', [{ name, holder: '', token: 0, expires_at: 0 }]);
  const now = serverNow(tx);
  const taken = await tx
    .updateTable('lease')
    .set({ holder, token: sql<number>`token + 1`, expires_at: sql<number>`${now} + ${ttlMs}` })
    .where('name', '=', name)
    .where((eb) => eb.or([eb('expires_at', '<=', now), eb('expires_at', '>', sql<number>`${now} + ${ttlMs}`), eb('holder', '=', holder)]))
    .executeTakeFirst();
  const row = await tx
    .selectFrom('lease')
    .select((eb) => ['holder', 'token', eb('expires_at', '-', now).as('left')])
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  if (taken.numUpdatedRows > 0n) return { held: true, token: Number(row.token), lapsed: Number(known?.expires_at ?? 0) !== 0 };
  return { held: false, holder: row.holder, freeInMs: Math.max(0, Number(row.left)) };
}

/** Prolongs the lease; false when another holder has taken it over. A lapsed lease that nobody took is prolonged. */
export async function renewLease(db: StateDb, name: LeaseName, token: number, ttlMs: number): Promise<boolean> {
  const renewed = await db
    .updateTable('lease')
    .set({ expires_at: sql<number>`${serverNow(db)} + ${ttlMs}` })
    .where('name', '=', name)
    .where('token', '=', token)
    .executeTakeFirst();
  return renewed.numUpdatedRows > 0n;
}

/** Gives the lease back, so that the next holder need not wait for it to lapse. False when it was no longer held. */
export async function releaseLease(db: StateDb, name: LeaseName, token: number): Promise<boolean> {
  const released = await db
    .updateTable('lease')
    .set({ expires_at: 0 })
    .where('name', '=', name)
    .where('token', '=', token)
    .executeTakeFirst();
  return released.numUpdatedRows > 0n;
}

/**
 * Whether the token still holds the lease. Locks its row until the transaction ends, so a takeover waits for the commit:
 * call it first in every transaction that writes under the lease.
 */
export async function holdsLease(tx: StateTx, name: LeaseName, token: number): Promise<boolean> {
  const row = await tx
    .selectFrom('lease')
    .select((eb) => ['token', eb('expires_at', '-', serverNow(tx)).as('left')])
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined && Number(row.token) === token && Number(row.left) > 0;
}

/** Makes the row of the lease, held by nobody, so that there is something to lock. */
export async function prepareLease(tx: StateTx, name: LeaseName): Promise<void> {
  await insertIfAbsent(tx, 'lease', 'name', [{ name, holder: '', token: 0, expires_at: 0 }]);
}

/** Locks the row of the lease without holding it: keeps the holder's transactions out until this one ends. */
export async function lockLease(tx: StateTx, name: LeaseName): Promise<void> {
  await tx.selectFrom('lease').select('name').where('name', '=', name).forUpdate().execute();
}

/** Who holds the lease now, for `check` and messages; undefined when it is free. */
export async function readLease(db: StateDb, name: LeaseName): Promise<{ readonly holder: string; readonly freeInMs: number } | undefined> {
  const row = await db
    .selectFrom('lease')
    .select((eb) => ['holder', eb('expires_at', '-', serverNow(db)).as('left')])
    .where('name', '=', name)
    .executeTakeFirst();
  return row === undefined || Number(row.left) <= 0 ? undefined : { holder: row.holder, freeInMs: Number(row.left) };
}
