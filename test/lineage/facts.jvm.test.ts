// What the planner tells of an INSERT beside its columns: which are hidden, what computes them, which partition is written.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ColumnOrigin, distillLineage, nameLineage } from '../../src/identity/identity.ts';
import { extractLineage } from '../../src/lineage/lineage.ts';
import { createPlanner, javaWorker, type Planner, plannerLib, prepareText } from '../../src/plan/plan.ts';

const kafka = (topic: string) =>
  `WITH ('connector' = 'kafka', 'topic' = '${topic}', 'properties.bootstrap.servers' = 'b:9092', 'format' = 'json')`;
const ddl = `
CREATE TABLE people (id BIGINT, name STRING, mail STRING, card STRING, paid DECIMAL(10, 2), place ROW<city STRING, zip STRING>) ${kafka('people')};
CREATE TABLE names (id BIGINT, name STRING) ${kafka('names')};
CREATE TABLE lake (id BIGINT, name STRING, dt STRING, h INT) PARTITIONED BY (dt, h) WITH ('connector' = 'filesystem', 'path' = 's3://b/lake', 'format' = 'parquet');
`;
const settings = { profile: 'openlineage', jdbcNameRule: '1.54' } as const;
let planner: Planner;

beforeAll(() => {
  planner = createPlanner({
    source: javaWorker({ java: undefined, heap: '256m', lib: plannerLib, env: process.env }),
    report: () => {},
    timeoutMs: 60_000,
  });
  planner.start();
});
afterAll(() => planner.stop());

async function pipelineOf(sql: string) {
  const planned = await planner.plan(prepareText({ sql: ddl + sql, variables: [], engineVersion: null }, { maxScriptBytes: 2 ** 21 }));
  const [pipeline] = nameLineage(distillLineage(extractLineage(planned)), settings as never).pipelines;
  if (pipeline === undefined) throw new Error('no pipeline');
  return pipeline;
}

const shown = (origins: readonly ColumnOrigin[]) =>
  origins.map(({ field, subtype, masking }) => `${field} ${subtype}${masking === true ? ' masked' : ''}`);

it.each([
  ['a column as it stands', 'mail', ['mail IDENTITY']],
  ['a hash', 'SHA256(mail)', ['mail TRANSFORMATION masked']],
  ['a hash of a computed value', "MD5(CONCAT(UPPER(mail), 's4lt'))", ['mail TRANSFORMATION masked']],
  ['a hash in a computed value', "CONCAT('x-', SHA2(mail, 256))", ['mail TRANSFORMATION masked']],
  ['a value beside its hash', 'CONCAT(mail, SHA1(mail))', ['mail TRANSFORMATION']],
  ['one hidden, one in the clear', 'CONCAT(name, SHA512(mail))', ['name TRANSFORMATION', 'mail TRANSFORMATION masked']],
  ['no hash', 'UPPER(mail)', ['mail TRANSFORMATION']],
  [
    'a hash that only decides',
    "CASE WHEN MD5(card) = 'x' THEN mail ELSE name END",
    ['card CONDITIONAL', 'mail TRANSFORMATION', 'name TRANSFORMATION'],
  ],
  ['a nested field', 'MD5(place.city)', ['place.city TRANSFORMATION masked']],
])('masking: %s', async (_, expression, expected) => {
  const { columns } = await pipelineOf(`INSERT INTO names SELECT id, ${expression} FROM people;`);
  expect(shown(columns['name'] ?? [])).toEqual(expected);
});

it('masking goes through views, aggregates and unions, and ends where one side is in the clear', async () => {
  const hashed = 'CREATE VIEW h AS SELECT id, SHA256(mail) AS m FROM people;';
  const of = async (sql: string) => shown((await pipelineOf(hashed + sql)).columns['name'] ?? []);
  expect(await of('INSERT INTO names SELECT id, UPPER(m) FROM h;')).toEqual(['mail TRANSFORMATION masked']);
  expect(await of('INSERT INTO names SELECT id, MAX(m) FROM h GROUP BY id;')).toEqual(['mail AGGREGATION masked']);
  expect(await of('INSERT INTO names SELECT id, m FROM h UNION ALL SELECT id, m FROM h;')).toEqual(['mail TRANSFORMATION masked']);
  expect(await of('INSERT INTO names SELECT id, m FROM h UNION ALL SELECT id, UPPER(mail) FROM people;')).toEqual(['mail TRANSFORMATION']);
});

it('one INSERT that hides and one that does not hide nothing', async () => {
  const both = 'INSERT INTO names SELECT id, SHA256(mail) FROM people; INSERT INTO names SELECT id, UPPER(mail) FROM people;';
  expect(shown((await pipelineOf(both)).columns['name'] ?? [])).toEqual(['mail TRANSFORMATION']);
});

it.each([
  ['mail', undefined],
  ["CONCAT(name, ' <', mail, '>')", 'CONCAT(name, ?, mail, ?)'],
  ['CAST(id AS STRING)', /^CAST\(id AS VARCHAR/],
  ["CASE WHEN paid > 10 THEN name ELSE 's3cr3t' END", 'CASE((paid > ?), name, ?)'],
  ['UPPER(place.city)', 'UPPER(place.city)'],
])('expression: %s', async (expression, expected) => {
  const { expressions } = await pipelineOf(`INSERT INTO names SELECT id, ${expression} FROM people;`);
  if (expected instanceof RegExp) expect(expressions?.['name']).toMatch(expected);
  else expect(expressions?.['name']).toBe(expected);
  expect(expressions?.['id']).toBeUndefined();
});

it('expressions are put together through views and groups, and cut', async () => {
  const of = async (sql: string) => (await pipelineOf(sql)).expressions?.['name'];
  const view = 'CREATE VIEW v AS SELECT id, UPPER(name) AS n, paid * 2 AS p FROM people;';
  expect(await of(`${view} INSERT INTO names SELECT id, CAST(SUM(p) AS STRING) FROM v GROUP BY id;`)).toMatch(
    /^CAST\(SUM\(\(paid \* \?\)\) AS /,
  );
  expect(await of(`${view} INSERT INTO names SELECT v.id, CONCAT(n, w.mail) FROM v JOIN people w ON v.id = w.id;`)).toBe(
    'CONCAT(UPPER(name), mail)',
  );
  const long = Array.from({ length: 60 }, () => 'UPPER(name)').join(', ');
  expect(await of(`INSERT INTO names SELECT id, CONCAT(${long}) FROM people;`)).toMatch(/^CONCAT\(UPPER\(name\), .{180,190}…$/);
});

it('tells the static partition that is written', async () => {
  expect((await pipelineOf("INSERT INTO lake PARTITION (dt = '2026-01-01', h = 7) SELECT id, name FROM people;")).partitions).toEqual([
    { dt: '2026-01-01', h: '7' },
  ]);
  expect((await pipelineOf("INSERT OVERWRITE lake PARTITION (dt = '2026-01-01') SELECT id, name, 3 FROM people;")).partitions).toEqual([
    { dt: '2026-01-01' },
  ]);
  expect((await pipelineOf("INSERT INTO lake SELECT id, name, '2026-01-01', 3 FROM people;")).partitions).toBeUndefined();
});
