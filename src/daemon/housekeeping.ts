// What is done now and then by the active daemon: gauges and heartbeats between two polls, retention beside them.
import { Cron } from 'croner';
import { outboxStats } from '../outbox/outbox.ts';
import { listByPhase } from '../state/state.ts';
import type { AppKey } from '../watch/watch.ts';
import type { Context } from './context.ts';
import { beat } from './heartbeat.ts';
import { prune } from './retention.ts';
import { troubleOf } from './trouble.ts';

const gaugesEveryMs = 15_000;
const heartbeatEveryMs = 60_000;

export interface Housekeeping {
  /** Does what is due; called after each poll. Returns true when events were written. */
  tick(alive: (key: AppKey) => boolean): Promise<boolean>;
  /** Prunes the own tables now; one that is under way is waited for. */
  prune(): Promise<void>;
  /** Resolves when nothing is being pruned. */
  idle(): Promise<void>;
}

/** Begins to count the schedule from now. */
export function createHousekeeping(context: Context): Housekeeping {
  const schedule = new Cron(context.settings.housekeeping.schedule);
  const next = (now: number) => schedule.nextRun(new Date(now))?.getTime() ?? Number.POSITIVE_INFINITY;
  const due = { gauges: 0, heartbeat: 0, retention: next(context.now()) };
  let pruning: Promise<void> | undefined;
  const start = (): Promise<void> => {
    pruning ??= pruneNow(context).finally(() => {
      pruning = undefined;
    });
    return pruning;
  };
  const tick = async (alive: (key: AppKey) => boolean) => {
    const now = context.now();
    // Due later than its interval from now: the clock was set back.
    const isDue = (at: number, everyMs: number) => now >= at || at - now > everyMs;
    let wrote = false;
    if (isDue(due.heartbeat, heartbeatEveryMs)) {
      due.heartbeat = now + heartbeatEveryMs;
      wrote = (await beat(context, alive)) > 0;
    }
    if (isDue(due.gauges, gaugesEveryMs)) {
      due.gauges = now + gaugesEveryMs;
      await gauges(context, now);
    }
    const retention = next(now);
    if (now >= due.retention) void start();
    // the nearer one, when the clock was set back
    due.retention = now >= due.retention ? retention : Math.min(due.retention, retention);
    return wrote;
  };
  return { tick, prune: start, idle: async () => pruning };
}

/** A failure is said and left to the next time. */
async function pruneNow(context: Context): Promise<void> {
  const log = context.log.child({ stage: 'state' });
  try {
    const pruned = await prune(context, context.now());
    for (const [what, rows] of Object.entries(pruned)) context.metrics.pruned.inc({ what }, rows);
    if (Object.values(pruned).some((rows) => rows > 0)) log.info(pruned, 'own tables pruned');
    else log.debug(pruned, 'nothing to prune');
  } catch (error) {
    const trouble = troubleOf(error, context.state.database.label);
    context.metrics.conditions.inc({ code: trouble?.code ?? 'INTERNAL' });
    log.warn({ code: trouble?.code ?? 'INTERNAL', err: trouble ?? error }, 'own tables not pruned; the next time tries again');
  }
}

const countLimit = 100_000;

async function gauges(context: Context, now: number): Promise<void> {
  const { metrics, state } = context;
  metrics.openRuns.set((await listByPhase(state.database.db, 'open', countLimit)).length);
  metrics.waiting.reset();
  metrics.dead.reset();
  metrics.oldest.reset();
  for (const { destination, waiting, dead, oldestWaitingAt } of await outboxStats(state.database.db, ['waiting', 'dead'])) {
    metrics.waiting.set({ destination }, waiting);
    metrics.dead.set({ destination }, dead);
    metrics.oldest.set({ destination }, oldestWaitingAt === null ? 0 : Math.max(0, (now - oldestWaitingAt) / 1000));
  }
}
