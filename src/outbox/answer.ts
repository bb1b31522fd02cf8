// What the outbox needs of a way out: send one event, say what became of it.

/** What a destination answered. `reason` is one line without secrets. */
export type SendResult =
  | { readonly kind: 'sent' }
  /** Try again; not before `retryAfterMs` when the destination asked for it. */
  | { readonly kind: 'later'; readonly reason: string; readonly retryAfterMs?: number; readonly serverError: boolean }
  /** This event is refused for good. */
  | { readonly kind: 'never'; readonly reason: string }
  /** The destination itself is at fault (address, token, TLS, DNS): keep everything, probe slowly. */
  | { readonly kind: 'paused'; readonly reason: string };

/** Sends one event. Never throws; an aborted send answers `later`. */
export interface Sender {
  send(event: string, signal: AbortSignal): Promise<SendResult>;
}
