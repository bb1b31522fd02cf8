// What a lane is given and what it tells: the contract between delivery and whoever runs it.
import type { CodedError, TransportError } from '../errors/errors.ts';
import type { State, StateTx } from '../state/state.ts';
import type { Sender } from './answer.ts';
import type { Sleep } from './bell.ts';
import type { WaitingRow } from './rows.ts';

export interface LaneParts {
  /** Configured name of the destination. */
  readonly destination: string;
  readonly state: State;
  /** The way out, asked for at each send, so that it may be exchanged. */
  readonly sender: () => Sender;
  /** Order keys in flight at once. */
  readonly concurrency: number;
  /** Whether the lease still holds; called first in each transaction that settles. */
  readonly guard: (tx: StateTx) => Promise<boolean>;
  /** Whether sending is allowed at this instant (the lease by the own clock); asked before each send. */
  readonly active?: () => boolean;
  /** Aborted when the lease is lost: what is in flight is given up at once, and the lane ends. */
  readonly lost?: AbortSignal;
  /**
   * Rows that wait when the lane starts are not sent before this instant, ms since the epoch: another process was cut off while
   * it may have been sending them, and a late copy of one must not arrive after the next of its key.
   */
  readonly inheritedUntil?: number;
  /** The destination is at fault: read settings and token again. Called at each such answer. */
  readonly onPaused?: (reason: string) => void;
  /** What happens, for log lines and counters. */
  readonly report?: (note: LaneNote) => void;
  /** ms since the epoch. */
  readonly now?: () => number;
  readonly random?: () => number;
  readonly sleep?: Sleep;
}

/** A row without its payload: safe to log. */
export type LaneEvent = Omit<WaitingRow, 'payload'>;

export type LaneNote =
  | { readonly kind: 'sent'; readonly event: LaneEvent; readonly tookMs: number }
  /** A heartbeat that a newer one made superfluous. */
  | { readonly kind: 'skipped'; readonly event: LaneEvent }
  | { readonly kind: 'later'; readonly event: LaneEvent; readonly error: TransportError; readonly nextAt: number }
  | { readonly kind: 'dead'; readonly event: LaneEvent; readonly error: TransportError }
  /** Once when the destination goes down or is paused, and when it is up again. */
  | { readonly kind: 'down' | 'paused'; readonly error: TransportError; readonly probeAt: number }
  | { readonly kind: 'up' }
  /** The own tables could not be read or written; tried again. */
  | { readonly kind: 'database'; readonly error: CodedError }
  /** The guard refused: the lane has stopped by itself. */
  | { readonly kind: 'leaseLost' };

export interface LaneStatus {
  readonly condition: 'up' | 'down' | 'paused';
  /** Why it is down or paused. */
  readonly reason: string | undefined;
  readonly inFlight: number;
  /** Order keys that wait for another attempt. */
  readonly blocked: number;
  readonly running: boolean;
}

export interface Lane {
  /** There are new rows: look at once. */
  wake(): void;
  /** Settings or token changed: probe a paused or down destination at once. */
  resume(): void;
  /** Resolves when nothing more can be sent now: all done, waiting for another attempt, or the destination down or paused. */
  idle(): Promise<LaneStatus>;
  status(): LaneStatus;
  /** Stops sending, waits for answers for `limitMs`, then aborts them; settles what was answered. */
  stop(limitMs: number): Promise<void>;
}
