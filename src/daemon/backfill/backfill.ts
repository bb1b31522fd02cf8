// Events for what is already there: the runs that applications had before anybody watched them. Works beside a daemon: under
// a lease of its own, with the daemon's transactions kept out for the moment of each write.
import { ConfigError, type ErrorCode, StateError } from '../../errors/errors.ts';
import { outboxStats } from '../../outbox/outbox.ts';
import { effectiveSettings } from '../../settings/settings.ts';
import { prepareLease, readLearnedZone, readLease, type State } from '../../state/state.ts';
import { type AppKey, appKey, type LearnedZone, type PastRead, type ZoneClock, zoneClock } from '../../watch/watch.ts';
import { type Context, LeaseLost } from '../context.ts';
import type { DaemonParts } from '../daemon.ts';
import { installationOf } from '../installation.ts';
import { createLanes } from '../lanes.ts';
import { type HeldLease, leaseTtlMs, takeLease } from '../lease.ts';
import { namesOf } from '../lookups.ts';
import { createPlanning } from '../planning.ts';
import { troubleOf } from '../trouble.ts';
import { type AppResult, type AppWork, backfillApp, nothing } from './application.ts';
import { type PreviewedRun, rememberingPlanning, rolledBack } from './dryrun.ts';
import { createPace, type Pace } from './pace.ts';
import type { SkipReason } from './plan.ts';
import { type BackfillScope, select } from './scope.ts';

export type { PreviewedRun } from './dryrun.ts';
export type { SkipReason } from './plan.ts';
export type { BackfillScope } from './scope.ts';

export interface BackfillParts extends DaemonParts {
  readonly scope: BackfillScope;
  readonly dryRun: boolean;
  /** Events per second; null = no limit. */
  readonly rate: number | null;
  readonly onProgress: (progress: Progress) => void;
  /** Each run of a dry run, as it is found. */
  readonly onPreview: (app: AppKey, name: string, run: PreviewedRun) => void;
}

export interface Progress {
  readonly applications: number;
  readonly total: number;
  readonly runs: number;
  readonly events: number;
}

export interface Skipped {
  readonly app: AppKey;
  readonly name: string;
  readonly reason: SkipReason;
  /** Of a failure. */
  readonly code: ErrorCode | null;
}

export interface BackfillReport {
  readonly applications: number;
  readonly total: number;
  readonly runs: number;
  readonly events: number;
  /** Runs that wait for the planner; the daemon or another backfill goes on with them. */
  readonly waiting: number;
  readonly skipped: readonly Skipped[];
  /** In which zone the times of the console were read, and how that is known. */
  readonly zone: Pick<ZoneClock, 'zone' | 'from'>;
  /** `daemon`: a running one sends the events; `sent`: this program did; `waiting`: some wait; `none`: a dry run, or nothing to send. */
  readonly delivery: 'daemon' | 'sent' | 'waiting' | 'none';
  /** It was stopped before its end; another one goes on where it was. */
  readonly stopped: boolean;
}

export interface Backfill {
  /** @throws CodedError whatever is in the way of all applications */
  run(signal: AbortSignal): Promise<BackfillReport>;
  close(): Promise<void>;
}

/** Applications read in one snapshot: the log and the scripts have no index for them, so each read goes through all rows. */
const batchSize = 500;
/** Applications worked on at once. */
const atOnce = 4;
const stuckAfterMs = 30 * 60_000;
const laneLimitMs = 3_000;

/** Puts a backfill together; nothing is opened before `run`. */
export function openBackfill(parts: BackfillParts): Backfill {
  let state: State | undefined;
  const names = namesOf(parts);
  return {
    async run(signal) {
      const effective = effectiveSettings(parts.settings, await parts.source.readSettings());
      if (!effective.configured && !parts.dryRun)
        throw new ConfigError('NOT_CONFIGURED', 'no lineage address and no destination is configured: there is nobody to tell');
      state = await parts.openState();
      const installation = await installationOf(state, parts.source, parts.now());
      await state.transaction((tx) => prepareLease(tx, 'daemon'));
      const lease = await ownLease(state, parts.holder);
      const opened = state;
      const stopping = AbortSignal.any([signal, lease.lost]);
      const context: Context = {
        ...parts,
        names,
        state,
        installation,
        effective: () => effective,
        stopping,
        underLease: parts.dryRun ? (work) => rolledBack(opened, work) : lease.underLease,
      };
      try {
        context.planner.start();
        // The limit holds where this program decides the pace: a daemon sends what it finds, without one the lanes are here.
        const pace = createPace(parts.rate);
        const unlimited = createPace(null);
        const daemon = (await readLease(state.database.db, 'daemon')) !== undefined;
        const report = await backfillAll(parts, context, daemon && !parts.dryRun ? pace : unlimited);
        const delivery = parts.dryRun ? 'none' : await deliver(parts, context, daemon ? unlimited : pace);
        return { ...report, delivery, stopped: signal.aborted };
      } finally {
        await lease.release().catch(() => undefined);
      }
    },
    async close() {
      await parts.planner.stop();
      await names.close();
      await parts.extension?.close();
      await state?.close();
      await parts.source.close();
    },
  };
}

