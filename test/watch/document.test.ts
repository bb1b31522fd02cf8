import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lifecyclePage } from '../../src/watch/document.ts';
import { statesOf } from '../../src/watch/states.ts';
import { repositoryRoot } from '../support/shared.ts';

test('docs/lifecycle.md is as the code says (npm run docs)', () => {
  expect(readFileSync(join(repositoryRoot, 'docs/lifecycle.md'), 'utf8')).toBe(lifecyclePage());
});

test('it has a row for each state of each engine, and no code twice', () => {
  for (const engine of ['flink', 'spark'] as const) {
    const codes = statesOf(engine).map(({ state }) => state);
    expect(new Set(codes).size).toBe(codes.length);
    for (const { state, name } of statesOf(engine)) expect(lifecyclePage()).toContain(`| ${engine} | ${state} | ${name} | `);
  }
});
