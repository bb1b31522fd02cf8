// What the benchmarks of planning share: a planner that is ready, one script planned and named, and the same with a process for each script.
import { explainScript } from '../src/cli/explain/result.ts';
import { plannerFrom } from '../src/cli/planner.ts';
import { createNames } from '../src/names/names.ts';
import { type Planner, prepareText } from '../src/plan/plan.ts';
import { readSettings } from '../src/settings/settings.ts';
import { cpuOf, memoryOf } from './figures.ts';

const settings = readSettings(undefined, {});
const names = createNames(settings.identity, { now: Date.now, notify: () => undefined });
const limits = { maxScriptBytes: settings.planner.maxScriptBytes };

/** A planner whose process is warm, and the time until it was, in ms. */
export async function readyPlanner(): Promise<{ readonly planner: Planner; readonly pid: number; readonly ms: number }> {
  const begin = performance.now();
  const planner = plannerFrom(settings, () => {});
  planner.start();
  for (;;) {
    const state = planner.state();
    if (state.kind === 'ready') return { planner, pid: state.pid as number, ms: performance.now() - begin };
    if (state.kind === 'unavailable') throw new Error(state.detail);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Plans and names one script, from its text to the names of the datasets, and gives the time it took in ms. */
export async function timed(planner: Planner, sql: string, sinks: number): Promise<number> {
  const begin = performance.now();
  const result = await explainScript(planner, names, () => prepareText({ sql, variables: [], engineVersion: null }, limits));
  const ms = performance.now() - begin;
  if (result.tier !== 'plan' || result.pipelines.length !== sinks)
    throw new Error(`not what was to be measured: tier ${result.tier}, ${result.pipelines.length} INSERTs`);
  return ms;
}

/** What a script costs in a process of its own: ms from its start to the names, ms of CPU, MB at its highest. */
export async function alone(sql: string, sinks: number): Promise<{ readonly ms: number; readonly cpu: number; readonly peak: number }> {
  const begin = performance.now();
  const { planner, pid } = await readyPlanner();
  try {
    await timed(planner, sql, sinks);
    return { ms: performance.now() - begin, cpu: cpuOf(pid), peak: memoryOf(pid).peak };
  } finally {
    await planner.stop();
  }
}
