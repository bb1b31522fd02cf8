// A real Spark with OpenLineage's own listener, started with exactly the properties that our injection wrote into its row, and this program beside
// it, which reads the same script: their events and ours at one receiver are one graph.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { plannerFrom } from '../../src/cli/planner.ts';
import { nameUuid } from '../../src/openlineage/openlineage.ts';
import type { Planner } from '../../src/plan/plan.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { sparkFormat } from '../../src/watch/watch.ts';
import { inScene } from '../e2e/scene.ts';
import { requireServer } from '../support/databases.ts';
import type { Dataset, LineageEvent } from '../support/lineage-receiver.ts';
import { mavenJars } from '../support/maven-jars.ts';
import { repositoryRoot } from '../support/shared.ts';
import { encoded } from '../support/smallconsole.ts';

const suite = await requireServer('postgres');

const artifacts = [
  'org.apache.spark:spark-sql_2.12:3.5.7',
  'io.openlineage:openlineage-spark_2.12:1.53.0',
  'org.apache.iceberg:iceberg-spark-runtime-3.5_2.12:1.10.0',
  'org.postgresql:postgresql:42.7.4',
];

/** What Spark 3.5 wants opened on Java 17. */
const opened = [
  ...['java.lang', 'java.lang.invoke', 'java.lang.reflect', 'java.io', 'java.net', 'java.nio', 'java.util', 'java.util.concurrent'],
  ...['java.util.concurrent.atomic', 'sun.nio.ch', 'sun.nio.cs', 'sun.security.action', 'sun.util.calendar'],
].map((name) => `--add-opens=java.base/${name}=ALL-UNNAMED`);

const shown = ({ namespace, name }: Pick<Dataset, 'namespace' | 'name'>) => `${namespace} ${name}`;

/** What feeds each sink, over all events; a sink that is rewritten row by row reads itself, which is left out. */
function graph(events: readonly LineageEvent[]): Record<string, string[]> {
  const inputsOf = new Map<string, Set<string>>();
  for (const { inputs, outputs } of events) {
    for (const output of (outputs ?? []).map(shown)) {
      const known = inputsOf.get(output) ?? new Set();
      inputsOf.set(output, known);
      for (const input of (inputs ?? []).map(shown)) if (input !== output) known.add(input);
    }
  }
  return Object.fromEntries([...inputsOf].sort().map(([output, inputs]) => [output, [...inputs].sort()]));
}

const producer = (event: LineageEvent) => (event as unknown as { readonly producer: string }).producer;

