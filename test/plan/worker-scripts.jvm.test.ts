// What the real worker answers for whole scripts: tables, roles, options, plans and failures of every kind of statement.
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { edgesOf, errorsOf, nodesOf, type SpokenWorker, startWorker } from '../support/planner-worker.ts';

const tables = `CREATE TABLE k (id BIGINT, v STRING, amt DOUBLE, ts TIMESTAMP(3), p AS PROCTIME(), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND)
  WITH ('connector' = 'kafka', 'topic' = 'orders', 'properties.bootstrap.servers' = 'h:9092');
CREATE TEMPORARY TABLE d (id BIGINT, n STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'jdbc', 'password' = 'pw');
CREATE TABLE t (id BIGINT, n STRING) WITH ('connector' = 'doris', 'table.identifier' = 'a.t');
CREATE TABLE u (id BIGINT, n STRING) WITH ('connector' = 'doris', 'table.identifier' = 'a.u');
`;
const here = 'default_catalog.default_database';

let worker: SpokenWorker;
beforeAll(async () => {
  worker = startWorker();
  await worker.hello;
});
afterAll(() => worker.child.stdin.end());

describe('two INSERTs of one Kafka table', () => {
  it('tells roles, places, plans and facts', async () => {
    const answer = await worker.plan(`${tables}
INSERT INTO t SELECT k.id, d.n FROM k LEFT JOIN d FOR SYSTEM_TIME AS OF k.p ON k.id = d.id;
  INSERT INTO u SELECT id, v FROM k WHERE id > 7`);
    expect(edgesOf(answer)).toEqual([`d:lookup+k:scan > ${here}.t`, `k:scan > ${here}.u`]);
    expect(answer.statements.map(({ op, status, line, column }) => `${line}:${column} ${op} ${status}`)).toEqual([
      '1:1 CreateTable ok',
      '3:1 CreateTable ok',
      '4:1 CreateTable ok',
      '5:1 CreateTable ok',
      '7:1 SinkModify ok',
      '8:3 SinkModify ok',
    ]);
    const [first, second] = answer.inserts;
    expect(first).toMatchObject({
      statement: 4,
      line: 7,
      column: 1,
      overwrite: false,
      target: ['default_catalog', 'default_database', 't'],
    });
    expect(second).toMatchObject({ statement: 5, line: 8, column: 3 });
    expect(nodesOf(first)).toEqual(['table-source-scan', 'calc', 'watermark-assigner', 'calc', 'lookup-join', 'calc', 'sink']);
    expect(first?.plan).toMatchObject({ flinkVersion: '2.3', edges: expect.any(Array) });
    expect(first?.tables).toEqual([
      {
        path: ['default_catalog', 'default_database', 't'],
        role: 'sink',
        temporary: false,
        options: { connector: 'doris', 'table.identifier': 'a.t' },
        columns: [
          { name: 'id', type: 'BIGINT', kind: 'physical' },
          { name: 'n', type: 'STRING', kind: 'physical' },
        ],
        primaryKey: [],
        partitionKeys: [],
      },
      {
        path: ['default_catalog', 'default_database', 'k'],
        role: 'source',
        temporary: false,
        options: { connector: 'kafka', 'properties.bootstrap.servers': 'h:9092', topic: 'orders' },
        columns: [
          { name: 'id', type: 'BIGINT', kind: 'physical' },
          { name: 'v', type: 'STRING', kind: 'physical' },
          { name: 'amt', type: 'DOUBLE', kind: 'physical' },
          { name: 'ts', type: 'TIMESTAMP(3)', kind: 'physical' },
          { name: 'p', type: 'TIMESTAMP_LTZ(3)', kind: 'computed' },
        ],
        primaryKey: [],
        partitionKeys: [],
      },
      {
        path: ['default_catalog', 'default_database', 'd'],
        role: 'source',
        temporary: true,
        options: { connector: 'jdbc', password: 'pw' },
        columns: [
          { name: 'id', type: 'BIGINT', kind: 'physical' },
          { name: 'n', type: 'STRING', kind: 'physical' },
        ],
        primaryKey: ['id'],
        partitionKeys: [],
      },
    ]);
  });

  it('plans the good statements around broken ones', async () => {
    const answer = await worker.plan(`${tables}CREATE TABLE broken (id BIGINT, WITH ('connector' = 'x');
INSERT INTO t SELECT id,
  missing FROM k;
INSERT INTO nosuch SELECT 1;
INSERT INTO t SELECT v, id FROM k;
INSERT INTO u SELECT id, v FROM k`);
    expect(errorsOf(answer)).toEqual([
      "6:33 SqlParserException: Incorrect syntax near the keyword 'WITH'.",
      "8:3 ValidationException: Column 'missing' not found in any table",
      "9:1 ValidationException: Cannot find table '`default_catalog`.`default_database`.`nosuch`' in any of the catalogs [default_catalog], nor as a temporary table.",
    ]);
    expect(edgesOf(answer)).toEqual([`k:scan ~> ${here}.t`, ` ~> ${here}.nosuch`, `k:scan -> ${here}.t`, `k:scan > ${here}.u`]);
    expect(answer.inserts[2]?.planError?.message).toMatch(
      /Column types of query result and sink .* Incompatible types for sink column 'id' at position 1/,
    );
  });
});

