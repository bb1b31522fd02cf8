// RUNNING events of runs that live long: they repeat all datasets, which also repairs what a consumer lost.
import type { FrozenRun } from '../openlineage/openlineage.ts';
import { enqueue } from '../outbox/outbox.ts';
import { listQuiet, markDecided, readRun } from '../state/state.ts';
import { type AppKey, appKey } from '../watch/watch.ts';
import type { Context } from './context.ts';
import { eventsOf, outboxDestinations } from './decide.ts';

/** Heartbeats written in one round; the rest follows in the next. */
const atOnce = 100;

/**
 * Writes a heartbeat for each open run that was quiet for `events.heartbeat` and still lives.
 * @param alive whether the application's run is in sight (not lost)
 * @returns how many were written
 */
export async function beat(context: Context, alive: (key: AppKey) => boolean): Promise<number> {
  const now = context.now();
  const destinations = outboxDestinations(context);
  // A heartbeat that nobody is told of would count as told.
  if (destinations.length === 0) return 0;
  let written = 0;
  for (const quiet of await listQuiet(context.state.database.db, now - context.settings.events.heartbeat, atOnce)) {
    const key = appKey(quiet.engine, quiet.appId);
    if (!alive(key)) continue;
    written += await context.underLease(async (tx) => {
      const run = await readRun(tx, quiet);
      if (run === undefined || run.phase !== 'open' || run.frozenJson === null || run.lastEventAt !== quiet.lastEventAt) return 0;
      const events = eventsOf(context, JSON.parse(run.frozenJson) as FrozenRun, [{ type: 'RUNNING', at: now }], run.lastEventAt, now);
      await markDecided(tx, run, { phase: 'open', emitted: run.emitted, lastEventAt: events.at(-1)?.at ?? now }, now);
      await enqueue(tx, events, destinations, key, now);
      return events.length > 0 ? 1 : 0;
    });
  }
  return written;
}
