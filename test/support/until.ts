// Waiting for something to become true, without guessing how long it takes.
import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves when `holds` gives true. @throws after `limitMs`, naming what was waited for */
export async function until(what: string | (() => string), holds: () => boolean | Promise<boolean>, limitMs = 30_000): Promise<void> {
  const deadline = Date.now() + limitMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`not within ${limitMs} ms: ${typeof what === 'string' ? what : what()}`);
    await sleep(20);
  }
}
