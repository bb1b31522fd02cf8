// What every way out offers, whatever its kind.
import type { SendResult } from '../outbox/outbox.ts';
import type { DestinationSettings } from '../settings/settings.ts';

export type HttpDestination = Extract<DestinationSettings, { type: 'http' }>;
export type KafkaDestination = Extract<DestinationSettings, { type: 'kafka' }>;
export type ExtensionDestination = Extract<DestinationSettings, { type: 'extension' }>;
export type FileDestination = Extract<DestinationSettings, { type: 'file' }>;

/** Asked once more when the first byte is about to go: false aborts the send. */
export type MayBegin = () => boolean;

/** One configured way out. `send` never throws. */
export interface Transport {
  readonly kind: 'http' | 'kafka' | 'file' | 'console' | 'extension';
  /** See `Sender`. */
  send(event: string, signal: AbortSignal, mayBegin?: MayBegin): Promise<SendResult>;
  /** For `check`: reaches the destination without sending an event; resolves to one line of what was found. */
  probe(signal: AbortSignal): Promise<{ readonly ok: boolean; readonly detail: string }>;
  close(): Promise<void>;
}
