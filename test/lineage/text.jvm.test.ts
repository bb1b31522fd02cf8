// The text tier from the script to the names: what an external catalog certainly calls its tables is told, all else is left out.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { distillLineage, nameLineage } from '../../src/identity/identity.ts';
import { extractLineage } from '../../src/lineage/lineage.ts';
import { createPlanner, javaWorker, localFiles, type Planner, type Prelude, plannerLib, prepareText } from '../../src/plan/plan.ts';

let planner: Planner;
beforeAll(() => {
  const source = javaWorker({ java: undefined, heap: '256m', lib: plannerLib, env: process.env });
  planner = createPlanner({ source, report: () => {}, timeoutMs: 60_000 });
  planner.start();
});
afterAll(() => planner.stop());

async function explain(sql: string, preludes: readonly Prelude[] = []) {
  const around = { preludes, functions: {}, catalogs: [], inferColumns: true, files: localFiles };
  const planned = await planner.plan(prepareText({ sql, variables: [], engineVersion: null }, { maxScriptBytes: 2 ** 21 }, around));
  const lineage = extractLineage(planned);
  const named = nameLineage(distillLineage(lineage), { profile: 'openlineage', jdbcNameRule: '1.54' });
  const name = ({ dataset }: { dataset: { namespace: string; name: string } }) => `${dataset.namespace} ${dataset.name}`;
  return {
    edges: named.pipelines.map(({ tier, inputs, sink }) => `${tier}: ${inputs.map(name).sort().join(', ')} > ${name(sink)}`),
    skipped: named.skipped.map(({ table, reason }) => `${table.join('.')} ${reason}`),
    diagnostics: lineage.diagnostics.map(({ code, severity, line }) => `${code} ${severity} ${line ?? '-'}`),
  };
}

const kafka = (name: string) =>
  `CREATE TABLE ${name} (id BIGINT, v STRING) WITH ('connector' = 'kafka', 'topic' = '${name}', 'properties.bootstrap.servers' = 'b:9092');\n`;

describe('tables that nobody declares', () => {
  it('are named by a catalog that is certain of them: Paimon, Iceberg, Hive, JDBC', async () => {
    const script = `CREATE CATALOG lake WITH ('type' = 'paimon', 'warehouse' = 's3://b/w');
CREATE CATALOG ice WITH ('type' = 'iceberg', 'catalog-type' = 'hadoop', 'warehouse' = 's3://b/i');
CREATE CATALOG h WITH ('type' = 'hive', 'hive.metastore.uris' = 'thrift://m:9083', 'hive.metastore.warehouse.dir' = 'hdfs://n:8020/wh');
INSERT INTO lake.ods.orders SELECT * FROM ice.src.orders JOIN h.dim.users ON TRUE;`;
    expect(await explain(script)).toEqual({
      edges: ['text: hdfs://n:8020 /wh/dim.db/users, s3://b i/src/orders > s3://b w/ods.db/orders'],
      skipped: [],
      diagnostics: ['PLAN_PARSE warning 4'],
    });
  });

  it('are left out with a reason where nothing is certain', async () => {
    const script = `${kafka('a')}CREATE CATALOG rest WITH ('type' = 'paimon', 'metastore' = 'rest', 'warehouse' = 'wh');
INSERT INTO a SELECT id, v FROM rest.d.t JOIN unknown_catalog.d.t AS u ON TRUE JOIN nosuch ON TRUE;`;
    expect(await explain(script)).toEqual({
      edges: ['text:  > kafka://b:9092 a'],
      skipped: [
        'rest.d.t LOCATION_UNKNOWN',
        'unknown_catalog.d.t CONNECTOR_UNKNOWN',
        'default_catalog.default_database.nosuch CONNECTOR_UNKNOWN',
      ],
      diagnostics: ['PLAN_PARSE warning 3'],
    });
  });

  it('never cost the other statements, and errors without tables stay errors', async () => {
    const script = `${kafka('a')}${kafka('b')}INSERT INTO a SELECT id, v FROM b;
INSERT INTO b SELECT nosuch FROM a;
INSERT INTO a SELECT FROM b;
INSERT INTO b SELECT 'x' || v, id FROM a;`;
    expect(await explain(script)).toEqual({
      edges: ['plan: kafka://b:9092 b > kafka://b:9092 a', expect.stringMatching(/^t\w+: kafka:\/\/b:9092 a > kafka:\/\/b:9092 b$/)],
      skipped: [],
      diagnostics: ['PLAN_PARSE warning 4', 'PLAN_PARSE error 5', 'PLAN_COMPILE warning 6'],
    });
  });

  it('are planned in full where a prelude declares them', async () => {
    const sql = `CREATE TABLE crm.customers (id BIGINT, v STRING) WITH ('connector' = 'jdbc', 'url' = 'jdbc:mysql://db:3306/crm', 'table-name' = 'customers');`;
    const script = `${kafka('a')}INSERT INTO a SELECT id, v FROM mysql_crm.crm.customers;`;
    const full = { edges: ['plan: mysql://db:3306 crm.customers > kafka://b:9092 a'], skipped: [], diagnostics: [] };
    expect(await explain(script, [{ catalog: 'mysql_crm', sql }])).toEqual(full);
    expect(await explain(script, [{ catalog: 'mysql_crm', sql: `${sql}CREATE TABLE crm.broken (id NOSUCHTYPE)` }])).toEqual({
      ...full,
      diagnostics: ['PRELUDE_INVALID warning -'],
    });
  });

  it('of the Hive dialect are named by LOCATION, else by the warehouse', async () => {
    const script = `CREATE CATALOG h WITH ('type' = 'hive', 'hive.metastore.warehouse.dir' = 'hdfs://n:8020/wh');
USE CATALOG h;
SET 'table.sql-dialect' = 'hive';
CREATE TABLE d.t (id BIGINT) STORED AS ORC LOCATION 'hdfs://n:8020/elsewhere/t';
INSERT OVERWRITE TABLE d.t SELECT * FROM d.s;`;
    expect(await explain(script)).toEqual({
      edges: ['text: hdfs://n:8020 /wh/d.db/s > hdfs://n:8020 /elsewhere/t'],
      skipped: [],
      diagnostics: ['PLAN_STATEMENT_IGNORED warning 3', 'PLAN_PARSE warning 4', 'PLAN_PARSE warning 5'],
    });
  });

  it('are found behind what StreamPark refuses: SELECT, sets, lines that begin with #', async () => {
    const script = `# by hand
${kafka('a')}SELECT * FROM a;
BEGIN STATEMENT SET;
INSERT INTO a SELECT id, v FROM a;
END;`;
    expect(await explain(script)).toEqual({
      edges: ['plan: kafka://b:9092 a > kafka://b:9092 a'],
      skipped: [],
      diagnostics: ['PLAN_STATEMENT_REFUSED warning 1', 'PLAN_STATEMENT_REFUSED warning 3'],
    });
  });
});
