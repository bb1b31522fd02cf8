// What the outbox needs of a way out: send one event, say what became of it.

/** What a destination answered. `reason` is one line without secrets. */
export type SendResult =
  | { readonly kind: 'sent' }
  /** Try again; not before `retryAfterMs` when the destination asked for it. */
  | {
      readonly kind: 'later';
      readonly reason: string;
      readonly retryAfterMs?: number;
      /** Answered 5xx. */
      readonly serverError: boolean;
      /** The destination asked for patience: no fault of the event. */
      readonly busy?: boolean;
    }
  /** This event is refused for good. */
  | { readonly kind: 'never'; readonly reason: string }
  /** The destination itself is at fault (address, token, TLS, DNS): keep everything, probe slowly. */
  | { readonly kind: 'paused'; readonly reason: string };

export interface Sender {
  /**
   * Sends one event. Never throws; an aborted send answers `later`.
   * @param mayBegin asked once more when a connection is there and the first byte is about to go: false aborts the send
   */
  send(event: string, signal: AbortSignal, mayBegin?: () => boolean): Promise<SendResult>;
}
