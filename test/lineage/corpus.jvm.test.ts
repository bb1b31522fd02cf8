// The corpus on the bundled planner.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPlanner, javaWorker, type Planner, plannerLib } from '../../src/plan/plan.ts';
import { answerOf, comparable, corpus } from '../support/corpus.ts';

let planner: Planner;

beforeAll(() => {
  const source = javaWorker({ java: undefined, heap: '256m', lib: plannerLib, env: process.env });
  planner = createPlanner({ source, report: () => {}, timeoutMs: 60_000 });
  planner.start();
});
afterAll(() => planner.stop());

describe('the corpus', () => {
  it('is large', () => expect(corpus().length).toBeGreaterThanOrEqual(120));

  it.each(corpus().map((each) => [each.name, each] as const))('%s', async (_, { sql, expected }) => {
    const found = await answerOf(planner, sql);
    expect(comparable(found, expected)).toEqual(comparable(expected));
  });
});
