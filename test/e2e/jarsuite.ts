// JAR and Python applications from their row to events, on a real database.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Planner } from '../../src/plan/plan.ts';
import { warmPlanner } from '../support/daemon.ts';
import { requireServer } from '../support/databases.ts';
import { buildProgram, runProgram } from '../support/program.ts';
import { encoded, jobId } from '../support/smallconsole.ts';
import type { Family } from '../support/streampark.ts';
import { coded, expectCodes, inScene, lives, type Scene, type SceneOptions } from './scene.ts';

const secret = 'Pl4nted-P4ssword';
const teamSecret = 'Pl4nted-V4riable';
const paimon = { job_type: 1, jar: 'paimon-flink-action-1.0.1.jar', main_class: 'org.apache.paimon.flink.action.FlinkActions' };
const sync = `mysql_sync_database --warehouse s3://lake/wh --database dw
  --mysql_conf hostname=\${db.host} --mysql_conf username=root --mysql_conf password=${secret} --mysql_conf database-name=shop
  --including_tables 'orders|items' --catalog_conf s3.secret-key=\${s3.key} --table_conf bucket=4`;

const pipeline = `
source: {type: mysql, hostname: db, username: flink, password: ${secret}, tables: 'shop.orders, shop.log_[0-9]+'}
sink: {type: doris, fenodes: 'fe1:8030', username: root, password: ${secret}}
route: [{source-table: shop.orders, sink-table: ods.orders}]
`;

