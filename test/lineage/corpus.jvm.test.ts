// The corpus on the bundled planner, and whether it would notice faults of the stage lineage.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPlanner, javaWorker, type PlannedScript, type Planner, plannerLib } from '../../src/plan/plan.ts';
import { type Answer, answer, comparable, corpus, prepared } from '../support/corpus.ts';
import { mutants, mutated } from '../support/mutants.ts';

let planner: Planner;
const cases = corpus();
const planned = new Map<string, PlannedScript>();

beforeAll(() => {
  const source = javaWorker({ java: undefined, heap: '256m', lib: plannerLib, env: process.env });
  planner = createPlanner({ source, report: () => {}, timeoutMs: 60_000 });
  planner.start();
});
afterAll(() => planner.stop());

const plan = async (name: string, sql: string): Promise<PlannedScript> => {
  const known = planned.get(name) ?? (await planner.plan(prepared(sql)));
  planned.set(name, known);
  return known;
};
const isAsExpected = (found: Answer, expected: Answer) =>
  JSON.stringify(sorted(comparable(found))) === JSON.stringify(sorted(comparable(expected)));

/** With the keys of all objects in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

describe('the corpus', () => {
  it('is large', () => expect(cases.length).toBeGreaterThanOrEqual(120));

  it.each(cases.map((each) => [each.name, each] as const))('%s', async (name, { sql, expected }) => {
    const found = answer(await plan(name, sql));
    expect(comparable(found)).toEqual(comparable(expected));
  });
});

describe('the corpus notices that', () => {
  it.each(mutants.map((mutant, at) => [mutant.title, mutant, at] as const))('%s', async (_, mutant, at) => {
    const extract = await mutated(mutant, at);
    const noticed: string[] = [];
    for (const { name, sql, expected } of cases) {
      if (!isAsExpected(answer(await plan(name, sql), extract), expected)) noticed.push(name);
    }
    expect(noticed).not.toEqual([]);
  });

  it('nothing is wrong where nothing is', async () => {
    const extract = await mutated({ title: 'none', file: 'extract.ts', from: '// PlannedScript', to: '// PlannedScript' }, mutants.length);
    for (const { name, sql, expected } of cases) expect(isAsExpected(answer(await plan(name, sql), extract), expected), name).toBe(true);
  });
});
