// The condition of a destination as its answers show it: up, down (nothing gets through: one probe at a time, with
// back-off) or paused (address or token wrong: slow probes). Pure: answers in, condition out.
import { type Backoff, eventBackoff, pauseBackoff, waitMs } from './backoff.ts';

export type Condition =
  | { readonly kind: 'up'; readonly failures: number; readonly failedKeys: readonly string[] }
  | { readonly kind: 'down' | 'paused'; readonly reason: string; readonly probes: number; readonly probeAt: number };

export const up: Condition = { kind: 'up', failures: 0, failedKeys: [] };

/** Failures in a row, with no success between, after which a destination counts as down. */
const failuresUntilDown = 3;

/** A send that failed for now. */
export interface Failure {
  readonly key: string;
  readonly reason: string;
  readonly serverError: boolean;
  readonly retryAfterMs?: number | undefined;
  /** The send was begun as a probe, so its failure lengthens the wait. */
  readonly probe: boolean;
}

export interface Chance {
  readonly now: number;
  readonly random: () => number;
}

/**
 * After a failure for now. Answers of 5xx to one key alone do not bring a destination down: that may be the event's fault.
 */
export function afterFailure(before: Condition, failure: Failure, chance: Chance): Condition {
  if (before.kind !== 'up')
    return failure.probe ? waiting('down', failure, before.kind === 'down' ? before.probes + 1 : 1, chance) : before;
  const failures = before.failures + 1;
  const failedKeys = before.failedKeys.includes(failure.key) ? before.failedKeys : [...before.failedKeys, failure.key].slice(-2);
  const down = failures >= failuresUntilDown && (!failure.serverError || failedKeys.length > 1);
  return down ? waiting('down', failure, 1, chance) : { kind: 'up', failures, failedKeys };
}

/** After an answer that puts the fault on the destination. */
export function afterPause(before: Condition, reason: string, probe: boolean, chance: Chance): Condition {
  if (before.kind === 'paused' && !probe) return before;
  return waiting('paused', { reason }, before.kind === 'paused' ? before.probes + 1 : 1, chance);
}

/** Lets the next probe go now, for instance because the settings changed. */
export function probeNow(before: Condition, now: number): Condition {
  return before.kind === 'up' ? before : { ...before, probeAt: now };
}

function waiting(
  kind: 'down' | 'paused',
  failure: Pick<Failure, 'reason' | 'retryAfterMs'>,
  probes: number,
  { now, random }: Chance,
): Condition {
  const backoff: Backoff = kind === 'down' ? eventBackoff : pauseBackoff;
  return { kind, reason: failure.reason, probes, probeAt: now + waitMs(backoff, probes, failure.retryAfterMs, random) };
}
