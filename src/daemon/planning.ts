// Plans scripts through the cache: a plan is made once per key, by whoever asks first, and kept without secrets.
import { type ErrorCode, errorCatalogue, PlanError } from '../errors/errors.ts';
import { type DistilledPipeline, distillLineage, maskTable } from '../identity/identity.ts';
import { extractLineage } from '../lineage/lineage.ts';
import { type ExternalTable, maskText, type PreparedScript, type Tier } from '../plan/plan.ts';
import { getPlan, putPlan, renewPlan, touchPlan } from '../state/state.ts';
import type { Context } from './context.ts';

/** What the cache keeps of a script. `codes` are those of its findings. */
export interface CachedPlan {
  readonly pipelines: readonly DistilledPipeline[];
  readonly codes: readonly ErrorCode[];
  /** What was read outside the script is taken for true until then, in ms since the epoch; absent where nothing was. */
  readonly freshUntil?: number;
}

/** That a plan is in use is noted once a day, so that retention leaves it alone. */
const noteUseEveryMs = 86_400_000;

/** Findings that take nothing away from the lineage. */
const harmless: ReadonlySet<ErrorCode> = new Set(['PLAN_STATEMENT_IGNORED', 'PLAN_PRUNED', 'PLANNER_VERSION']);

/** The parts of the daemon that planning needs. */
export type PlanningParts = Pick<Context, 'state' | 'planner' | 'names' | 'log' | 'metrics' | 'now' | 'stopping' | 'underLease'>;

export interface Planning {
  /**
   * The plan of a key: from the cache, else planned from `prepared`.
   * A script that cannot be planned gives an empty plan with its code, which is kept as well: it is not tried again.
   * @throws PlanError PLANNER_UNAVAILABLE: try again later
   */
  plan(key: string, prepared: () => Promise<PreparedScript | null>, label: object): Promise<CachedPlan | 'gone'>;
  /** Plans being made or waiting for the planner. */
  readonly size: number;
}

/** At most this many prepared scripts are planned at once; more wait in the caller's queue. */
export function createPlanning(context: PlanningParts): Planning {
  const inFlight = new Map<string, Promise<CachedPlan | 'gone'>>();

  async function compute(key: string, prepared: () => Promise<PreparedScript | null>, label: object): Promise<CachedPlan | 'gone'> {
    const cached = await getPlan(context.state.database.db, key);
    const known = cached === undefined ? undefined : (JSON.parse(cached.json) as CachedPlan);
    const now = context.now();
    if (cached !== undefined && known !== undefined && now < (known.freshUntil ?? Number.POSITIVE_INFINITY)) {
      context.metrics.plans.inc({ result: 'cached', code: known.codes[0] ?? '' });
      if (now - cached.usedAt > noteUseEveryMs) await context.underLease((tx) => touchPlan(tx, key, now));
      return known;
    }
    const script = await prepared();
    if (script === null) return 'gone';
    const plan = await planScript(context, script, label);
    const keep = known === undefined ? putPlan : renewPlan;
    await context.underLease((tx) => keep(tx, key, JSON.stringify(plan), context.now()));
    return plan;
  }

  return {
    plan(key, prepared, label) {
      const running = inFlight.get(key);
      if (running !== undefined) return running;
      const started = compute(key, prepared, label).finally(() => inFlight.delete(key));
      inFlight.set(key, started);
      return started;
    },
    get size() {
      return inFlight.size;
    },
  };
}

async function planScript(context: PlanningParts, script: PreparedScript, label: object): Promise<CachedPlan> {
  const end = context.metrics.planSeconds.startTimer();
  const log = context.log.child({ stage: 'plan', ...label });
  try {
    const planned = await context.planner.plan(script, context.stopping);
    end({ flink: planned.flinkVersion });
    const lineage = extractLineage(planned);
    const { diagnostics } = lineage;
    const ways = countWays(planned.external);
    for (const [way, count] of Object.entries(ways)) context.metrics.externalTables.inc({ way }, count);
    for (const { code, message, line, column, cure = errorCatalogue[code].cure } of diagnostics) {
      context.metrics.conditions.inc({ code });
      log[harmless.has(code) ? 'debug' : 'warn']({ code, line, column, cure }, message);
    }
    const result = strongestTier(lineage.pipelines.map((p) => p.tier));
    const worst = diagnostics.find((d) => d.severity === 'error') ?? diagnostics.find((d) => !harmless.has(d.code));
    context.metrics.plans.inc({ result, code: worst?.code ?? '' });
    log.info({ result, inserts: lineage.pipelines.length, ...(planned.external.length > 0 ? { external: ways } : {}) }, 'script planned');
    return {
      pipelines: distillLineage(lineage, context.names.own).map((pipeline) => withMaskedTexts(pipeline, script.secrets)),
      codes: [...new Set(diagnostics.map((d) => d.code))].filter((code) => !harmless.has(code)),
      ...(planned.freshForMs === undefined ? {} : { freshUntil: context.now() + planned.freshForMs }),
    };
  } catch (error) {
    if (!(error instanceof PlanError) || error.code === 'PLANNER_UNAVAILABLE') throw error;
    context.metrics.plans.inc({ result: 'failed', code: error.code });
    context.metrics.conditions.inc({ code: error.code });
    log.warn({ code: error.code, cure: error.cure }, error.message);
    return { pipelines: [], codes: [error.code] };
  }
}

/** How many tables that the script does not declare were found in which way. */
function countWays(external: readonly ExternalTable[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { way } of external) counts[way] = (counts[way] ?? 0) + 1;
  return counts;
}

/** Free text of tables is masked while the secrets are known. */
function withMaskedTexts(pipeline: DistilledPipeline, secrets: readonly string[]): DistilledPipeline {
  const mask = (text: string) => maskText(text, secrets);
  return { ...pipeline, sink: maskTable(pipeline.sink, mask), inputs: pipeline.inputs.map((input) => maskTable(input, mask)) };
}

const strongestTier = (tiers: readonly Tier[]): Tier | 'none' =>
  (['plan', 'tree', 'text'] as const).find((t) => tiers.includes(t)) ?? 'none';
