// Runs the tracker of every application that a poll says something about.
import { errorCatalogue } from '../errors/errors.ts';
import { type AppKey, type Limits, type Observation, type ToInstant, type Tracked, track } from '../watch/watch.ts';
import type { Context } from './context.ts';
import type { Known, KnownApps } from './known.ts';

/** One application that was observed. */
export interface Observed {
  readonly key: AppKey;
  readonly before: Known | undefined;
  readonly tracked: Tracked;
}

/** Tracks all observations; findings of the trackers are logged here. */
export function trackAll(
  context: Context,
  known: KnownApps,
  seen: ReadonlyMap<AppKey, Observation>,
  limits: Limits,
  toInstant: ToInstant,
): Observed[] {
  return [...seen].map(([key, observation]) => {
    const before = known.get(key);
    const tracked = track(before?.tracker ?? null, observation, { ...limits, toInstant });
    for (const { code, severity, message } of tracked.diagnostics) {
      context.metrics.conditions.inc({ code });
      context.log[severity === 'error' ? 'error' : 'warn']({ stage: 'watch', app: key, code, cure: errorCatalogue[code].cure }, message);
    }
    return { key, before, tracked };
  });
}
