import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PlanOptions, piecesOf, type SpokenWorker, startWorker, type WorkerAnswer } from '../support/planner-worker.ts';

let worker: SpokenWorker;
beforeAll(async () => {
  worker = startWorker();
  await worker.hello;
}, 60_000);
afterAll(async () => {
  worker.child.stdin.end();
  await worker.exitCode;
});

const short = (path: readonly string[]) => path.join('.').replace('default_catalog.default_database.', '');

/** `text: a + d (lookup) > t`: tier, inputs and target of each INSERT; names of the built-in catalog are short. */
const told = (answer: WorkerAnswer): string[] =>
  answer.inserts.map(({ plan, tree, text, target }) => {
    const inputs = (tree ?? text)?.inputs.map(({ path, role }) => (role === 'scan' ? short(path) : `${short(path)} (${role})`)).sort();
    const tier = plan !== null ? 'plan' : tree !== null ? 'tree' : 'text';
    return `${tier}: ${inputs?.join(' + ')} > ${short(target)}`;
  });
const explain = async (script: string, options?: PlanOptions) => told(await worker.plan(script, options));
const options = (answer: WorkerAnswer, insert: number) => answer.inserts[insert]?.tables.map((t) => [short(t.path), t.role, t.options]);

const known = `CREATE TABLE k (id BIGINT, v STRING, pt AS PROCTIME()) WITH ('connector' = 'kafka', 'topic' = 'k');
CREATE TABLE t (id BIGINT, v STRING) WITH ('connector' = 'doris');
`;

