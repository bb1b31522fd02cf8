// The rate limit of a backfill: so many events per second on average, with no burst above one second's worth.
import { setTimeout as sleep } from 'node:timers/promises';

export interface Pace {
  /** Waits until `events` more may go; at once when the signal is aborted. */
  take(events: number, signal: AbortSignal): Promise<void>;
}

/** @param perSecond null = no limit */
export function createPace(perSecond: number | null, now: () => number = () => performance.now()): Pace {
  if (perSecond === null) return { take: async () => undefined };
  let freeAt = now();
  return {
    async take(events, signal) {
      const at = now();
      // what was not used within the last second is gone
      freeAt = Math.max(freeAt, at - 1_000) + (events * 1_000) / perSecond;
      if (freeAt > at) await sleep(freeAt - at, undefined, { signal }).catch(() => undefined);
    },
  };
}
