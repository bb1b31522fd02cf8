// A backfill that only looks: the same writes as a real one, each rolled back, so that what it shows is what would be sent.
import type { FrozenRun } from '../../openlineage/openlineage.ts';
import { type RunRecord, readRun, type State, type StateTx } from '../../state/state.ts';
import type { Context } from '../context.ts';
import { eventsOf, freeze, takenBy } from '../decide.ts';
import { type Desired, missingMoments } from '../desired.ts';
import type { CachedPlan, Planning } from '../planning.ts';

class RolledBack extends Error {
  readonly result: unknown;
  constructor(result: unknown) {
    super('rolled back');
    this.result = result;
  }
}

/** Runs the work in a transaction that is rolled back, and gives what it gave. */
export async function rolledBack<T>(state: State, work: (tx: StateTx) => Promise<T>): Promise<T> {
  try {
    return await state.transaction(async (tx) => {
      throw new RolledBack(await work(tx));
    });
  } catch (error) {
    if (error instanceof RolledBack) return error.result as T;
    throw error;
  }
}

/** Plans kept in memory, because a rolled back transaction keeps none; beyond this many the oldest is forgotten. */
const keptPlans = 2_000;

export function rememberingPlanning(planning: Planning): Planning {
  const plans = new Map<string, CachedPlan | 'gone'>();
  return {
    get size() {
      return planning.size;
    },
    async plan(key, prepared, label) {
      const known = plans.get(key);
      if (known !== undefined) return known;
      const plan = await planning.plan(key, prepared, label);
      plans.set(key, plan);
      if (plans.size > keptPlans) plans.delete(plans.keys().next().value as string);
      return plan;
    },
  };
}

/** One run as it would be reported. */
export interface PreviewedRun {
  readonly runId: string;
  readonly job: string;
  readonly startedAt: number;
  /** Null while it is open. */
  readonly endedAt: number | null;
  readonly end: string | null;
  readonly sqlVersion: number | null;
  readonly sinks: number;
  readonly notes: readonly string[];
  readonly events: number;
}

/** What would be sent of a run; null while the planner is away. */
export async function preview(context: Context, planning: Planning, run: RunRecord): Promise<PreviewedRun | null> {
  const desired = JSON.parse(run.desiredJson) as Desired;
  const kept = await readRun(context.state.database.db, run);
  const frozen =
    kept?.frozenJson == null
      ? await freeze(context, planning, { ...run, frozenJson: null }, desired)
      : (JSON.parse(kept.frozenJson) as FrozenRun);
  if (frozen === undefined) return null;
  const events = eventsOf(context, frozen, missingMoments(desired, run.emitted), run.lastEventAt, context.now());
  return {
    runId: frozen.runId,
    job: frozen.jobName,
    startedAt: desired.startedAt,
    endedAt: desired.end?.at ?? null,
    end: desired.end === null ? null : `${desired.end.how.toUpperCase()}${desired.end.reconstructed ? ' (reconstructed)' : ''}`,
    sqlVersion: frozen.app.sqlVersion,
    sinks: frozen.children.length,
    notes: frozen.app.notes,
    events: takenBy(context, events).length,
  };
}