describe('queries over tables that nobody declares', () => {
  it.each([
    ['a table', 'SELECT * FROM m', 'm'],
    ['its database', 'SELECT id FROM db.m', 'default_catalog.db.m'],
    ['its catalog', 'SELECT id FROM c.db.m AS x', 'c.db.m'],
    ['quoted names', 'SELECT id FROM `c`.`d b`.`m.1`', 'c.d b.m.1'],
    ['any script', 'SELECT `编号` FROM 订单', '订单'],
    ['joins', 'SELECT * FROM k JOIN m ON k.id = m.id LEFT JOIN n USING (id) CROSS JOIN o', 'k + m + n + o'],
    ['a comma join', 'SELECT * FROM m, n AS x', 'm + n'],
    ['a sub-query', 'SELECT * FROM (SELECT * FROM (SELECT * FROM m))', 'm'],
    [
      'sub-queries in conditions',
      'SELECT * FROM m WHERE id IN (SELECT id FROM n) AND NOT EXISTS (SELECT 1 FROM o WHERE o.id = m.id)',
      'm + n + o',
    ],
    [
      'a sub-query in the select list',
      'SELECT (SELECT MAX(id) FROM n), CASE WHEN v = ANY (SELECT v FROM o) THEN 1 END FROM m',
      'm + n + o',
    ],
    [
      'a sub-query in HAVING and ON',
      'SELECT id FROM m JOIN n ON m.id IN (SELECT id FROM o) GROUP BY id HAVING COUNT(*) > (SELECT 1 FROM p)',
      'm + n + o + p',
    ],
    ['set operators', 'SELECT * FROM m UNION ALL (SELECT * FROM n INTERSECT SELECT * FROM o) EXCEPT SELECT * FROM p', 'm + n + o + p'],
    ['an order', 'SELECT * FROM m ORDER BY (SELECT 1 FROM n) LIMIT 3', 'm + n'],
    ['TABLE', 'TABLE m', 'm'],
    ['VALUES', 'VALUES (1, (SELECT MAX(id) FROM m))', 'm'],
    [
      'common tables',
      'WITH a AS (SELECT * FROM m), b AS (SELECT * FROM a JOIN n ON TRUE) SELECT * FROM b AS x JOIN b AS y ON TRUE',
      'm + n',
    ],
    ['no common table that is not used', 'WITH a AS (SELECT * FROM m), b AS (SELECT * FROM n) SELECT * FROM a', 'm'],
    ['a common table named as the table it reads', 'WITH m AS (SELECT * FROM m) SELECT * FROM m', 'm'],
    ['a common table inside', 'SELECT * FROM (WITH a AS (SELECT * FROM m) SELECT * FROM a) JOIN a ON TRUE', 'a + m'],
    ['a path that ends like a common table', 'WITH a AS (SELECT * FROM m) SELECT * FROM db.a', 'default_catalog.db.a'],
    ['UNNEST of a column', 'SELECT * FROM m CROSS JOIN UNNEST(m.list) AS l (x)', 'm'],
    ['lists of an alias', 'SELECT * FROM m AS x, x.list, n, n.list', 'm + n'],
    [
      'tables of a database named as its table',
      'SELECT * FROM orders.orders, orders.lines',
      'default_catalog.orders.lines + default_catalog.orders.orders',
    ],
    ['a table function', 'SELECT * FROM m LEFT JOIN LATERAL TABLE(split(m.v)) AS s (x) ON TRUE', 'm'],
    ['LATERAL', 'SELECT * FROM m, LATERAL (SELECT * FROM n WHERE n.id = m.id)', 'm + n'],
    ['window functions', "SELECT * FROM TABLE(TUMBLE(TABLE m, DESCRIPTOR(ts), INTERVAL '1' MINUTE))", 'm'],
    [
      'named arguments',
      "SELECT * FROM HOP(DATA => TABLE db.m, TIMECOL => DESCRIPTOR(ts), SLIDE => INTERVAL '1' MINUTE, SIZE => INTERVAL '1' HOUR)",
      'default_catalog.db.m',
    ],
    [
      'process table functions',
      "SELECT * FROM p(input => TABLE m PARTITION BY id ORDER BY ts, other => (SELECT * FROM n), uid => 'x')",
      'm + n',
    ],
    [
      'MATCH_RECOGNIZE',
      'SELECT * FROM m MATCH_RECOGNIZE (PARTITION BY id ORDER BY ts MEASURES A.v AS v PATTERN (A B+) DEFINE B AS B.id > A.id) AS r JOIN n ON TRUE',
      'm + n',
    ],
    ['OVER', 'SELECT id, SUM(x) OVER w FROM m WINDOW w AS (PARTITION BY id ORDER BY ts)', 'm'],
    ['hints', "SELECT /*+ BROADCAST(n) */ * FROM m /*+ OPTIONS('a' = 'b') */ AS x JOIN n ON TRUE", 'm + n'],
    ['time travel', "SELECT * FROM m FOR SYSTEM_TIME AS OF TIMESTAMP '2024-01-01 00:00:00'", 'm'],
    ['a model', 'SELECT * FROM ML_PREDICT(TABLE m, MODEL c.d.fraud, DESCRIPTOR(v))', 'c.d.fraud (model) + m'],
    ['vector search', 'SELECT * FROM m, LATERAL TABLE(VECTOR_SEARCH(TABLE n, DESCRIPTOR(e), m.e, 3))', 'm + n (lookup)'],
    ['words that were not reserved', 'SELECT hash, datetime FROM m WHERE refresh > 1', 'm'],
    ['nothing', 'SELECT 1 FROM (VALUES (1)) AS x (a) WHERE nosuch(a, b)', ''],
  ])('%s', async (_, query, inputs) => {
    expect(await explain(`${known}INSERT INTO t ${query}`)).toEqual([`text: ${inputs} > t`]);
  });
});

