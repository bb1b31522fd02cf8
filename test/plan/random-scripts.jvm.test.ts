import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SpokenWorker, startWorker } from '../support/planner-worker.ts';
import { expectTiersAgree } from '../support/random-scripts.ts';
import { randomScript } from '../support/script-grammar.ts';

let worker: SpokenWorker;
beforeAll(() => {
  worker = startWorker(2);
});
afterAll(async () => {
  worker.child.stdin.end();
  await worker.exitCode;
});

describe('random scripts', () => {
  it('are the same for the same seed', () => {
    expect(randomScript(7)).toEqual(randomScript(7));
    expect(new Set(Array.from({ length: 100 }, (_, seed) => randomScript(seed).sql)).size).toBeGreaterThan(90);
  });

  it('give the tables that were put into them, by plan, tree and text', () =>
    expectTiersAgree(
      worker,
      Array.from({ length: 48 }, (_, seed) => seed),
    ));
});
