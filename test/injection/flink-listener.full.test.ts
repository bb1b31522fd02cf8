// A real Flink (MiniCluster) with OpenLineage's own listener, set up with exactly the properties that our injection wrote into its row, and this program
// beside it: what both say of one job stands under one job, with the same datasets.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { nameUuid } from '../../src/openlineage/openlineage.ts';
import type { Planner } from '../../src/plan/plan.ts';
import { flinkFormat } from '../../src/watch/watch.ts';
import { inScene } from '../e2e/scene.ts';
import { warmPlanner } from '../support/daemon.ts';
import { requireServer } from '../support/databases.ts';
import type { Dataset, LineageEvent } from '../support/lineage-receiver.ts';
import { mavenJars } from '../support/maven-jars.ts';
import { repositoryRoot } from '../support/shared.ts';

const suite = await requireServer('postgres');

const flink = '2.2.0';
const artifacts = [
  ...['clients', 'table-api-java-bridge', 'table-planner-loader', 'table-runtime'].map((name) => `org.apache.flink:flink-${name}:${flink}`),
  'org.apache.flink:flink-connector-jdbc-core:4.0.0-2.0',
  'org.apache.flink:flink-connector-jdbc-postgres:4.0.0-2.0',
  'org.postgresql:postgresql:42.7.4',
  'io.openlineage:openlineage-flink:1.53.0',
];

const shown = ({ namespace, name }: Pick<Dataset, 'namespace' | 'name'>) => `${namespace} ${name}`;
const producer = (event: LineageEvent) => (event as unknown as { readonly producer: string }).producer;

suite('the Flink listener beside this program', () => {
  let jars: string;
  let planner: Planner;
  const folder = mkdtempSync(join(tmpdir(), 'flink-listener-'));
  beforeAll(async () => {
    jars = await mavenJars('flink-listener', artifacts);
    planner = await warmPlanner();
  }, 900_000);
  afterAll(async () => {
    await planner?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('tells the same edge under the same job', { timeout: 1_200_000 }, async () => {
    await inScene({ family: 'postgres', planner, env: { INJECTION_ENABLED: 'true', INJECTION_FLINK: 'true' } }, async (scene) => {
      const { console, poll, receiver } = scene;
      const { database } = console;
      await database.query('create table fl_orders (id bigint, v text); create table fl_copies (id bigint, v text)');
      await database.query("insert into fl_orders values (1, 'a'), (2, 'b')");
      const { host, pathname, username, password } = new URL(database.url);
      const at = (table: string) =>
        `WITH ('connector' = 'jdbc', 'url' = 'jdbc:postgresql://${host}${pathname}', 'table-name' = 'public.${table}',
         'username' = '${username}', 'password' = '${password === '' ? 'any' : password}')`;
      const pieces = [
        `CREATE TABLE src (id BIGINT, v STRING) ${at('fl_orders')}`,
        `CREATE TABLE dst (id BIGINT, v STRING) ${at('fl_copies')}`,
        'INSERT INTO dst SELECT * FROM src',
      ];
      await console.insert('t_flink_env', { id: 1, version: flink, is_default: true });
      await console.app({ id: 1, name: 'copy_orders', script: pieces.join(';\n'), columns: { version_id: 1 } });
      await poll(60_000);
      const [row] = (await database.query('select dynamic_properties as text from t_flink_app')) as { text: string }[];
      const { pairs, dropped } = flinkFormat.parse(row?.text ?? '');
      expect(dropped).toEqual([]);
      expect(pairs.get('openlineage.transport.url')).toBe(receiver.url);

      await console.starting(1);
      await poll();
      const file = join(folder, 'pieces');
      writeFileSync(file, pieces.join('\0'));
      const { stdout } = await promisify(execFile)(
        'java',
        [
          ...['-Xmx1g', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'],
          ...['java.lang', 'java.util'].map((name) => `--add-opens=java.base/${name}=ALL-UNNAMED`),
          ...['-cp', join(jars, '*'), join(repositoryRoot, 'test/support/FlinkRun.java'), file],
          // as StreamPark submits it: under the application's name
          ...['pipeline.name=copy_orders', ...[...pairs].map(([key, value]) => `${key}=${value}`)],
        ],
        { env: { PATH: process.env['PATH'] }, maxBuffer: 2 ** 28 },
      );
      const job = /^job ([0-9a-f]{32})$/m.exec(stdout)?.[1] ?? '';
      await console.submitted(1, job);
      await poll();
      await console.state(1, 5);
      await poll();
      await console.ended(1, 10);
      await poll();

      const theirs = receiver.events.filter((event) => producer(event).includes('integration/flink'));
      const ours = receiver.events.filter((event) => !producer(event).includes('integration/flink'));
      const edges = (events: readonly LineageEvent[]) => [
        ...new Set(
          events
            .filter(({ outputs }) => (outputs ?? []).length > 0)
            .map(({ inputs, outputs }) => `${(inputs ?? []).map(shown)} > ${(outputs ?? []).map(shown)}`),
        ),
      ];
      const where = `postgres://${host} ${pathname.slice(1)}.public`;
      expect(edges(theirs)).toEqual([`${where}.fl_orders > ${where}.fl_copies`]);
      expect(edges(ours)).toEqual(edges(theirs));

      // one job, two runs: theirs has an id of its own and names Flink's job id, of which ours is made
      const start = theirs.find(({ eventType }) => eventType === 'START');
      expect(start?.job).toMatchObject({ namespace: 'streampark', name: 'copy_orders' });
      expect(start?.run?.facets['flink_job']).toMatchObject({ jobId: job });
      const parent = ours.find((event) => event.job.name === 'copy_orders');
      expect(parent?.job.namespace).toBe('streampark');
      expect(parent?.run?.runId).toBe(nameUuid(`flink-job:${job}`));
      expect(start?.run?.runId).not.toBe(parent?.run?.runId);
      expect(ours.map((event) => event.job.name)).toContain('copy_orders.dst');
    });
  });
});
