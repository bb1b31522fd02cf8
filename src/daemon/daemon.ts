// The daemon: idle until something is configured, stand-by until it holds the lease, then active until it is stopped.
// Alone with cli/ it wires the stages; what one step does stands in the files beside.

import { setTimeout as sleep } from 'node:timers/promises';
import { type ErrorCode, errorCatalogue, StateError } from '../errors/errors.ts';
import type { Extension } from '../extension/extension.ts';
import type { Conditions, Log, Metrics, Readiness } from '../ops/ops.ts';
import { outboxStats } from '../outbox/outbox.ts';
import type { Planner } from '../plan/plan.ts';
import { type Effective, effectiveSettings, type Settings, type StoredSettings } from '../settings/settings.ts';
import { listByPhase, type State } from '../state/state.ts';
import type { Source } from '../watch/watch.ts';
import { type Active, activate } from './active.ts';
import { LeaseLost } from './context.ts';
import { installationOf } from './installation.ts';
import { leaseTtlMs, takeLease } from './lease.ts';
import { namesOf } from './lookups.ts';
import { openLineageReport } from './openlineage.ts';
import { sourceTroubles, stateTroubles, subjectOf, troubleOf } from './trouble.ts';

export {
  type Backfill,
  type BackfillParts,
  type BackfillReport,
  type BackfillScope,
  openBackfill,
  type PreviewedRun,
  type SkipReason,
} from './backfill/backfill.ts';
export { createLanes, type Lanes, type LanesContext } from './lanes.ts';
export { type HeldLease, leaseTtlMs, takeLease } from './lease.ts';

export interface DaemonParts {
  readonly settings: Settings;
  readonly source: Source;
  /** Opens and migrates the own tables. Called when something is configured, not before. */
  readonly openState: () => Promise<State>;
  readonly planner: Planner;
  /** Code of the site's; closed with the daemon. */
  readonly extension?: Extension | undefined;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly conditions: Conditions;
  /** ms since the epoch. */
  readonly now: () => number;
  readonly version: string;
  /** Unique per process; shown to others that ask for the lease. */
  readonly holder: string;
  /** How long the lease holds without being renewed: until another daemon takes over. */
  readonly leaseTtlMs?: number;
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
/** Without a poll for this long (or four intervals) the daemon is not ready. */
const stalestMs = 60_000;

const reason = (code: ErrorCode, message: string, sinceMs?: number): Readiness['reasons'][number] => ({
  code,
  message,
  cure: errorCatalogue[code].cure,
  ...(sinceMs === undefined ? {} : { since: new Date(sinceMs).toISOString() }),
});

export function createDaemon(parts: DaemonParts): Daemon {
  const { settings, source, log, conditions, metrics } = parts;
  let effective: Effective = effectiveSettings(settings, {});
  let state: State | undefined;
  let active: Active | undefined;
  let role: Readiness['role'] = 'starting';
  let failures = 0;
  /** Stand-by: when the lease lapses unless it is renewed. */
  let freeInMs = 0;

  const names = namesOf(parts);
  /** By the monotonic clock. */
  let lastPollAt = performance.now();

  const reportOpenLineage = openLineageReport(parts);
  const apply = (stored: StoredSettings) => {
    const joined = effectiveSettings(settings, stored);
    for (const problem of joined.problems) conditions.raise('CONFIG_INVALID', 'lineage.gravitino.address', problem);
    if (joined.problems.length === 0) conditions.clear('CONFIG_INVALID', 'lineage.gravitino.address');
    reportOpenLineage(joined);
    effective = joined;
  };

  /** Brings the daemon as far as it gets now: idle, stand-by or active. */
  const advance = async (): Promise<Readiness['role']> => {
    if (active === undefined) apply(await source.readSettings());
    if (!effective.configured) {
      await active?.withdraw();
      await deactivate();
      if (effective.disabled) conditions.raise('OPENLINEAGE_DISABLED', 'settings', 'OPENLINEAGE_DISABLED is true; nothing is done');
      else conditions.raise('NOT_CONFIGURED', 'settings', 'no lineage address and no destination is configured; nothing is done');
      return 'idle';
    }
    conditions.clear('NOT_CONFIGURED', 'settings');
    if (active?.lease.lost.aborted === true) await deactivate();
    if (active !== undefined) return 'leader';
    state ??= await parts.openState();
    const opened = state;
    const installation = await installationOf(opened, source, parts.now());
    const outcome = await takeLease(opened, parts.holder, parts.leaseTtlMs ?? leaseTtlMs);
    if (outcome.kind === 'standby') {
      conditions.raise('STATE_LEASE_HELD', 'lease', `${outcome.holder} is active; this process stands by`);
      freeInMs = outcome.freeInMs;
      return 'standby';
    }
    conditions.clear('STATE_LEASE_HELD', 'lease');
    active = await activate(
      { ...parts, names, state: opened, installation, effective: () => effective, underLease: outcome.lease.underLease },
      outcome.lease,
    );
    metrics.leaseChanges.inc({ change: 'taken' });
    log.info({ stage: 'daemon', fencing: outcome.lease.token }, 'active');
    return 'leader';
  };

  const deactivate = async () => {
    const ending = active;
    active = undefined;
    if (ending === undefined) return;
    role = 'starting';
    metrics.leader.set(0);
    metrics.leaseChanges.inc({ change: ending.lease.lost.aborted ? 'lost' : 'released' });
    // What only the active daemon knows would stand in this one's metrics for ever.
    for (const gauge of [metrics.waiting, metrics.oldest, metrics.dead, metrics.openRuns, metrics.apps, metrics.planning]) gauge.reset();
    await ending.stop();
    log.info({ stage: 'daemon' }, 'no longer active');
  };

  const poll = async (): Promise<Readiness['role']> => {
    role = await advance();
    metrics.leader.set(role === 'leader' ? 1 : 0);
    if (active !== undefined) await cycle(active);
    await recovered();
    lastPollAt = performance.now();
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
      if (failures === 1) log.error({ stage: 'daemon', code: 'INTERNAL', err: error }, 'a poll failed');
      conditions.raise('INTERNAL', 'daemon', `a poll failed: ${error instanceof Error ? error.name : 'unknown'}`, 'error');
    }
    return Math.min(longestBackoffMs, settings.poll.interval * 2 ** Math.min(failures - 1, 8)) * (0.75 + Math.random() / 2);
  };

