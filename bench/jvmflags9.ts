import { explainScript } from '../src/cli/explain/result.ts';
import { createPlanner, javaWorker, plannerLib, prepareText } from '../src/plan/plan.ts';
import { readSettings } from '../src/settings/settings.ts';
import { memoryOf } from './figures.ts';
import { medium, large } from './scripts.ts';
const settings = readSettings(undefined, {});
for (const flags of process.argv.slice(2)) {
  const src = javaWorker({ java: undefined, heap: '256m', lib: plannerLib, env: process.env });
  const planner = createPlanner({ source: { build: src.build, command: () => { const c = src.command(); const i = c.args.indexOf('-cp'); return { ...c, args: [...c.args.slice(0, i), ...flags.split(' ').filter(Boolean), ...c.args.slice(i)] }; } }, timeoutMs: 60000, report: () => {} });
  planner.start();
  const t0 = performance.now();
  while (planner.state().kind !== 'ready') await new Promise((r) => setTimeout(r, 5));
  const pid = planner.state().pid as number;
  const t1 = performance.now(); const m0 = memoryOf(pid);
  let n = 0;
  const lane = async () => { while (n < 400) { const i = n++; await explainScript(planner, settings, () => prepareText({ sql: i % 50 === 49 ? large(i) : medium(i), variables: [], engineVersion: null }, { maxScriptBytes: 1e7 })); } };
  await Promise.all([lane(), lane()]);
  const t2 = performance.now(); const m1 = memoryOf(pid);
  console.log(flags || '(none)', 'hello', Math.round(t1 - t0), 'rss', Math.round(m0.now), '| after', Math.round(m1.now), 'peak', Math.round(m1.peak), 'took', Math.round(t2 - t1));
  await planner.stop();
}
