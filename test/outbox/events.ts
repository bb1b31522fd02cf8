// Events and senders for tests of the outbox.
import type { OutgoingEvent } from '../../src/openlineage/openlineage.ts';
import type { Sender, SendResult } from '../../src/outbox/outbox.ts';

/** An event whose payload tells its id, so that a receiver can check order. */
export function eventOf(id: string, type: OutgoingEvent['type'] = 'RUNNING', runId: string | null = `run-${id}`, size = 0): OutgoingEvent {
  const terminal = type === 'COMPLETE' || type === 'FAIL' || type === 'ABORT';
  return {
    id,
    kind: type === 'JOB' ? 'job' : 'run',
    type,
    runId,
    terminal,
    at: 1_700_000_000_000,
    json: JSON.stringify({ id, type, runId, text: 'x'.repeat(size) }),
  };
}

export const idOf = (json: string): string => (JSON.parse(json) as { id: string }).id;

/** A sender in memory: asks `answer` for each event and keeps the ids it was given. */
export function scriptedSender(
  answer: (id: string, nth: number) => SendResult | Promise<SendResult> = () => ({ kind: 'sent' }),
): Sender & { readonly ids: string[] } {
  const ids: string[] = [];
  return {
    ids,
    send: async (event) => {
      const id = idOf(event);
      ids.push(id);
      return await answer(id, ids.length);
    },
  };
}
