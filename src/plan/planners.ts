// The bundled planner, and beside it one for each Flink version that the settings name and the reader of Spark SQL: started when such a script
// comes, stopped when none has come for a while, because each takes as much memory as the bundled one.
import type { Diagnostic } from '../errors/errors.ts';
import { PlanError } from '../errors/errors.ts';
import { createPlanner, type Planner, type PlannerOptions } from './planner.ts';
import type { PlannedScript, PreparedScript } from './script.ts';
import { sparkTables } from './spark.ts';
import { chosenVersion, sameMinor } from './versions.ts';
import type { WorkerSource } from './worker.ts';

/** The worker of a version that the settings name. */
export interface VersionSource {
  readonly version: string;
  readonly source: WorkerSource;
}

/** `source` is the bundled planner's, `spark` that of the reader of Spark SQL. */
export interface PlannersOptions extends PlannerOptions {
  readonly spark?: WorkerSource;
  readonly versions: readonly VersionSource[];
  /** A planner of another version is stopped after so long without a script. */
  readonly idleMs: number;
}

/** Under this name the reader of Spark SQL stands among the versions. */
export const sparkReader = 'Spark SQL';

interface Other extends VersionSource {
  readonly planner: Planner;
  running: boolean;
  busy: number;
  idle: NodeJS.Timeout | undefined;
}

/** Creates all of them; `start` starts the bundled one only. */
export function createPlanners(options: PlannersOptions): Planner {
  const bundled = createPlanner(options);
  const other = ({ version, source }: VersionSource): Other => ({
    version,
    source,
    planner: createPlanner({ ...options, source, report: (event) => options.report({ ...event, version }) }),
    running: false,
    busy: 0,
    idle: undefined,
  });
  const flinks = options.versions.map(other);
  const spark = options.spark === undefined ? undefined : other({ version: sparkReader, source: options.spark });
  const others = spark === undefined ? flinks : [...flinks, spark];
  const versions = flinks.map(({ version }) => version);

  const chosen = (engineVersion: string | null) => {
    const version = chosenVersion(engineVersion, versions);
    return flinks.find((other) => other.version === version);
  };

  const stop = async (other: Other) => {
    clearTimeout(other.idle);
    other.running = false;
    await other.planner.stop();
  };

  /** Starts it, after stopping those that have nothing to do. */
  const use = (other: Other) => {
    clearTimeout(other.idle);
    other.busy += 1;
    if (other.running) return;
    for (const idle of others.filter(({ running, busy }) => running && busy === 0)) void stop(idle);
    other.running = true;
    other.planner.start();
  };

  const release = (other: Other) => {
    other.busy -= 1;
    if (other.busy > 0 || !other.running) return;
    other.idle = setTimeout(() => void stop(other), options.idleMs);
    other.idle.unref();
  };

  const planWith = async (other: Other, prepared: PreparedScript, signal: AbortSignal | undefined) => {
    use(other);
    try {
      return await other.planner.plan(prepared, signal);
    } finally {
      release(other);
    }
  };

  const withSpark = async (prepared: PreparedScript, signal: AbortSignal | undefined) => {
    if (spark === undefined) throw new PlanError('PLANNER_UNAVAILABLE', 'no reader of Spark SQL is configured');
    // without its jars a process would be tried over and over
    spark.source.command();
    return sparkTables(await planWith(spark, prepared, signal), prepared.options);
  };

  return {
    start: bundled.start,
    state: bundled.state,
    build: (script) => {
      if (script.engine === 'spark') return spark?.planner.build(script) ?? 'missing';
      const other = chosen(script.engineVersion);
      return (other === undefined || problemOf(other) !== undefined ? bundled : other.planner).build(script);
    },
    others: () => others.filter(({ running }) => running).map(({ version, planner }) => ({ version, state: planner.state() })),
    plan: async (prepared, signal) => {
      const { engineVersion } = prepared;
      if (prepared.engine === 'spark') return withSpark(prepared, signal);
      const other = chosen(engineVersion);
      const problem = other === undefined ? undefined : problemOf(other);
      if (other === undefined || problem !== undefined) {
        return noting(await bundled.plan(prepared, signal), engineVersion, problem ?? 'no planner of that version is configured');
      }
      return planWith(other, prepared, signal);
    },
    stop: async () => {
      await Promise.all([bundled.stop(), ...others.map(stop)]);
    },
  };
}

/** Why its worker cannot be started whatever is tried: then its scripts need not wait for it. */
function problemOf({ version, source }: VersionSource): string | undefined {
  try {
    source.command();
    return undefined;
  } catch (cause) {
    return `that of ${version} cannot be used: ${cause instanceof PlanError ? cause.message : String(cause)}`;
  }
}

/** Says that a script was planned with another version than it runs on. */
function noting(planned: PlannedScript, engineVersion: string | null, why: string): PlannedScript {
  if (engineVersion === null || sameMinor(engineVersion, planned.flinkVersion)) return planned;
  const message = `the script runs on Flink ${engineVersion} and was planned with ${planned.flinkVersion}: ${why}`;
  const note: Diagnostic = { code: 'PLANNER_VERSION', severity: 'warning', message };
  return { ...planned, diagnostics: [note, ...planned.diagnostics] };
}