describe('lookup joins', () => {
  it.each([
    ['a processing time of a declared table', 'k AS o JOIN d FOR SYSTEM_TIME AS OF o.pt AS x ON TRUE', 'd (lookup) + k'],
    ['without an alias', 'k JOIN d FOR SYSTEM_TIME AS OF pt ON TRUE', 'd (lookup) + k'],
    ['made by a query', '(SELECT *, PROCTIME() AS p FROM m) AS o JOIN d FOR SYSTEM_TIME AS OF o.p ON TRUE', 'd (lookup) + m'],
    [
      'passed on by a query',
      '(SELECT x.*, x.pt AS q FROM k AS x JOIN m ON TRUE) AS o JOIN d FOR SYSTEM_TIME AS OF o.q ON TRUE',
      'd (lookup) + k + m',
    ],
    ['passed on by *', '(SELECT * FROM k) AS o JOIN d FOR SYSTEM_TIME AS OF o.pt ON TRUE', 'd (lookup) + k'],
    ['of an unknown table: perhaps event time', 'm AS o JOIN d FOR SYSTEM_TIME AS OF o.pt ON TRUE', 'd + m'],
    ['another column', 'k AS o JOIN d FOR SYSTEM_TIME AS OF o.ts ON TRUE', 'd + k'],
    ['a query on the right', 'k AS o JOIN (SELECT * FROM d) FOR SYSTEM_TIME AS OF o.pt AS x ON TRUE', undefined],
  ])('%s', async (_, from, inputs) => {
    const expected = inputs === undefined ? [] : [`text: ${inputs} > t`];
    expect(await explain(`${known}INSERT INTO t SELECT o.id FROM ${from}`)).toEqual(expected);
  });

  it('see processing time through common tables and views, and views are read as streams', async () => {
    const script = `${known}CREATE VIEW w AS SELECT id, PROCTIME() AS p FROM m;
CREATE VIEW dv AS SELECT * FROM d;
INSERT INTO t WITH c AS (SELECT * FROM w) SELECT * FROM c AS o JOIN d FOR SYSTEM_TIME AS OF o.p ON TRUE;
INSERT INTO t SELECT * FROM k JOIN dv FOR SYSTEM_TIME AS OF k.pt ON TRUE;
INSERT INTO t WITH d AS (SELECT * FROM e) SELECT * FROM k JOIN d FOR SYSTEM_TIME AS OF k.pt ON TRUE`;
    expect(await explain(script)).toEqual(['text: d (lookup) + m > t', 'text: d + k > t', 'text: e + k > t']);
  });
});

