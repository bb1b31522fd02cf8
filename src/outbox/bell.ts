// A wait that ends at the first ring or after a time (at least 1 ms, so that a loop around it never starves the process),
// whichever comes first. A ring while nobody waits is kept.

/** Resolves after `ms`, or at once when `signal` is aborted; never rejects. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

/** The real sleep. */
export const realSleep: Sleep = (ms, signal) =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });

export interface Bell {
  ring(): void;
  wait(ms: number): Promise<void>;
}

export function createBell(sleep: Sleep): Bell {
  let rung = false;
  let waiting: AbortController | undefined;
  return {
    ring() {
      rung = true;
      waiting?.abort();
    },
    async wait(ms) {
      if (!rung) {
        waiting = new AbortController();
        await sleep(Math.max(1, ms), waiting.signal);
        waiting = undefined;
      }
      rung = false;
    },
  };
}
