// Twenty thousand random histories on the pure functions of the watch stage.
import { expect, it } from 'vitest';
import { judgeSeeds } from './judging.ts';

it.each(Array.from({ length: 20 }, (_, n) => n))('histories %i000 and up', { timeout: 600_000 }, (thousand) => {
  const { histories, runs, changes, failure } = judgeSeeds(thousand * 1000, 1000);
  expect(failure).toBeNull();
  process.stdout.write(`${histories} histories, ${runs} runs, ${changes} changes\n`);
});
