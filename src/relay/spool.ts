// Writes accepted events into the outbox: whatever came while one transaction was under way goes with the next, so that many clients share a
// commit and each is answered only after its own events are on disk.
import { enqueue, type OutboxDestination } from '../outbox/outbox.ts';
import type { State } from '../state/state.ts';
import type { AcceptedEvent } from './accept.ts';

export interface Spool {
  /**
   * Resolves when the events are on disk, for all destinations.
   * @throws StateError when they are not
   */
  add(events: readonly AcceptedEvent[]): Promise<void>;
  /** Characters of the events that wait to be written. */
  readonly waiting: number;
}

interface Waiting {
  readonly events: readonly AcceptedEvent[];
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/** Events of one transaction. */
const mostAtOnce = 500;

/** `stored` is called after each commit. */
export function createSpool(
  state: State,
  destinations: readonly OutboxDestination[],
  now: () => number,
  stored: (count: number) => void,
): Spool {
  let queue: Waiting[] = [];
  let waiting = 0;
  let writing = false;

  const write = async () => {
    if (writing) return;
    writing = true;
    while (queue.length > 0) {
      const batch = next();
      const events = batch.flatMap((one) => one.events);
      try {
        await state.transaction(async (tx) => {
          for (const [key, own] of byKey(events)) await enqueue(tx, own, destinations, key, now());
        });
        stored(events.length);
        for (const one of batch) one.done();
      } catch (error) {
        for (const one of batch) one.failed(error);
      }
      waiting -= charsOf(events);
    }
    writing = false;
  };

  const next = (): Waiting[] => {
    let count = 0;
    const end = queue.findIndex((one) => {
      count += one.events.length;
      return count > mostAtOnce;
    });
    const batch = queue.slice(0, end < 0 ? queue.length : Math.max(1, end));
    queue = queue.slice(batch.length);
    return batch;
  };

  return {
    add: (events) =>
      new Promise((done, failed) => {
        queue.push({ events, done, failed });
        waiting += charsOf(events);
        void write();
      }),
    get waiting() {
      return waiting;
    },
  };
}

const charsOf = (events: readonly AcceptedEvent[]): number => events.reduce((sum, { event }) => sum + event.json.length, 0);

/** Events by key, each key's in their order. */
function byKey(events: readonly AcceptedEvent[]): Map<string, AcceptedEvent['event'][]> {
  const keys = new Map<string, AcceptedEvent['event'][]>();
  for (const { event, orderKey } of events) {
    const own = keys.get(orderKey);
    if (own === undefined) keys.set(orderKey, [event]);
    else own.push(event);
  }
  return keys;
}
