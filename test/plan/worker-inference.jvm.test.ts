// INSERTs over tables that nobody declares, with the columns they use of them: the pairs are those of the text, the columns
// right or absent.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SpokenWorker, startWorker, type WorkerAnswer } from '../support/planner-worker.ts';

let worker: SpokenWorker;
beforeAll(async () => {
  worker = startWorker();
  await worker.hello;
}, 60_000);
afterAll(async () => {
  worker.child.stdin.end();
  await worker.exitCode;
});

const known = `CREATE TABLE k (id BIGINT, v STRING, amount DECIMAL(10, 2), ts TIMESTAMP(3), pt AS PROCTIME(), WATERMARK FOR ts AS ts)
  WITH ('connector' = 'kafka', 'topic' = 'k');
CREATE TABLE t (id BIGINT, v STRING) WITH ('connector' = 'doris');
`;

interface Column {
  readonly table: number;
  readonly field: string;
  readonly subtype: string;
}
interface Inferred {
  readonly columns?: Readonly<Record<string, readonly Column[]>>;
  readonly indirect?: readonly Column[];
  readonly inferred?: readonly string[][];
}

/** `tree: m + k > t; id: m.id; v: m.v SUBTYPE; * m.x FILTER`: one text per INSERT. */
function told(answer: WorkerAnswer): string[] {
  return answer.inserts.map((insert) => {
    const { plan, tree, text, target, tables, columns, indirect = [] } = insert as typeof insert & Inferred;
    const inputs = (tree ?? text)?.inputs.map(({ path, role }) => (role === 'scan' ? path[2] : `${path[2]} (${role})`)).sort();
    const use = ({ table, field, subtype }: Column) => `${tables[table]?.path[2]}.${field}${subtype === 'IDENTITY' ? '' : ` ${subtype}`}`;
    const uses = (list: readonly Column[]) => list.map(use).sort().join(', ');
    const lines = Object.entries(columns ?? {}).map(([name, list]) => `${name}: ${uses(list)}`.trim());
    const tier = plan !== null ? 'plan' : tree !== null ? 'tree' : 'text';
    return [`${tier}: ${inputs?.join(' + ')} > ${target[2]}`, ...lines, ...(indirect.length > 0 ? [`* ${uses(indirect)}`] : [])].join('; ');
  });
}
const infer = async (script: string) => told(await worker.plan(known + script, { infer: true }));

