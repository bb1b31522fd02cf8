// Functions whose jars are not here, and words that older Flink versions did not reserve: the worker mends and tries again.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { edgesOf, errorsOf, nodesOf, type SpokenWorker, startWorker } from '../support/planner-worker.ts';

const tables = `CREATE TABLE k (id BIGINT, v STRING, amt DOUBLE, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'kafka');
CREATE TABLE t (id BIGINT, n STRING) WITH ('connector' = 'doris');
CREATE FUNCTION f AS 'com.example.F';
CREATE TEMPORARY FUNCTION g AS 'com.example.G' USING JAR '/nowhere/g.jar';
CREATE TEMPORARY SYSTEM FUNCTION h AS 'example.h' LANGUAGE PYTHON;
CREATE FUNCTION words AS 'com.example.Words';
CREATE FUNCTION split AS 'com.example.Split';
CREATE FUNCTION url_encode AS 'com.example.UrlEncode';
`;
const edge = 'k:scan > default_catalog.default_database.t';

let worker: SpokenWorker;
beforeAll(async () => {
  worker = startWorker();
  await worker.hello;
});
afterAll(() => worker.child.stdin.end());

describe('functions without their jars', () => {
  it.each([
    ['plain', 'SELECT id, f(v) FROM k'],
    ['in arithmetic', 'SELECT id, CAST(f(v) + 1 AS STRING) FROM k'],
    ['summed', 'SELECT id, CAST(SUM(g(v)) AS STRING) FROM k GROUP BY id'],
    ['as a condition', 'SELECT id, v FROM k WHERE h(v) AND NOT f(v)'],
    ['with an interval', "SELECT id, CAST(f(v) - INTERVAL '1' DAY AS STRING) FROM k"],
    ['as an array', 'SELECT id, f(v)[1] FROM k'],
    ['unnested', 'SELECT id, u FROM k CROSS JOIN UNNEST(f(v)) AS q (u)'],
    ['beside a number in COALESCE', 'SELECT id, CAST(COALESCE(f(v), 3) AS STRING) FROM k'],
    ['two types at once', 'SELECT id, UPPER(g(v)) FROM k WHERE f(amt) * 2 > 1 AND h(id)'],
    ['as a table with names', 'SELECT id, w FROM k, LATERAL TABLE(words(v)) AS x (w, l)'],
    ['as a table without names', 'SELECT id, word FROM k LEFT JOIN LATERAL TABLE(words(v)) ON TRUE'],
    ['as a table whose name is Flink’s now', 'SELECT id, w FROM k, LATERAL TABLE(split(v)) AS x (w, l)'],
    ['with more arguments than Flink’s', 'SELECT id, url_encode(v, 1, 2) FROM k'],
    ['in back-ticks and by path', 'SELECT id, `f`(default_catalog.default_database.f(v)) FROM k'],
  ])('%s', async (_, query) => {
    const answer = await worker.plan(`${tables}INSERT INTO t ${query}`);
    expect(errorsOf(answer)).toEqual([]);
    expect(edgesOf(answer)).toEqual([edge]);
  });

  it('finds the type when the call is in a view', async () => {
    const answer = await worker.plan(`${tables}CREATE VIEW w AS SELECT id, f(v) AS x FROM k;
INSERT INTO t SELECT id, CAST(x * 2 AS STRING) FROM w;
INSERT INTO t SELECT id, UPPER(f(v)) FROM k`);
    expect(errorsOf(answer)).toEqual([]);
    expect(edgesOf(answer)).toEqual([edge, edge]);
  });

  it('brings back no view that was dropped or changed', async () => {
    const answer = await worker.plan(`${tables}CREATE VIEW w AS SELECT id, f(v) AS x FROM k;
CREATE VIEW gone AS SELECT id, f(v) AS x FROM k;
DROP VIEW gone;
CREATE VIEW other AS SELECT id, f(v) AS x FROM k;
ALTER VIEW other AS SELECT id, n AS x FROM t;
INSERT INTO t SELECT id, CAST(x * 2 AS STRING) FROM w;
INSERT INTO t SELECT id, x FROM other;
INSERT INTO t SELECT id, x FROM gone`);
    expect(errorsOf(answer)).toEqual(['16:33 ValidationException: Table gone is not defined in the script']);
    expect(edgesOf(answer)).toEqual([
      edge,
      't:scan > default_catalog.default_database.t',
      'gone:scan ~> default_catalog.default_database.t',
    ]);
  });

  it('keeps the tree where the type does not fit the sink', async () => {
    const answer = await worker.plan(`${tables}INSERT INTO t SELECT f(v), v FROM k`);
    expect(errorsOf(answer)).toEqual([]);
    expect(edgesOf(answer)).toEqual(['k:scan -> default_catalog.default_database.t']);
  });

  it('believes what is declared', async () => {
    const answer = await worker.plan(
      `${tables}INSERT INTO t SELECT f(v), g(v) FROM k GROUP BY v;
INSERT INTO t SELECT n, b FROM k, LATERAL TABLE(words(v))`,
      {
        functions: {
          f: { kind: 'aggregate', type: 'BIGINT' },
          g: { kind: 'scalar' },
          words: { kind: 'table', type: 'ROW<n BIGINT, b STRING>' },
        },
      },
    );
    expect(errorsOf(answer)).toEqual([]);
    expect(edgesOf(answer)).toEqual([edge, edge]);
    expect(nodesOf(answer.inserts[0])).toContain('group-aggregate');
  });
});