describe('catalogs', () => {
  it('plans mysql-cdc into paimon with temporary tables and a view', async () => {
    const answer = await worker.plan(`CREATE CATALOG lake WITH ('type' = 'paimon', 'warehouse' = 's3://b/w');
USE CATALOG lake;
CREATE TEMPORARY TABLE src (id BIGINT, dt STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'mysql-cdc', 'table-name' = 'o');
CREATE TEMPORARY VIEW v AS SELECT id, UPPER(dt) AS dt FROM src;
CREATE TABLE IF NOT EXISTS ods.orders (id BIGINT COMMENT 'key', dt STRING, PRIMARY KEY (id, dt) NOT ENFORCED) COMMENT 'all' PARTITIONED BY (dt);
INSERT INTO ods.orders SELECT * FROM v`);
    expect(errorsOf(answer)).toEqual([]);
    expect(edgesOf(answer)).toEqual(['src:scan > lake.ods.orders']);
    expect(answer.catalogs).toEqual({ lake: { type: 'paimon', options: { type: 'paimon', warehouse: 's3://b/w' } } });
    expect(answer.inserts[0]?.tables[0]).toMatchObject({
      options: {},
      primaryKey: ['id', 'dt'],
      partitionKeys: ['dt'],
      comment: 'all',
      columns: [{ name: 'id', type: 'BIGINT', comment: 'key' }, { name: 'dt' }],
    });
    expect(answer.inserts[0]?.tables[1]).toMatchObject({
      path: ['lake', 'default', 'src'],
      temporary: true,
      options: { 'table-name': 'o' },
    });
  });

  it('takes unknown catalogs and databases as the cluster’s, but not in the built-in catalog', async () => {
    const answer = await worker.plan(`USE hive_x.dw;
CREATE TABLE a (id BIGINT);
CREATE TABLE other.db.b (id BIGINT);
INSERT INTO other.db.b SELECT id FROM a;
USE CATALOG default_catalog;
USE nosuch`);
    expect(edgesOf(answer)).toEqual(['a:scan > other.db.b']);
    expect(errorsOf(answer)).toEqual([expect.stringMatching(/^6:1 .*nosuch/)]);
    expect(answer.catalogs).toEqual({});
  });

  it('has no options for a catalog that was two things', async () => {
    const define = (w: string) =>
      `CREATE CATALOG lake WITH ('type' = 'paimon', 'warehouse' = '${w}');\nCREATE TABLE lake.a.b (id BIGINT);\n`;
    const use = 'INSERT INTO lake.a.b SELECT 1;\n';
    const one = await worker.plan(`${define('/1')}DROP CATALOG lake;\n${define('/2')}${use}`);
    expect(one.catalogs['lake']).toEqual({ type: 'paimon', options: { type: 'paimon', warehouse: '/2' } });
    const two = await worker.plan(`${define('/1')}${use}DROP CATALOG lake;\n${define('/2')}${use}`);
    expect(two.catalogs['lake']).toEqual({ type: null, options: {} });
    expect(two.inserts).toHaveLength(2);
    const again = await worker.plan(`${define('/1')}CREATE CATALOG lake WITH ('type' = 'hive')`);
    expect(errorsOf(again)).toEqual(['3:1 ValidationException: Catalog lake already exists.']);
  });

  it('names a table that the script does not define as it is written', async () => {
    const answer = await worker.plan(`CREATE TABLE t (id BIGINT) WITH ('connector' = 'x');
INSERT INTO t SELECT id FROM ods.orders;
USE lake.dwd;
CREATE TABLE here (id BIGINT);
INSERT INTO here SELECT id FROM missing;
INSERT INTO here SELECT id FROM lake.ods.\`orders\``);
    expect(errorsOf(answer)).toEqual([
      '2:30 ValidationException: Table ods.orders is not defined in the script',
      '5:33 ValidationException: Table missing is not defined in the script',
      '6:33 ValidationException: Table lake.ods.`orders` is not defined in the script',
    ]);
  });

  it('plans in a built-in catalog of another name', async () => {
    const answer = await worker.plan(`${tables}INSERT INTO t SELECT id, v FROM k`, { catalog: 'mine', database: 'dev' });
    expect(edgesOf(answer)).toEqual(['k:scan > mine.dev.t']);
  });

  it('knows system tables by the table they belong to', async () => {
    const answer = await worker.plan(`CREATE CATALOG lake WITH ('type' = 'paimon');
CREATE TABLE lake.a.b (id BIGINT) WITH ('bucket' = '4');
INSERT INTO lake.a.b SELECT * FROM lake.a.\`b$branch_x\``);
    expect(edgesOf(answer)).toEqual(['b$branch_x:scan > lake.a.b']);
    expect(answer.inserts[0]?.tables[1]).toMatchObject({ path: ['lake', 'a', 'b$branch_x'], options: { bucket: '4' } });
  });
});

