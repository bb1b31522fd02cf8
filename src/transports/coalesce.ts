// Several sends at once become one batch: while one is on its way, what is asked for meanwhile waits and then goes together.
// Nothing is held back to fill a batch, so a single event goes at once.
import type { SendResult } from '../outbox/outbox.ts';
import type { MayBegin } from './transport.ts';

/** Sends several events in their order; one result for each. Never throws. */
export type SendMany = (events: readonly string[], signal: AbortSignal, mayBegin: MayBegin) => Promise<readonly SendResult[]>;

export interface BatchLimits {
  readonly events: number;
  /** Characters of one batch; a larger event goes alone. */
  readonly chars: number;
}

interface Waiting {
  readonly event: string;
  readonly signal: AbortSignal;
  readonly mayBegin: MayBegin | undefined;
  readonly settle: (result: SendResult) => void;
}

const aborted: SendResult = { kind: 'later', reason: 'no answer (aborted)', serverError: false };

/** Makes a `send` for one event out of one for many. A batch is aborted when one of its events is. */
export function coalesced(
  sendMany: SendMany,
  limits: BatchLimits,
): (event: string, signal: AbortSignal, mayBegin?: MayBegin) => Promise<SendResult> {
  const waiting: Waiting[] = [];
  let busy = false;

  const next = (): Waiting[] => {
    const batch: Waiting[] = [];
    for (let chars = 0; waiting[0] !== undefined && batch.length < limits.events; ) {
      chars += waiting[0].event.length;
      if (batch.length > 0 && chars > limits.chars) break;
      batch.push(waiting.shift() as Waiting);
    }
    return batch;
  };
  const drain = async () => {
    busy = true;
    while (waiting.length > 0) {
      const batch = next().filter((one) => {
        if (one.signal.aborted) one.settle(aborted);
        return !one.signal.aborted;
      });
      if (batch.length === 0) continue;
      const events = batch.map((one) => one.event);
      const mayBegin = () => batch.every((one) => one.mayBegin?.() !== false);
      const results = await sendMany(events, joined(batch.map((one) => one.signal)), mayBegin);
      for (const [i, one] of batch.entries()) one.settle(results[i] ?? { kind: 'later', reason: 'no result', serverError: true });
    }
    busy = false;
  };

  return (event, signal, mayBegin) =>
    new Promise((settle) => {
      waiting.push({ event, signal, mayBegin, settle });
      // After the current turn, so that sends begun together go together.
      if (!busy) {
        busy = true;
        queueMicrotask(() => void drain());
      }
    });
}

/** A lane gives all its sends one signal; hanging another one onto it for every batch would pile up over its life. */
function joined(signals: readonly AbortSignal[]): AbortSignal {
  const [first, ...others] = new Set(signals);
  return first !== undefined && others.length === 0 ? first : AbortSignal.any([...signals]);
}
