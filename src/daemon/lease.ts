// The lease of the active daemon: taken, renewed beside the work, given back. Everything written under it checks it.
import { acquireLease, holdsLease, type LeaseName, lockLease, releaseLease, renewLease, type State, type StateTx } from '../state/state.ts';
import { LeaseLost } from './context.ts';

/** Longest time after a crash until another daemon takes over. */
export const leaseTtlMs = 30_000;

export interface HeldLease {
  readonly token: number;
  /** The holder before did not give it back: requests that it had begun may still be on their way. */
  readonly inherited: boolean;
  /** Aborted when the lease was lost, or has lapsed by this process's own clock. */
  readonly lost: AbortSignal;
  /** Whether the lease holds by this process's own monotonic clock; asked before each send, also after the process was frozen. */
  holds(): boolean;
  /** Prolongs it now. @throws what the driver throws: the own tables cannot be written */
  renew(): Promise<void>;
  underLease<T>(work: (tx: StateTx) => Promise<T>): Promise<T>;
  release(): Promise<void>;
}

export type LeaseOutcome =
  | { readonly kind: 'held'; readonly lease: HeldLease }
  | { readonly kind: 'standby'; readonly holder: string; readonly freeInMs: number };

/**
 * Takes the lease if it is free.
 * @param holder unique per process; shown to others
 * @param ttlMs how long it holds without being renewed
 * @param name the daemon's, or that of the one backfill that may run beside it
 * @throws StateError when the own tables cannot be written
 */
export async function takeLease(state: State, holder: string, ttlMs = leaseTtlMs, name: LeaseName = 'daemon'): Promise<LeaseOutcome> {
  const asked = performance.now();
  const answer = await state.transaction((tx) => acquireLease(tx, name, holder, ttlMs));
  if (!answer.held) return { kind: 'standby', holder: answer.holder, freeInMs: answer.freeInMs };
  return { kind: 'held', lease: keep(state, name, answer, asked, ttlMs) };
}

/** @param asked when the lease was asked for: the database counts from a later moment, so this process stops first */
function keep(
  state: State,
  name: LeaseName,
  taken: { readonly token: number; readonly lapsed: boolean },
  asked: number,
  ttlMs: number,
): HeldLease {
  const { token, lapsed: inherited } = taken;
  const lost = new AbortController();
  let deadline = asked + ttlMs;
  let lapse: NodeJS.Timeout | undefined;
  const lose = () => {
    clearInterval(timer);
    clearTimeout(lapse);
    lost.abort(new LeaseLost());
  };
  const lapseAt = (at: number) => {
    if (lost.signal.aborted) return;
    deadline = Math.max(deadline, at);
    clearTimeout(lapse);
    lapse = setTimeout(lose, deadline - performance.now()).unref();
  };
  const renew = async () => {
    const renewalAsked = performance.now();
    if (await renewLease(state.database.db, name, token, ttlMs)) lapseAt(renewalAsked + ttlMs);
    else lose();
  };
  // The database is away: nobody can take the lease either, and when it is back there may be time left.
  const timer = setInterval(() => void renew().catch(() => undefined), ttlMs / 3).unref();
  lapseAt(deadline);
  return {
    token,
    inherited,
    lost: lost.signal,
    holds: () => !lost.signal.aborted && performance.now() < deadline,
    renew,
    underLease: (work) =>
      state.transaction(async (tx) => {
        // Whoever writes beside the daemon keeps its transactions out meanwhile.
        if (name !== 'daemon') await lockLease(tx, 'daemon');
        if (!(await holdsLease(tx, name, token))) {
          lose();
          throw new LeaseLost();
        }
        return work(tx);
      }),
    release: async () => {
      if (lost.signal.aborted) return;
      lose();
      await releaseLease(state.database.db, name, token);
    },
  };
}
