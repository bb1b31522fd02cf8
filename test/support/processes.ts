// Processes as the kernel lists them (Linux).
import { readdirSync, readFileSync } from 'node:fs';

/** Ids of the process and of all below it. */
export function processesOf(root: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return [
          [
            Number(name),
            Number(
              readFileSync(`/proc/${name}/stat`, 'utf8')
                .replace(/^.*\) /s, '')
                .split(' ')[1],
            ),
          ] as const,
        ];
      } catch {
        return [];
      }
    });
  const found = [root];
  for (const pid of found) found.push(...parents.filter(([, parent]) => parent === pid).map(([child]) => child));
  return found;
}
