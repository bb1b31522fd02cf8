// Lanes over the real outbox table; run for each family by delivery.*.test.ts.
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  enqueue,
  type Lane,
  type LaneNote,
  type LaneParts,
  listOutbox,
  outboxStats,
  type SendResult,
  startLane,
} from '../../src/outbox/outbox.ts';
import { acquireLease, holdsLease, type State } from '../../src/state/state.ts';
import { openTestState, type TestState } from '../state/open.ts';
import { onServer, requireServer, type TestFamily } from '../support/databases.ts';
import { eventOf, scriptedSender } from './events.ts';

const sent: SendResult = { kind: 'sent' };
const later = (serverError: boolean, retryAfterMs?: number): SendResult => ({
  kind: 'later',
  reason: 'not now',
  serverError,
  ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
});

export async function deliverySuite(family: TestFamily): Promise<void> {
  const suite = await requireServer(family);
  suite(`delivery on ${family}`, () => {
    let test: TestState;
    let state: State;
    const lanes: Lane[] = [];
    const notes: LaneNote[] = [];

    beforeAll(async () => {
      test = await openTestState(family);
      state = test.state;
    });
    afterAll(() => test.drop());
    beforeEach(async () => {
      notes.length = 0;
      await state.database.db.deleteFrom('outbox').execute();
    });
    afterEach(async () => {
      await Promise.all(lanes.splice(0).map((lane) => lane.stop(1_000)));
    });

    const put = (key: string, ...events: ReturnType<typeof eventOf>[]) =>
      state.transaction((tx) => enqueue(tx, events, [{ name: 'd', kinds: 'both' }], key, 1_000));
    const lane = (parts: Pick<LaneParts, 'sender'> & Partial<LaneParts>): Lane => {
      const started = startLane({
        destination: 'd',
        state,
        concurrency: 4,
        guard: async () => true,
        report: (note) => notes.push(note),
        random: () => 0.5,
        ...parts,
      });
      lanes.push(started);
      return started;
    };
    const states = async () =>
      Object.fromEntries((await listOutbox(state.database.db, { limit: 100_000 })).map((e) => [e.eventId, e.state]));

    it('sends everything once, in the order of each key, several keys at a time', async () => {
      const expected = new Map<string, string[]>();
      for (let app = 0; app < 30; app++) {
        const ids = Array.from({ length: 40 }, (_, n) => `a${app}-${n}`);
        expected.set(`a${app}`, ids);
        await put(`a${app}`, ...ids.map((id) => eventOf(id, 'START')));
      }
      let flying = 0;
      let most = 0;
      const perKey = new Set<string>();
      const sender = scriptedSender(async (id) => {
        const key = id.split('-')[0] as string;
        expect(perKey.has(key)).toBe(false);
        perKey.add(key);
        most = Math.max(most, ++flying);
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 3));
        flying -= 1;
        perKey.delete(key);
        return sent;
      });
      expect(await lane({ sender: () => sender }).idle()).toMatchObject({ condition: 'up', inFlight: 0, blocked: 0 });
      expect(sender.ids).toHaveLength(1200);
      for (const [key, ids] of expected) expect(sender.ids.filter((id) => id.startsWith(`${key}-`))).toEqual(ids);
      expect(most).toBe(4);
      expect(await outboxStats(state.database.db)).toEqual([
        { destination: 'd', waiting: 0, sent: 1200, dead: 0, skipped: 0, oldestWaitingAt: null },
      ]);
    });

    it('sends one key of many events without gaps', async () => {
      const ids = Array.from({ length: 3_500 }, (_, n) => `e${n}`);
      await put('hot', ...ids.map((id) => eventOf(id, 'START')));
      await put('cold', eventOf('c0', 'START'));
      const sender = scriptedSender();
      await lane({ sender: () => sender }).idle();
      expect(sender.ids.filter((id) => id !== 'c0')).toEqual(ids);
      expect(sender.ids).toContain('c0');
    });

    it('takes new rows after a wake-up, and those committed late with a smaller seq', async () => {
      const sender = scriptedSender();
      const running = lane({ sender: () => sender });
      await running.idle();
      let release: () => void = () => undefined;
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      let entered: () => void = () => undefined;
      const inside = new Promise<void>((resolve) => {
        entered = resolve;
      });
      const slow = state.transaction(async (tx) => {
        await enqueue(tx, [eventOf('slow')], [{ name: 'd', kinds: 'both' }], 'k1', 1);
        entered();
        await held;
      });
      await inside;
      await put('k2', eventOf('fast'));
      running.wake();
      await running.idle();
      expect(sender.ids).toEqual(['fast']);
      release();
      await slow;
      running.wake();
      await running.idle();
      expect(sender.ids).toEqual(['fast', 'slow']);
    });

    it('finds rows that another process wrote, without being told', async () => {
      const sender = scriptedSender();
      const running = lane({ sender: () => sender });
      await running.idle();
      await put('k1', eventOf('a1'));
      await expect.poll(() => sender.ids, { timeout: 10_000 }).toEqual(['a1']);
    });

    it('keeps quiet, and alive, when the only application of a dead destination waits', async () => {
      await put('k1', eventOf('a1', 'START'), eventOf('a2', 'COMPLETE'));
      let away = true;
      const sender = scriptedSender(() => (away ? later(false) : sent));
      const running = lane({ sender: () => sender, random: () => 0 });
      await expect.poll(() => running.status().condition, { timeout: 10_000 }).toBe('down');
      const cpu = process.cpuUsage();
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      expect(process.cpuUsage(cpu).user).toBeLessThan(750_000);
      away = false;
      await expect.poll(async () => (await outboxStats(state.database.db))[0]?.sent, { timeout: 20_000 }).toBe(2);
      expect(running.status()).toMatchObject({ condition: 'up', blocked: 0 });
    });

    it('lets only the key of a failed event wait, with back-off, and keeps its order', async () => {
      await put('k1', eventOf('a1', 'START'), eventOf('a2', 'COMPLETE'));
      await put('k2', eventOf('b1', 'START'), eventOf('b2', 'COMPLETE'));
      let failures = 2;
      const sender = scriptedSender((id) => (id === 'a1' && failures-- > 0 ? later(true) : sent));
      const running = lane({ sender: () => sender });
      expect(await running.idle()).toMatchObject({ condition: 'up', blocked: 1 });
      expect(sender.ids.filter((id) => id.startsWith('b'))).toEqual(['b1', 'b2']);
      expect(await states()).toEqual({ a1: 'waiting', a2: 'waiting', b1: 'sent', b2: 'sent' });
      const [head] = await listOutbox(state.database.db, { state: 'waiting', limit: 1 });
      expect(head).toMatchObject({ eventId: 'a1', attempts: 1, error: 'not now' });
      expect((head?.nextAt ?? 0) - Date.now()).toBeGreaterThan(200);
      await expect.poll(async () => (await states())['a2'], { timeout: 8_000 }).toBe('sent');
      expect(sender.ids.filter((id) => id.startsWith('a'))).toEqual(['a1', 'a1', 'a1', 'a2']);
    });

    it('honours what the destination asks for, and a restart does not forget it', async () => {
      await put('k1', eventOf('a1'));
      const sender = scriptedSender(() => later(false, 60_000));
      const first = lane({ sender: () => sender });
      await first.idle();
      await first.stop(100);
      const [row] = await listOutbox(state.database.db, { limit: 1 });
      expect((row?.nextAt ?? 0) - Date.now()).toBeGreaterThan(55_000);
      const again = lane({ sender: () => sender });
      expect(await again.idle()).toMatchObject({ blocked: 1 });
      expect(sender.ids).toEqual(['a1']);
    });

    it('writes off an event that is refused, and goes on with the next of its key', async () => {
      await put('k1', eventOf('a1', 'START'), eventOf('a2', 'COMPLETE'));
      const sender = scriptedSender((id) => (id === 'a1' ? { kind: 'never', reason: 'http 400: no\u0000\nway' } : sent));
      await lane({ sender: () => sender }).idle();
      expect(await states()).toEqual({ a1: 'dead', a2: 'sent' });
      expect((await listOutbox(state.database.db, { state: 'dead', limit: 1 }))[0]?.error).toBe('http 400: no way');
      expect(notes.find((note) => note.kind === 'dead')).toMatchObject({ error: { code: 'TRANSPORT_REFUSED' } });
    });

    it('pauses as a whole, keeps everything, asks for new settings, and goes on when told', async () => {
      for (let n = 0; n < 10; n++) await put(`k${n}`, eventOf(`e${n}`));
      let token = 'wrong';
      const asked: string[] = [];
      const sender = scriptedSender(() => (token === 'right' ? sent : { kind: 'paused', reason: 'http 401' }));
      const running = lane({ sender: () => sender, concurrency: 2, onPaused: (reason) => asked.push(reason) });
      expect(await running.idle()).toMatchObject({ condition: 'paused', reason: 'http 401' });
      expect(sender.ids.length).toBeLessThanOrEqual(2);
      expect(asked.length).toBe(sender.ids.length);
      expect((await outboxStats(state.database.db))[0]).toMatchObject({ waiting: 10, sent: 0, dead: 0 });
      token = 'right';
      running.resume();
      await expect.poll(async () => (await outboxStats(state.database.db))[0]?.sent).toBe(10);
      expect(notes.filter((note) => note.kind === 'paused')).toHaveLength(1);
      expect(notes.filter((note) => note.kind === 'up')).toHaveLength(1);
    });

    it('does not hammer a destination that is away', async () => {
      for (let n = 0; n < 50; n++) await put(`k${n}`, eventOf(`e${n}`));
      const sender = scriptedSender(() => later(false));
      const status = await lane({ sender: () => sender, concurrency: 1 }).idle();
      expect(status.condition).toBe('down');
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      // Three to notice, then a probe at about 0.75 s and one 1.5 s later.
      expect(sender.ids.length).toBeLessThanOrEqual(6);
      expect((await outboxStats(state.database.db))[0]).toMatchObject({ waiting: 50, dead: 0 });
    });

    it('writes off a poisoned event only after others were taken between its attempts', async () => {
      let clock = 1_000_000;
      const sender = scriptedSender((id) => (id.startsWith('poison') ? later(true) : sent));
      await put('bad', eventOf('poison', 'START'), eventOf('good', 'COMPLETE'));
      const running = lane({ sender: () => sender, now: () => clock });
      for (let round = 0; round < 15; round++) {
        clock += 600_000;
        running.wake();
        await running.idle();
      }
      expect((await states())['poison']).toBe('waiting');
      for (let round = 0; round < 12; round++) {
        await put('other', eventOf(`o${round}`));
        clock += 600_000;
        running.wake();
        await running.idle();
      }
      expect(await states()).toMatchObject({ poison: 'dead', good: 'sent' });
      expect(sender.ids.filter((id) => id === 'poison').length).toBeGreaterThanOrEqual(25);
    });

    it('folds waiting heartbeats of one run into the newest', async () => {
      const types = ['START', 'RUNNING', 'RUNNING', 'RUNNING', 'COMPLETE'] as const;
      await put('k1', ...types.map((type, n) => eventOf(`e${n}`, type, 'r1')), eventOf('other', 'RUNNING', 'r2'));
      const sender = scriptedSender();
      await lane({ sender: () => sender }).idle();
      expect(sender.ids).toEqual(['e0', 'e3', 'e4', 'other']);
      expect(await states()).toEqual({ e0: 'sent', e1: 'skipped', e2: 'skipped', e3: 'sent', e4: 'sent', other: 'sent' });
    });

    it('ends by itself when the lease is gone, and settles nothing', async () => {
      const taken = await state.transaction((tx) => acquireLease(tx, 'daemon', 'first', 60_000));
      const token = taken.held ? taken.token : -1;
      await put('k1', eventOf('a1'), eventOf('a2'));
      const sender = scriptedSender(async () => {
        await state.transaction(async (tx) => {
          await tx.updateTable('lease').set({ expires_at: 0 }).execute();
          await acquireLease(tx, 'daemon', 'second', 60_000);
        });
        return sent;
      });
      const running = lane({ sender: () => sender, guard: (tx) => holdsLease(tx, 'daemon', token) });
      await expect.poll(() => running.status().running).toBe(false);
      expect(notes).toContainEqual({ kind: 'leaseLost' });
      expect((await outboxStats(state.database.db))[0]).toMatchObject({ waiting: 2, sent: 0 });
      await state.database.db.updateTable('lease').set({ expires_at: 0 }).execute();
    });

    it('stops within its limit and gives back what was in flight', async () => {
      await put('k1', eventOf('a1'));
      const hanging = {
        send: (_event: string, signal: AbortSignal) =>
          new Promise<SendResult>((resolve) => signal.addEventListener('abort', () => resolve(later(false)))),
      };
      const running = lane({ sender: () => hanging });
      await expect.poll(() => running.status().inFlight).toBe(1);
      const begun = Date.now();
      await running.stop(200);
      expect(Date.now() - begun).toBeLessThan(2_000);
      expect(await listOutbox(state.database.db, { limit: 1 })).toMatchObject([{ state: 'waiting', attempts: 0 }]);
    });

    it('goes on when its connections to the own tables are cut', async () => {
      for (let n = 0; n < 20; n++) await put(`k${n}`, ...Array.from({ length: 20 }, (_, m) => eventOf(`e${n}/${m}`, 'START')));
      const sender = scriptedSender(async () => {
        await new Promise((resolve) => setTimeout(resolve, 8));
        return sent;
      });
      lane({ sender: () => sender });
      for (const share of [50, 150]) {
        await expect.poll(() => sender.ids.length, { interval: 5 }).toBeGreaterThan(share);
        await cutConnections(family, new URL(test.options.url).pathname.slice(1));
      }
      await expect.poll(async () => (await outboxStats(state.database.db).catch(() => []))[0]?.sent, { timeout: 20_000 }).toBe(400);
      for (let n = 0; n < 20; n++) {
        const own = sender.ids.filter((id) => id.startsWith(`e${n}/`));
        expect(own).toEqual(Array.from({ length: 20 }, (_, m) => `e${n}/${m}`));
      }
    });

    it('survives a sender that throws', async () => {
      await put('k1', eventOf('a1'));
      const running = lane({
        sender: () => {
          throw new Error('no');
        },
      });
      expect(await running.idle()).toMatchObject({ blocked: 1, inFlight: 0 });
    });
  });
}

/** Ends every session on a database, as a restart of the server or a firewall does. */
async function cutConnections(family: TestFamily, name: string): Promise<void> {
  if (family === 'postgres')
    return await onServer(family, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
  await onServer(
    family,
    `begin not atomic
       for one in (select id from information_schema.processlist where db = '${name}') do
         execute immediate concat('kill ', one.id);
       end for;
     end`,
  );
}