describe('statements that move data', () => {
  it('reads CTAS, RTAS and materialized tables, which then exist with their options', async () => {
    const answer = await worker.plan(`CREATE TABLE a WITH ('connector' = 'x', 'o' = '1') AS SELECT * FROM m;
CREATE OR REPLACE TABLE b WITH ('connector' = 'y') AS SELECT * FROM a;
REPLACE TABLE b AS SELECT * FROM m;
CREATE MATERIALIZED TABLE c WITH ('connector' = 'z') AS SELECT * FROM m;
INSERT INTO c SELECT * FROM a /*+ OPTIONS('o' = '2') */ UNION ALL SELECT * FROM a`);
    expect(told(answer)).toEqual(['text: m > a', 'text: a > b', 'text: m > b', 'text: m > c', 'text: a > c']);
    expect(options(answer, 2)).toEqual([
      ['b', 'sink', {}],
      ['m', 'source', {}],
    ]);
    expect(options(answer, 4)).toEqual([
      ['c', 'sink', { connector: 'z' }],
      ['a', 'source', { connector: 'x', o: '2' }],
      ['a', 'source', { connector: 'x', o: '1' }],
    ]);
    expect(answer.statements.map((s) => [s.status, s.text])).toEqual(Array(5).fill(['error', true]));
  });

  it('reads each INSERT of a set, and EXECUTE and COMPILE', async () => {
    const script = `${known}EXECUTE STATEMENT SET BEGIN INSERT INTO t SELECT id, v FROM k; INSERT INTO t SELECT * FROM m; END;
EXECUTE INSERT INTO t SELECT * FROM n;
COMPILE PLAN 'file:///x' FOR INSERT INTO t SELECT * FROM o;
COMPILE AND EXECUTE PLAN 'file:///x' FOR INSERT INTO t SELECT * FROM p`;
    expect(await explain(script)).toEqual(['plan: k > t', 'text: m > t', 'text: n > t', 'text: o > t', 'text: p > t']);
  });

  it('tells of a set whether all of its failed INSERTs were read', async () => {
    const set = (last: string) => `${known}EXECUTE STATEMENT SET BEGIN INSERT INTO t SELECT * FROM m; ${last}; END`;
    const answers = [await worker.plan(set('INSERT INTO t SELECT * FROM n')), await worker.plan(set('INSERT INTO t SELECT FROM n'))];
    expect(answers.map((a) => a.statements.at(-1)?.text)).toEqual([true, false]);
  });

  it('reads UPDATE, DELETE and MERGE; the first two read what they change, as in their trees', async () => {
    const script = `${known}UPDATE t SET v = 'x' WHERE id IN (SELECT id FROM k);
UPDATE t SET v = 'x' WHERE id IN (SELECT id FROM m);
DELETE FROM t WHERE id IN (SELECT id FROM m);
MERGE INTO t USING m ON t.id = m.id WHEN MATCHED THEN UPDATE SET v = 'x'`;
    expect(await explain(script, { mode: 'batch' })).toEqual(['plan: k + t > t', 'text: m + t > t', 'text: m + t > t', 'text: m > t']);
  });

  it('applies hints to source and target, and knows what is overwritten', async () => {
    const answer = await worker.plan(
      `${known}INSERT OVERWRITE t /*+ OPTIONS('sink.x' = '1') */ SELECT * FROM k /*+ OPTIONS('topic' = 'k2') */ JOIN k AS l ON TRUE JOIN m ON TRUE`,
    );
    expect(answer.inserts[0]?.overwrite).toBe(true);
    expect(options(answer, 0)).toEqual([
      ['t', 'sink', { connector: 'doris', 'sink.x': '1' }],
      ['k', 'source', { connector: 'kafka', topic: 'k2' }],
      ['k', 'source', { connector: 'kafka', topic: 'k' }],
      ['m', 'source', {}],
    ]);
    expect(answer.inserts[0]?.tables[1]?.columns.map((c) => `${c.name} ${c.type}`)).toEqual([
      'id BIGINT',
      'v STRING',
      'pt TIMESTAMP_LTZ(3)',
    ]);
  });

  it('keeps the pairs of statements that Flink refuses for their types', async () => {
    const answer = await worker.plan(`${known}INSERT INTO t SELECT id + v + TRUE, v FROM k;
INSERT INTO t SELECT id, v FROM k GROUP BY id;
INSERT INTO t (id, nosuch) SELECT id, v FROM k;
INSERT INTO t SELECT CAST(id AS RAW('java.lang.String', 'AAAA')) FROM k`);
    expect(told(answer)).toEqual(Array(4).fill('text: k > t'));
    expect(answer.statements.slice(2).map((s) => [s.status, s.text])).toEqual(Array(4).fill(['error', true]));
  });

  it.each([
    ['a target of four parts', 'INSERT INTO a.b.c.d SELECT * FROM m'],
    ['a source of four parts', 'INSERT INTO t SELECT * FROM a.b.c.d'],
    ['a syntax error', 'INSERT INTO t SELECT * FROM m WHERE'],
    ['no statement', 'INSERT garbage here'],
    ['a target that is a view', 'CREATE VIEW w AS SELECT * FROM m;\nINSERT INTO w SELECT * FROM m'],
    ['a view over itself', 'CREATE VIEW w AS SELECT * FROM w;\nINSERT INTO t SELECT * FROM w'],
    ['options inherited from nowhere', "CREATE TABLE l WITH ('connector' = 'kafka') LIKE nosuch;\nINSERT INTO t SELECT * FROM l"],
    ['a token over the limit', `INSERT INTO t SELECT '${'x'.repeat(70_000)}' FROM m`],
    ['a view that nobody can read', 'CREATE TEMPORARY VIEW IF NOT EXISTS a.b.w AS SELEC * FROM m;\nINSERT INTO t SELECT * FROM a.b.w'],
    ['a table that nobody can read', 'CREATE TABLE `w` (x INT,) WITH (y);\nINSERT INTO t SELECT * FROM w JOIN m ON TRUE'],
  ])('tells nothing of %s', async (_, statement) => {
    expect(await explain(`CREATE TABLE t (id BIGINT) WITH ('connector' = 'x');\n${statement}`)).toEqual([]);
  });
});

