// The planner as the commands start it: the bundled one, and those of the Flink versions that the settings name.
import { withCatalogs } from '../catalogs/catalogs.ts';
import { errorCatalogue } from '../errors/errors.ts';
import type { Log, Metrics } from '../ops/ops.ts';
import {
  createPlanners,
  type FlinkFolder,
  findFlink,
  type JavaOptions,
  javaWorker,
  type Planner,
  type PlannerEvent,
  plannerLib,
  sparkLib,
  sparkReader,
} from '../plan/plan.ts';
import type { Settings } from '../settings/settings.ts';

/** A planner with the settings' Java, heap and limits, which reads the catalogs that a script names; not started yet. */
export function plannerFrom(settings: Settings, report: (event: PlannerEvent) => void): Planner {
  const java = javaOptions(settings);
  const planner = createPlanners({
    source: javaWorker(java),
    versions: flinkFolders(settings).map((flink) => ({ version: flink.version, source: javaWorker({ ...java, flink }) })),
    ...(settings.spark.lineage === 'sql' && { spark: javaWorker(sparkOptions(settings)) }),
    idleMs: settings.planner.idle,
    timeoutMs: settings.planner.timeout,
    recycleAbove: heapBytes(settings.planner.heap) + besideHeap,
    report,
  });
  return withCatalogs(planner, Date.now);
}

/** How a worker is started. */
export function javaOptions({ planner }: Settings): JavaOptions {
  return { java: planner.java, heap: planner.heap, lib: plannerLib, env: process.env };
}

/** How the reader of Spark SQL is started. */
export function sparkOptions(settings: Settings): JavaOptions {
  return { ...javaOptions(settings), lib: settings.spark.reader ?? sparkLib, engine: 'spark' };
}

/** The versions that the settings name, with their folders. That of `flinkHome` is told by its jars. */
export function flinkFolders({ planner }: Settings): FlinkFolder[] {
  const named = Object.entries(planner.versions).map(([version, folder]) => ({ version, folder }));
  return planner.flinkHome === undefined ? named : [...named, { version: versionOf(planner.flinkHome), folder: planner.flinkHome }];
}

/** Of a folder without a planner it is unknown; `check` says so. */
function versionOf(folder: string): string {
  try {
    return findFlink(folder).version;
  } catch {
    return 'unknown';
  }
}

/** What a worker has beside its heap when all is well: classes, code, stacks, buffers. */
const besideHeap = 160 * 1024 * 1024;

const heapBytes = (heap: string) => Number.parseInt(heap, 10) * (/g$/i.test(heap) ? 1024 : 1) * 1024 * 1024;

/** Writes what happens to the workers to the log, and counts it. Lines of the JVM may quote a script, so they are only for debugging. */
export function logPlanner(log: Log, metrics: Pick<Metrics, 'plannerRestarts' | 'conditions'>): (event: PlannerEvent) => void {
  return (event) => {
    const about = {
      stage: 'plan',
      ...(event.version === undefined ? {} : event.version === sparkReader ? { planner: sparkReader } : { flink: event.version }),
    };
    switch (event.kind) {
      case 'state':
        return log.info({ ...about, state: event.state.kind }, event.state.detail);
      case 'restart':
        metrics.plannerRestarts.inc();
        metrics.conditions.inc({ code: 'PLANNER_RESTARTED' });
        return log.warn(
          { ...about, code: 'PLANNER_RESTARTED', delayMs: event.delayMs, cure: errorCatalogue.PLANNER_RESTARTED.cure },
          `planner restarts: ${event.reason}`,
        );
      case 'log':
        return log.debug(about, 'the planner wrote to stderr');
    }
  };
}
