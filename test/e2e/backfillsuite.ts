// Events for what was already there, on a real database: which runs, under which ids, with which script, beside a daemon or
// without one.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Planner } from '../../src/plan/plan.ts';
import { runTestBackfill, type TestBackfill, type TestBackfillOptions } from '../support/backfill.ts';
import { ownTablesOf, startTestDaemon, warmPlanner } from '../support/daemon.ts';
import { requireServer } from '../support/databases.ts';
import { type LineageEvent, startLineageReceiver } from '../support/lineage-receiver.ts';
import { jobId, type SmallConsole } from '../support/smallconsole.ts';
import type { Family } from '../support/streampark.ts';
import { copyScript, inScene, lives, type Scene } from './scene.ts';

const hour = 3_600_000;

/** What a run was told as, without heartbeats: its id, its job, when it began and how it ended. */
const told = (events: readonly LineageEvent[]): string[] =>
  events
    .filter((event) => event.eventType !== 'RUNNING')
    .map((event) => `${event.job.name} ${event.run?.runId} ${event.eventType} ${event.eventType === 'START' ? event.eventTime : ''}`)
    .sort();

const ofApp = (events: readonly LineageEvent[], name: string): LineageEvent[] =>
  events.filter(({ job }) => job.name === name || job.name.startsWith(`${name}.`));

const skippedOf = ({ skipped }: TestBackfill): string[] => skipped.map(({ app, reason }) => `${app} ${reason}`).sort();

/** Applications before they ever started. */
async function applications(console: SmallConsole): Promise<void> {
  await console.app({ id: 1, name: 'orders', script: copyScript('a', 'b') });
  await console.app({ id: 2, name: 'bounded', script: copyScript('c', 'd') });
  await console.app({ id: 3, name: 'refused', script: copyScript('e', 'f') });
  await console.app({ id: 4, name: 'idle', script: copyScript('g', 'h') });
  await console.app({ id: 5, name: 'other', script: copyScript('i', 'j'), optIn: null });
}

/** Stopped twice and running, ended, refused, never started, running without opt-in. */
async function history(console: SmallConsole): Promise<void> {
  const { clock } = console;
  for (const n of [1, 2]) {
    clock.now += hour;
    await console.run(1, jobId(10 + n));
    clock.now += hour;
    await console.cancel(1);
    clock.now += 5_000;
    await console.ended(1, 9);
  }
  clock.now += hour;
  await console.run(1, jobId(13));
  await console.run(2, jobId(21));
  clock.now += 60_000;
  await console.ended(2, 10);
  clock.now += 1_000;
  await console.starting(3);
  clock.now += 1_000;
  await console.refused(3, 'java.lang.RuntimeException: no cluster');
  clock.now += 1_000;
  await console.run(5, jobId(51));
  clock.now += hour;
}

