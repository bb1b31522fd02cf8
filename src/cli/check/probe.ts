// How `check` looks at the planner: asks Java for its version, and starts one worker until it has planned its warm-up.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { PlanError } from '../../errors/errors.ts';
import {
  createPlanner,
  type JavaOptions,
  javaWorker,
  type Planner,
  type PlannerEvent,
  type PlannerState,
  plannerLib,
} from '../../plan/plan.ts';
import type { Settings } from '../../settings/settings.ts';
import { flinkFolders, javaOptions, sparkOptions } from '../planner.ts';
import type { PlannerProbe } from './context.ts';

/** The planner that `run` would use with these settings. */
export function plannerProbe(settings: Settings, env: Readonly<Record<string, string | undefined>>): PlannerProbe {
  const { java } = settings.planner;
  const home = env['JAVA_HOME'];
  const file = java ?? (home ? join(home, 'bin', 'java') : 'java');
  return {
    lib: plannerLib,
    javaVersion: () => javaVersion(file),
    versions: flinkFolders(settings),
    start: (flink) => started(settings, { ...javaOptions(settings), ...(flink === undefined ? {} : { flink }) }),
    ...(settings.spark.lineage === 'sql' && { startSpark: () => started(settings, sparkOptions(settings)) }),
  };
}

async function started(settings: Settings, options: JavaOptions): Promise<string> {
  const began = performance.now();
  const source = javaWorker(options);
  // a folder that cannot be used is said before a process is tried
  source.command();
  const state = await firstState((report) => createPlanner({ source, timeoutMs: settings.planner.timeout, report }));
  return `${state.detail}, ready after ${((performance.now() - began) / 1000).toFixed(1)} s`;
}

/** `java -version` writes to stderr. */
function javaVersion(file: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(file, ['-version'], { timeout: 20_000, windowsHide: true }, (error, stdout, stderr) => {
      if (error === null) resolve(`${stderr}${stdout}`.trim());
      else if (error.code === 'ENOENT') reject(new Error(`${file} is not there`));
      else if (error.code === 'EACCES') reject(new Error(`${file} may not be executed`));
      else reject(new Error(`${file} -version failed: ${`${stderr}`.trim().split('\n', 1)[0] || error.message}`));
    });
  });
}

/** Starts the planner, waits until it is ready or known to be unavailable, and stops it. */
async function firstState(create: (report: (event: PlannerEvent) => void) => Planner): Promise<PlannerState> {
  let planner: Planner | undefined;
  try {
    return await new Promise<PlannerState>((resolve, reject) => {
      planner = create((event) => {
        if (event.kind !== 'state') return;
        if (event.state.kind === 'ready') resolve(event.state);
        if (event.state.kind === 'unavailable') reject(new PlanError('PLANNER_UNAVAILABLE', event.state.detail));
      });
      planner.start();
    });
  } finally {
    await planner?.stop();
  }
}