describe('columns by their use', () => {
  it.each([
    ['a projection', 'SELECT id, name FROM lake.ods.m', 'm > t; id: m.id; v: m.name'],
    [
      'a join with a declared table',
      'SELECT m.id, UPPER(m.name) FROM lake.ods.m AS m JOIN k ON m.id = k.id WHERE m.kind > 3 AND m.flag',
      'k + m > t; id: m.id; v: m.name TRANSFORMATION; * k.id JOIN, m.flag FILTER, m.id JOIN, m.kind FILTER',
    ],
    [
      'a column of the declared table without its name',
      'SELECT id, amt FROM lake.ods.m JOIN k ON mid = v',
      'k + m > t; id: k.id; v: m.amt; * k.v JOIN, m.mid JOIN',
    ],
    [
      'deduplication through *',
      'SELECT id, name FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY updated DESC) AS rn FROM lake.ods.m) WHERE rn = 1',
      'm > t; id: m.id; v: m.name; * m.id FILTER, m.id WINDOW, m.updated FILTER, m.updated WINDOW',
    ],
    [
      'aggregates and literals of all kinds',
      "SELECT id, CAST(SUM(price * qty) AS STRING) FROM lake.ods.m WHERE born > DATE '2024-01-01' AND made >= TIMESTAMP '2024-01-01 00:00:00' GROUP BY id",
      'm > t; id: m.id; v: m.price AGGREGATION, m.qty AGGREGATION; * m.born FILTER, m.id GROUP_BY, m.made FILTER',
    ],
    [
      'a lookup join',
      'SELECT k.id, d.name FROM k JOIN lake.dim.d FOR SYSTEM_TIME AS OF k.pt AS d ON d.code = k.v',
      'd (lookup) + k > t; id: k.id; v: d.name; * d.code JOIN, k.v JOIN',
    ],
    [
      'a common table',
      'WITH c AS (SELECT id AS i, n FROM lake.ods.m) SELECT i, n FROM c ORDER BY i',
      'm > t; id: m.id; v: m.n; * m.id SORT',
    ],
    [
      'a window',
      "SELECT id, MAX(v) FROM TABLE(TUMBLE(TABLE lake.ods.m, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY id, window_start, window_end",
      'm > t; id: m.id; v: m.v AGGREGATION; * m.id GROUP_BY, m.ts GROUP_BY, m.ts WINDOW',
    ],
    ['UNNEST', 'SELECT id, tag FROM lake.ods.m CROSS JOIN UNNEST(tags) AS x (tag)', 'm > t; id: m.id; v: m.tags TRANSFORMATION'],
    [
      'a function without code',
      'SELECT id, s FROM lake.ods.m, LATERAL TABLE(own_split(m.v)) AS f (s)',
      'm > t; id: m.id; v: m.v TRANSFORMATION',
    ],
    [
      'functions without parentheses and units of time',
      'SELECT id, CAST(FLOOR(ts TO DAY) AS STRING) FROM lake.ods.m WHERE dt = CURRENT_DATE AND EXTRACT(DAY FROM b) = 1 AND TIMESTAMPADD(HOUR, 1, c) > LOCALTIMESTAMP',
      'm > t; id: m.id; v: m.ts TRANSFORMATION; * m.b FILTER, m.c FILTER, m.dt FILTER',
    ],
    [
      'a named window',
      'SELECT id, CAST(SUM(x) OVER w AS STRING) FROM lake.ods.m WINDOW w AS (PARTITION BY g ORDER BY ts ROWS BETWEEN 3 PRECEDING AND CURRENT ROW)',
      'm > t; id: m.id; v: m.g WINDOW, m.ts WINDOW, m.x AGGREGATION',
    ],
    [
      'conditions',
      "SELECT id, CASE WHEN a THEN b ELSE 'n' END FROM lake.ods.m WHERE NOT c AND (d OR e IS TRUE) AND f LIKE 'x%' AND g['x'] = 'y'",
      'm > t; id: m.id; v: m.a CONDITIONAL, m.b TRANSFORMATION; * m.c FILTER, m.d FILTER, m.e FILTER, m.f FILTER, m.g FILTER',
    ],
    [
      'a type that only the error tells',
      'SELECT id, COALESCE(n, 0) + own(m) FROM lake.ods.o GROUP BY id, n, m HAVING COUNT(DISTINCT u) > 2',
      'o > t; id: o.id; v: o.m TRANSFORMATION, o.n TRANSFORMATION; * o.id GROUP_BY, o.m GROUP_BY, o.n GROUP_BY, o.u FILTER',
    ],
    [
      'a sub-query over an undeclared table',
      'SELECT k.id, (SELECT MAX(o.p) FROM lake.ods.o AS o WHERE o.id = k.id) FROM k',
      'k + o > t; id: k.id; v: k.id FILTER, o.id FILTER, o.p AGGREGATION',
    ],
    ['a cast, which stays a conversion', 'SELECT id, CAST(a AS STRING) FROM lake.ods.m', 'm > t; id: m.id; v: m.a TRANSFORMATION'],
    [
      'a table joined with itself',
      'SELECT a.id, b.v FROM lake.x.m AS a, lake.x.m AS b WHERE a.i = b.j',
      'm > t; id: m.id; v: m.v; * m.i FILTER, m.i JOIN, m.j FILTER, m.j JOIN',
    ],
    [
      'USING with a declared table',
      'SELECT id, v FROM lake.ods.m JOIN k USING (id) WHERE m.x = 1',
      'k + m > t; id: k.id TRANSFORMATION, m.id TRANSFORMATION; v: k.v; * k.id JOIN, m.id JOIN, m.x FILTER',
    ],
    ['nested fields', 'SELECT m.id, m.addr.city FROM lake.ods.m AS m', 'm > t; id: m.id; v: m.addr.city'],
    [
      'nested fields without the table, deep ones, and the row itself',
      "SELECT id, CASE WHEN addr IS NULL THEN UPPER(addr.geo.area) END FROM lake.ods.m WHERE addr.geo.lat > 3 AND addr.zip = '1'",
      'm > t; id: m.id; v: m.addr CONDITIONAL, m.addr.geo.area TRANSFORMATION; * m.addr.geo.lat FILTER, m.addr.zip FILTER',
    ],
    [
      'nested fields beside a declared table, through a view of all columns',
      'SELECT k.id, x.addr.city FROM k JOIN (SELECT * FROM lake.ods.m) AS x ON x.link.id = k.id',
      'k + m > t; id: k.id; v: m.addr.city; * k.id JOIN, m.link.id JOIN',
    ],
    [
      'MATCH_RECOGNIZE',
      'SELECT id, v FROM lake.ods.m MATCH_RECOGNIZE (PARTITION BY id ORDER BY ts MEASURES A.v AS v PATTERN (A B) DEFINE B AS B.n > 1)',
      'm > t; id: m.id; v: m.v; * m.id WINDOW, m.n FILTER, m.ts SORT',
    ],
    [
      'MATCH_RECOGNIZE with quantifiers, two keys of order and another table',
      "SELECT k.id, r.u FROM k JOIN (SELECT * FROM lake.ods.m MATCH_RECOGNIZE (PARTITION BY g ORDER BY ts, seq MEASURES LAST(A.nick) AS u, FIRST(A.n) AS f AFTER MATCH SKIP PAST LAST ROW PATTERN (A+ B* C) WITHIN INTERVAL '1' HOUR DEFINE A AS A.n > 1, C AS kind = 'c')) AS r ON r.g = k.id",
      'k + m > t; id: k.id; v: m.nick; * k.id JOIN, m.g JOIN, m.g WINDOW, m.kind FILTER, m.n FILTER, m.seq SORT, m.ts SORT',
    ],
    ['odd names', 'SELECT `a``b`, `订 单` FROM lake.`o d`.`m``x`', 'm`x > t; id: m`x.a`b; v: m`x.订 单'],
  ])('%s', async (_, query, expected) => {
    expect(await infer(`INSERT INTO t ${query}`)).toEqual([`tree: ${expected}`]);
  });

  it('follow column lists, partitions, sets, views and CTAS', async () => {
    expect(await infer("INSERT INTO t (v, id) SELECT n, k.id FROM lake.ods.m /*+ OPTIONS('a' = 'b') */ AS m JOIN k ON m.x = k.id")).toEqual(
      ['tree: k + m > t; id: k.id; v: m.n; * k.id JOIN, m.x JOIN'],
    );
    expect(await infer("INSERT INTO lake.x.y PARTITION (dt = '1') (a, b) SELECT id, n FROM lake.ods.m")).toEqual([
      'tree: m > y; a: m.id; b: m.n; dt:',
    ]);
    expect(
      await infer('EXECUTE STATEMENT SET BEGIN INSERT INTO t SELECT id, v FROM lake.ods.a; INSERT INTO t SELECT id, v FROM k; END'),
    ).toEqual(['tree: a > t; id: a.id; v: a.v', 'plan: k > t; id: k.id; v: k.v']);
    expect(
      await infer(
        "CREATE TABLE c WITH ('connector' = 'x') AS SELECT id, UPPER(n) AS u FROM lake.ods.m;\nINSERT INTO t SELECT id, u FROM c",
      ),
    ).toEqual(['tree: m > c; id: m.id; u: m.n TRANSFORMATION', 'tree: c > t; id: c.id; v: c.u']);
    const views = `CREATE CATALOG lake WITH ('type' = 'paimon');
USE lake.ods;
CREATE VIEW a AS SELECT *, PROCTIME() AS p FROM m;
CREATE TEMPORARY VIEW b AS SELECT id, UPPER(n) AS n FROM a;
USE CATALOG default_catalog;
INSERT INTO t SELECT id, n FROM lake.ods.b;
INSERT INTO t SELECT id, other FROM lake.ods.a;
DROP TEMPORARY VIEW lake.ods.b;
CREATE TABLE lake.ods.b (id BIGINT) WITH ('path' = 'x');
INSERT INTO t (id) SELECT id FROM lake.ods.b`;
    expect(await infer(views)).toEqual([
      'tree: m > t; id: m.id; v: m.n TRANSFORMATION',
      'tree: m > t; id: m.id; v: m.other',
      'plan: b > t; id: b.id; v:',
    ]);
  });

  it('are no schema, and gone with the statement', async () => {
    const answer = await worker.plan(`${known}INSERT INTO t SELECT id, n FROM lake.ods.m;\nINSERT INTO t SELECT * FROM lake.ods.m`, {
      infer: true,
    });
    expect(told(answer)).toEqual(['tree: m > t; id: m.id; v: m.n', 'text: m > t']);
    expect(answer.inserts.map(({ tables }) => tables.map(({ columns }) => columns.length))).toEqual([
      [2, 0],
      [2, 0],
    ]);
    expect(answer.inserts.map((insert) => (insert as Inferred).inferred)).toEqual([[['lake', 'ods', 'm']], undefined]);
  });
});

