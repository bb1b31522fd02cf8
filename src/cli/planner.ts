// The planner as the commands start it.
import { withCatalogs } from '../catalogs/catalogs.ts';
import type { Log } from '../ops/ops.ts';
import { createPlanner, javaWorker, type Planner, type PlannerEvent, plannerLib } from '../plan/plan.ts';
import type { Settings } from '../settings/settings.ts';

/** A planner with the settings' Java, heap and limits, which reads the catalogs that a script names; not started yet. */
export function plannerFrom(settings: Settings, report: (event: PlannerEvent) => void): Planner {
  const planner = createPlanner({
    source: javaWorker({ java: settings.planner.java, heap: settings.planner.heap, lib: plannerLib, env: process.env }),
    timeoutMs: settings.planner.timeout,
    report,
  });
  return withCatalogs(planner, Date.now);
}

/** Writes what happens to the worker to the log. Lines of the JVM may quote a script, so they are only for debugging. */
export function logPlanner(log: Log): (event: PlannerEvent) => void {
  return (event) => {
    switch (event.kind) {
      case 'state':
        return log.info({ stage: 'plan', state: event.state.kind }, event.state.detail);
      case 'restart':
        return log.warn({ stage: 'plan', delayMs: event.delayMs }, `planner restarts: ${event.reason}`);
      case 'log':
        return log.debug({ stage: 'plan' }, 'the planner wrote to stderr');
    }
  };
}
