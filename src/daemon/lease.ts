// The lease of the active daemon: taken, renewed beside the work, given back. Everything written under it checks it.
import { acquireLease, holdsLease, releaseLease, renewLease, type State, type StateTx } from '../state/state.ts';
import { LeaseLost } from './context.ts';

/** Longest time after a crash until another daemon takes over. */
export const leaseTtlMs = 30_000;

export interface HeldLease {
  readonly token: number;
  /** Aborted when the lease was lost. */
  readonly lost: AbortSignal;
  /** Whether the lease holds by this process's own monotonic clock; asked before each send, also after the process was frozen. */
  holds(): boolean;
  underLease<T>(work: (tx: StateTx) => Promise<T>): Promise<T>;
  release(): Promise<void>;
}

export type LeaseOutcome =
  | { readonly kind: 'held'; readonly lease: HeldLease }
  | { readonly kind: 'standby'; readonly holder: string; readonly freeInMs: number };

/**
 * Takes the lease if it is free.
 * @param holder unique per process; shown to others
 * @throws StateError when the own tables cannot be written
 */
export async function takeLease(state: State, holder: string): Promise<LeaseOutcome> {
  const answer = await state.transaction((tx) => acquireLease(tx, 'daemon', holder, leaseTtlMs));
  if (!answer.held) return { kind: 'standby', holder: answer.holder, freeInMs: answer.freeInMs };
  return { kind: 'held', lease: keep(state, answer.token) };
}

function keep(state: State, token: number): HeldLease {
  const lost = new AbortController();
  let lastRenewal = performance.now();
  const renew = async () => {
    const asked = performance.now();
    try {
      if (await renewLease(state.database.db, 'daemon', token, leaseTtlMs)) lastRenewal = asked;
      else lost.abort(new LeaseLost());
    } catch {
      // The database is away: nobody can take the lease either, but when it is back somebody may have been quicker.
      if (performance.now() - lastRenewal > leaseTtlMs) lost.abort(new LeaseLost());
    }
  };
  const timer = setInterval(() => void renew(), leaseTtlMs / 3);
  timer.unref();
  return {
    token,
    lost: lost.signal,
    holds: () => !lost.signal.aborted && performance.now() - lastRenewal < leaseTtlMs,
    underLease: (work) =>
      state.transaction(async (tx) => {
        if (!(await holdsLease(tx, 'daemon', token))) {
          lost.abort(new LeaseLost());
          throw new LeaseLost();
        }
        return work(tx);
      }),
    release: async () => {
      clearInterval(timer);
      if (lost.signal.aborted) return;
      await releaseLease(state.database.db, 'daemon', token);
    },
  };
}
