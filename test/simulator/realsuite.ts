// Random histories on a real database; declared for each family by the test files beside.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Planner } from '../../src/plan/plan.ts';
import { warmPlanner } from '../support/daemon.ts';
import { requireServer } from '../support/databases.ts';
import type { Family } from '../support/streampark.ts';
import { historyOf } from './histories.ts';
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

/** Plays so many histories, from the seed `first` on, on each of the mixtures of releases that upgrades by hand leave behind. */
export async function mixedSuite(family: Family, first: number, count: number): Promise<void> {
  const suite = await requireServer(family);
  suite(`random histories on ${family}, tables between two releases`, () => {
    let planner: Planner;
    beforeAll(async () => {
      planner = await warmPlanner();
    });
    afterAll(() => planner?.stop());

    const of = (release: string) => seedsFrom(first, 10 * count).filter((seed) => historyOf(seed).world.release === release);
    const cases = (['forced', 'renamed', 'patched'] as const).flatMap((shape, n) =>
      of(shape === 'patched' ? 'dev' : '2.1.7')
        .slice(n * count, (n + 1) * count)
        .map((seed) => ({ shape, seed })),
    );
    it.each(cases)('$shape, history $seed: what arrives is what happened', async ({ shape, seed }) => {
      expect(await playReal(family, seed, planner, shape)).toBeGreaterThanOrEqual(0);
    });
  });
}

/** Seeds from `first` on. */
export const seedsFrom = (first: number, count: number): number[] => Array.from({ length: count }, (_, n) => first + n);
