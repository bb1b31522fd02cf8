// Hostile scripts that take the planner long: it gives up compiling or validating them, and the next scripts are unharmed.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPlanner, javaWorker, type Planner, plannerLib } from '../../src/plan/plan.ts';
import { answerOf } from '../support/corpus.ts';

let planner: Planner;

beforeAll(() => {
  const source = javaWorker({ java: undefined, heap: '256m', lib: plannerLib, env: process.env });
  planner = createPlanner({ source, report: () => {}, timeoutMs: 60_000, backOff: { firstMs: 20, maxMs: 200 } });
  planner.start();
});
afterAll(() => planner.stop());

const many = (count: number, of: (i: number) => string, between = ', ') => Array.from({ length: count }, (_, i) => of(i)).join(between);
const kafka = (columns: string) =>
  `CREATE TABLE s (${columns}) WITH ('connector' = 'kafka', 'topic' = 's', 'properties.bootstrap.servers' = 'k:9092');`;
const doris = (columns: string) =>
  `CREATE TABLE t (${columns}) WITH ('connector' = 'doris', 'fenodes' = 'fe:8030', 'table.identifier' = 'dw.t');`;
const insert = (query: string) => `${kafka('id BIGINT, v STRING')}\n${doris('id BIGINT, v STRING')}\nINSERT INTO t ${query};`;
const wide = many(3_000, (i) => `c${i} STRING`);
const views = many(10, (i) => `CREATE VIEW w${i + 1} AS SELECT a.id, b.v FROM w${i} a JOIN w${i} b ON a.id = b.id;`, '\n');

describe('a hostile script', () => {
  it.each([
    ['folding a constant of a gigabyte', insert("SELECT id, REPEAT('x', 1000000000) FROM s")],
    ['folding nested constants', insert("SELECT id, REPEAT(REPEAT(REPEAT('abcdefghij', 1000), 1000), 1000) FROM s")],
    ['20,000 terms of OR', insert(`SELECT id, v FROM s WHERE ${many(20_000, (i) => `id = ${i} + 1`, ' OR ')}`)],
    ['400 branches of UNION ALL', insert(many(400, (i) => `SELECT id + ${i}, v FROM s`, ' UNION ALL '))],
    ['3,000 columns', `${kafka(wide)}\n${doris(wide)}\nINSERT INTO t SELECT ${many(3_000, (i) => `UPPER(c${i})`)} FROM s;`],
    ['a CASE of 2,000 branches', insert(`SELECT id, CASE ${many(2_000, (i) => `WHEN id = ${i} THEN '${i}'`, ' ')} ELSE v END FROM s`)],
    [
      'views that double ten times',
      `${kafka('id BIGINT, v STRING')}\n${doris('id BIGINT, v STRING')}\nCREATE VIEW w0 AS SELECT id, v FROM s;\n${views}\nINSERT INTO t SELECT id, v FROM w10;`,
    ],
  ])('%s', { timeout: 600_000 }, async (_, sql) => {
    const tables = async (script: string) => (await answerOf(planner, script)).inserts.map(({ inputs, sink }) => [...inputs, sink]);
    expect(await tables(sql)).toEqual([['kafka://k:9092 s', 'mysql://fe:9030 dw.t']]);
    expect(await tables(insert('SELECT id, v FROM s'))).toEqual([['kafka://k:9092 s', 'mysql://fe:9030 dw.t']]);
  });
});
