// Planning: from the start of the JVM to the first plan, then warm, script by script and two at a time. A time is that of the
// whole way from the text to the names of the datasets; every script is planned in both tiers and is different from the others.
// Run: npx tsx bench/plan.ts [starts]
import { explainScript } from '../src/cli/explain/result.ts';
import { plannerFrom } from '../src/cli/planner.ts';
import { createNames } from '../src/names/names.ts';
import { type Planner, prepareText } from '../src/plan/plan.ts';
import { readSettings } from '../src/settings/settings.ts';
import { percentile, printTable } from './figures.ts';
import { large, medium, small } from './scripts.ts';

const starts = Number(process.argv[2] ?? 7);
const settings = readSettings(undefined, {});
const names = createNames(settings.identity, { now: Date.now, notify: () => undefined });
const limits = { maxScriptBytes: settings.planner.maxScriptBytes };

/** Plans and names one script and gives the time it took in ms. */
async function timed(planner: Planner, sql: string, sinks: number): Promise<number> {
  const begin = performance.now();
  const result = await explainScript(planner, names, () => prepareText({ sql, variables: [], engineVersion: null }, limits));
  const ms = performance.now() - begin;
  if (result.tier !== 'plan' || result.pipelines.length !== sinks)
    throw new Error(`not what was to be measured: ${JSON.stringify(result)}`);
  return ms;
}

async function ready(planner: Planner): Promise<void> {
  planner.start();
  while (planner.state().kind !== 'ready') await new Promise((resolve) => setTimeout(resolve, 5));
}

const first: number[] = [];
const hello: number[] = [];
for (let i = 0; i < starts; i += 1) {
  const planner = plannerFrom(settings, () => {});
  const begin = performance.now();
  await ready(planner);
  hello.push(performance.now() - begin);
  await timed(planner, small(i), 1);
  first.push(performance.now() - begin);
  await planner.stop();
}
const ms = (value: number) => value.toFixed(value < 100 ? 1 : 0);
printTable(
  ['from the start of the worker', 'best ms', 'p50 ms', 'worst ms'],
  [
    ['to its hello', hello],
    ['to the first plan (small)', first],
  ].map(([what, values]) => [what as string, ...[0, 50, 100].map((p) => ms(percentile(values as number[], p)))]),
);

const planner = plannerFrom(settings, () => {});
await ready(planner);
const rows: string[][] = [];
for (const [name, script, sinks, warmUps, runs] of [
  ['small: 1 INSERT', small, 1, 100, 300],
  ['medium: 5 INSERTs', medium, 5, 30, 100],
  ['large: 50 INSERTs', large, 50, 5, 20],
] as const) {
  for (let i = 0; i < warmUps; i += 1) await timed(planner, script(i), sinks);
  const alone: number[] = [];
  for (let i = 0; i < runs; i += 1) alone.push(await timed(planner, script(warmUps + i), sinks));
  const begin = performance.now();
  let next = warmUps + runs;
  const lane = async () => {
    while (next < warmUps + 2 * runs) await timed(planner, script(next++), sinks);
  };
  await Promise.all([lane(), lane()]);
  const perSecond = (runs * 1000) / (performance.now() - begin);
  rows.push([name, String(runs), ms(percentile(alone, 50)), ms(percentile(alone, 95)), perSecond.toFixed(1)]);
}
await planner.stop();
console.log();
printTable(['warm', 'scripts', 'p50 ms', 'p95 ms', 'scripts/s, two at a time'], rows);
