// Runs the tracker of every application that a poll says something about.
import { lastAttempts } from '../state/state.ts';
import { type AppKey, type AppRow, type Limits, type Observation, type ToInstant, type Tracked, track } from '../watch/watch.ts';
import type { Context } from './context.ts';
import type { Known, KnownApps } from './known.ts';

/** One application that was observed. */
export interface Observed {
  readonly key: AppKey;
  readonly before: Known | undefined;
  readonly tracked: Tracked;
}

/** Tracks all observations; findings of the trackers are logged here. */
export async function trackAll(
  context: Context,
  known: KnownApps,
  seen: ReadonlyMap<AppKey, Observation>,
  limits: Limits,
  toInstant: ToInstant,
): Promise<Observed[]> {
  const attempts = await earlierLives(context, known, seen);
  const attemptsOf = ({ engine, id, createTime }: AppRow) => attempts.get(`${engine}:${id}@${createTime}`) ?? 0;
  return [...seen].map(([key, observation]) => {
    const before = known.get(key);
    const tracked = track(before?.tracker ?? null, observation, { ...limits, toInstant, attemptsOf });
    for (const { code, severity, message } of tracked.diagnostics) {
      context.metrics.conditions.inc({ code });
      context.log[severity === 'error' ? 'error' : 'warn']({ stage: 'watch', app: key, code }, message);
    }
    return { key, before, tracked };
  });
}

/** A row that was deleted and restored (with its create_time) has runs already, and no checkpoint. */
async function earlierLives(
  context: Context,
  known: KnownApps,
  seen: ReadonlyMap<AppKey, Observation>,
): Promise<ReadonlyMap<string, number>> {
  const unknown = [...seen].flatMap(([key, { row }]) => {
    const isNew = row !== null && known.get(key)?.tracker.row.createTime !== row.createTime;
    return isNew ? [row.id] : [];
  });
  return lastAttempts(context.state.database.db, unknown);
}
