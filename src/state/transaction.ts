// Transactions on the own tables: READ COMMITTED on both families (MySQL's default takes gap locks that make strangers
// wait for each other), repeated a few times when the server chose this one as the victim of a deadlock.
import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { isContention } from './failures.ts';
import type { StateSchema, StateTx } from './schema.ts';

const attempts = 6;
const firstWaitMs = 10;

export interface Retrying {
  readonly random: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
}

export const realRetrying: Retrying = { random: Math.random, sleep: (ms) => delay(ms) };

/**
 * Runs `work` in one transaction. After a deadlock, a lock timeout or a serialization failure it is rolled back and run again
 * (up to 6 times in about half a second), so `work` must have no effect outside of the transaction.
 */
export async function transact<T>(
  db: Kysely<StateSchema>,
  work: (tx: StateTx) => Promise<T>,
  { random, sleep }: Retrying = realRetrying,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().setIsolationLevel('read committed').execute(work);
    } catch (error) {
      if (attempt >= attempts || !isContention(error)) throw error;
      await sleep(firstWaitMs * 2 ** (attempt - 1) * (0.5 + random()));
    }
  }
}