describe('names', () => {
  it('belong to the catalog and database in force', async () => {
    const answer = await worker.plan(`CREATE CATALOG lake WITH ('type' = 'paimon', 'warehouse' = 's3://b/w');
USE CATALOG lake;
INSERT INTO ods.a SELECT * FROM b;
USE ods;
INSERT INTO a SELECT * FROM b JOIN dim.c ON TRUE JOIN default_catalog.default_database.d ON TRUE;
USE CATALOG elsewhere;
INSERT INTO x SELECT * FROM lake.ods.a`);
    expect(told(answer)).toEqual([
      'text: lake.default.b > lake.ods.a',
      'text: d + lake.dim.c + lake.ods.b > lake.ods.a',
      'text: lake.ods.a > elsewhere.default.x',
    ]);
    expect(answer.catalogs).toEqual({ lake: { type: 'paimon', options: { type: 'paimon', warehouse: 's3://b/w' } } });
  });

  it('are those of where a view was written', async () => {
    const script = `CREATE CATALOG lake WITH ('type' = 'paimon');
USE lake.ods;
CREATE VIEW v AS SELECT * FROM a;
CREATE TEMPORARY VIEW w AS SELECT * FROM v JOIN b ON TRUE;
USE CATALOG default_catalog;
INSERT INTO t SELECT * FROM lake.ods.w`;
    expect(await explain(script)).toEqual(['text: lake.ods.a + lake.ods.b > t']);
  });

  it('of views follow ALTER, DROP and what hides them', async () => {
    const script = `${known}CREATE VIEW v AS SELECT * FROM m;
INSERT INTO t SELECT * FROM v;
DROP VIEW v;
CREATE VIEW v AS SELECT id, v FROM k;
INSERT INTO t SELECT * FROM v;
ALTER VIEW v AS SELECT * FROM n;
INSERT INTO t SELECT * FROM v;
CREATE TEMPORARY VIEW k AS SELECT * FROM o;
INSERT INTO t SELECT id, v FROM k`;
    expect(await explain(script)).toEqual(['text: m > t', 'plan: k > t', 'text: n > t', 'text: o > t']);
  });

  it('of failed definitions keep their options; LIKE adds those of its base', async () => {
    const answer = await worker.plan(`CREATE TABLE a (x NOSUCHTYPE) WITH ('connector' = 'kafka', 'topic' = 'a');
CREATE TABLE b WITH ('topic' = 'b') LIKE a;
CREATE TABLE c WITH ('connector' = 'print') LIKE a (EXCLUDING ALL);
CREATE TABLE d WITH ('connector' = 'print') LIKE nosuch (EXCLUDING OPTIONS);
CREATE TABLE a (x INT) WITH ('connector' = 'second');
INSERT INTO d SELECT * FROM a, b, c`);
    expect(told(answer)).toEqual(['text: a + b + c > d']);
    expect(options(answer, 0)).toEqual([
      ['d', 'sink', { connector: 'print' }],
      ['a', 'source', { connector: 'second' }],
      ['b', 'source', { connector: 'kafka', topic: 'b' }],
      ['c', 'source', { connector: 'print' }],
    ]);
  });
});

describe('the Hive dialect', () => {
  it('is read as far as it is plain', async () => {
    const answer = await worker.plan(`CREATE CATALOG h WITH ('type' = 'hive', 'warehouse' = 'hdfs://n/w');
USE CATALOG h;
CREATE EXTERNAL TABLE IF NOT EXISTS d.t (a INT, b STRING) PARTITIONED BY (dt STRING) STORED AS PARQUET LOCATION 'hdfs://n/x' TBLPROPERTIES ('k' = 'v', 'o'='it''s');
INSERT OVERWRITE TABLE d.t PARTITION (dt) SELECT * FROM d.s;
INSERT INTO TABLE d.t PARTITION (dt = '1') IF NOT EXISTS SELECT * FROM d.s;
CREATE TABLE d.c STORED AS ORC AS SELECT a FROM d.t;
INSERT INTO d.t SELECT a FROM d.s LATERAL VIEW explode(b) x AS y;
FROM d.s INSERT OVERWRITE TABLE d.t SELECT a`);
    expect(told(answer)).toEqual(['text: h.d.s > h.d.t', 'text: h.d.s > h.d.t', 'text: h.d.t > h.d.c']);
    expect(answer.inserts.map((i) => i.overwrite)).toEqual([true, false, false]);
    expect(options(answer, 0)?.[0]).toEqual(['h.d.t', 'sink', { k: 'v', location: 'hdfs://n/x', o: "it's" }]);
  });
});