describe('the text answers', () => {
  it.each([
    ['* into a sink by position', 'SELECT * FROM lake.ods.m', 'm'],
    ['two tables that may have the column', 'SELECT a.id, x FROM lake.ods.a AS a JOIN lake.ods.b AS b ON a.id = b.id', 'a + b'],
    ['USING and a column of either', 'SELECT id, x FROM lake.ods.a JOIN lake.ods.b USING (id)', 'a + b'],
    ['a sub-query that may see the outer table', 'SELECT a.id, a.v FROM lake.ods.a WHERE a.id IN (SELECT id FROM lake.ods.b)', 'a + b'],
    ['a column or a database', 'SELECT id, ods.x.y FROM lake.ods.m', 'm'],
    ['a database or a column', 'SELECT ods.m.id, v FROM lake.ods.m', 'm'],
    ['nested fields of either table', 'SELECT a.id, addr.city FROM lake.ods.a AS a JOIN lake.ods.b AS b ON a.id = b.id', 'a + b'],
    ['all fields of a row', 'SELECT m.id, m.addr.* FROM lake.ods.m AS m', 'm'],
    ['a natural join', 'SELECT id, v FROM lake.ods.a NATURAL JOIN k', 'a + k'],
    ['renamed columns', 'SELECT x, y FROM lake.ods.m AS z (x, y)', 'm'],
    [
      'MATCH_RECOGNIZE over two tables that may have the column',
      'SELECT a, b FROM (SELECT x.*, y.* FROM lake.ods.m AS x JOIN lake.ods.n AS y ON x.i = y.i) MATCH_RECOGNIZE (ORDER BY ts MEASURES A.v AS a, B.v AS b PATTERN (A B) DEFINE B AS B.id > 1)',
      'm + n',
    ],
    ['* in a sub-query', 'SELECT id, v FROM k WHERE id IN (SELECT * FROM lake.ods.o)', 'k + o'],
    ['no columns at all', 'SELECT 1, COUNT(*) FROM lake.ods.m', 'm'],
    ['a statement that is wrong otherwise', 'SELECT id, SPLIT_INDEX(v, v, v) FROM lake.ods.m', 'm'],
  ])('%s', async (_, query, inputs) => {
    expect(await infer(`INSERT INTO t ${query}`)).toEqual([`text: ${inputs} > t`]);
  });

  it('where the sink is not known, where a view renames, and for what Flink refuses', async () => {
    expect(await infer('INSERT INTO lake.x.y SELECT id, v FROM lake.ods.m')).toEqual(['text: m > y']);
    expect(await infer('CREATE VIEW a (x, y) AS SELECT id, n FROM lake.ods.m;\nINSERT INTO t SELECT x, y FROM a')).toEqual(['text: m > t']);
    expect(await infer('INSERT INTO t SELECT nosuch, v FROM k')).toEqual(['text: k > t']);
    expect(await infer('INSERT INTO lake.x.y (a, a) SELECT id, v FROM lake.ods.m')).toEqual(['text: m > y']);
  });

  it('and the pairs stay where set operations leave no columns', async () => {
    expect(await infer('INSERT INTO t SELECT id, v FROM lake.ods.m UNION ALL SELECT id, v FROM k')).toEqual(['tree: k + m > t']);
    expect(await infer('INSERT INTO t SELECT id, v FROM (SELECT * FROM lake.ods.m UNION ALL SELECT * FROM lake.ods.n)')).toEqual([
      'text: m + n > t',
    ]);
  });

  it('where nobody asks for more', async () => {
    expect(told(await worker.plan(`${known}INSERT INTO t SELECT id, v FROM lake.ods.m`))).toEqual(['text: m > t']);
    expect(told(await worker.plan(`${known}INSERT INTO t SELECT id, v FROM lake.ods.m`, { infer: true, validate: false }))).toEqual([
      'text: m > t',
    ]);
  });
});

describe('hostile use', () => {
  it('of many columns, deep queries and many tables ends in time', async () => {
    const many = Array.from({ length: 2_500 }, (_, i) => `c${i}`);
    expect(await infer(`INSERT INTO t (id) SELECT ${many.join(' || ')} FROM lake.ods.m`)).toEqual(['text: m > t']);
    const deep = `${'(SELECT id, v FROM '.repeat(300)}lake.ods.m${')'.repeat(300)}`;
    expect(await infer(`INSERT INTO t SELECT id, v FROM ${deep}`)).toEqual(['tree: m > t; id: m.id; v: m.v']);
    const views = Array.from(
      { length: 24 },
      (_, i) => `CREATE VIEW v${i + 1} AS SELECT a.id FROM v${i} AS a JOIN v${i} AS b ON a.id = b.id;\n`,
    );
    const script = `CREATE VIEW v0 AS SELECT id FROM lake.ods.m;\n${views.join('')}INSERT INTO t (id) SELECT 1 FROM (VALUES (1)) AS x (y) WHERE FALSE`;
    expect(await infer(script)).toHaveLength(1);
  });
});
