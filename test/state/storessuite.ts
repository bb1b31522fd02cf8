// The stores over real own tables; run for each family by stores.*.test.ts.

import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import * as stores from '../../src/state/state.ts';
import { requireServer, type TestFamily } from '../support/databases.ts';
import { openTestState, type TestState } from './open.ts';

const random: stores.Randomness = { uuid: randomUUID, hex: (count) => randomBytes(count).toString('hex') };
const source: stores.SourceFingerprint = { server: 'db:3306', database: 'streampark', smallestCreateTime: '2024-05-01 10:00:00' };
const app = { engine: 'flink' as const, appId: '100001', createTime: '2024-05-01 10:00:00' };

function runOf(attempt: number, more: Partial<stores.NewRun> = {}): stores.NewRun {
  return {
    ...app,
    attempt,
    continuation: 0,
    phase: 'planning',
    identityText: `flink-job:${attempt}`,
    runId: randomUUID(),
    jobId: 'ab'.repeat(16),
    yarnId: null,
    logId: '9007199254740993',
    optionTime: null,
    sqlId: '100',
    startedAt: 1_700_000_000_123,
    endedAt: null,
    desiredJson: '{"want":"start"}',
    ...more,
  };
}

export async function storesSuite(family: TestFamily): Promise<void> {
  const suite = await requireServer(family);
  suite(`stores on ${family}`, () => {
    let test: TestState;
    let state: stores.State;
    let db: stores.StateDb;
    beforeAll(async () => {
      test = await openTestState(family);
      state = test.state;
      db = state.database.db;
    });
    afterAll(() => test.drop());
    beforeEach(async () => {
      for (const table of ['installation', 'lease', 'checkpoint', 'log_cursor', 'run', 'plan_cache'] as const)
        await db.deleteFrom(table).execute();
    });

    it('rolls back what threw, and says what the database said', async () => {
      await expect(
        state.transaction(async (tx) => {
          await stores.saveCursor(tx, 't_app_log', '5', 1);
          throw new Error('stop');
        }),
      ).rejects.toThrow(/^stop$/);
      expect(await stores.loadCursor(db, 't_app_log')).toBeUndefined();
    });

    it('runs a transaction again after a deadlock', async () => {
      await state.transaction(async (tx) => {
        await stores.saveCursor(tx, 'a', '0', 1);
        await stores.saveCursor(tx, 'b', '0', 1);
      });
      const arrived: (() => void)[] = [];
      let tries = 0;
      const both = new Promise<void>((resolve) => {
        arrived.push(resolve);
      });
      let first = 0;
      const crossing = (one: string, two: string) =>
        state.transaction(async (tx) => {
          tries += 1;
          await stores.saveCursor(tx, one, one, 2);
          if (++first === 2) for (const go of arrived) go();
          await both;
          await stores.saveCursor(tx, two, one, 2);
        });
      await Promise.all([crossing('a', 'b'), crossing('b', 'a')]);
      expect(tries).toBeGreaterThan(2);
      expect(await stores.loadCursor(db, 'a')).toBe(await stores.loadCursor(db, 'b'));
    });

    it('knows its source again, lets it grow and age, and refuses another', async () => {
      const empty = { ...source, smallestCreateTime: null };
      const made = await state.transaction((tx) => stores.ensureInstallation(tx, empty, random, 1));
      expect(made.hashKey).toMatch(/^[0-9a-f]{64}$/);
      const filled = await state.transaction((tx) => stores.ensureInstallation(tx, source, random, 2));
      expect(filled).toMatchObject({ id: made.id, hashKey: made.hashKey, source });
      const later = { ...source, smallestCreateTime: '2024-06-01 10:00:00' };
      expect(await state.transaction((tx) => stores.ensureInstallation(tx, later, random, 2))).toMatchObject({ source: later });
      for (const other of [source, { ...later, server: 'copy:3306' }, { ...later, database: 'sp2' }]) {
        const refused = state.transaction((tx) => stores.ensureInstallation(tx, other, random, 3));
        await expect(refused).rejects.toMatchObject({ code: 'STATE_FOREIGN' });
      }
      expect(await state.transaction((tx) => stores.adoptInstallation(tx, source, 4))).toBe(true);
      expect(await state.transaction((tx) => stores.ensureInstallation(tx, source, random, 5))).toMatchObject({ id: made.id });
    });

    it('makes one installation when ten start at once', async () => {
      const all = await Promise.all(
        Array.from({ length: 10 }, () => state.transaction((tx) => stores.ensureInstallation(tx, source, random, 1))),
      );
      expect(new Set(all.map((one) => one.id)).size).toBe(1);
    });

    it('gives the lease to one, and to the next when it lapses or is given back', async () => {
      const acquire = (holder: string, ttl: number) => state.transaction((tx) => stores.acquireLease(tx, 'daemon', holder, ttl));
      const holds = (token: number) => state.transaction((tx) => stores.holdsLease(tx, 'daemon', token));
      expect(await holds(0)).toBe(false);
      expect(await acquire('one', 60_000)).toEqual({ held: true, token: 1, lapsed: false });
      expect(await acquire('two', 60_000)).toMatchObject({ held: false, holder: 'one', freeInMs: expect.any(Number) });
      expect(await stores.readLease(db, 'daemon')).toMatchObject({ holder: 'one' });
      expect(await holds(1)).toBe(true);
      expect(await acquire('one', 60_000)).toEqual({ held: true, token: 2, lapsed: true });
      expect(await holds(1)).toBe(false);
      expect(await stores.renewLease(db, 'daemon', 1, 60_000)).toBe(false);
      expect(await stores.renewLease(db, 'daemon', 2, 100)).toBe(true);
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(await holds(2)).toBe(false);
      expect(await acquire('two', 60_000)).toEqual({ held: true, token: 3, lapsed: true });
      expect(await stores.releaseLease(db, 'daemon', 2)).toBe(false);
      expect(await stores.releaseLease(db, 'daemon', 3)).toBe(true);
      expect(await stores.readLease(db, 'daemon')).toBeUndefined();
      expect(await acquire('one', 60_000)).toEqual({ held: true, token: 4, lapsed: false });
      // The clock of the server was set back by an hour: a lease that nobody can have asked for holds nobody up.
      await db
        .updateTable('lease')
        .set({ expires_at: Date.now() + 3_600_000 })
        .execute();
      expect(await acquire('two', 60_000)).toEqual({ held: true, token: 5, lapsed: true });
    });

    it('throws what the work itself throws, as it is', async () => {
      class Own extends Error {}
      await expect(state.transaction(() => Promise.reject(new Own('not of the database')))).rejects.toBeInstanceOf(Own);
      await expect(state.transaction((tx) => sql`select nothing_like_it`.execute(tx))).rejects.toMatchObject({ code: 'STATE_TABLES_GONE' });
    });

    it('has one winner among twenty that race for a lease', async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => state.transaction((tx) => stores.acquireLease(tx, 'daemon', `h${n}`, 60_000))),
      );
      expect(answers.filter((answer) => answer.held)).toEqual([{ held: true, token: 1, lapsed: false }]);
    });

    it('lets no takeover in while a transaction works under the lease', async () => {
      await state.transaction((tx) => stores.acquireLease(tx, 'daemon', 'one', 300));
      const order: string[] = [];
      const working = state.transaction(async (tx) => {
        expect(await stores.holdsLease(tx, 'daemon', 1)).toBe(true);
        await new Promise((resolve) => setTimeout(resolve, 800));
        order.push('work done');
      });
      await new Promise((resolve) => setTimeout(resolve, 400));
      const answer = await state.transaction((tx) => stores.acquireLease(tx, 'daemon', 'two', 60_000));
      order.push('taken over');
      await working;
      expect(order).toEqual(['work done', 'taken over']);
      expect(answer).toEqual({ held: true, token: 2, lapsed: true });
    });

    it('compares and sets checkpoints', async () => {
      const save = (json: string, expected: number) => state.transaction((tx) => stores.saveCheckpoint(tx, app, json, expected, 1));
      expect(await save('{"n":1}', 1)).toBe(false);
      expect(await save('{"n":1}', 0)).toBe(true);
      expect(await save('{"n":2}', 0)).toBe(false);
      expect(await save('{"n":2,"text":"ü🦆\\u0000"}', 1)).toBe(true);
      expect(await stores.loadCheckpoints(db)).toEqual([{ ...app, json: '{"n":2,"text":"ü🦆\\u0000"}', version: 2 }]);
      const racing = await Promise.all(Array.from({ length: 8 }, (_, n) => save(`{"n":${n}}`, 2)));
      expect(racing.filter(Boolean)).toHaveLength(1);
      const other = { ...app, createTime: 'x' };
      const inserting = await Promise.all(
        Array.from({ length: 8 }, () => state.transaction((tx) => stores.saveCheckpoint(tx, other, '{}', 0, 1))),
      );
      expect(inserting.filter(Boolean)).toHaveLength(1);
      await state.transaction((tx) => stores.deleteCheckpoint(tx, app));
      expect(await stores.loadCheckpoints(db)).toEqual([{ ...other, json: '{}', version: 1 }]);
    });

    it('tells keys apart by their bytes', async () => {
      for (const createTime of ['A', 'a', 'ä', 'ａ']) {
        expect(await state.transaction((tx) => stores.saveCheckpoint(tx, { ...app, createTime }, '{}', 0, 1))).toBe(true);
      }
      expect(await stores.loadCheckpoints(db)).toHaveLength(4);
    });

    it('moves cursors both ways, with ids beyond 2^53', async () => {
      for (const id of ['9223372036854775807', '3']) {
        await state.transaction((tx) => stores.saveCursor(tx, 't_flink_log', id, 1));
        expect(await stores.loadCursor(db, 't_flink_log')).toBe(id);
      }
    });

    it('keeps runs from planning to closed', async () => {
      const first = runOf(1);
      await state.transaction((tx) => stores.insertRun(tx, first, 10));
      const record = { ...first, emitted: 'none', planKey: null, lastEventAt: null, createdAt: 10, updatedAt: 10 };
      expect(await stores.readRun(db, first)).toEqual({ ...record, frozenJson: null });
      expect(await stores.findByIdentity(db, 'flink-job:1')).toEqual(record);
      expect(await stores.listUnsettled(db)).toEqual([record]);
      const decision: stores.Decision = {
        phase: 'open',
        emitted: 'start',
        lastEventAt: 50,
        planKey: 'k',
        frozenJson: 'z'.repeat(1_000_000),
      };
      expect(await state.transaction((tx) => stores.markDecided(tx, first, decision, 20))).toBe(true);
      expect(await stores.findByRunId(db, first.runId)).toMatchObject({ phase: 'open', planKey: 'k', frozenJson: decision.frozenJson });
      expect(await stores.listQuiet(db, 49, 10)).toEqual([]);
      expect(await stores.listQuiet(db, 50, 10)).toHaveLength(1);
      const evidence = { desiredJson: '{"want":"end"}', endedAt: 99 };
      expect(await state.transaction((tx) => stores.updateDesired(tx, first, evidence, 30))).toBe(true);
      const closing: stores.Decision = { phase: 'closed', emitted: 'terminal', lastEventAt: 99 };
      await state.transaction((tx) => stores.markDecided(tx, first, closing, 40));
      await state.transaction((tx) => stores.insertRun(tx, runOf(2), 50));
      expect(await stores.latestClosed(db, app)).toMatchObject({ attempt: 1, endedAt: 99, desiredJson: '{"want":"end"}', planKey: 'k' });
      expect((await stores.listByApp(db, 'flink', '100001')).map((run) => run.attempt)).toEqual([2, 1]);
      expect(await stores.listByPhase(db, 'planning', 5)).toHaveLength(1);
      const retirable = await stores.listRetirable(db, 100, 5);
      expect(retirable.map((run) => run.attempt)).toEqual([1]);
      await stores.retireRun(db, first, '{"want":"less"}');
      expect(await stores.listRetirable(db, 100, 5)).toEqual([]);
      expect(await stores.readRun(db, first)).toMatchObject({
        frozenJson: null,
        desiredJson: '{"want":"less"}',
        identityText: 'flink-job:1',
      });
      expect(await state.transaction((tx) => stores.markDecided(tx, runOf(7), closing, 40))).toBe(false);
    });

    it('forgets old runs, but of a known application neither the first nor the last, and none that goes on', async () => {
      const closed = (attempt: number, more: Partial<stores.NewRun>) =>
        state.transaction(async (tx) => {
          const run = runOf(attempt, { phase: 'closed', identityText: `${more.appId ?? ''}-${attempt}`, ...more });
          await stores.insertRun(tx, run, 10);
          const decided = { phase: run.phase, emitted: 'terminal' as const, lastEventAt: attempt * 10 };
          await stores.markDecided(tx, run, decided, 10);
        });
      for (let n = 1; n <= 6; n++) await closed(n, {});
      await state.transaction((tx) => stores.insertRun(tx, runOf(7), 10));
      for (let n = 1; n <= 3; n++) await closed(n, { appId: '2' });
      await state.transaction((tx) => stores.saveCheckpoint(tx, app, '{}', 0, 1));
      expect(await stores.pruneRuns(db, 50, 2)).toBe(2);
      while ((await stores.pruneRuns(db, 50, 2)) === 2);
      expect((await stores.listByApp(db, 'flink', '100001')).map((run) => run.attempt)).toEqual([7, 6, 5, 1]);
      expect(await stores.listByApp(db, 'flink', '2')).toEqual([]);
      expect(await stores.pruneRuns(db, 1_000, 100)).toBe(2);
      expect((await stores.listByApp(db, 'flink', '100001')).map((run) => run.attempt)).toEqual([7, 1]);
    });

    it('looks back over the runs of one row', async () => {
      for (const n of [-1, 0, 3]) await state.transaction((tx) => stores.insertRun(tx, runOf(n), 10 + n));
      expect(await stores.firstRun(db, app)).toMatchObject({ attempt: -1 });
      expect(await stores.lastRun(db, app)).toMatchObject({ attempt: 3, frozenJson: null });
      expect((await stores.listUndecided(db, app, 2)).map((run) => run.attempt)).toEqual([-1, 0]);
      expect(await stores.lastWriteBefore(db, runOf(3))).toBe(10);
      expect(await stores.lastWriteBefore(db, runOf(-1))).toBeNull();
      expect(await stores.firstRun(db, { ...app, createTime: 'other' })).toBeUndefined();
      expect(await stores.lastAttempts(db, ['100001', '7'])).toEqual(new Map([['flink:100001@2024-05-01 10:00:00', 3]]));
      expect(await stores.lastAttempts(db, [])).toEqual(new Map());
    });

    it('refuses an identity or a run id that was given out', async () => {
      const first = runOf(1);
      await state.transaction((tx) => stores.insertRun(tx, first, 10));
      for (const twin of [
        runOf(2, { identityText: first.identityText }),
        runOf(2, { runId: first.runId }),
        runOf(1, { identityText: 'x' }),
      ]) {
        await expect(state.transaction((tx) => stores.insertRun(tx, twin, 10))).rejects.toSatisfy((error) =>
          stores.isDuplicate((error as Error).cause),
        );
      }
    });

    it('keeps plans by key and forgets those nobody uses', async () => {
      const key = (letter: string) => letter.repeat(64);
      for (const letter of ['a', 'b']) await stores.putPlan(db, key(letter), `{"plan":"${letter}"}`, 1);
      await stores.putPlan(db, key('a'), '{"plan":"other"}', 1);
      await stores.touchPlan(db, key('a'), 10);
      expect(await stores.purgePlans(db, 5, 10)).toBe(1);
      expect(await stores.getPlan(db, key('a'))).toEqual({ json: '{"plan":"a"}', usedAt: 10 });
      expect(await stores.getPlan(db, key('b'))).toBeUndefined();
      await stores.renewPlan(db, key('a'), '{"plan":"new"}', 11);
      await stores.renewPlan(db, key('c'), '{"plan":"c"}', 11);
      expect(await stores.getPlan(db, key('a'))).toMatchObject({ json: '{"plan":"new"}' });
      expect(await stores.getPlan(db, key('c'))).toMatchObject({ json: '{"plan":"c"}' });
    });
  });
}
