// Parts start in order and stop in reverse, within a time limit; a second signal is forceful.
import type { Log } from './log.ts';

export interface Part {
  readonly name: string;
  stop(): Promise<void>;
}

/**
 * Stops parts in reverse order. A part that throws or exceeds what is left of `limitMs` is logged and left behind.
 * @returns true when every part stopped in time
 */
export async function stopParts(parts: readonly Part[], limitMs: number, log: Log): Promise<boolean> {
  const deadline = Date.now() + limitMs;
  let clean = true;
  for (const part of [...parts].reverse()) {
    const left = Math.max(50, deadline - Date.now());
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), left);
    });
    try {
      if ((await Promise.race([part.stop(), late])) === 'late') {
        clean = false;
        log.warn({ part: part.name }, 'did not stop in time');
      }
    } catch (error) {
      clean = false;
      log.warn({ part: part.name, err: error }, 'failed to stop');
    } finally {
      clearTimeout(timer);
    }
  }
  return clean;
}

/**
 * Resolves at the first SIGTERM or SIGINT; a second one ends the process at once with 130.
 * The handlers stay until the returned `dispose` is called.
 */
export function awaitSignal(log: Log): { readonly signalled: Promise<NodeJS.Signals>; dispose(): void } {
  let seen = false;
  let resolve: (signal: NodeJS.Signals) => void = () => undefined;
  const signalled = new Promise<NodeJS.Signals>((done) => {
    resolve = done;
  });
  const handler = (signal: NodeJS.Signals) => {
    if (seen) {
      log.warn({ signal }, 'second signal: leaving at once');
      process.exit(130);
    }
    seen = true;
    log.info({ signal }, 'stopping');
    resolve(signal);
  };
  process.on('SIGTERM', handler);
  process.on('SIGINT', handler);
  return {
    signalled,
    dispose: () => {
      process.off('SIGTERM', handler);
      process.off('SIGINT', handler);
    },
  };
}
