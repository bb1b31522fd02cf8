// The daemon: idle until something is configured, stand-by until it holds the lease, then active until it is stopped.
// Alone with cli/ it wires the stages; what one step does stands in the files beside.

import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ErrorCode, StateError } from '../errors/errors.ts';
import type { Conditions, Log, Metrics, Readiness } from '../ops/ops.ts';
import { outboxStats } from '../outbox/outbox.ts';
import type { Planner } from '../plan/plan.ts';
import { type Effective, effectiveSettings, type Settings, type StoredSettings } from '../settings/settings.ts';
import { ensureInstallation, listByPhase, type State } from '../state/state.ts';
import type { Source } from '../watch/watch.ts';
import { type Active, activate } from './active.ts';
import { LeaseLost } from './context.ts';
import { takeLease } from './lease.ts';
import { sourceTroubles, stateTroubles, subjectOf, troubleOf } from './trouble.ts';

export { createLanes, type Lanes, type LanesContext } from './lanes.ts';
export { type HeldLease, takeLease } from './lease.ts';

export interface DaemonParts {
  readonly settings: Settings;
  readonly source: Source;
  /** Opens and migrates the own tables. Called when something is configured, not before. */
  readonly openState: () => Promise<State>;
  readonly planner: Planner;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly conditions: Conditions;
  /** ms since the epoch. */
  readonly now: () => number;
  readonly version: string;
  /** Unique per process; shown to others that ask for the lease. */
  readonly holder: string;
}

export interface Daemon {
  /**
   * Runs until the signal is aborted; failures of the neighbours are waited out.
   * @throws StateError STATE_NEWER, STATE_CHECKSUM, STATE_FOREIGN, STATE_EMBEDDED: only an operator can cure these
   */
  run(signal: AbortSignal): Promise<void>;
  /**
   * One poll and what follows from it at once; planning and delivery go on beside it until `close`.
   * @throws CodedError whatever is in the way
   */
  poll(): Promise<Readiness['role']>;
  /**
   * One poll and everything that follows from it, then `close`.
   * @returns events that stay in the outbox, and runs that still wait for the planner
   * @throws CodedError whatever is in the way
   */
  once(signal: AbortSignal): Promise<{ readonly undelivered: number; readonly undecided: number }>;
  /** Resolves when nothing is left to decide or to send now. */
  settled(): Promise<void>;
  readiness(): Readiness;
  /** Ends what `poll` began: sends in flight, the lease, the planner, the connections. `run` and `once` do it themselves. */
  close(): Promise<void>;
}

/** Failures that waiting does not cure. */
const final: ReadonlySet<ErrorCode> = new Set(['STATE_NEWER', 'STATE_CHECKSUM', 'STATE_FOREIGN', 'STATE_EMBEDDED', 'CONFIG_INVALID']);
const longestBackoffMs = 30_000;
const standbyMs = 5_000;

