// Opt-in and settings as the daemon must follow them while it runs, on a real database.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { nameUuid } from '../../src/openlineage/openlineage.ts';
import type { Planner } from '../../src/plan/plan.ts';
import { warmPlanner } from '../support/daemon.ts';
import { requireServer } from '../support/databases.ts';
import { jobId } from '../support/smallconsole.ts';
import type { Family } from '../support/streampark.ts';
import { coded, copyScript, counter, expectCodes, inScene, lives, type Scene, type SceneOptions, timesOf } from './scene.ts';

/** Declares the tests for one family. */
export async function optInSuite(family: Family): Promise<void> {
  const suite = await requireServer(family);
  suite(`opt-in and settings on ${family}`, () => {
    let planner: Planner;
    beforeAll(async () => {
      planner = await warmPlanner();
    });
    afterAll(() => planner?.stop());
    const scene = (play: (scene: Scene) => Promise<void>, options: Omit<SceneOptions, 'family' | 'planner'> = {}) =>
      inScene({ family, planner, ...options }, play);

    it('adopts what runs when it is first seen', () =>
      scene(async ({ console, receiver, poll }) => {
        await console.app({ id: 1, name: 'orders', script: copyScript('a', 'b') });
        await console.run(1, jobId(1));
        const started = console.clock.now - 1_000;
        await poll(60_000);
        expect(lives(receiver.events)).toEqual(['orders: START RUNNING', 'orders.b: START RUNNING']);
        expect(timesOf(receiver.events, 'orders')).toEqual([started, console.clock.now]);
        expect(receiver.events[0]?.run?.runId).toBe(nameUuid(`flink-job:${jobId(1)}`));
        expect(receiver.events.find((e) => e.job.name === 'orders.b')?.run?.runId).toBe(
          nameUuid(`flink-job:${jobId(1)}:kafka://broker:9092/b`),
        );
      }));

    it('adopts what runs when it is opted in, and says nothing before', () =>
      scene(async ({ console, receiver, own, poll }) => {
        await console.app({ id: 1, name: 'orders', script: copyScript('a', 'b'), optIn: null });
        await console.run(1, jobId(1));
        const started = console.clock.now - 1_000;
        await poll();
        await poll();
        expect(receiver.requests).toEqual([]);
        expect(await own.query('select * from own.checkpoint')).toEqual([]);
        await console.update('t_flink_app', { id: 1 }, { lineage_enable: true });
        await poll();
        expect(lives(receiver.events)).toEqual(['orders: START RUNNING', 'orders.b: START RUNNING']);
        expect(timesOf(receiver.events, 'orders')).toEqual([started, console.clock.now]);
      }));

    it('follows the open run of an application that is opted out, and begins no other', () =>
      scene(async ({ console, receiver, poll }) => {
        await console.app({ id: 1, name: 'orders', script: copyScript('a', 'b') });
        await poll();
        await console.run(1, jobId(1));
        await poll();
        await console.update('t_flink_app', { id: 1 }, { lineage_enable: false });
        await poll();
        expect(lives(receiver.events)).toEqual(['orders: START RUNNING', 'orders.b: START RUNNING']);
        await console.cancel(1);
        await poll();
        await console.ended(1, 9);
        await poll();
        await console.run(1, jobId(2));
        await poll();
        expect(lives(receiver.events)).toEqual(['orders: START RUNNING ABORT', 'orders.b: START RUNNING ABORT']);
      }));

    it('plans, stores and sends nothing until an address is configured', () =>
      scene(
        async ({ console, receiver, own, daemon, poll }) => {
          await console.app({ id: 1, name: 'orders', script: copyScript('a', 'b') });
          await console.run(1, jobId(1));
          for (let i = 0; i < 3; i += 1) await poll();
          expectCodes(daemon, ['NOT_CONFIGURED']);
          expect(await counter(daemon, 'streampark_lineage_plans_total', {})).toBe(0);
          await expect(own.query('select * from own.run')).rejects.toThrow();
          await console.setting('lineage.gravitino.address', receiver.url);
          await poll();
          expect(lives(receiver.events)).toEqual(['orders: START RUNNING', 'orders.b: START RUNNING']);
        },
        { address: false },
      ));

    it('rests while the address is removed, and catches up when it is back', () =>
      scene(
        async ({ console, receiver, own, daemon, poll }) => {
          await console.setting('lineage.gravitino.address', receiver.url);
          await console.app({ id: 1, name: 'orders', script: copyScript('a', 'b') });
          await poll();
          await console.run(1, jobId(1));
          await poll();
          await console.setting('lineage.gravitino.address', null);
          await poll();
          const before = receiver.requests.length;
          const planned = await counter(daemon, 'streampark_lineage_plans_total', {});
          const rows = await own.query('select count(*) as n from own.outbox');
          await console.cancel(1);
          await poll();
          await console.ended(1, 9);
          const ended = console.clock.now;
          await poll();
          await console.script(1, copyScript('a', 'c'), 2, true);
          await console.run(1, jobId(2));
          await poll(60_000);
          expect(receiver.requests.length).toBe(before);
          expect(await counter(daemon, 'streampark_lineage_plans_total', {})).toBe(planned);
          expect(await own.query('select count(*) as n from own.outbox')).toEqual(rows);
          await console.setting('lineage.gravitino.address', receiver.url);
          await poll();
          expect(lives(receiver.events)).toEqual([
            'orders: START RUNNING ABORT',
            'orders.b: START RUNNING ABORT',
            'orders: START RUNNING',
            'orders.c: START RUNNING',
          ]);
          expect(timesOf(receiver.events, 'orders.b').at(-1)).toBeLessThanOrEqual(console.clock.now);
          expect(timesOf(receiver.events, 'orders.b').at(-1)).toBeGreaterThanOrEqual(ended - 2_000);
        },
        { address: false },
      ));

    it('keeps the queue while the token is wrong, and goes on with the right one without a restart', () =>
      scene(async ({ console, receiver, own, daemon, poll }) => {
        receiver.behave({ kind: 'token', token: 'right' });
        await console.setting('lineage.gravitino.token', 'wrong');
        await console.app({ id: 1, name: 'orders', script: copyScript('a', 'b') });
        await console.run(1, jobId(1));
        for (let i = 0; i < 4; i += 1) await poll();
        expect(receiver.events).toEqual([]);
        expect(coded(daemon).map((line) => line.code)).toEqual(['TRANSPORT_PAUSED']);
        expect(await own.query('select distinct state from own.outbox')).toEqual([{ state: 'waiting' }]);
        await console.setting('lineage.gravitino.token', 'right');
        await poll();
        await poll();
        expect(lives(receiver.events)).toEqual(['orders: START RUNNING', 'orders.b: START RUNNING']);
        expect(await own.query('select distinct state from own.outbox')).toEqual([{ state: 'sent' }]);
        expect(daemon.text()).not.toMatch(/wrong\b|right\b/);
      }));

    it('changes nothing when the opt-in column is dropped, says so once, and goes on when it is back', () =>
      scene(async ({ console, receiver, daemon, poll }) => {
        await console.app({ id: 1, name: 'orders', script: copyScript('a', 'b') });
        await console.run(1, jobId(1));
        await poll();
        for (const table of ['t_flink_app', 't_spark_app']) await console.database.query(`alter table ${table} drop column lineage_enable`);
        for (let i = 0; i < 5; i += 1) await poll();
        await console.insert('t_flink_app', {
          id: 2,
          team_id: 100000,
          job_type: 2,
          deploy_mode: 1,
          job_name: 'new',
          state: 0,
          option_state: 0,
          create_time: '2026-10-01 11:00:00',
        });
        await console.script(2, copyScript('c', 'd'), 1, true);
        await console.run(2, jobId(2));
        for (let i = 0; i < 5; i += 1) await poll(30_000);
        expect(lives(receiver.events)).toEqual(['orders: START RUNNING', 'orders.b: START RUNNING']);
        expectCodes(daemon, ['OPT_IN_COLUMN_MISSING', 'OPT_IN_COLUMN_MISSING']);
        await console.ended(1, 10);
        await poll();
        expect(lives(receiver.events)).toEqual(['orders: START RUNNING COMPLETE', 'orders.b: START RUNNING COMPLETE']);
        await console.database.query(`alter table t_flink_app add lineage_enable ${family === 'mysql' ? 'tinyint' : 'boolean'}`);
        await console.update('t_flink_app', { id: 2 }, { lineage_enable: true });
        await poll(120_000);
        await poll();
        expect(lives(receiver.events).slice(2)).toEqual(['new: START RUNNING', 'new.d: START RUNNING']);
        expectCodes(daemon, ['OPT_IN_COLUMN_MISSING', 'OPT_IN_COLUMN_MISSING']);
      }));
  });
}