describe('options', () => {
  it('merges hints into the table they stand at', async () => {
    const answer = await worker.plan(`${tables}INSERT INTO t /*+ OPTIONS('sink.x' = '1') */
SELECT id, v FROM k /*+ OPTIONS('topic' = 'other') */ UNION ALL SELECT id, v FROM k UNION ALL SELECT id, n FROM d /*+ OPTIONS('q' = '2') */`);
    expect(answer.inserts[0]?.tables.map((t) => `${t.path[2]} ${JSON.stringify(t.options)}`)).toEqual([
      't {"connector":"doris","sink.x":"1","table.identifier":"a.t"}',
      'k {"connector":"kafka","properties.bootstrap.servers":"h:9092","topic":"other"}',
      'k {"connector":"kafka","properties.bootstrap.servers":"h:9092","topic":"orders"}',
      'd {"connector":"jdbc","password":"pw","q":"2"}',
    ]);
    expect(edgesOf(answer)).toEqual([`d:scan+k:scan > ${here}.t`]);
  });

  it('reads LIKE, ALTER TABLE and legacy connectors', async () => {
    const answer = await worker.plan(`${tables}CREATE TABLE l WITH ('topic' = 'liked') LIKE k (EXCLUDING WATERMARKS OVERWRITING OPTIONS);
ALTER TABLE t SET ('table.identifier' = 'a.changed');
CREATE TABLE aged (id BIGINT, n STRING) WITH ('connector.type' = 'kafka', 'connector.topic' = 'a', 'format.type' = 'json');
INSERT INTO t SELECT id, v FROM l;
INSERT INTO aged SELECT * FROM aged`);
    expect(errorsOf(answer)).toEqual([]);
    expect(answer.inserts[0]?.tables.map((t) => t.options['topic'] ?? t.options['table.identifier'])).toEqual(['a.changed', 'liked']);
    const legacy = { 'connector.type': 'kafka', 'connector.topic': 'a', 'format.type': 'json' };
    expect(answer.inserts[1]?.tables.map((t) => t.options)).toEqual([legacy, legacy]);
  });

  it('reads metadata columns', async () => {
    const answer =
      await worker.plan(`CREATE TABLE m (id BIGINT, top STRING METADATA FROM 'topic' VIRTUAL, \`timestamp\` TIMESTAMP_LTZ(3) METADATA) WITH ('connector' = 'kafka');
INSERT INTO m SELECT id, \`timestamp\` FROM m`);
    expect(edgesOf(answer)).toEqual([`m:scan > ${here}.m`]);
    expect(answer.inserts[0]?.tables[0]?.columns).toEqual([
      { name: 'id', type: 'BIGINT', kind: 'physical' },
      { name: 'top', type: 'STRING', kind: 'metadata' },
      { name: 'timestamp', type: 'TIMESTAMP_LTZ(3)', kind: 'metadata' },
    ]);
  });

  it('applies SET in every form, except what is not the script’s business', async () => {
    const answer = await worker.plan(`${tables}SET table.exec.state.ttl = 1 h;
SET 'execution.runtime-mode' = 'batch';
SET 'table.sql-dialect' = 'hive';
SET 'table.plan.compile.catalog-objects' = 'IDENTIFIER';
SET 'parallelism.default' = '3';
INSERT INTO t SELECT id, v FROM k`);
    expect(answer.statements.slice(4, 9).map((s) => s.status)).toEqual(['ok', 'ignored', 'ignored', 'ok', 'ignored']);
    expect(JSON.stringify(answer.inserts[0]?.plan)).toContain('"topic":"orders"');
  });
});

