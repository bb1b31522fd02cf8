// A lock for the time of a migration: two programs that start at once take turns. Held by one connection, so it is gone with it.
import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { StateError } from '../errors/errors.ts';
import { familyOfDb } from './dialect.ts';
import type { Retrying } from './transaction.ts';

const triesMs = 200;
const giveUpMs = 60_000;

/**
 * Runs `work` while this connection holds the lock named after the schema.
 * @throws StateError STATE_LEASE_HELD when another program migrates for longer than a minute
 */
export async function withMigrationLock<S, T>(
  connection: Kysely<S>,
  schema: string,
  { sleep }: Pick<Retrying, 'sleep'>,
  work: () => Promise<T>,
): Promise<T> {
  const digest = createHash('sha256').update(`streampark-lineage migration ${schema}`).digest();
  const { take, give } = familyOfDb(connection) === 'mysql' ? namedLock(digest) : advisoryLock(digest);
  for (let waited = 0; ; waited += triesMs) {
    const taken = (await take.execute(connection)).rows[0]?.taken;
    if (taken === true || Number(taken) === 1) break;
    if (waited >= giveUpMs) throw new StateError('STATE_LEASE_HELD', 'another program has been migrating the state tables for a minute');
    await sleep(triesMs);
  }
  try {
    return await work();
  } finally {
    // A connection that broke meanwhile has lost the lock already; its own error is the one to see.
    await give.execute(connection).catch(() => undefined);
  }
}

type Taken = { readonly taken: boolean | number | string | bigint | null };

function namedLock(digest: Buffer) {
  const name = `splineage.${digest.toString('hex').slice(0, 40)}`;
  return { take: sql<Taken>`select get_lock(${name}, 0) as taken`, give: sql`select release_lock(${name}) as given` };
}

function advisoryLock(digest: Buffer) {
  const [high, low] = [digest.readInt32BE(0), digest.readInt32BE(4)];
  return {
    take: sql<Taken>`select pg_try_advisory_lock(${high}::int, ${low}::int) as taken`,
    give: sql`select pg_advisory_unlock(${high}::int, ${low}::int) as given`,
  };
}
