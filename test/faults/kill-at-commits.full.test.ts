// Every commit point, before and after.
import { killPointSuite } from './killpointsuite.ts';
import type { Stop } from './stoppoints.ts';

function everyPoint(names: readonly string[]): Stop[] {
  const counts = new Map<string, number>();
  return names.flatMap((name) => {
    const nth = (counts.get(name) ?? 0) + 1;
    counts.set(name, nth);
    return [
      { name, nth, when: 'before' },
      { name, nth, when: 'after' },
    ];
  });
}

await killPointSuite('postgres', everyPoint);
await killPointSuite('mysql', everyPoint);