/** Declares the tests for one family. */
export async function backfillSuite(family: Family): Promise<void> {
  const suite = await requireServer(family);
  suite(`backfill on ${family}`, () => {
    let planner: Planner;
    beforeAll(async () => {
      planner = await warmPlanner();
    });
    afterAll(() => planner?.stop());

    const optionsOf = ({ console, receiver, own }: Scene): TestBackfillOptions => ({
      database: console.database,
      schema: own.schema,
      planner,
      now: () => console.clock.now,
      env: { SOURCE_TIMEZONE: 'UTC', GRAVITINO_ADDRESS: receiver.url },
    });
    const backfill = (scene: Scene, options: Partial<TestBackfillOptions> = {}) => runTestBackfill({ ...optionsOf(scene), ...options });
    const scene = (play: (scene: Scene) => Promise<void>) => inScene({ family, planner }, play);

    it('tells the runs, ids and beginnings that a daemon tells which was away meanwhile; a second one tells nothing', () =>
      scene(async (s) => {
        const [receiver, own] = [await startLineageReceiver(), ownTablesOf(s.console.database, 'witness')];
        const env = { SOURCE_TIMEZONE: 'UTC', GRAVITINO_ADDRESS: receiver.url };
        const witness = startTestDaemon({ ...optionsOf(s), schema: own.schema, env });
        try {
          await applications(s.console);
          await witness.step();
          await history(s.console);
          await witness.step();
          const report = await backfill(s);
          expect(report).toMatchObject({ applications: 4, total: 4, runs: 5, delivery: 'sent', waiting: 0, stopped: false });
          expect(skippedOf(report)).toEqual(['flink:4 NO_RUN']);
          expect(told(s.receiver.events)).toEqual(told(receiver.events));
          expect(lives(ofApp(s.receiver.events, 'orders'))).toEqual([
            'orders: START ABORT',
            'orders.b: START ABORT',
            'orders: START ABORT',
            'orders.b: START ABORT',
            'orders: START RUNNING',
            'orders.b: START RUNNING',
          ]);
          expect(lives(ofApp(s.receiver.events, 'bounded'))).toEqual(['bounded: START COMPLETE', 'bounded.d: START COMPLETE']);
          expect(lives(ofApp(s.receiver.events, 'refused'))).toEqual(['refused: START FAIL']);
          expect(report.events).toBe(s.receiver.requests.length);

          s.receiver.clear();
          const again = await backfill(s);
          expect(again).toMatchObject({ applications: 4, runs: 0, events: 0 });
          expect(skippedOf(again)).toEqual(['flink:1 KNOWN', 'flink:2 KNOWN', 'flink:3 KNOWN', 'flink:4 KNOWN']);
          expect(s.receiver.requests).toEqual([]);

          // A daemon goes on with the run that is open.
          await s.poll();
          await s.console.ended(1, 10);
          await s.poll();
          expect(lives(s.receiver.events)).toEqual(['orders.b: COMPLETE', 'orders: COMPLETE']);
        } finally {
          await witness.close();
          await receiver.close();
          await own.drop();
        }
      }));

    it('beside a daemon: earlier runs in their order, the current one told last once more, and nothing twice', () =>
      scene(async (s) => {
        await applications(s.console);
        await history(s.console);
        await s.poll();
        expect(lives(s.receiver.events)).toEqual(['orders: START RUNNING', 'orders.b: START RUNNING']);
        s.receiver.clear();
        s.console.clock.now += 60_000;
        const report = await backfill(s);
        expect(report).toMatchObject({ runs: 4, delivery: 'daemon' });
        await s.poll();
        const orders = ofApp(s.receiver.events, 'orders');
        expect(lives(orders)).toEqual([
          'orders: START ABORT',
          'orders.b: START ABORT',
          'orders: START ABORT',
          'orders.b: START ABORT',
          'orders: RUNNING',
          'orders.b: RUNNING',
        ]);
        expect(orders.slice(-2).map((event) => event.eventType)).toEqual(['RUNNING', 'RUNNING']);
        expect(lives(ofApp(s.receiver.events, 'bounded'))).toEqual(['bounded: START COMPLETE', 'bounded.d: START COMPLETE']);

        s.receiver.clear();
        expect(await backfill(s)).toMatchObject({ runs: 0, events: 0 });
        await s.poll();
        expect(s.receiver.requests).toEqual([]);
        await s.console.ended(1, 10);
        await s.poll();
        expect(lives(s.receiver.events)).toEqual(['orders.b: COMPLETE', 'orders: COMPLETE']);
      }));

    it('a later run that has ended is told again behind the earlier ones, with the same events', () =>
      scene(async (s) => {
        await applications(s.console);
        await history(s.console);
        await s.poll();
        await s.console.ended(1, 10);
        await s.poll();
        const before = ofApp(s.receiver.events, 'orders').filter((event) => event.run !== undefined);
        s.receiver.except({ 'cycle-ended': 'a run that has ended is told again', 'cycle-time': 'a run that has ended is told again' });
        s.receiver.clear();
        await backfill(s);
        await s.poll();
        const orders = ofApp(s.receiver.events, 'orders');
        expect(lives(orders).slice(0, 4)).toEqual([
          'orders: START ABORT',
          'orders.b: START ABORT',
          'orders: START ABORT',
          'orders.b: START ABORT',
        ]);
        expect(orders.slice(-before.length)).toEqual(before);
        s.receiver.clear();
        await backfill(s);
        await s.poll();
        expect(s.receiver.requests).toEqual([]);
      }));

    it('leaves the earlier runs out when the later one can no longer be told again', () =>
      scene(async (s) => {
        await applications(s.console);
        await history(s.console);
        await s.poll();
        await s.console.ended(1, 10);
        await s.poll();
        await s.own.query('delete from own.outbox');
        s.receiver.clear();
        const report = await backfill(s);
        await s.poll();
        expect(skippedOf(report)).toContain('flink:1 LATER_RUN_GONE');
        expect(ofApp(s.receiver.events, 'orders')).toEqual([]);
      }));

    it('--all: a running application that is not opted in is told, and a daemon that is there follows it to its end', () =>
      scene(async (s) => {
        await applications(s.console);
        await history(s.console);
        await s.poll();
        s.receiver.clear();
        const report = await backfill(s, { all: true });
        expect(report.total).toBe(5);
        await s.poll(61_000);
        expect(lives(ofApp(s.receiver.events, 'other'))).toEqual(['other: START RUNNING', 'other.j: START RUNNING']);
        await s.console.ended(5, 10);
        await s.poll();
        expect(lives(ofApp(s.receiver.events, 'other'))).toEqual(['other: START RUNNING COMPLETE', 'other.j: START RUNNING COMPLETE']);
        await s.console.run(5, jobId(52));
        await s.poll();
        expect(ofApp(s.receiver.events, 'other').filter((event) => event.eventType === 'START')).toHaveLength(2);
      }));

    it('a daemon that meets an application which a backfill told first goes on from there', () =>
      scene(async (s) => {
        await s.console.app({ id: 9, name: 'first', script: copyScript('y', 'z') });
        await s.poll();
        await s.console.app({ id: 1, name: 'orders', script: copyScript('a', 'b') });
        await s.console.run(1, jobId(11));
        s.console.clock.now += 1_000;
        await backfill(s);
        await s.poll();
        await s.poll();
        await s.console.ended(1, 10);
        await s.poll();
        expect(lives(s.receiver.events)).toEqual(['orders: START RUNNING COMPLETE', 'orders.b: START RUNNING COMPLETE']);
        expect(s.daemon.lines.filter(({ level }) => level === 'error')).toEqual([]);
      }));

    it('gives each run the version of the script that it was started with, and none where that is not certain', () =>
      scene(async (s) => {
        const { console } = s;
        await console.app({ id: 1, name: 'orders' });
        const run = async (n: number) => {
          console.clock.now += hour;
          await console.run(1, jobId(n));
          console.clock.now += hour;
          await console.ended(1, 10);
          console.clock.now += hour;
        };
        const v1 = await console.script(1, copyScript('a', 'out-1'), 1, true);
        await console.built(1, v1);
        await run(1);
        const v2 = await console.script(1, copyScript('a', 'out-2'), 2, true);
        await console.built(1, v2);
        await run(2);
        // back to version 1: the build names no version
        await console.remove('t_flink_effective', { app_id: 1, target_type: 2 });
        await console.insert('t_flink_effective', { app_id: 1, target_type: 2, target_id: v1 });
        await console.built(1, null);
        await run(3);
        await console.built(1, v1);
        await run(4);
        const report = await backfill(s);
        expect(report.runs).toBe(4);
        const runs = s.receiver.events.filter((event) => event.eventType === 'START' && event.job.name === 'orders');
        const facets = runs.map((event) => event.run?.facets['streampark_app'] ?? {});
        expect(facets.map(({ sqlVersion, notes }) => [sqlVersion, notes])).toEqual([
          [1, undefined],
          [2, undefined],
          [undefined, ['SQL_UNKNOWN']],
          [1, undefined],
        ]);
        const sinks = s.receiver.events
          .filter((event) => event.eventType === 'START' && event.job.name !== 'orders')
          .map(({ job }) => job.name);
        expect(sinks).toEqual(['orders.out_1', 'orders.out_2', 'orders.out_1']);
      }));

    it('--dry-run shows what would be sent, and neither sends nor writes it', () =>
      scene(async (s) => {
        await applications(s.console);
        await history(s.console);
        await backfill(s, { dryRun: true });
        const before = await s.own.dump();
        const dry = await backfill(s, { dryRun: true });
        const leaseless = (dump: string) => dump.replace(/"(token|expires_at|holder)": "?[^,]*/g, '');
        expect(leaseless(await s.own.dump())).toEqual(leaseless(before));
        expect(s.receiver.requests).toEqual([]);
        const real = await backfill(s);
        expect([dry.runs, dry.events, skippedOf(dry)]).toEqual([real.runs, real.events, skippedOf(real)]);
        const parents = s.receiver.events.filter((event) => event.eventType === 'START' && !event.job.name.includes('.'));
        expect(dry.previews.map(({ runId }) => runId).sort()).toEqual(parents.map((event) => event.run?.runId).sort());
      }));

    it('--since and --team tell a part; the rest can follow', () =>
      scene(async (s) => {
        await applications(s.console);
        await history(s.console);
        await s.console.update('t_flink_app', { id: 2 }, { team_id: 100001 });
        const since = s.console.clock.now - 4 * hour;
        expect(await backfill(s, { team: 'analytics' })).toMatchObject({ total: 1, runs: 1 });
        expect(await backfill(s, { since })).toMatchObject({ total: 4, runs: 3 });
        expect(lives(ofApp(s.receiver.events, 'orders')).map((life) => life.split(' ').slice(1).join(' '))).toEqual([
          'START ABORT',
          'START ABORT',
          'START RUNNING',
          'START RUNNING',
        ]);
        s.console.clock.now += 1_000;
        expect(await backfill(s)).toMatchObject({ total: 4, runs: 1 });
        expect(await backfill(s)).toMatchObject({ total: 4, runs: 0, events: 0 });
        await expect(backfill(s, { team: 'nobody' })).rejects.toThrow('--team nobody');
      }));
  });
}