/** Declares the tests for one family. */
export async function jarSuite(family: Family): Promise<void> {
  const suite = await requireServer(family);
  suite(`JAR applications on ${family}`, () => {
    let planner: Planner;
    beforeAll(async () => {
      planner = await warmPlanner();
    });
    afterAll(() => planner?.stop());
    const scene = (play: (scene: Scene) => Promise<void>, options: Omit<SceneOptions, 'family' | 'planner'> = {}) =>
      inScene({ family, planner, env: { EVENTS_OTHER_JOBS: 'false' }, ...options }, play);

    it('reports each table that a Paimon action copies, and no secret', () =>
      scene(async ({ console, receiver, own, daemon, poll }) => {
        await console.insert('t_flink_env', { id: 1, version: '1.18.1', flink_conf: '', is_default: true });
        await console.variable('db.host', 'DB1');
        await console.variable('s3.key', teamSecret, true);
        await console.app({ id: 1, name: 'shop_sync', columns: { ...paimon, args: sync } });
        await poll();
        await console.run(1, jobId(1));
        await poll();
        await console.ended(1, 9);
        await poll();
        expect(lives(receiver.events)).toEqual([
          'shop_sync: START RUNNING ABORT',
          'shop_sync.paimon.dw.orders: START RUNNING ABORT',
          'shop_sync.paimon.dw.items: START RUNNING ABORT',
        ]);
        const start = receiver.events.find(({ job, eventType }) => job.name === 'shop_sync.paimon.dw.orders' && eventType === 'START');
        expect(start?.inputs).toMatchObject([{ namespace: 'mysql://db1:3306', name: 'shop.orders' }]);
        expect(start?.outputs).toMatchObject([
          { namespace: 's3://lake', name: 'wh/dw.db/orders', facets: { storage: { storageLayer: 'paimon' } } },
        ]);
        expect(start?.outputs?.[0]?.facets?.['catalog']).toBeUndefined();
        expect(start?.run?.facets).toMatchObject({
          processing_engine: { version: '1.18.1', name: 'flink' },
          streampark_app: { tier: 'text', tool: 'paimon', action: 'mysql_sync_database' },
        });
        expect(start?.job.facets).toMatchObject({
          jobType: { processingType: 'STREAMING', jobType: 'JOB' },
          sourceCode: { language: 'JAVA' },
        });
        const code = String((start?.job.facets['sourceCode'] as { sourceCode?: string } | undefined)?.sourceCode);
        expect(code).toMatch(/^org\.apache\.paimon\.flink\.action\.FlinkActions mysql_sync_database --warehouse/);
        expect(code).toContain('hostname=DB1');
        expect(code).toContain('password=******');
        expect(start?.job.facets['sql']).toBeUndefined();
        expectCodes(daemon, []);
        const everything = daemon.text() + (await own.dump()) + JSON.stringify(receiver.requests);
        expect(everything).not.toContain(secret);
        expect(everything).not.toContain(teamSecret);
      }));

    it('reads a Flink CDC pipeline that is stored as the config, and says what it leaves out', () =>
      scene(async ({ console, receiver, own, daemon, poll }) => {
        const columns = { job_type: 1, jar: 'flink-cdc-dist-3.2.1.jar', args: 'pipeline.yaml' };
        await console.app({ id: 1, name: 'cdc', columns });
        await console.insert('t_flink_config', { id: 5, app_id: 1, format: 1, version: 1, content: encoded(pipeline) });
        await console.insert('t_flink_effective', { app_id: 1, target_type: 1, target_id: 5 });
        await poll();
        await console.run(1, jobId(1));
        await poll();
        expect(lives(receiver.events)).toEqual(['cdc: START RUNNING', 'cdc.doris.ods.orders: START RUNNING']);
        const child = receiver.events.find(({ job }) => job.name === 'cdc.doris.ods.orders');
        expect(child?.inputs).toMatchObject([{ namespace: 'mysql://db:3306', name: 'shop.orders' }]);
        expect(child?.outputs).toMatchObject([{ namespace: 'mysql://fe1:9030', name: 'ods.orders' }]);
        expect(child?.job.facets['sourceCode']).toMatchObject({ language: 'YAML' });
        expect(child?.run?.facets['streampark_app']).toMatchObject({
          notes: ['PATTERN_UNRESOLVED'],
          tool: 'flink-cdc',
          action: 'mysql to doris',
        });
        expect(coded(daemon)).toEqual([{ code: 'PATTERN_UNRESOLVED', msg: 'source table shop.log_[0-9]+ is a pattern' }]);
        expect(daemon.text() + (await own.dump()) + JSON.stringify(receiver.requests)).not.toContain(secret);
      }));

    it('says nothing of other programs unless it is asked to', () =>
      scene(async ({ console, receiver, daemon, poll }) => {
        await console.app({ id: 1, name: 'own', columns: { job_type: 1, jar: 'own.jar', main_class: 'com.acme.Job', args: '--to x' } });
        await console.app({ id: 2, name: 'py', columns: { job_type: 3, jar: 'job.py' } });
        await poll();
        for (const id of [1, 2]) await console.run(id, jobId(id));
        await poll();
        for (const id of [1, 2]) await console.ended(id, 10);
        await poll();
        expect(receiver.events).toEqual([]);
        expect(daemon.text()).toContain('no known tool: not reported, as events.otherJobs is off');
      }));

    it('reports their life cycle when it is asked to, with what they run and never the jar', () =>
      scene(
        async ({ console, receiver, daemon, poll }) => {
          const columns = { job_type: 1, jar: 'own.jar', main_class: 'com.acme.Job', args: `--to x --password ${secret}` };
          await console.app({ id: 1, name: 'own', columns });
          await console.app({ id: 2, name: 'py', columns: { job_type: 3, jar: 'job.py' } });
          await poll();
          for (const id of [1, 2]) await console.run(id, jobId(id));
          await poll();
          for (const id of [1, 2]) await console.ended(id, 10);
          await poll();
          expect(lives(receiver.events).sort()).toEqual(['own: START RUNNING COMPLETE', 'py: START RUNNING COMPLETE']);
          const [own, py] = ['own', 'py'].map((name) => receiver.events.find(({ job }) => job.name === name)?.job.facets['sourceCode']);
          expect(own).toMatchObject({ language: 'JAVA', sourceCode: 'com.acme.Job --to x --password ******' });
          expect(py).toMatchObject({ language: 'PYTHON', sourceCode: 'job.py' });
          expect(receiver.events.every(({ inputs, outputs }) => inputs.length + outputs.length === 0)).toBe(true);
          expect(daemon.text()).not.toContain(secret);
        },
        { env: { EVENTS_OTHER_JOBS: 'true' } },
      ));

    it(
      'explain prints what was recognised',
      () =>
        scene(async ({ console }) => {
          buildProgram();
          await console.variable('db.host', 'DB1');
          await console.app({ id: 1, name: 'shop_sync', columns: { ...paimon, args: sync } });
          await console.app({ id: 2, name: 'own', columns: { job_type: 1, jar: 'own.jar', main_class: 'com.acme.Job' } });
          const env = { SOURCE_URL: console.database.url };
          const json = await runProgram(['explain', '--app', 'flink:1', '--json'], env);
          expect(json.code).toBe(0);
          expect(JSON.parse(json.stdout)).toMatchObject({
            program: { tool: 'paimon', action: 'mysql_sync_database' },
            tier: 'text',
            pipelines: [
              {
                sink: { table: ['paimon', 'dw', 'orders'], namespace: 's3://lake', name: 'wh/dw.db/orders' },
                inputs: [{ connector: 'mysql-cdc' }],
              },
              { sink: { name: 'wh/dw.db/items' }, inputs: [{ namespace: 'mysql://db1:3306', name: 'shop.items', role: 'scan' }] },
            ],
            diagnostics: [{ code: 'VARIABLE_UNKNOWN', message: 'the variable s3.key is not defined or blank' }],
          });
          const text = await runProgram(['explain', '--app', 'flink:1', '--app', 'flink:2'], env);
          expect(text.code).toBe(1);
          expect(text.stdout).toContain('flink:1  (paimon mysql_sync_database, tier text)');
          expect(text.stdout).toContain('JOB_NOT_RECOGNISED: com.acme.Job is no known tool');
          expect(json.stdout + json.stderr + text.stdout + text.stderr).not.toContain(secret);
        }),
      60_000,
    );
  });
}
