import { expect, it } from 'vitest';
import { fuzz } from './fuzz.ts';

it('no row, however strange, crashes a stage or makes an event that is not valid', async () => {
  const { rows, runs, events } = await fuzz(3_000, 1);
  expect(rows).toBeGreaterThanOrEqual(3_000);
  expect(runs).toBeGreaterThan(500);
  expect(events).toBeGreaterThan(2_000);
}, 120_000);
