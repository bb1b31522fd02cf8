// A Spark SQL application from its row to the events, with spark.lineage: sql: the whole daemon, a real database, the real reader.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { plannerFrom } from '../../src/cli/planner.ts';
import { nameUuid } from '../../src/openlineage/openlineage.ts';
import type { Planner } from '../../src/plan/plan.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { requireServer, type TestFamily } from '../support/databases.ts';
import type { LineageEvent } from '../support/lineage-receiver.ts';
import { encoded } from '../support/smallconsole.ts';
import { inScene, lives, type Scene } from './scene.ts';

const script = `CREATE TEMPORARY VIEW src USING jdbc OPTIONS (url 'jdbc:postgresql://pg:5432/app', dbtable 'public.orders', user 'u', password 'canary-pw');
INSERT INTO lake.db.orders SELECT * FROM src;
CREATE TABLE mart.daily USING parquet LOCATION 's3a://mart/\${stage}/daily' AS SELECT dt, count(*) FROM lake.db.orders GROUP BY dt;
INSERT INTO unknown.t SELECT * FROM csv.\`/no/scheme\`;`;

const properties = [
  '--conf spark.sql.catalog.lake=org.apache.iceberg.spark.SparkCatalog',
  '--conf spark.sql.catalog.lake.type=hadoop',
  '--conf spark.sql.catalog.lake.warehouse=s3a://lake/ice',
  '--conf spark.openlineage.transport.apiKey=canary-key',
].join('\n');

const shown = ({ namespace, name }: { readonly namespace: string; readonly name: string }) => `${namespace} ${name}`;
const edges = (events: readonly LineageEvent[]) =>
  events.filter(({ outputs }) => outputs.length > 0).map(({ inputs, outputs }) => `${outputs.map(shown)} <- ${inputs.map(shown)}`);

/** Declares the tests for one family. */
export async function sparkSqlSuite(family: TestFamily): Promise<void> {
  const suite = await requireServer(family);
  suite(`Spark SQL without a listener on ${family}`, () => {
    let planner: Planner;
    beforeAll(() => {
      planner = plannerFrom(readSettings(undefined, { STREAMPARK_LINEAGE_SPARK_LINEAGE: 'sql' }), () => {});
    });
    afterAll(() => planner.stop());

    /** One run, RUNNING to FINISHED, of an application that is opted in. */
    const play = async ({ console, poll }: Scene) => {
      await console.insert('t_spark_env', {
        id: 1,
        version: '3.5.1',
        spark_conf: encoded('spark.sql.shuffle.partitions 2'),
        is_default: true,
      });
      await console.variable('stage', 'prod');
      await console.insert('t_spark_app', {
        ...{
          id: 1,
          team_id: 100000,
          job_type: 2,
          app_name: 'report',
          deploy_mode: 2,
          state: 0,
          option_state: 0,
          user_id: 100000,
          tracking: 0,
        },
        ...{ version_id: 1, create_time: '2026-10-01 11:00:00', lineage_enable: true, app_properties: properties },
      });
      await console.insert('t_spark_sql', { id: 1, app_id: 1, sql: encoded(script), version: 1, candidate: 0 });
      await console.insert('t_spark_effective', { id: 1, app_id: 1, target_type: 4, target_id: 1 });
      await poll();
      await console.update('t_spark_app', { id: 1 }, { state: 3, option_time: '2026-10-01 12:00:01' });
      await poll();
      await console.update('t_spark_app', { id: 1 }, { cluster_id: 'application_9_0001', state: 6, start_time: '2026-10-01 12:00:02' });
      await poll();
      await console.update('t_spark_app', { id: 1 }, { state: 7, end_time: '2026-10-01 12:00:04' });
      await poll();
    };

    it('is told by the stored script: each sink with exactly its inputs, under the application', async () => {
      await inScene({ family, planner, env: { SPARK_LINEAGE: 'sql' }, least: true }, async (scene) => {
        await play(scene);
        const { events } = scene.receiver;
        expect(lives(events).sort()).toEqual([
          'report.lake.db.orders: START RUNNING COMPLETE',
          'report.spark_catalog.mart.daily: START RUNNING COMPLETE',
          'report: START RUNNING COMPLETE',
        ]);
        expect([...new Set(edges(events))].sort()).toEqual([
          's3://lake ice/db/orders <- postgres://pg:5432 app.public.orders',
          's3://mart prod/daily <- s3://lake ice/db/orders',
        ]);
        const parent = nameUuid('spark-app:application_9_0001');
        const children = events.filter(({ outputs }) => outputs.length > 0);
        expect(children.map(({ run }) => (run?.facets['parent'] as { run: { runId: string } } | undefined)?.run.runId)).toEqual(
          children.map(() => parent),
        );
        expect(children[0]?.job.facets['jobType']).toMatchObject({ integration: 'SPARK', processingType: 'BATCH' });
        expect(scene.receiver.requests.map(({ body }) => body).join()).not.toMatch(/canary/);
        expect(scene.daemon.lines.map((line) => line['code'])).toContain('LOCATION_UNKNOWN');
        expect(scene.daemon.text()).not.toMatch(/canary/);
      });
    });

    it('is told without datasets unless the settings ask for it', async () => {
      await inScene({ family, planner }, async (scene) => {
        await play(scene);
        expect(lives(scene.receiver.events)).toEqual(['report: START RUNNING COMPLETE']);
        expect(edges(scene.receiver.events)).toEqual([]);
      });
    });
  });
}
