// One smoke test of the own tables on the embedded PostgreSQL.
import { expect, it } from 'vitest';
import { createPglite } from '../../src/database/database.ts';
import { enqueue, outboxStats, startLane } from '../../src/outbox/outbox.ts';
import { acquireLease, holdsLease, openEmbeddedState, saveCheckpoint } from '../../src/state/state.ts';
import { eventOf, scriptedSender } from '../outbox/events.ts';

it('runs embedded, twice over the same instance', { timeout: 240_000 }, async () => {
  const pglite = await createPglite();
  await openEmbeddedState(pglite);
  const state = await openEmbeddedState(pglite);
  const lease = await state.transaction((tx) => acquireLease(tx, 'daemon', 'me', 60_000));
  expect(lease).toEqual({ held: true, token: 1, lapsed: false });
  await state.transaction(async (tx) => {
    const key = { engine: 'flink' as const, appId: '1', createTime: 'x' };
    expect(await saveCheckpoint(tx, key, '{}', 0, 1)).toBe(true);
    await enqueue(tx, [eventOf('a', 'START'), eventOf('b', 'COMPLETE')], [{ name: 'd', kinds: 'both' }], 'flink:1', 1);
  });
  const sender = scriptedSender();
  const lane = startLane({ destination: 'd', state, sender: () => sender, concurrency: 2, guard: (tx) => holdsLease(tx, 'daemon', 1) });
  await lane.idle();
  await lane.stop(1_000);
  expect(sender.ids).toEqual(['a', 'b']);
  expect(await outboxStats(state.database.db)).toMatchObject([{ waiting: 0, sent: 2 }]);
  await state.close();
});
