// Three hundred random histories through real databases, and as many kills of the daemon's process as come up in some more.
import { expect, it } from 'vitest';
import { requireServer } from '../support/databases.ts';
import { killableSeeds, playKilled } from './killed.ts';
import { mixedSuite, realSuite, seedsFrom } from './realsuite.ts';

for (const [family, first] of [
  ['mysql', 3_000_000],
  ['postgres', 4_000_000],
] as const) {
  await realSuite(family, seedsFrom(first, 150));
  await mixedSuite(family, first + 2_000, 5);

  const suite = await requireServer(family);
  suite(`random histories on ${family}, the daemon killed in the middle`, () => {
    it.each(killableSeeds(first + 1_000, 15))('history %i', { timeout: 600_000 }, async (seed) => {
      const kills = await playKilled(family, seed, 30);
      process.stdout.write(`${family} ${seed}: killed ${kills} times\n`);
      expect(kills).toBeGreaterThanOrEqual(0);
    });
  });
}
