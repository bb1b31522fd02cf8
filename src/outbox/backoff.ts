// How long to wait after a failure: doubling, with jitter, so that many waiters do not come back at the same instant.

/** Bounds of a back-off, ms. */
export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** For one event (and a destination that is down). */
export const eventBackoff: Backoff = { firstMs: 1_000, longestMs: 300_000 };
/** For a paused destination, which needs a person. */
export const pauseBackoff: Backoff = { firstMs: 30_000, longestMs: 300_000 };

/** A wait the destination asked for is honoured up to an hour; a longer one is taken for a mistake. */
export const longestRetryAfterMs = 3_600_000;

/** Whether a wait until `until` goes on. One that is longer than any wait was begun before the clock was set back: it is over. */
export const waits = (until: number, now: number, longestMs = longestRetryAfterMs): boolean => until > now && until - now <= longestMs;

/**
 * The wait before attempt `attempt` + 1, in ms: between half and all of first × 2^(attempt − 1), at most the longest.
 * @param attempt failures so far, from 1
 * @param random a number in [0, 1)
 */
export function backoffMs({ firstMs, longestMs }: Backoff, attempt: number, random: () => number): number {
  const full = Math.min(longestMs, firstMs * 2 ** Math.min(attempt - 1, 30));
  return Math.round(full * (0.5 + random() / 2));
}

/** The wait after a failure, but no shorter than what the destination asked for. */
export function waitMs(backoff: Backoff, attempt: number, retryAfterMs: number | undefined, random: () => number): number {
  return Math.max(backoffMs(backoff, attempt, random), Math.min(retryAfterMs ?? 0, longestRetryAfterMs));
}