  const pause = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }).catch(() => undefined);

  const close = async () => {
    await deactivate().catch((error: unknown) => log.warn({ stage: 'daemon', err: error }, 'failed to stop'));
    await parts.planner.stop();
    await names.close();
    await parts.extension?.close();
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
            // A lease that is not renewed is taken the moment it lapses.
            if ((await poll()) === 'standby') wait = Math.min(Math.max(wait, standbyMs), freeInMs + 20);
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
        // a schedule never comes round in a process that ends
        await active.prune();
        const stats = await outboxStats(state.database.db);
        const undecided = (await listByPhase(state.database.db, 'planning', 10_000)).length;
        return { undelivered: stats.reduce((sum, s) => sum + s.waiting, 0), undecided };
      } finally {
        await close();
      }
    },
    settled: async () => active?.settled(),
    readiness() {
      const silentMs = performance.now() - lastPollAt;
      const isStale = silentMs > Math.max(stalestMs, 4 * settings.poll.interval);
      const ready = role !== 'starting' && failures === 0 && !isStale;
      const standing = conditions.list().map(({ code, message, sinceMs }) => reason(code, message, sinceMs));
      const stale = isStale ? [reason('POLL_STALE', `no poll has ended for ${Math.round(silentMs / 1000)} s`)] : [];
      const reasons = [...standing, ...stale];
      // Never a refusal without a reason.
      if (!ready && reasons.length === 0)
        reasons.push(
          failures > 0
            ? reason('INTERNAL', `the last ${failures} polls failed; see the log`)
            : { code: 'STARTING', message: 'the first poll has not ended yet' },
        );
      return { ready, role, reasons };
    },
  };
}
