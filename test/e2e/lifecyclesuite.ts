// The life of applications as the daemon must follow it, on a real database: edits, losses, deletions, engines. The daemon has the
// grants of docs/grants.md and nothing more.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { nameUuid } from '../../src/openlineage/openlineage.ts';
import type { Planner } from '../../src/plan/plan.ts';
import { warmPlanner } from '../support/daemon.ts';
import { requireServer } from '../support/databases.ts';
import { jobId } from '../support/smallconsole.ts';
import type { Family } from '../support/streampark.ts';
import { until } from '../support/until.ts';
import { copyScript, expectCodes, inScene, lives, type Scene, type SceneOptions, timesOf } from './scene.ts';

const secret = 'Pl4nted-V4riable';

/** Declares the tests for one family. */
export async function lifecycleSuite(family: Family): Promise<void> {
  const suite = await requireServer(family);
  suite(`life cycle on ${family}`, () => {
    let planner: Planner;
    beforeAll(async () => {
      planner = await warmPlanner();
    });
    afterAll(() => planner?.stop());
    const scene = (play: (scene: Scene) => Promise<void>, options: Omit<SceneOptions, 'family' | 'planner'> = {}) =>
      inScene({ family, planner, least: true, ...options }, play);

    it('ends the run of an application that is deleted', () =>
      scene(async ({ console, receiver, poll }) => {
        await console.app({ id: 1, name: 'orders', script: copyScript('a', 'b') });
        await console.app({ id: 2, name: 'idle', script: copyScript('c', 'd') });
        await console.run(1, jobId(1));
        await poll();
        await console.remove('t_flink_app', { id: 1 });
        await poll();
        expect(lives(receiver.events)).toEqual(['orders: START RUNNING ABORT', 'orders.b: START RUNNING ABORT']);
        expect(receiver.events.at(-1)?.run?.facets['streampark_app']).toMatchObject({ endReason: 'DELETED' });
        expect(timesOf(receiver.events, 'orders').at(-1)).toBe(console.clock.now);
      }));

    it('a row that is restored after it was deleted goes on where its runs had been', () =>
      scene(async ({ console, receiver, own, daemon, poll }) => {
        await console.app({ id: 2, name: 'idle', script: copyScript('c', 'd') });
        await console.app({ id: 1, name: 'orders', script: copyScript('a', 'b') });
        const columns = { create_time: new Date(console.clock.now).toISOString().slice(0, 19).replace('T', ' ') };
        for (const n of [1, 2]) {
          await console.run(1, jobId(n));
          await poll();
          await console.ended(1, 10);
          await poll();
        }
        await console.remove('t_flink_app', { id: 1 });
        await poll();
        await console.app({ id: 1, name: 'orders', columns });
        await poll();
        for (const n of [3, 4]) {
          await console.run(1, jobId(n));
          await poll();
          await console.ended(1, 10);
          await poll();
        }
        expect(lives(receiver.events)).toEqual(
          [1, 2, 3, 4].flatMap(() => ['orders: START RUNNING COMPLETE', 'orders.b: START RUNNING COMPLETE']),
        );
        const attempts = await own.query("select attempt from own.run where app_id = '1' order by attempt");
        expect(attempts.map(({ attempt }) => Number(attempt))).toEqual([1, 2, 3, 4]);
        expectCodes(daemon, []);
      }));

    it('ends nothing while the database is empty or half full, as during a restore', () =>
      scene(async ({ console, receiver, daemon, poll }) => {
        const ids = [1, 2, 3, 4];
        for (const id of ids) await console.app({ id, name: `app${id}`, script: copyScript('a', `b${id}`) });
        for (const id of ids) await console.run(id, jobId(id));
        await poll();
        await console.database.query('create table kept as select * from t_flink_app');
        receiver.clear();
        await console.database.query('delete from t_flink_app');
        await poll();
        await poll(60_000);
        await console.database.query('insert into t_flink_app select * from kept where id <= 2');
        await poll(60_000);
        await console.database.query('insert into t_flink_app select * from kept where id > 2');
        await poll(60_000);
        expect(receiver.requests).toEqual([]);
        expectCodes(daemon, ['SOURCE_SHRUNK']);
        await console.database.query('delete from t_flink_app where id > 1');
        await poll();
        await poll(540_000);
        expect(receiver.requests).toEqual([]);
        await poll(60_000);
        // Applications are told at the same time, in no order among them.
        expect(lives(receiver.events).sort()).toEqual(ids.slice(1).flatMap((id) => [`app${id}.b${id}: ABORT`, `app${id}: ABORT`]));
      }));

    it('forgets by schedule what was sent and runs that are long over, and nothing that is still needed', () =>
      scene(
        async ({ console, receiver, own, daemon, poll }) => {
          await console.app({ id: 1, name: 'orders', script: copyScript('a', 'b') });
          await console.app({ id: 2, name: 'open', script: copyScript('c', 'd') });
          await console.run(2, jobId(20));
          for (const n of [1, 2, 3]) {
            await console.run(1, jobId(n));
            await poll();
            await console.ended(1, 10);
            await poll();
          }
          const rows = async (table: string) => (await own.query(`select * from own.${table}`)).length;
          expect([await rows('run'), await rows('outbox')]).toEqual([4, 22]);
          // the lanes date by the real clock
          await own.query('update own.outbox set settled_at = created_at');
          await poll(30 * 60_000);
          expect(daemon.text()).not.toContain('own tables pruned');
          await poll(3 * 3_600_000);
          await until('pruned', () => daemon.text().includes('own tables pruned'));
          expect([await rows('run'), await rows('outbox')]).toEqual([3, 0]);
          const large = "select attempt, frozen_json, desired_json from own.run where app_id = '1' order by attempt";
          const kept = await own.query(large);
          expect(kept.map(({ attempt, frozen_json }) => [Number(attempt), frozen_json])).toEqual([
            [1, null],
            [3, null],
          ]);
          for (const { desired_json } of kept) expect(String(desired_json)).not.toContain('INSERT INTO');
          receiver.clear();
          await console.ended(2, 10);
          await poll();
          expect(lives(receiver.events)).toEqual(['open.d: COMPLETE', 'open: COMPLETE']);
        },
        { env: { HOUSEKEEPING_SCHEDULE: '0 15 * * *', OUTBOX_KEEP_SENT: '1h', HOUSEKEEPING_KEEP_RUNS: '2h' } },
      ));

    it('tells two applications of one name apart, always the later one', () =>
      scene(async ({ console, receiver, daemon, poll, restart }) => {
        await console.app({ id: 7, name: 'orders', script: copyScript('a', 'b') });
        console.clock.now += 5_000;
        await console.app({ id: 3, name: 'orders', script: copyScript('c', 'd') });
        await poll();
        await console.run(3, jobId(3));
        await poll();
        await console.run(7, jobId(7));
        await poll();
        await restart();
        await console.ended(3, 10);
        await poll();
        await console.run(3, jobId(4));
        await poll();
        expect(lives(receiver.events)).toEqual([
          'orders-3: START RUNNING COMPLETE',
          'orders-3.d: START RUNNING COMPLETE',
          'orders: START RUNNING',
          'orders.b: START RUNNING',
          'orders-3: START RUNNING',
          'orders-3.d: START RUNNING',
        ]);
        expectCodes(daemon, ['JOB_NAME_DUPLICATE']);
      }));

    it('reports a failed submission, its text cut and without secrets', () =>
      scene(async ({ console, receiver, own, daemon, poll }) => {
        await console.variable('crm.password', secret, true);
        await console.app({ id: 1, name: 'orders', script: copyScript('a', 'b') });
        await poll();
        await console.starting(1);
        const asked = console.clock.now;
        await poll();
        const stack = `\tat org.example.Frame.call(Frame.java:1)\n`.repeat(1_000);
        await console.refused(
          1,
          `java.lang.RuntimeException: login with ${secret} at jdbc:mysql://flink:Us3r-Inf0@crm/db failed\n${stack}`,
        );
        await poll();
        expect(lives(receiver.events)).toEqual(['orders: START FAIL']);
        expect(timesOf(receiver.events, 'orders')).toEqual([asked, console.clock.now]);
        const message = String(receiver.events[1]?.run?.facets['errorMessage']?.['message']);
        expect(message).toMatch(/^java\.lang\.RuntimeException: login with \*+ at jdbc:mysql:\/\/\*+@crm\/db failed/);
        expect(Buffer.byteLength(message)).toBeLessThanOrEqual(4096);
        expect(receiver.events[1]?.inputs).toEqual([]);
        const everything = daemon.text() + (await own.dump()) + JSON.stringify(receiver.requests);
        expect(everything).not.toMatch(new RegExp(`${secret}|Us3r-Inf0`));
        const [created] = await own.query('select create_time as t, log_id as l from own.run');
        const id = nameUuid(`flink-log:${String(created?.['t']).slice(0, 19)}:${String(created?.['l'])}`);
        expect(receiver.events.map((event) => event.run?.runId)).toEqual([id, id]);
      }));

    it.each([
      ['whose script is corrupt', { script: undefined, columns: {} }],
      ['that is a JAR', { script: undefined, columns: { job_type: 1 } }],
    ])('masks the error text of an application %s', (_, kind) =>
      scene(
        async ({ console, receiver, own, daemon, poll }) => {
          await console.variable('crm.password', secret, true);
          await console.app({ id: 1, name: 'orders', columns: { ...kind.columns, description: `uses ${secret}` } });
          await console.insert('t_flink_sql', { id: 9, app_id: 1, sql: 'eJw=not a script', version: 1, candidate: 0 });
          await poll();
          await console.starting(1);
          await poll();
          await console.refused(1, `cannot log in as ${secret}`);
          await poll();
          expect(receiver.events[1]?.run?.facets['errorMessage']?.['message']).toBe('cannot log in as ******');
          expect(receiver.events[1]?.job.facets['documentation']?.['description']).toBe('uses ******');
          expect(daemon.text() + (await own.dump()) + JSON.stringify(receiver.requests)).not.toContain(secret);
        },
        { env: { EVENTS_OTHER_JOBS: 'true' } },
      ),
    );

    it('takes the script that is in force when the start is proven', () =>
      scene(async ({ console, receiver, poll }) => {
        await console.app({ id: 1, name: 'orders', script: copyScript('a', 'b') });
        await poll();
        await console.starting(1);
        await poll();
        await console.script(1, copyScript('x', 'y'), 2, true);
        await console.submitted(1, jobId(1));
        await poll();
        await console.script(1, copyScript('later', 'edit'), 3, true);
        await console.state(1, 5);
        await poll();
        await console.ended(1, 10);
        await poll();
        expect(lives(receiver.events)).toEqual(['orders: START RUNNING COMPLETE', 'orders.y: START RUNNING COMPLETE']);
        for (const event of receiver.events.filter((e) => e.job.name === 'orders.y'))
          expect(event.inputs.map((d) => d.name)).toEqual(['x']);
      }));

    it('takes the script that was kept at the start when it is deleted before the proof', () =>
      scene(async ({ console, receiver, poll }) => {
        await console.app({ id: 1, name: 'orders', script: copyScript('a', 'b') });
        await poll();
        await console.starting(1);
        await poll();
        await console.remove('t_flink_sql', { app_id: 1 });
        await console.remove('t_flink_effective', { app_id: 1 });
        await poll();
        await console.submitted(1, jobId(1));
        await poll();
        expect(lives(receiver.events)).toEqual(['orders: START', 'orders.b: START']);
        expect(receiver.events[1]?.job.facets['sql']?.['query']).toContain('INSERT INTO b');
      }));

    it('reports the application alone when no script was ever seen', () =>
      scene(async ({ console, receiver, poll }) => {
        await console.app({ id: 1, name: 'orders' });
        await poll();
        await console.run(1, jobId(1));
        await poll();
        expect(lives(receiver.events)).toEqual(['orders: START RUNNING']);
        expect(receiver.events[0]?.run?.facets['streampark_app']).toMatchObject({ notes: ['SQL_GONE'], tier: 'none' });
      }));

    it('waits for a lost run, reports it after the grace, and continues it when it is back', () =>
      scene(async ({ console, receiver, poll }) => {
        await console.app({ id: 1, name: 'orders', script: copyScript('a', 'b') });
        await console.run(1, jobId(1));
        await poll();
        await console.ended(1, 13);
        await poll();
        await poll(9 * 60_000);
        expect(lives(receiver.events)).toEqual(['orders: START RUNNING', 'orders.b: START RUNNING']);
        // Back within the grace; the console does not take end_time back.
        await console.state(1, 5, { tracking: 1 });
        await poll();
        await poll(20 * 60_000);
        expect(lives(receiver.events)).toEqual(['orders: START RUNNING', 'orders.b: START RUNNING']);
        await console.ended(1, 13);
        const lost = console.clock.now;
        await poll();
        await poll(11 * 60_000);
        expect(lives(receiver.events)).toEqual(['orders: START RUNNING FAIL', 'orders.b: START RUNNING FAIL']);
        expect(timesOf(receiver.events, 'orders').at(-1)).toBe(lost);
        expect(receiver.events.at(-1)?.run?.facets['streampark_app']).toMatchObject({ endReason: 'LOST' });
        await console.state(1, 5, { tracking: 1 });
        await poll();
        expect(lives(receiver.events).slice(2)).toEqual(['orders: START RUNNING', 'orders.b: START RUNNING']);
        const continued = receiver.events.filter((e) => e.job.name === 'orders').at(-1)?.run;
        expect(continued?.runId).toBe(nameUuid(`flink-job:${jobId(1)}:revived:1`));
        expect(continued?.facets['streampark_app']).toMatchObject({ previousRunId: nameUuid(`flink-job:${jobId(1)}`) });
      }));

    it('sends heartbeats of open runs only, with every dataset', () =>
      scene(
        async ({ console, receiver, poll }) => {
          await console.app({ id: 1, name: 'orders', script: copyScript('a', 'b') });
          await console.app({ id: 2, name: 'short', script: copyScript('c', 'd') });
          await console.run(1, jobId(1));
          await console.run(2, jobId(2));
          await poll();
          await console.ended(2, 10);
          await poll();
          for (let i = 0; i < 3; i += 1) await poll(3_600_000);
          expect(lives(receiver.events).sort()).toEqual([
            'orders.b: START RUNNING RUNNING RUNNING RUNNING',
            'orders: START RUNNING RUNNING RUNNING RUNNING',
            'short.d: START RUNNING COMPLETE',
            'short: START RUNNING COMPLETE',
          ]);
          const heartbeats = receiver.events.filter((e) => e.job.name === 'orders.b' && e.eventType === 'RUNNING');
          for (const event of heartbeats) {
            expect(event.inputs.map((d) => d.name)).toEqual(['a']);
            expect(event.outputs.map((d) => d.name)).toEqual(['b']);
          }
        },
        { env: { EVENTS_HEARTBEAT: '50m' } },
      ));

    it('takes the updates of a restarting console for nothing', () =>
      scene(async ({ console, receiver, poll }) => {
        await console.app({ id: 1, name: 'orders', script: copyScript('a', 'b') });
        await console.run(1, jobId(1));
        await poll();
        await console.database.query('update t_flink_app set option_state = 0');
        await poll();
        await console.update('t_flink_app', { id: 1 }, { duration: 77, tracking: 1 });
        await poll();
        await console.database.query('update t_spark_app set option_state = 0');
        await poll();
        expect(lives(receiver.events)).toEqual(['orders: START RUNNING', 'orders.b: START RUNNING']);
      }));

    it('reports an application on YARN by its job, and one that never shows a job by its YARN application', () =>
      scene(async ({ console, receiver, poll }) => {
        const columns = { deploy_mode: 4 };
        await console.app({ id: 1, name: 'on_yarn', script: copyScript('a', 'b'), columns });
        await console.app({ id: 2, name: 'too_short', script: copyScript('a', 'c'), columns });
        await poll();
        const log = { job_type: 1, success: true, option_name: 1, create_time: '2026-10-01 12:00:02', user_id: 100000 };
        await console.starting(1);
        await console.starting(2);
        await poll();
        await console.insert('t_app_log', { ...log, app_id: 1, cluster_id: 'application_1_0001' });
        await console.insert('t_app_log', { ...log, app_id: 2, cluster_id: 'application_1_0002' });
        await console.update('t_flink_app', { id: 1 }, { cluster_id: 'application_1_0001' });
        await console.update('t_flink_app', { id: 2 }, { cluster_id: 'application_1_0002' });
        await poll();
        expect(receiver.events).toEqual([]);
        await console.update('t_flink_app', { id: 1 }, { job_id: jobId(1), state: 5, start_time: '2026-10-01 12:00:03' });
        await console.ended(2, 7);
        await poll();
        expect(lives(receiver.events).sort()).toEqual([
          'on_yarn.b: START RUNNING',
          'on_yarn: START RUNNING',
          'too_short.c: START FAIL',
          'too_short: START FAIL',
        ]);
        const id = (job: string) => receiver.events.find((e) => e.job.name === job)?.run?.runId;
        expect(id('on_yarn')).toBe(nameUuid(`flink-job:${jobId(1)}`));
        expect(id('too_short')).toBe(nameUuid('flink-app:application_1_0002'));
      }));

    it('reports a Spark application by its YARN application, without datasets', () =>
      scene(async ({ console, receiver, poll }) => {
        const facts = {
          team_id: 100000,
          job_type: 2,
          app_name: 'report',
          deploy_mode: 2,
          state: 0,
          option_state: 0,
          user_id: 100000,
          tracking: 0,
        };
        await console.insert('t_spark_app', { id: 1, ...facts, create_time: '2026-10-01 11:00:00', lineage_enable: true });
        await console.insert('t_spark_sql', { id: 1, app_id: 1, sql: 'eJwrTs1JTS5RAAAMGAKm', version: 1, candidate: 0 });
        await poll();
        await console.update('t_spark_app', { id: 1 }, { state: 3, option_time: '2026-10-01 12:00:01' });
        await poll();
        const log = {
          app_id: 1,
          job_type: 2,
          success: true,
          option_name: 1,
          create_time: '2026-10-01 12:00:01',
          cluster_id: 'application_9_0001',
        };
        await console.update('t_spark_app', { id: 1 }, { cluster_id: 'application_9_0001', state: 5 });
        await console.insert('t_app_log', log);
        await poll();
        await console.update('t_spark_app', { id: 1 }, { state: 6, start_time: '2026-10-01 12:00:02' });
        await poll();
        await console.update('t_spark_app', { id: 1 }, { state: 7, end_time: '2026-10-01 12:00:04' });
        await poll();
        expect(lives(receiver.events)).toEqual(['report: START RUNNING COMPLETE']);
        expect(receiver.events[0]?.run?.runId).toBe(nameUuid('spark-app:application_9_0001'));
        expect(receiver.events[0]?.job.facets['jobType']).toMatchObject({ integration: 'SPARK', processingType: 'BATCH' });
      }));

    it('goes on where it stopped when it is restarted in the middle of everything', () =>
      scene(async ({ console, receiver, poll, restart }) => {
        await console.app({ id: 1, name: 'orders', script: copyScript('a', 'b') });
        await poll();
        await console.starting(1);
        await poll();
        await restart();
        await console.submitted(1, jobId(1));
        await poll();
        await restart();
        await console.state(1, 5);
        await poll();
        await restart();
        await console.cancel(1);
        await console.ended(1, 9);
        await poll();
        await restart();
        await poll();
        expect(lives(receiver.events)).toEqual(['orders: START RUNNING ABORT', 'orders.b: START RUNNING ABORT']);
      }));
  });
}
