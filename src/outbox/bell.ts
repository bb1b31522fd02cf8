// A wait that ends at the first ring or after a time, whichever comes first. A ring while nobody waits is kept.

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
      if (!rung && ms > 0) {
        waiting = new AbortController();
        await sleep(ms, waiting.signal);
        waiting = undefined;
      }
      rung = false;
    },
  };
}
