// One build of the worker on the planners of several Flink versions, whose jars are fetched through Maven once.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { checkPlanner } from '../../src/cli/check/planner.ts';
import { plannerProbe } from '../../src/cli/check/probe.ts';
import { plannerFrom } from '../../src/cli/planner.ts';
import { extractLineage } from '../../src/lineage/lineage.ts';
import { type Planner, prepareText } from '../../src/plan/plan.ts';
import { readSettings, type Settings } from '../../src/settings/settings.ts';
import { flinkJars } from '../support/flink-jars.ts';

const versions = ['1.15.4', '1.20.1', '2.0.0'];
let settings: Settings;
let planner: Planner;

beforeAll(async () => {
  const folders: Record<string, string> = {};
  for (const version of versions) folders[version] = await flinkJars(version);
  settings = readSettings(undefined, { STREAMPARK_LINEAGE_PLANNER_VERSIONS: JSON.stringify(folders) });
  planner = plannerFrom(settings, () => undefined);
  planner.start();
}, 600_000);
afterAll(() => planner.stop());

const plan = async (sql: string, engineVersion: string) =>
  planner.plan(prepareText({ sql, variables: [], engineVersion }, { maxScriptBytes: 2 ** 20 }));

const tables = `
CREATE TABLE orders (id BIGINT, user_id BIGINT, amount DOUBLE, proc AS PROCTIME(), ts TIMESTAMP(3), WATERMARK FOR ts AS ts)
  WITH ('connector' = 'kafka', 'topic' = 'orders', 'properties.bootstrap.servers' = 'k:9092');
CREATE TEMPORARY TABLE users (id BIGINT, name STRING, PRIMARY KEY (id) NOT ENFORCED)
  WITH ('connector' = 'jdbc', 'url' = 'jdbc:mysql://h:3306/crm', 'table-name' = 'users');
CREATE TABLE t (id BIGINT, name STRING, total DOUBLE) WITH ('connector' = 'doris', 'table.identifier' = 'dw.t');
CREATE FUNCTION mask AS 'com.example.Mask';
`;

describe.each(versions)('the worker on Flink %s', (version) => {
  it('plans joins, windows and functions', async () => {
    const planned = await plan(
      `${tables}
      INSERT INTO t SELECT o.id, mask(u.name), o.amount FROM orders /*+ OPTIONS('topic' = 'old') */ o
        LEFT JOIN users FOR SYSTEM_TIME AS OF o.proc u ON o.user_id = u.id;
      INSERT INTO t SELECT user_id, CAST(window_start AS STRING), SUM(amount)
        FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY user_id, window_start, window_end;`,
      version,
    );
    expect(planned.flinkVersion).toBe(version);
    expect(planned.diagnostics).toEqual([]);
    const { pipelines } = extractLineage(planned);
    expect(
      pipelines.map(({ tier, inputs }) => [tier, ...inputs.map(({ role, facts }) => `${role} ${facts.options['topic'] ?? facts.path[2]}`)]),
    ).toEqual([
      ['plan', 'scan old', 'lookup users'],
      ['plan', 'scan orders'],
    ]);
    expect(pipelines.map(({ columns }) => Object.keys(columns?.columns ?? {}))).toEqual([
      ['id', 'name', 'total'],
      ['id', 'name', 'total'],
    ]);
  });

  it('reads the syntax where the statement does not validate', async () => {
    const { pipelines } = extractLineage(
      await plan(
        `${tables} CREATE TABLE l WITH ('connector' = 'print') LIKE orders (EXCLUDING ALL);
        INSERT INTO l SELECT * FROM nowhere.db.x JOIN orders ON TRUE;`,
        version,
      ),
    );
    expect(
      pipelines.map(({ tier, sink, inputs }) => [tier, sink.facts.options['connector'], ...inputs.map(({ facts }) => facts.path[2])]),
    ).toEqual([['text', 'print', 'x', 'orders']]);
  });
});

describe('a version that needs newer syntax', () => {
  it('refuses it, where the bundled planner takes it', async () => {
    const sql = `${tables} CREATE TABLE c WITH ('connector' = 'doris') AS SELECT id FROM orders;`;
    const errors = async (version: string) => (await plan(sql, version)).diagnostics.filter(({ severity }) => severity === 'error').length;
    expect([await errors('1.15.4'), await errors('1.20.1'), await errors('2.3.0')]).toEqual([1, 0, 0]);
  });

  it('has words free that are reserved later, which the bundled planner repairs', async () => {
    const sql = `CREATE TABLE s (hash STRING, refresh STRING) WITH ('connector' = 'kafka');
      CREATE TABLE d (hash STRING, refresh STRING) WITH ('connector' = 'doris');
      INSERT INTO d SELECT hash, refresh FROM s;`;
    for (const version of ['1.15.4', '1.18.1']) {
      const planned = await plan(sql, version);
      expect(planned.inserts[0]?.plan).not.toBeNull();
      expect(planned.diagnostics.map(({ code }) => code)).toEqual(version === '1.18.1' ? ['PLANNER_VERSION'] : []);
    }
  });
});

describe('check', () => {
  it('names each configured version and whether its planner starts', async () => {
    const more = { ...settings, planner: { ...settings.planner, versions: { ...settings.planner.versions, '1.18': '/nowhere' } } };
    const results = await checkPlanner({ planner: plannerProbe(more, process.env) } as Parameters<typeof checkPlanner>[0]);
    expect(results.slice(3).map(({ what, level, detail }) => [what, level, detail.replace(/ on Java.*/, '')])).toEqual([
      ['planner: Flink 1.15.4', 'ok', 'Flink 1.15.4'],
      ['planner: Flink 1.20.1', 'ok', 'Flink 1.20.1'],
      ['planner: Flink 2.0.0', 'ok', 'Flink 2.0.0'],
      ['planner: Flink 1.18', 'fail', 'there is no flink-table-planner_2.12-<version>.jar in /nowhere'],
    ]);
  });
});