describe('a request for no more than the text', () => {
  const request = { validate: false };

  it('validates no query, and finds the same tables', async () => {
    const script = `${known}CREATE VIEW v AS SELECT REPEAT(v, 1000000000) AS v FROM k;
CREATE TABLE c WITH ('connector' = 'x') AS SELECT * FROM v;
INSERT INTO t SELECT REPEAT('x', 1000000000) FROM v JOIN c ON TRUE;
SELECT 1;
nonsense`;
    const answer = await worker.plan(script, request);
    expect(told(answer)).toEqual(['text: k > c', 'text: c + k > t']);
    expect(answer.statements.map((s) => s.status)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'ignored', 'error']);
  });

  it('takes each view once, however often it is joined', async () => {
    const views = Array.from({ length: 60 }, (_, i) => `CREATE VIEW v${i + 1} AS SELECT a.id FROM v${i} AS a JOIN v${i} AS b ON TRUE;\n`);
    const script = `CREATE TABLE v0 (id BIGINT) WITH ('connector' = 'x');\n${views.join('')}INSERT INTO t SELECT * FROM v60`;
    expect(await explain(script, request)).toEqual(['text: v0 > t']);
    const common = Array.from({ length: 60 }, (_, i) => `c${i + 1} AS (SELECT a.id FROM c${i} AS a JOIN c${i} AS b ON TRUE)`);
    expect(await explain(`INSERT INTO t WITH ${common.join(', ')} SELECT * FROM c60`, request)).toEqual(['text: c0 > t']);
  });

  it('reads what is wide or deep', async () => {
    const union = Array.from({ length: 1_000 }, (_, i) => `SELECT * FROM m${i % 3}`).join(' UNION ALL ');
    expect(await explain(`INSERT INTO t ${union}`, request)).toEqual(['text: m0 + m1 + m2 > t']);
    const deep = `${'(SELECT * FROM '.repeat(1_000)}m${')'.repeat(1_000)}`;
    expect(await explain(`INSERT INTO t SELECT * FROM ${deep}`, request)).toEqual(['text: m > t']);
  });
});

describe('a prelude', () => {
  const prelude = piecesOf(`CREATE CATALOG lake WITH ('type' = 'hive');
CREATE CATALOG lake WITH ('type' = 'paimon', 'warehouse' = 's3://b/w');
USE CATALOG lake;
CREATE TABLE ods.o (id BIGINT, v STRING) WITH ('path' = 's3://elsewhere/o');
CREATE VIEW ods.w AS SELECT id FROM ods.o;
CREATE TABLE ods.broken (id NOSUCHTYPE);
INSERT INTO ods.o SELECT 1, 'a'`);

  it('defines what the script finds, reports only its errors and leaves the current catalog alone', async () => {
    const answer = await worker.plan(
      `${known}INSERT INTO t SELECT id, v FROM lake.ods.o;
INSERT INTO t (id) SELECT id FROM lake.ods.w`,
      { prelude },
    );
    expect(told(answer)).toEqual(['plan: lake.ods.o > t', 'plan: lake.ods.o > t']);
    expect(options(answer, 0)?.[1]).toEqual(['lake.ods.o', 'source', { path: 's3://elsewhere/o' }]);
    expect(answer.statements).toHaveLength(4);
    expect(answer.prelude?.flatMap(({ error }, i) => (error === undefined ? [] : [`${i}: ${error.message}`]))).toEqual([
      "5: Unknown identifier 'NOSUCHTYPE'",
    ]);
    expect(answer.catalogs['lake']?.options).toEqual({ type: 'paimon', warehouse: 's3://b/w' });
  });

  it('gives way to definitions of the script', async () => {
    const answer = await worker.plan(
      `${known}CREATE CATALOG lake WITH ('type' = 'iceberg');
CREATE TABLE IF NOT EXISTS lake.ods.o (id INT) WITH ('path' = 'mine');
INSERT INTO t SELECT id, v FROM lake.ods.o;
CREATE TABLE lake.ods.o (id BIGINT) WITH ('path' = 'mine');
CREATE VIEW lake.ods.w AS SELECT id FROM k;
INSERT INTO t (id) SELECT o.id FROM lake.ods.o AS o JOIN lake.ods.w AS w ON o.id = w.id`,
      { prelude },
    );
    expect(answer.statements.map((s) => s.error?.message).filter(Boolean)).toEqual([]);
    expect(told(answer)).toEqual(['plan: lake.ods.o > t', 'plan: k + lake.ods.o > t']);
    expect(options(answer, 0)?.[1]?.[2]).toEqual({ path: 's3://elsewhere/o' });
    expect(answer.inserts[1]?.tables.find((t) => t.path[0] === 'lake')?.options).toEqual({ path: 'mine' });
    expect(answer.catalogs['lake']?.type).toBe('iceberg');
  });
});

