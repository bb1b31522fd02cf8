// What lanes report, as counters and log lines: one line when a destination goes away and one when it is back.
import type { LaneNote } from '../outbox/outbox.ts';
import type { Context } from './context.ts';

/** Counts and logs one note of the lane of `destination`. */
export function reportNote(context: Pick<Context, 'log' | 'metrics' | 'conditions'>, destination: string, note: LaneNote): void {
  const { metrics, conditions } = context;
  const log = context.log.child({ stage: 'outbox', destination });
  switch (note.kind) {
    case 'sent':
      metrics.delivered.inc({ destination, result: 'sent' });
      return;
    case 'skipped':
      metrics.delivered.inc({ destination, result: 'skipped' });
      return;
    case 'later':
      metrics.delivered.inc({ destination, result: 'later' });
      log.debug({ code: note.error.code, event: note.event.eventId, attempts: note.event.attempts }, note.error.message);
      return;
    case 'dead':
      metrics.delivered.inc({ destination, result: 'never' });
      metrics.conditions.inc({ code: note.error.code });
      log.error({ code: note.error.code, app: note.event.key, event: note.event.eventId, run: note.event.runId }, note.error.message);
      return;
    case 'down':
    case 'paused':
      metrics.delivered.inc({ destination, result: note.kind === 'down' ? 'later' : 'paused' });
      conditions.clear(note.kind === 'down' ? 'TRANSPORT_PAUSED' : 'TRANSPORT_LATER', destination);
      conditions.raise(note.error.code, destination, `${destination}: ${note.error.message}`);
      return;
    case 'up':
      conditions.clear('TRANSPORT_LATER', destination);
      conditions.clear('TRANSPORT_PAUSED', destination);
      return;
    case 'database':
      conditions.raise(note.error.code, 'state', note.error.message);
      return;
    case 'leaseLost':
      log.warn({ code: 'STATE_LEASE_HELD' }, 'another process may hold the lease by now: sending stopped until this one holds it again');
      return;
  }
}