describe('functions that nothing defines', () => {
  it('are assumed to exist, once told', async () => {
    const answer = await worker.plan(`${tables}INSERT INTO t SELECT id, mask(v) FROM k WHERE score(v) > 3;
INSERT INTO t SELECT id, w FROM k, LATERAL TABLE(explode_it(mask(v))) AS x (w);
INSERT INTO t SELECT id, default_database.other(v) FROM k;
INSERT INTO t SELECT id, latest(v) FROM k GROUP BY id;
INSERT INTO t SELECT id, best(v) OVER (PARTITION BY id ORDER BY ts) FROM k`);
    expect(errorsOf(answer)).toEqual([]);
    expect(edgesOf(answer)).toEqual(Array(5).fill(edge));
    expect(answer.statements.slice(8).map((s) => s.assumedFunctions)).toEqual([
      ['score', 'mask'],
      ['explode_it'],
      ['default_database.other'],
      ['latest'],
      ['best'],
    ]);
  });

  it('hide no other mistake', async () => {
    const answer = await worker.plan(`${tables}INSERT INTO t SELECT id, mask(missing) FROM k;
INSERT INTO t SELECT id, UPPER(v, v) FROM k;
INSERT INTO t SELECT id, v FROM k WHERE v + 1;
INSERT INTO t SELECT id, v FROM k GROUP BY id`);
    expect(errorsOf(answer)).toEqual([
      "9:31 ValidationException: Column 'missing' not found in any table",
      "10:26 ValidationException: Invalid number of arguments to function 'UPPER'. Was expecting 1 arguments",
      "11:41 ValidationException: Cannot apply '+' to arguments of type '<VARCHAR(2147483647)> + <INTEGER>'. Supported form(s): '<NUMERIC> + <NUMERIC>'",
      "12:26 ValidationException: Expression 'v' is not being grouped",
    ]);
    expect(edgesOf(answer)).toEqual(Array(4).fill('k:scan ~> default_catalog.default_database.t'));
  });
});

describe('words reserved since Flink 1.15', () => {
  const words =
    'array_agg array_concat_agg dot group_concat ilike include modify rlike separator string_agg unpivot buckets continuous distributed ' +
    'distribution freshness hash materialized model models procedures refresh refresh_mode resume suspend datetime date_trunc monday ' +
    'sunday qualify quarters weeks timestamp_diff timestamp_trunc time_diff time_trunc bitmap connections contains_substr datetime_trunc ' +
    'json_scope ordinal safe_cast safe_offset safe_ordinal structured try_cast variant';

  it.each(words.split(' '))('%s is a column name', async (word) => {
    const answer = await worker.plan(`CREATE TABLE k (id BIGINT, ${word} STRING) WITH ('connector' = 'x');
CREATE TABLE t (id BIGINT, ${word} STRING) WITH ('connector' = 'y');
INSERT INTO t (id, ${word}) SELECT k.id, k.${word} FROM k WHERE k.${word} = 'a';
INSERT INTO t SELECT id, ${word} FROM k`);
    expect(errorsOf(answer)).toEqual([]);
    expect(edgesOf(answer)).toEqual([edge, edge]);
  });

  it('does not touch them where they are meant', async () => {
    const answer = await worker.plan(`CREATE TABLE k (id BIGINT, v STRING) DISTRIBUTED BY HASH (id) INTO 4 BUCKETS WITH ('connector' = 'x');
CREATE TABLE t (id BIGINT, v STRING) WITH ('connector' = 'y');
INSERT INTO t SELECT id, CAST(TRY_CAST(v AS INT) AS STRING) FROM k`);
    expect(errorsOf(answer)).toEqual([]);
    expect(edgesOf(answer)).toEqual([edge]);
  });
});