suite('the Spark listener beside this program', () => {
  let jars: string;
  let planner: Planner;
  const folder = mkdtempSync(join(tmpdir(), 'spark-listener-'));
  beforeAll(async () => {
    jars = await mavenJars('spark-listener', artifacts);
    planner = plannerFrom(readSettings(undefined, { STREAMPARK_LINEAGE_SPARK_LINEAGE: 'sql' }), () => {});
  }, 900_000);
  afterAll(async () => {
    await planner?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('names the same tables, under the same application', { timeout: 1_200_000 }, async () => {
    const env = { SPARK_LINEAGE: 'sql', INJECTION_ENABLED: 'true' };
    await inScene({ family: 'postgres', planner, env }, async ({ console, poll, receiver }) => {
      receiver.except({
        schema: "the listener's dataSource facet of a file has a uri that is none: file",
        'cycle-bare': "the listener's later events of a run may name fewer tables",
      });
      const { database } = console;
      await database.query('create table sp_orders (id bigint, v text); create table sp_copies (id bigint, v text)');
      await database.query("insert into sp_orders values (1, 'a'), (2, 'b')");
      const { host, pathname, username, password } = new URL(database.url);
      const jdbc = (table: string) =>
        `USING jdbc OPTIONS (url 'jdbc:postgresql://${host}${pathname}', dbtable 'public.${table}', user '${username}'${password === '' ? '' : `, password '${password}'`})`;
      const pieces = [
        `CREATE TEMPORARY VIEW src ${jdbc('sp_orders')}`,
        `CREATE TEMPORARY VIEW dst ${jdbc('sp_copies')}`,
        'CREATE TABLE lake.db.orders USING iceberg AS SELECT * FROM src',
        `INSERT OVERWRITE DIRECTORY 'file:${folder}/out' USING parquet SELECT * FROM lake.db.orders`,
        `CREATE TABLE daily USING parquet AS SELECT id, v FROM parquet.\`file:${folder}/out\``,
        'INSERT INTO daily SELECT * FROM lake.db.orders WHERE id IN (SELECT id FROM src)',
        'MERGE INTO lake.db.orders t USING (SELECT DISTINCT id, v FROM daily) d ON t.id = d.id WHEN MATCHED THEN UPDATE SET v = d.v WHEN NOT MATCHED THEN INSERT *',
        'INSERT INTO dst SELECT * FROM daily',
      ];
      const own = {
        'spark.master': 'local[1]',
        'spark.ui.enabled': 'false',
        'spark.sql.shuffle.partitions': '1',
        'spark.sql.warehouse.dir': `file:${folder}/wh`,
        'spark.sql.catalog.lake': 'org.apache.iceberg.spark.SparkCatalog',
        'spark.sql.catalog.lake.type': 'hadoop',
        'spark.sql.catalog.lake.warehouse': `file:${folder}/ice`,
        'spark.sql.extensions': 'org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions',
      };
      const facts = { team_id: 100000, job_type: 2, deploy_mode: 2, state: 0, option_state: 0, user_id: 100000, tracking: 0 };
      const app_properties = Object.entries(own).map(([key, value]) => sparkFormat.item(key, value));
      await console.insert('t_spark_app', {
        ...{ id: 1, ...facts, app_name: 'etl', create_time: '2026-10-01 11:00:00', lineage_enable: true },
        app_properties: app_properties.join('\n'),
      });
      await console.insert('t_spark_sql', { id: 1, app_id: 1, sql: encoded(pieces.join(';\n')), version: 1, candidate: 0 });
      await console.insert('t_spark_effective', { id: 1, app_id: 1, target_type: 4, target_id: 1 });
      await poll(60_000);
      const [row] = (await database.query('select app_properties as text from t_spark_app')) as { text: string }[];
      const { pairs, dropped } = sparkFormat.parse(row?.text ?? '');
      expect(dropped).toEqual([]);
      expect(pairs.get('spark.extraListeners')).toBe('io.openlineage.spark.agent.OpenLineageSparkListener');

      await console.update('t_spark_app', { id: 1 }, { state: 3, option_time: '2026-10-01 12:01:01' });
      await poll();
      const file = join(folder, 'pieces');
      writeFileSync(file, pieces.join('\0'));
      const conf = [...pairs].map(([key, value]) => `-D${key}=${value}`);
      const light = ['-Xmx1g', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];
      const main = join(repositoryRoot, 'test/support/SparkRun.java');
      const { stdout } = await promisify(execFile)(
        'java',
        [...light, ...opened, '-Dspark.app.name=etl', ...conf, '-cp', join(jars, '*'), main, file],
        { env: { PATH: process.env['PATH'], SPARK_LOCAL_IP: '127.0.0.1' }, maxBuffer: 2 ** 28 },
      );
      const applicationId = /^application (\S+)$/m.exec(stdout)?.[1];

      await console.update('t_spark_app', { id: 1 }, { cluster_id: applicationId, state: 6, start_time: '2026-10-01 12:01:02' });
      await poll();
      await console.update('t_spark_app', { id: 1 }, { state: 7, end_time: '2026-10-01 12:01:04' });
      await poll();

      const theirs = receiver.events.filter((event) => producer(event).includes('integration/spark'));
      const ours = receiver.events.filter((event) => !producer(event).includes('integration/spark'));
      expect(graph(ours)).toEqual(graph(theirs));
      expect(graph(ours)).toEqual({
        [`file ${folder}/ice/db/orders`]: [`file ${folder}/wh/daily`, `postgres://${host} ${pathname.slice(1)}.public.sp_orders`],
        [`file ${folder}/out`]: [`file ${folder}/ice/db/orders`],
        [`file ${folder}/wh/daily`]: [
          `file ${folder}/ice/db/orders`,
          `file ${folder}/out`,
          `postgres://${host} ${pathname.slice(1)}.public.sp_orders`,
        ],
        [`postgres://${host} ${pathname.slice(1)}.public.sp_copies`]: [`file ${folder}/wh/daily`],
      });

      // one application: the same job of both, and the id by which its runs find each other
      const job = { namespace: 'streampark', name: 'etl' };
      const application = theirs.find((event) => event.job.name === 'etl' && event.eventType === 'START');
      expect(application?.job).toMatchObject(job);
      expect(application?.run?.facets['spark_properties']).toMatchObject({ properties: { 'spark.app.id': applicationId } });
      const parents = (events: readonly LineageEvent[]) =>
        new Set(events.flatMap(({ run }) => (run?.facets['parent'] === undefined ? [] : [JSON.stringify(run.facets['parent']['job'])])));
      expect(parents(theirs)).toEqual(new Set([JSON.stringify(job)]));
      expect(parents(ours)).toEqual(new Set([JSON.stringify(job)]));
      const run = ours.find((event) => event.job.name === 'etl')?.run;
      expect(run?.runId).toBe(nameUuid(`spark-app:${applicationId}`));
      expect(JSON.stringify(run?.facets['streampark_app'])).toContain(applicationId);
    });
  });
});
