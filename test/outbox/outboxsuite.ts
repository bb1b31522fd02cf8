// Writing, looking at, sending again and deleting rows of the outbox; run for each family by outbox.*.test.ts.
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  enqueue,
  listOutbox,
  type OutboxDestination,
  outboxPayload,
  outboxStats,
  purgeBatch,
  purgeOutbox,
  purgeSome,
  replay,
  startLane,
} from '../../src/outbox/outbox.ts';
import { readWaiting } from '../../src/outbox/rows.ts';
import { holdsLease, type State, type StateDb } from '../../src/state/state.ts';
import { openTestState, type TestState } from '../state/open.ts';
import { requireServer, type TestFamily } from '../support/databases.ts';
import { eventOf, scriptedSender } from './events.ts';

const both: OutboxDestination = { name: 'd', kinds: 'both' };

export async function outboxSuite(family: TestFamily): Promise<void> {
  const suite = await requireServer(family);
  suite(`outbox on ${family}`, () => {
    let test: TestState;
    let state: State;
    let db: StateDb;
    beforeAll(async () => {
      test = await openTestState(family);
      state = test.state;
      db = state.database.db;
    });
    afterAll(() => test.drop());
    beforeEach(() => db.deleteFrom('outbox').execute());

    const put = (key: string, ...events: ReturnType<typeof eventOf>[]) =>
      state.transaction((tx) => enqueue(tx, events, [both], key, 1_000));
    const run = (id: string) => (['START', 'RUNNING', 'COMPLETE'] as const).map((type, n) => eventOf(`${id}${n}`, type, id));
    const waiting = async () => (await listOutbox(db, { state: 'waiting', limit: 1_000 })).map((row) => row.eventId);
    const settle = (ids: readonly string[], to: 'sent' | 'dead', at = 2_000) =>
      db.updateTable('outbox').set({ state: to, settled_at: at, attempts: 3, error: 'e' }).where('event_id', 'in', ids).execute();
    const deliver = async () => {
      const sender = scriptedSender();
      const lane = startLane({ destination: 'd', state, sender: () => sender, concurrency: 4, guard: async () => true });
      await lane.idle();
      await lane.stop(1_000);
      return sender.ids;
    };

    it('gives each destination the kinds it takes, once', async () => {
      const events = [eventOf('s', 'START', 'r'), eventOf('j', 'JOB', null), eventOf('c', 'COMPLETE', 'r')];
      const destinations: OutboxDestination[] = [
        { name: 'g', kinds: 'run' },
        { name: 'm', kinds: 'both' },
        { name: 'j', kinds: 'job' },
      ];
      for (let time = 0; time < 3; time++) {
        await state.transaction((tx) => enqueue(tx, events, destinations, 'flink:1', 1_000 + time));
      }
      const of = async (destination: string) =>
        (await listOutbox(db, { destination, state: 'waiting', limit: 9 })).map((row) => [row.eventId, row.kind, row.key, row.createdAt]);
      expect(await of('g')).toEqual([
        ['s', 'run', 'flink:1', 1_000],
        ['c', 'run', 'flink:1', 1_000],
      ]);
      expect((await of('m')).map(([id]) => id)).toEqual(['s', 'j', 'c']);
      expect((await of('j')).map(([id]) => id)).toEqual(['j']);
    });

    it('adds nothing and changes nothing when a sent event is enqueued again', async () => {
      await put('k', ...run('r'));
      await deliver();
      await put('k', ...run('r'), eventOf('new', 'START', 'q'));
      expect(await waiting()).toEqual(['new']);
    });

    it('takes many and large events in one call, byte for byte', async () => {
      const text = `"\\'%_\u{1F986}\u2028${'ü'.repeat(200_000)}`;
      const large = Array.from({ length: 12 }, (_, n) => ({ ...eventOf(`l${n}`), json: JSON.stringify({ n, text }) }));
      await put('k', ...large, ...Array.from({ length: 1_234 }, (_, n) => eventOf(`s${n}`)));
      expect((await waiting()).slice(0, 14)).toEqual([...large.map((one) => one.id), 's0', 's1']);
      const [first] = await listOutbox(db, { state: 'waiting', limit: 1 });
      expect(await outboxPayload(db, first?.seq ?? 0)).toBe(large[0]?.json);
    });

    it('takes nothing when the transaction fails', async () => {
      const failing = state.transaction(async (tx) => {
        await enqueue(tx, run('r'), [both], 'k', 1);
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow();
      expect(await waiting()).toEqual([]);
    });

    it('counts by destination and state', async () => {
      await put('k', ...run('r'));
      await settle(['r0'], 'sent');
      await settle(['r1'], 'dead');
      expect(await outboxStats(db)).toEqual([{ destination: 'd', waiting: 1, sent: 1, dead: 1, skipped: 0, oldestWaitingAt: 1_000 }]);
      expect(await outboxStats(db, ['waiting', 'dead'])).toMatchObject([{ waiting: 1, sent: 0, dead: 1 }]);
      expect(await listOutbox(db, { runId: 'r', limit: 2 })).toHaveLength(2);
      expect(await listOutbox(db, { state: 'dead', destination: 'd', limit: 9 })).toMatchObject([{ eventId: 'r1', settledAt: 2_000 }]);
    });

    it('sends a whole run again, in order, after what waits, from any of its events', async () => {
      for (const selector of [{ run: 'r' }, { event: 'r1' }]) {
        await db.deleteFrom('outbox').execute();
        await put('k', ...run('r'));
        await settle(['r0', 'r1', 'r2'], 'sent');
        await put('k', eventOf('next', 'START', 'q'));
        expect(await replay(state, selector)).toBe(3);
        expect(await waiting()).toEqual(['next', 'r0', 'r1', 'r2']);
        expect(await listOutbox(db, { runId: 'r', limit: 1 })).toMatchObject([{ attempts: 0, error: null, settledAt: null }]);
        expect(await deliver()).toEqual(['next', 'r0', 'r1', 'r2']);
      }
      expect(await replay(state, { run: 'unknown' })).toBe(0);
    });

    it('takes the children of a run along, in the order of all, and a child alone', async () => {
      const child = (id: string, parent: string) =>
        run(id).map((event) => {
          const facets = { parent: { run: { runId: parent } }, other: { text: `\\"${parent}` } };
          return { ...event, json: JSON.stringify({ ...(JSON.parse(event.json) as object), run: { runId: id, facets } }) };
        });
      const [parent, first, second] = [run('p'), child('c', 'p'), child('d', 'p')];
      const both = parent.flatMap((event, n) => [event, first[n], second[n]].filter((one) => one !== undefined));
      const mentions = child('x', 'q').map((event) => ({ ...event, json: event.json.replace('"other":{', '"other":{"run":"p",') }));
      await put('k', ...both, ...mentions);
      await put('elsewhere', ...child('e', 'p'));
      await settle(
        [...both, ...mentions, ...run('e')].map((event) => event.id),
        'sent',
      );
      const all = both.map((event) => event.id);
      expect(await replay(state, { run: 'p', destination: 'other' })).toBe(0);
      expect(await replay(state, { run: 'p' })).toBe(9);
      expect(await waiting()).toEqual(all);
      expect(await deliver()).toEqual(all);
      expect(await replay(state, { run: 'c' })).toBe(3);
      expect(await waiting()).toEqual(['c0', 'c1', 'c2']);
    });

    it('never leaves a run with an older state after its end', async () => {
      await put('k', ...run('r'));
      await settle(['r0'], 'sent');
      expect(await replay(state, { run: 'r' })).toBe(3);
      expect(await deliver()).toEqual(['r0', 'r1', 'r2']);
    });

    it('sends dead events again with their runs, and job events alone', async () => {
      await put('a', ...run('a'));
      await put('b', ...run('b'));
      await put('b', eventOf('j1', 'JOB', null), eventOf('j2', 'JOB', null));
      await settle(['a0', 'a1', 'a2', 'b0', 'b1', 'b2', 'j1', 'j2'], 'sent');
      await settle(['a1', 'j2'], 'dead');
      expect(await replay(state, { dead: true, destination: 'other' })).toBe(0);
      expect(await replay(state, { dead: true })).toBe(4);
      expect(await waiting()).toEqual(['a0', 'a1', 'a2', 'j2']);
    });

    it('waits for the daemon, so that no event of a run gets between', async () => {
      await state.transaction((tx) => tx.insertInto('lease').values({ name: 'daemon', holder: 'h', token: 1, expires_at: 9e15 }).execute());
      await put('k', ...run('r').slice(0, 2));
      await settle(['r0', 'r1'], 'sent');
      let replaying: Promise<number> | undefined;
      await state.transaction(async (tx) => {
        await holdsLease(tx, 'daemon', 1);
        replaying = replay(state, { run: 'r' });
        await new Promise((resolve) => setTimeout(resolve, 300));
        await enqueue(tx, run('r').slice(2), [both], 'k', 1_000);
      });
      expect(await replaying).toBe(3);
      expect(await waiting()).toEqual(['r0', 'r1', 'r2']);
    });

    it('is replayed while a lane is at work, and the end still comes last', async () => {
      for (let n = 0; n < 20; n++) await put(`k${n}`, ...run(`r${n}-`));
      const sender = scriptedSender(async () => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        return { kind: 'sent' };
      });
      const lane = startLane({ destination: 'd', state, sender: () => sender, concurrency: 4, guard: async () => true });
      for (let n = 0; n < 20; n++) await replay(state, { run: `r${n}-` });
      lane.wake();
      await expect.poll(async () => (await outboxStats(db))[0]?.waiting).toBe(0);
      await lane.stop(1_000);
      for (let n = 0; n < 20; n++) expect(sender.ids.filter((id) => id.startsWith(`r${n}-`)).at(-1)).toBe(`r${n}-2`);
    });

    it('finds the few that wait among the many that were sent by their index', async () => {
      for (let n = 0; n < 20; n++) await put(`k${n}`, ...Array.from({ length: 250 }, (_, m) => eventOf(`e${n}-${m}`)));
      await sql.raw(family === 'mysql' ? 'analyze table outbox' : 'analyze outbox').execute(db);
      await db.updateTable('outbox').set({ state: 'sent', settled_at: 1 }).where('event_id', '!=', 'e7-7').execute();
      let plan = '';
      const explaining = db.withPlugin({
        transformQuery: ({ node }) => {
          if (node.kind !== 'RawNode') throw new Error('the read of waiting rows is written out');
          return { ...node, sqlFragments: [`explain ${node.sqlFragments[0]}`, ...node.sqlFragments.slice(1)] };
        },
        transformResult: async ({ result }) => {
          plan = JSON.stringify(result.rows);
          return { ...result, rows: [] };
        },
      });
      await readWaiting(explaining, 'd', 0, ['other'], 512);
      expect(plan).toContain('outbox_waiting');
      expect((await readWaiting(db, 'd', 0, ['other'], 512)).map((row) => row.eventId)).toEqual(['e7-7']);
      expect(await readWaiting(db, 'd', 0, ['k7'], 512)).toEqual([]);
    });

    it('deletes by age and state, in pieces', async () => {
      await put('k', ...Array.from({ length: 1_300 }, (_, n) => eventOf(`e${n}`)));
      const ids = Array.from({ length: 1_300 }, (_, n) => `e${n}`);
      await settle(ids.slice(0, 1_200), 'sent', 5_000);
      await settle(ids.slice(1_200, 1_250), 'dead', 5_000);
      expect(await purgeOutbox(db, { state: 'sent', before: 5_000 })).toBe(0);
      expect(await purgeOutbox(db, { state: 'sent', before: 9_000, destination: 'other' })).toBe(0);
      expect(await purgeSome(db, { state: 'sent', before: 6_000 })).toBe(purgeBatch);
      expect(await purgeOutbox(db, { state: 'sent', before: 6_000 })).toBe(1_200 - purgeBatch);
      expect(await purgeOutbox(db, { state: 'dead', before: 6_000 })).toBe(50);
      expect((await outboxStats(db))[0]).toMatchObject({ waiting: 50, sent: 0, dead: 0 });
      expect(await purgeOutbox(db, { state: 'waiting', before: 2_000 })).toBe(50);
    });
  });
}
