// Random histories on a real database; declared for each family by the test files beside.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Planner } from '../../src/plan/plan.ts';
import { warmPlanner } from '../support/daemon.ts';
import { requireServer } from '../support/databases.ts';
import type { Family } from '../support/streampark.ts';
import { playReal } from './realplay.ts';

/** Plays the histories of these seeds. */
export async function realSuite(family: Family, seeds: readonly number[]): Promise<void> {
  const suite = await requireServer(family);
  suite(`random histories on ${family}`, () => {
    let planner: Planner;
    beforeAll(async () => {
      planner = await warmPlanner();
    });
    afterAll(() => planner?.stop());

    it.each(seeds)('history %i: what arrives is what happened', async (seed) => {
      expect(await playReal(family, seed, planner)).toBeGreaterThanOrEqual(0);
    });
  });
}

/** Seeds from `first` on. */
export const seedsFrom = (first: number, count: number): number[] => Array.from({ length: count }, (_, n) => first + n);