async function ownLease(state: State, holder: string): Promise<HeldLease> {
  const outcome = await takeLease(state, holder, leaseTtlMs, 'backfill');
  if (outcome.kind === 'held') return outcome.lease;
  throw new StateError(
    'STATE_LEASE_HELD',
    `${outcome.holder} is at a backfill; it is free in ${Math.ceil(outcome.freeInMs / 1000)} s at the latest when that one has died`,
  );
}

type Work = Omit<BackfillReport, 'delivery' | 'stopped'>;

async function backfillAll(parts: BackfillParts, context: Context, pace: Pace): Promise<Work> {
  const { source, settings } = parts;
  const selection = select(await source.allRows(), parts.scope.team === null ? [] : await source.listApps(), parts.scope);
  const clock = await zoneOf(context);
  const planning = createPlanning(context);
  const work: AppWork = {
    context,
    planning: parts.dryRun ? rememberingPlanning(planning) : planning,
    limits: { lostGraceMs: settings.events.lostGrace, stuckAfterMs, toInstant: clock.toInstant, since: parts.scope.since },
    dryRun: parts.dryRun,
    namesakes: selection.namesakes,
    paced: (events) => pace.take(events, context.stopping),
  };
  const total = { applications: 0, total: selection.total, runs: 0, events: 0, waiting: 0 };
  const skipped: Skipped[] = [];
  const settled = (key: AppKey, name: string, result: AppResult, code: ErrorCode | null) => {
    total.applications += 1;
    total.runs += result.runs;
    total.events += result.events;
    total.waiting += result.waiting;
    if (result.skipped !== null) skipped.push({ app: key, name, reason: result.skipped, code });
    for (const run of result.preview) parts.onPreview(key, name, run);
    parts.onProgress(total);
  };
  const one = async (key: AppKey, read: PastRead | undefined) => {
    if (context.stopping.aborted) return;
    if (read === undefined) return settled(key, '', nothing('DELETED'), null);
    try {
      settled(key, read.row.name, await backfillApp(work, read), null);
    } catch (error) {
      settled(key, read.row.name, nothing('FAILED'), failed(context, key, error));
    }
  };
  for (const engine of ['flink', 'spark'] as const) {
    const ids = selection.ids[engine];
    for (let i = 0; i < ids.length && !context.stopping.aborted; i += batchSize) {
      const batch = ids.slice(i, i + batchSize);
      const reads = await source.pasts(engine, batch);
      await inParallel(batch, (id) => one(appKey(engine, id), reads.get(appKey(engine, id))));
    }
  }
  return { ...total, skipped, zone: { zone: clock.zone, from: clock.from } };
}

/** Runs the work for each item, a few at once; after a failure no further one begins, and it is thrown when all have ended. */
async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  let broken = false;
  const worker = async () => {
    for (const item of rest) {
      if (broken) return;
      await work(item).catch((error: unknown) => {
        broken = true;
        throw error;
      });
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, worker));
  for (const outcome of ended) if (outcome.status === 'rejected') throw outcome.reason;
}

async function zoneOf({ source, state, settings }: Context): Promise<ZoneClock> {
  const stored = await readLearnedZone(state.database.db);
  const { now, zone } = await source.clock();
  return zoneClock(settings.sourceTimezone, stored === null ? null : (JSON.parse(stored) as LearnedZone), zone, now);
}

/** The code of what is wrong with one application; what is wrong with all of them is thrown. */
function failed(context: Context, key: AppKey, error: unknown): ErrorCode {
  if (error instanceof LeaseLost) throw new StateError('STATE_LEASE_HELD', 'another backfill took over', { cause: error });
  const trouble = troubleOf(error, context.state.database.label);
  if (trouble !== undefined && general.has(trouble.code)) throw trouble;
  const code = trouble?.code ?? 'INTERNAL';
  context.metrics.conditions.inc({ code });
  context.log.error({ stage: 'daemon', app: key, code, err: trouble ?? error }, 'not backfilled; the next backfill tries again');
  return code;
}

const general: ReadonlySet<ErrorCode> = new Set(['SOURCE_UNREACHABLE', 'SOURCE_SCHEMA', 'STATE_UNREACHABLE', 'STATE_PRIVILEGE']);

/** Sends what was written, unless a daemon does. */
async function deliver(parts: BackfillParts, context: Context, pace: Pace): Promise<BackfillReport['delivery']> {
  const outcome = await takeLease(context.state, parts.holder);
  if (outcome.kind === 'standby') return 'daemon';
  const lanes = createLanes(
    context,
    outcome.lease,
    () => undefined,
    (signal) => pace.take(1, signal),
  );
  try {
    lanes.apply(context.effective().destinations);
    const aborted = new Promise((resolve) => {
      if (context.stopping.aborted) resolve(undefined);
      context.stopping.addEventListener('abort', resolve, { once: true });
    });
    await Promise.race([lanes.idle(), aborted]);
  } finally {
    await lanes.stop(laneLimitMs);
    await outcome.lease.release().catch(() => undefined);
  }
  const stats = await outboxStats(context.state.database.db, ['waiting']);
  return stats.some(({ waiting }) => waiting > 0) ? 'waiting' : 'sent';
}
