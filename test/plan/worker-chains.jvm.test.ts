// Conditions of many terms: a chain is parsed in groups, and nothing of the answer shows that.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { edgesOf, errorsOf, nodesOf, type SpokenWorker, startWorker } from '../support/planner-worker.ts';

let worker: SpokenWorker;
beforeAll(async () => {
  worker = startWorker();
  await worker.hello;
}, 60_000);
afterAll(async () => {
  worker.child.stdin.end();
  await worker.exitCode;
});

const chain = (length: number, word: 'OR' | 'AND', term: (i: number) => string) =>
  Array.from({ length }, (_, i) => term(i)).join(` ${word} `);
const script = (query: string) => [
  { text: "CREATE TABLE s (id BIGINT, v STRING) WITH ('connector' = 'kafka')", line: 1, column: 1 },
  { text: "CREATE TABLE m (id BIGINT, v STRING) WITH ('connector' = 'kafka')", line: 2, column: 1 },
  { text: "CREATE TABLE t (id BIGINT, v STRING) WITH ('connector' = 'doris')", line: 3, column: 1 },
  { text: `INSERT INTO t ${query}`, line: 4, column: 7 },
];
/** 1-based column of `what` in the statement, which starts at column 7 of its line. */
const columnOf = (query: string, what: string) => `INSERT INTO t ${query}`.indexOf(what) + 7;

describe('a chain of 20,000 terms', () => {
  const inTheMiddle = (i: number) => (i === 9_999 ? 'id IN (SELECT id FROM m)' : `id = ${i}`);

  it.each([
    ['OR', chain(20_000, 'OR', inTheMiddle)],
    ['AND', chain(20_000, 'AND', inTheMiddle)],
    ['OR, in parentheses with an AND and its BETWEEN each', chain(20_000, 'OR', (i) => `(${inTheMiddle(i)} AND id BETWEEN ${i} AND 9)`)],
    ['AND inside one CASE', `CASE WHEN ${chain(20_000, 'AND', inTheMiddle)} THEN id > 1 OR v = '' ELSE FALSE END`],
  ])('of %s is read by its text', async (_, condition) => {
    const answer = await worker.plan(script(`SELECT * FROM s WHERE ${condition}`), { validate: false, compile: false });
    expect(errorsOf(answer)).toEqual([]);
    expect(edgesOf(answer)).toEqual(['m:scan+s:scan ~> default_catalog.default_database.t']);
  });
});

describe('a chain of 600 terms', () => {
  it.each([
    ['OR', chain(600, 'OR', (i) => `id = ${7_000 + i} + MOD(id, 3)`)],
    ['AND', chain(600, 'AND', (i) => `id <> ${7_000 + i} + MOD(id, 3)`)],
    ['OR of ANDs', chain(600, 'OR', (i) => `id = ${7_000 + i} + MOD(id, 3) AND v IS NOT NULL`)],
    ['AND with the AND of BETWEEN', chain(600, 'AND', (i) => `id NOT BETWEEN ${7_000 + i} AND MOD(id, 3)`)],
    ['AND with CASE', chain(600, 'AND', (i) => `CASE WHEN id = ${7_000 + i} OR v = 'b' THEN id > 1 AND v <> 'a' ELSE TRUE END`)],
  ])('of %s is planned with all terms', async (_, condition) => {
    const answer = await worker.plan(script(`SELECT id, v FROM s WHERE ${condition} GROUP BY id, v HAVING COUNT(*) > 1 OR COUNT(*) < 9`));
    expect(errorsOf(answer)).toEqual([]);
    expect(nodesOf(answer.inserts[0])).toContain('group-aggregate');
    const literals = JSON.stringify(answer.inserts[0]?.plan).match(/\b7[0-5]\d\d\b/g) ?? [];
    expect([...new Set(literals.map(Number))].sort()).toEqual(Array.from({ length: 600 }, (_, i) => 7_000 + i));
  });

  it('in one clause is not taken together with that of another', async () => {
    const terms = chain(600, 'OR', (i) => `id = ${i}`);
    const query = `SELECT CASE WHEN ${terms} THEN 1 ELSE 2 END, v FROM s WHERE ${terms} UNION ALL SELECT id, v FROM m WHERE ${terms}`;
    const answer = await worker.plan(script(query));
    expect(errorsOf(answer)).toEqual([]);
    expect(edgesOf(answer)).toEqual(['m:scan+s:scan > default_catalog.default_database.t']);
  });

  it.each([
    ['an unknown column', (i: number) => (i === 555 ? 'nowhere = 1' : `id = ${i}`), 'nowhere', /Column 'nowhere' not found/],
    ['a word that is too much', (i: number) => (i === 555 ? 'id = = 1' : `id = ${i}`), '= = 1', /Encountered "= ="/],
    [
      'a word that was not reserved once',
      (i: number) => (i === 300 ? 'hash = 1' : i === 555 ? 'nowhere = 1' : `id = ${i}`),
      'hash',
      /hash/,
    ],
  ])('says where %s is written', async (_, term, at, message) => {
    const query = `SELECT id, v FROM s WHERE ${chain(600, 'OR', term)}`;
    const answer = await worker.plan(script(query));
    expect(answer.statements[3]?.error).toMatchObject({ line: 4, column: columnOf(query, at), message: expect.stringMatching(message) });
    expect(edgesOf(answer)).toEqual(at === '= = 1' ? [] : ['s:scan ~> default_catalog.default_database.t']);
  });
});