describe('statements', () => {
  it('plans every form of a statement set, each INSERT by itself', async () => {
    const whole = `EXECUTE STATEMENT SET
BEGIN -- first; of two
  INSERT INTO t SELECT id, v FROM k; INSERT INTO u SELECT bad, v FROM k;
  INSERT INTO u SELECT id, CASE WHEN id > 1 THEN 'a' ELSE ';' END FROM k;
END`;
    const answer = await worker.plan([
      ...['k', 't', 'u'].map((name, i) => ({
        text: `CREATE TABLE ${name} (id BIGINT, v STRING) WITH ('connector' = 'x')`,
        line: i + 1,
        column: 1,
      })),
      { text: whole, line: 10, column: 3 },
      { text: 'EXECUTE STATEMENT SET BEGIN\nINSERT INTO t SELECT id, CASE v WHEN v THEN v END FROM k', line: 20, column: 1 },
      { text: 'INSERT INTO u SELECT id, v FROM k', line: 22, column: 1 },
      { text: 'END', line: 23, column: 1 },
      { text: 'BEGIN STATEMENT SET', line: 24, column: 1 },
      { text: 'EXECUTE INSERT INTO u SELECT id, v FROM k', line: 25, column: 1 },
      { text: 'END;', line: 26, column: 1 },
    ]);
    expect(answer.inserts.map((i) => `${i.statement} ${i.line}:${i.column} ${i.target[2]}`)).toEqual([
      '3 12:3 t',
      '3 12:38 u',
      '3 13:3 u',
      '4 21:1 t',
      '5 22:1 u',
      '8 25:1 u',
    ]);
    expect(errorsOf(answer)).toEqual(["12:59 ValidationException: Column 'bad' not found in any table"]);
    expect(answer.statements.slice(4).map((s) => s.status)).toEqual(['ok', 'ok', 'ignored', 'ignored', 'ok', 'ignored']);
  });

  it('plans CTAS, RTAS and materialized tables as INSERTs', async () => {
    const answer = await worker.plan(`${tables}CREATE TABLE c WITH ('connector' = 'x', 'o' = '1') AS SELECT id, v FROM k;
CREATE OR REPLACE TABLE c WITH ('connector' = 'x', 'o' = '2') AS SELECT v FROM k;
CREATE MATERIALIZED TABLE m WITH ('connector' = 'y') FRESHNESS = INTERVAL '1' MINUTE AS SELECT id, n FROM d`);
    expect(errorsOf(answer)).toEqual([]);
    expect(edgesOf(answer)).toEqual([`k:scan > ${here}.c`, `k:scan > ${here}.c`, `d:scan > ${here}.m`]);
    expect(answer.inserts.map((i) => i.tables[0]?.options)).toEqual([
      { connector: 'x', o: '1' },
      { connector: 'x', o: '2' },
      { connector: 'y' },
    ]);
    expect(answer.inserts.map((i) => i.tables[0]?.columns.map((c) => c.name))).toEqual([['id', 'v'], ['v'], ['id', 'n']]);
  });

  it('plans INSERT OVERWRITE into a static partition', async () => {
    const answer = await worker.plan(`${tables}CREATE TABLE pt (id BIGINT, dt STRING) PARTITIONED BY (dt) WITH ('connector' = 'filesystem');
INSERT OVERWRITE pt PARTITION (dt = '2024') SELECT id FROM k`);
    expect(edgesOf(answer)).toEqual([`k:scan > ${here}.pt`]);
    expect(answer.inserts[0]?.overwrite).toBe(true);
  });

  it('never touches a file and ignores what moves no data', async () => {
    const file = join(tmpdir(), `spl-plan-${process.pid}.json`);
    const answer = await worker.plan(`${tables}COMPILE PLAN '${file}' FOR INSERT INTO t SELECT id, v FROM k;
EXECUTE PLAN '/etc/passwd';
ADD JAR '/nowhere.jar';
CALL sys.compact('a');
SHOW TABLES;
EXPLAIN SELECT 1;
LOAD MODULE hive;
UNLOAD MODULE core;
RESET;
DROP TABLE nosuch;
SELECT * FROM k;
ANALYZE TABLE t COMPUTE STATISTICS;
INSERT INTO t SELECT id, UPPER(v) FROM k`);
    expect(errorsOf(answer)).toEqual([]);
    expect(answer.statements.slice(5, -1).map((s) => s.status)).toEqual(Array(11).fill('ignored'));
    expect(edgesOf(answer)).toEqual([`k:scan > ${here}.t`, `k:scan > ${here}.t`]);
    expect(existsSync(file)).toBe(false);
  });

  it('refuses views over themselves and RAW types', async () => {
    const answer = await worker.plan(`${tables}CREATE VIEW a AS SELECT id, v FROM k;
CREATE VIEW b AS SELECT * FROM a;
ALTER VIEW a AS SELECT * FROM a;
ALTER VIEW a AS SELECT * FROM b;
CREATE TEMPORARY VIEW k AS SELECT * FROM k;
CREATE TABLE r (x RAW('java.lang.Runtime', 'AAAA'));
INSERT INTO t SELECT * FROM b`);
    expect(errorsOf(answer)).toEqual([
      `8:1 ValidationException: View '${here}.a' is defined over itself.`,
      `9:1 ValidationException: View '${here}.a' is defined over itself.`,
      `10:1 ValidationException: View '${here}.k' is defined over itself.`,
      '11:19 RawTypeRefused: a RAW type names Java classes, which are never loaded here',
    ]);
    expect(edgesOf(answer)).toEqual([`k:scan > ${here}.t`]);
  });

  it('points at the statement when the error is in the body of a view', async () => {
    const answer = await worker.plan([
      { text: "CREATE TABLE k (id BIGINT, v STRING) WITH ('connector' = 'x')", line: 1, column: 1 },
      { text: "CREATE TABLE t (id BIGINT, v STRING) WITH ('connector' = 'x')", line: 2, column: 1 },
      { text: 'CREATE VIEW w AS SELECT id,\n\n v FROM k', line: 3, column: 1 },
      { text: 'ALTER TABLE k DROP v', line: 6, column: 1 },
      { text: 'INSERT INTO t SELECT * FROM w', line: 19, column: 4 },
    ]);
    expect(errorsOf(answer)).toEqual([expect.stringMatching(/^19:4 .*'v' not found/)]);
  });
});
