// Everything that exists only while this process is the active daemon, started and stopped together.
import { setMaxListeners } from 'node:events';
import { residentBytes } from '../ops/ops.ts';
import type { PlannerState } from '../plan/plan.ts';
import type { StoredSettings } from '../settings/settings.ts';
import type { Context } from './context.ts';
import { createHousekeeping } from './housekeeping.ts';
import { createInjecting } from './injecting.ts';
import { createLanes } from './lanes.ts';
import type { HeldLease } from './lease.ts';
import { openSession } from './session.ts';

export interface Active {
  readonly lease: HeldLease;
  /** One poll and what follows from it at once. Gives the rows of t_setting. */
  cycle(): Promise<StoredSettings>;
  /** Resolves when nothing is left to decide or to send now, or when the signal is aborted. */
  settled(signal?: AbortSignal): Promise<void>;
  /** Takes back what was written into StreamPark's rows: no address is configured any more. */
  withdraw(): Promise<void>;
  /** Prunes the own tables now. */
  prune(): Promise<void>;
  stop(): Promise<void>;
}

/** Lanes get this long to finish what is in flight. */
const laneLimitMs = 3_000;

/** Starts planner, lanes and session. */
export async function activate(parts: Omit<Context, 'stopping'>, lease: HeldLease): Promise<Active> {
  const stopping = new AbortController();
  // every script that is being planned listens
  setMaxListeners(0, stopping.signal);
  const context: Context = { ...parts, stopping: stopping.signal };
  context.planner.start();
  const lanes = createLanes(context, lease, () => lanes.apply(context.effective().destinations));
  lanes.apply(context.effective().destinations);
  const session = await openSession(context, () => lanes.wake());
  const injecting = createInjecting(context);
  const optedIn = () => [...session.known.trackers].filter(([, { row }]) => row.optIn).map(([key]) => key);
  const housekeeping = createHousekeeping(context);

  return {
    lease,
    async cycle() {
      lanes.apply(context.effective().destinations);
      const stored = await session.tick();
      const wrote = await housekeeping.tick((key) => {
        const current = session.known.get(key)?.tracker.current;
        return current?.phase === 'open' && current.lost === null;
      });
      if (wrote) lanes.wake();
      observePlanner(context);
      injecting.tick(optedIn);
      return stored;
    },
    async settled(signal) {
      const settled = async () => {
        await session.settled();
        await injecting.idle();
        lanes.wake();
        await lanes.idle();
      };
      await Promise.race([settled(), aborted(signal)]);
    },
    withdraw: () => injecting.withdraw(),
    prune: () => housekeeping.prune(),
    async stop() {
      stopping.abort();
      await injecting.idle();
      await session.stop();
      await lanes.stop(laneLimitMs);
      await housekeeping.idle();
      await lease.release().catch(() => undefined);
    },
  };
}

const aborted = (signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted === true) resolve();
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });

/** A planner that cannot be started is a degraded state: said once, shown in /readyz and /metrics. */
function observePlanner({ planner, conditions, metrics }: Context): void {
  metrics.plannerUp.reset();
  const observe = (flink: string, subject: string, { kind, detail }: PlannerState) => {
    metrics.plannerUp.set({ flink }, kind === 'ready' ? 1 : 0);
    if (kind === 'unavailable') conditions.raise('PLANNER_UNAVAILABLE', subject, detail);
    else if (kind === 'ready') conditions.clear('PLANNER_UNAVAILABLE', subject);
  };
  observe('bundled', 'planner', planner.state());
  // those that are stopped have nothing to do and are no fault
  for (const { version, state } of planner.others()) observe(version, `planner of Flink ${version}`, state);
  const pids = [planner.state(), ...planner.others().map(({ state }) => state)].flatMap(({ pid }) => pid ?? []);
  metrics.plannerMemory.set(pids.reduce((sum, pid) => sum + (residentBytes(pid) ?? 0), 0));
}
