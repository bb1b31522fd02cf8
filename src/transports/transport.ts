// What every way out offers, whatever its kind.
import type { SendResult } from '../outbox/outbox.ts';

/** One configured way out. `send` never throws. */
export interface Transport {
  readonly kind: 'http' | 'file' | 'console';
  /** See `Sender`. */
  send(event: string, signal: AbortSignal, mayBegin?: () => boolean): Promise<SendResult>;
  /** For `check`: reaches the destination without sending an event; resolves to one line of what was found. */
  probe(signal: AbortSignal): Promise<{ readonly ok: boolean; readonly detail: string }>;
  close(): Promise<void>;
}