export function createDaemon(parts: DaemonParts): Daemon {
  const { settings, source, log, conditions, metrics } = parts;
  let effective: Effective = effectiveSettings(settings, {});
  let state: State | undefined;
  let active: Active | undefined;
  let role: Readiness['role'] = 'starting';
  let failures = 0;

  const apply = (stored: StoredSettings) => {
    const joined = effectiveSettings(settings, stored);
    for (const problem of joined.problems) conditions.raise('CONFIG_INVALID', 'lineage.gravitino.address', problem);
    if (joined.problems.length === 0) conditions.clear('CONFIG_INVALID', 'lineage.gravitino.address');
    effective = joined;
  };

  /** Brings the daemon as far as it gets now: idle, stand-by or active. */
  const advance = async (): Promise<Readiness['role']> => {
    if (active === undefined) apply(await source.readSettings());
    if (!effective.configured) {
      await active?.withdraw();
      await deactivate();
      conditions.raise('NOT_CONFIGURED', 'settings', 'no lineage address and no destination is configured; nothing is done');
      return 'idle';
    }
    conditions.clear('NOT_CONFIGURED', 'settings');
    if (active?.lease.lost.aborted === true) await deactivate();
    if (active !== undefined) return 'leader';
    state ??= await parts.openState();
    const { server, database, createdAt } = await source.fingerprint();
    const opened = state;
    const installation = await opened.transaction((tx) =>
      ensureInstallation(
        tx,
        { server, database, smallestCreateTime: createdAt },
        { uuid: randomUUID, hex: (count) => randomBytes(count).toString('hex') },
        parts.now(),
      ),
    );
    const outcome = await takeLease(opened, parts.holder);
    if (outcome.kind === 'standby') {
      conditions.raise('STATE_LEASE_HELD', 'lease', `${outcome.holder} is active; this process stands by`);
      return 'standby';
    }
    conditions.clear('STATE_LEASE_HELD', 'lease');
    active = await activate(
      { ...parts, state: opened, installation, effective: () => effective, underLease: outcome.lease.underLease },
      outcome.lease,
    );
    log.info({ stage: 'daemon', fencing: outcome.lease.token }, 'active');
    return 'leader';
  };

  const deactivate = async () => {
    const ending = active;
    active = undefined;
    if (ending === undefined) return;
    role = 'starting';
    metrics.leader.set(0);
    await ending.stop();
    log.info({ stage: 'daemon' }, 'no longer active');
  };

  const poll = async (): Promise<Readiness['role']> => {
    role = await advance();
    metrics.leader.set(role === 'leader' ? 1 : 0);
    if (active !== undefined) await cycle(active);
    await recovered();
    return role;
  };

  const cycle = async (active: Active): Promise<void> => {
    const end = metrics.pollSeconds.startTimer();
    try {
      apply(await active.cycle());
    } catch (error) {
      // What is remembered is not what is stored any more (a commit may have gone through although its answer was lost).
      if (error instanceof LeaseLost) await deactivate();
      throw error;
    }
    end();
    metrics.polls.inc({ outcome: 'ok' });
    metrics.lastPoll.set(parts.now() / 1000);
  };

  const recovered = async () => {
    for (const code of sourceTroubles) conditions.clear(code, 'source');
    // A poll without changes does not touch the own tables, so it alone does not tell that they are back: a write does.
    if (conditions.list().some(({ code }) => stateTroubles.some((trouble) => trouble === code))) await active?.lease.renew();
    for (const code of stateTroubles) conditions.clear(code, 'state');
    conditions.clear('INTERNAL', 'daemon');
    failures = 0;
  };

  /** Says what went wrong and how long to wait; throws what waiting does not cure. */
  const failed = (error: unknown): number => {
    metrics.polls.inc({ outcome: 'failed' });
    failures += 1;
    if (error instanceof LeaseLost && failures === 1) return 0;
    const trouble = troubleOf(error, state?.database.label ?? '');
    if (trouble !== undefined && final.has(trouble.code)) throw trouble;
    if (trouble !== undefined) conditions.raise(trouble.code, subjectOf(trouble), trouble.message, 'error');
    else if (!(error instanceof LeaseLost)) {
      if (failures === 1) log.error({ stage: 'daemon', err: error }, 'a poll failed');
      conditions.raise('INTERNAL', 'daemon', `a poll failed: ${error instanceof Error ? error.name : 'unknown'}`, 'error');
    }
    return Math.min(longestBackoffMs, settings.poll.interval * 2 ** Math.min(failures - 1, 8)) * (0.75 + Math.random() / 2);
  };

  const pause = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }).catch(() => undefined);

  const close = async () => {
    await deactivate().catch((error: unknown) => log.warn({ stage: 'daemon', err: error }, 'failed to stop'));
    await parts.planner.stop();
    await state?.close();
    await source.close();
  };

  return {
    poll,
    close,
    async run(signal) {
      try {
        while (!signal.aborted) {
          const began = Date.now();
          let wait = settings.poll.interval;
          try {
            if ((await poll()) === 'standby') wait = Math.max(wait, standbyMs);
          } catch (error) {
            wait = failed(error);
          }
          await pause(Math.max(0, wait - (Date.now() - began)), signal);
        }
      } finally {
        await close();
      }
    },
    async once(signal) {
      try {
        if ((await poll()) === 'idle') return { undelivered: 0, undecided: 0 };
        if (active === undefined || state === undefined)
          throw new StateError('STATE_LEASE_HELD', 'a daemon is active; `once` does its work only without one');
        await active.settled(signal);
        const stats = await outboxStats(state.database.db);
        const undecided = (await listByPhase(state.database.db, 'planning', 10_000)).length;
        return { undelivered: stats.reduce((sum, s) => sum + s.waiting, 0), undecided };
      } finally {
        await close();
      }
    },
    settled: async () => active?.settled(),
    readiness() {
      const reasons = conditions.list().map(({ code, message }) => ({ code, message }));
      const ready = role === 'leader' ? failures === 0 : role === 'standby' || role === 'idle';
      return { ready, role, reasons };
    },
  };
}
