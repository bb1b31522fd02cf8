import { expect, it } from 'vitest';
import { fuzz } from './fuzz.ts';

it('holds for 120,000 rows', async () => {
  const { rows, runs, events } = await fuzz(120_000, 1_000_000);
  process.stdout.write(`fuzzed: ${rows} rows, ${runs} runs, ${events} events\n`);
  expect(rows).toBeGreaterThanOrEqual(120_000);
  expect(runs).toBeGreaterThan(15_000);
}, 1_200_000);
