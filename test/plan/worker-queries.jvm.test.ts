// Tables, roles and plans of single queries, by the real worker: every kind of join, window and sub-query.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { edgesOf, errorsOf, nodesOf, type SpokenWorker, startWorker } from '../support/planner-worker.ts';

const tables = `CREATE TABLE k (id BIGINT, v STRING, amt DOUBLE, ts TIMESTAMP(3), p AS PROCTIME(), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND)
  WITH ('connector' = 'kafka', 'topic' = 'orders', 'properties.bootstrap.servers' = 'h:9092');
CREATE TEMPORARY TABLE d (id BIGINT, n STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'jdbc', 'password' = 'pw');
CREATE TABLE t (id BIGINT, n STRING) WITH ('connector' = 'doris', 'table.identifier' = 'a.t');
`;
const here = 'default_catalog.default_database';

let worker: SpokenWorker;
beforeAll(async () => {
  worker = startWorker();
  await worker.hello;
});
afterAll(() => worker.child.stdin.end());

/** Plans one INSERT into `t` behind `tables`; its edges, node kinds and errors. */
async function insert(query: string, mode: 'streaming' | 'batch' = 'streaming', before = '') {
  const answer = await worker.plan(`${tables}${before}INSERT INTO t ${query}`, { mode });
  return {
    edges: edgesOf(answer).map((edge) => edge.replace(`${here}.`, '')),
    nodes: nodesOf(answer.inserts[0]),
    errors: errorsOf(answer),
  };
}

describe('queries', () => {
  const rates = `CREATE TABLE r (cur STRING, rate DOUBLE, ts TIMESTAMP(3), WATERMARK FOR ts AS ts, PRIMARY KEY (cur) NOT ENFORCED) WITH ('connector' = 'upsert-kafka');
CREATE VIEW latest AS SELECT id, v, p FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY p DESC) AS n FROM k) WHERE n = 1;
CREATE VIEW dv AS SELECT id AS i, n AS nn FROM d WHERE n <> 'x';
`;
  it.each([
    [
      'event-time temporal join',
      'SELECT k.id, r.cur FROM k JOIN r FOR SYSTEM_TIME AS OF k.ts ON k.v = r.cur',
      'k:scan+r:scan > t',
      'temporal-join',
    ],
    [
      'temporal join of a latest-row view',
      'SELECT k.id, l.v FROM k JOIN latest FOR SYSTEM_TIME AS OF k.p AS l ON k.id = l.id',
      'k:scan > t',
      'temporal-join',
    ],
    [
      'lookup through a view',
      'SELECT k.id, dv.nn FROM k JOIN dv FOR SYSTEM_TIME AS OF k.p ON k.id = dv.i',
      'd:lookup+k:scan > t',
      'lookup-join',
    ],
    [
      'sub-queries',
      'SELECT id, v FROM k WHERE id IN (SELECT id FROM d) OR EXISTS (SELECT 1 FROM r WHERE cur = k.v)',
      'd:scan+k:scan+r:scan > t',
      'join',
    ],
    ['scalar sub-query', 'SELECT id, (SELECT MAX(n) FROM d) FROM k', 'd:scan+k:scan > t', 'group-aggregate'],
    ['pruned branches', 'SELECT id, v FROM k WHERE FALSE UNION ALL SELECT id, n FROM d LIMIT 0', 'd:scan+k:scan > t', 'values'],
    [
      'MATCH_RECOGNIZE',
      'SELECT id, x FROM k MATCH_RECOGNIZE (PARTITION BY id ORDER BY ts MEASURES LAST(B.v) AS x ONE ROW PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (A B+) DEFINE B AS B.amt > A.amt)',
      'k:scan > t',
      'match',
    ],
    [
      'tumbling window',
      "SELECT id, CAST(window_end AS STRING) FROM TABLE(TUMBLE(TABLE k, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY id, window_start, window_end",
      'k:scan > t',
      'global-window-aggregate',
    ],
    [
      'hopping window',
      "SELECT id, CAST(window_end AS STRING) FROM TABLE(HOP(TABLE k, DESCRIPTOR(ts), INTERVAL '5' MINUTE, INTERVAL '1' HOUR)) GROUP BY id, window_start, window_end",
      'k:scan > t',
      'global-window-aggregate',
    ],
    [
      'session window',
      "SELECT id, CAST(window_end AS STRING) FROM TABLE(SESSION(TABLE k PARTITION BY id, DESCRIPTOR(ts), INTERVAL '5' MINUTE)) GROUP BY id, window_start, window_end",
      'k:scan > t',
      'window-aggregate',
    ],
    [
      'interval join',
      "SELECT a.id, b.v FROM k a, k b WHERE a.id = b.id AND a.ts BETWEEN b.ts - INTERVAL '1' HOUR AND b.ts",
      'k:scan > t',
      'interval-join',
    ],
    ['time travel', "SELECT id, v FROM k FOR SYSTEM_TIME AS OF TIMESTAMP '2024-01-01 00:00:00'", 'k:scan > t', 'sink'],
    ['VALUES', "VALUES (1, 'a'), (2, 'b')", ' > t', 'values'],
    ['CTE', 'WITH c AS (SELECT id, v FROM k) SELECT * FROM c', 'k:scan > t', 'sink'],
  ])('%s', async (_, query, edge, node) => {
    const planned = await insert(query, 'streaming', rates);
    expect(planned.errors).toEqual([]);
    expect(planned.edges).toEqual([edge]);
    expect(planned.nodes).toContain(node);
  });

  it.each([
    ['ORDER BY', 'SELECT id, v FROM k ORDER BY v', 'k:scan > t', 'sort'],
    [
      'join, IN and LIMIT',
      'SELECT k.id, d.n FROM k LEFT JOIN d ON k.id = d.id WHERE k.id IN (SELECT id FROM d) ORDER BY 1 LIMIT 3',
      'd:scan+k:scan > t',
      'sort-limit',
    ],
    ['lookup', 'SELECT k.id, d.n FROM k LEFT JOIN d FOR SYSTEM_TIME AS OF k.p ON k.id = d.id', 'd:lookup+k:scan > t', 'lookup-join'],
  ])('batch %s', async (_, query, edge, node) => {
    const planned = await insert(query, 'batch');
    expect(planned.edges).toEqual([edge]);
    expect(planned.nodes).toContain(node);
  });

  it('takes UPDATE and DELETE in batch', async () => {
    const answer = await worker.plan(
      `${tables}UPDATE t SET n = 'x' WHERE id IN (SELECT id FROM d);
DELETE FROM t WHERE id = 3`,
      { mode: 'batch' },
    );
    expect(edgesOf(answer)).toEqual([`d:scan+t:scan > ${here}.t`, `t:scan > ${here}.t`]);
  });

  it('tells models apart from tables', async () => {
    const answer = await worker.plan(`${tables}CREATE MODEL m INPUT (x STRING) OUTPUT (y STRING) WITH ('provider' = 'openai');
INSERT INTO t SELECT id, y FROM ML_PREDICT(TABLE k, MODEL m, DESCRIPTOR(v))`);
    expect(edgesOf(answer)).toEqual([`k:scan+m:model > ${here}.t`]);
    expect(nodesOf(answer.inserts[0])).toContain('ml-predict-table-function');
  });
});