describe('the language', () => {
  it('plans redefinitions between INSERTs, old connectors and any script', async () => {
    const answer =
      await worker.plan(`CREATE TABLE \`源\` (\`编号\` BIGINT) WITH ('connector.type' = 'kafka', 'connector.topic' = 'a', 'update-mode' = 'append');
CREATE TABLE Öl (ID BIGINT) WITH ('connector' = 'x', 'n' = '1');
INSERT INTO Öl SELECT 编号 FROM \`源\`;
DROP TABLE Öl;
CREATE TABLE Öl (ID BIGINT) WITH ('connector' = 'x', 'n' = '2');
INSERT INTO Öl SELECT \`编号\` FROM 源;
ALTER TABLE Öl SET ('n' = '3');
INSERT INTO Öl SELECT 编号 FROM 源;
ALTER TABLE Öl RENAME TO öl;
INSERT INTO öl SELECT 编号 FROM 源`);
    expect(told(answer)).toEqual(['plan: 源 > Öl', 'plan: 源 > Öl', 'plan: 源 > Öl', 'plan: 源 > öl']);
    expect(answer.inserts.map((i) => i.tables[0]?.options['n'])).toEqual(['1', '2', '3', '3']);
    expect(answer.inserts[0]?.tables[1]?.options['connector.type']).toBe('kafka');
  });

  it('plans materialized tables and models, and reads vector search and process table functions', async () => {
    const script = `CREATE TABLE q (id BIGINT, e ARRAY<FLOAT>, txt STRING) WITH ('connector' = 'x');
CREATE TABLE d (word STRING, v ARRAY<FLOAT>) WITH ('connector' = 'x');
CREATE TABLE o (id BIGINT, txt STRING) WITH ('connector' = 'x');
CREATE MODEL m INPUT (txt STRING) OUTPUT (label STRING) WITH ('provider' = 'openai');
CREATE MATERIALIZED TABLE mt WITH ('connector' = 'x') FRESHNESS = INTERVAL '30' SECOND AS SELECT id, txt FROM q;
ALTER MATERIALIZED TABLE mt SUSPEND;
INSERT INTO o SELECT id, label FROM ML_PREDICT(TABLE q, MODEL m, DESCRIPTOR(txt));
INSERT INTO o SELECT q.id, r.word FROM q, LATERAL TABLE(VECTOR_SEARCH(TABLE d, DESCRIPTOR(v), q.e, 3)) AS r;
CREATE FUNCTION score AS 'com.example.Score' USING JAR 'http://192.0.2.1/score.jar';
INSERT INTO o SELECT id, txt FROM score(input => TABLE q PARTITION BY id, uid => 'x')`;
    expect(await explain(script)).toEqual(['plan: q > mt', 'plan: m (model) + q > o', 'tree: d (lookup) + q > o', 'text: q > o']);
  });

  it('takes declared functions at their word', async () => {
    const functions = { Mask: { kind: 'scalar', type: 'BIGINT' }, split2: { kind: 'table', type: 'ROW<tag STRING>' } };
    const script = `${known}INSERT INTO t SELECT mask(v), tag FROM k, LATERAL TABLE(split2(v))`;
    expect(await explain(script, { functions })).toEqual(['plan: k > t']);
  });
});
