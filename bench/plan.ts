// Planning: from the start of the JVM to the first plan, then warm, script by script and two at a time, then a process for each script, which is
// what planning inside of the console amounts to. A time is that of the whole way from the text to the names of the datasets; every
// script is planned in both tiers and is different from the others. CPU time is that of the JVM.
// Run: npx tsx bench/plan.ts [starts] [share of the scripts, default 1]. Linux only: it reads /proc.
import { prepareText } from '../src/plan/plan.ts';
import { startWorker } from '../test/support/planner-worker.ts';
import { cpuOf, memoryOf, percentile, printTable } from './figures.ts';
import { alone, readyPlanner, timed } from './planning.ts';
import { large, medium, small } from './scripts.ts';

const starts = Number(process.argv[2] ?? 7);
const share = Number(process.argv[3] ?? 1);
const ms = (value: number) => value.toFixed(value < 100 ? 1 : 0);
const sizes = [
  { name: 'small: 1 INSERT', script: small, sinks: 1, warmUps: 100, runs: 300 },
  { name: 'medium: 5 INSERTs', script: medium, sinks: 5, warmUps: 30, runs: 100 },
  { name: 'large: 50 INSERTs', script: large, sinks: 50, warmUps: 5, runs: 20 },
].map((size) => ({ ...size, warmUps: Math.ceil(size.warmUps * share), runs: Math.ceil(size.runs * share) }));

const first: number[] = [];
const hello: number[] = [];
for (let i = 0; i < starts; i += 1) {
  const begin = performance.now();
  const { planner, ms: untilHello } = await readyPlanner();
  hello.push(untilHello);
  await timed(planner, small(i), 1);
  first.push(performance.now() - begin);
  await planner.stop();
}
printTable(
  ['from the start of the worker', 'best ms', 'p50 ms', 'worst ms'],
  [
    ['to its hello', hello],
    ['to the first plan (small)', first],
  ].map(([what, values]) => [what as string, ...[0, 50, 100].map((p) => ms(percentile(values as number[], p)))]),
);

const { planner, pid } = await readyPlanner();
const warm: string[][] = [];
for (const { name, script, sinks, warmUps, runs } of sizes) {
  for (let i = 0; i < warmUps; i += 1) await timed(planner, script(i), sinks);
  const times: number[] = [];
  const before = cpuOf(pid);
  for (let i = 0; i < runs; i += 1) times.push(await timed(planner, script(warmUps + i), sinks));
  const cpu = (cpuOf(pid) - before) / runs;
  const begin = performance.now();
  let next = warmUps + runs;
  const lane = async () => {
    while (next < warmUps + 2 * runs) await timed(planner, script(next++), sinks);
  };
  await Promise.all([lane(), lane()]);
  const perSecond = (runs * 1000) / (performance.now() - begin);
  const { now, peak } = memoryOf(pid);
  const quantiles = [50, 95, 99].map((p) => ms(percentile(times, p)));
  warm.push([name, String(runs), ...quantiles, ms(cpu), perSecond.toFixed(1), now.toFixed(0), peak.toFixed(0)]);
}
await planner.stop();
console.log();
printTable(['warm', 'scripts', 'p50 ms', 'p95 ms', 'p99 ms', 'CPU ms each', 'scripts/s, two at a time', 'RSS MB', 'peak MB'], warm);

const spawned: string[][] = [];
for (const { name, script, sinks } of sizes) {
  const costs: Awaited<ReturnType<typeof alone>>[] = [];
  for (let i = 0; i < starts; i += 1) costs.push(await alone(script(i), sinks));
  const of = (what: 'ms' | 'cpu' | 'peak', p: number) =>
    percentile(
      costs.map((cost) => cost[what]),
      p,
    );
  spawned.push([
    name,
    String(starts),
    ms(of('ms', 50)),
    ms(of('ms', 99)),
    ms(of('cpu', 50)),
    (1000 / of('ms', 50)).toFixed(2),
    of('peak', 50).toFixed(0),
  ]);
}
console.log();
printTable(['a process for each', 'scripts', 'p50 ms', 'p99 ms', 'CPU ms each', 'scripts/s', 'peak MB'], spawned);

const worker = startWorker(1);
const heap: string[][] = [];
for (const { name, script, warmUps } of sizes) {
  for (let i = 0; i < warmUps; i += 1) {
    const { statements } = prepareText({ sql: script(i), variables: [], engineVersion: null }, { maxScriptBytes: 2 ** 20 });
    await worker.plan(statements);
  }
  const { heapUsed, heapMax, rss } = (await worker.ask({ cmd: 'stats' })) as unknown as Record<'heapUsed' | 'heapMax' | 'rss', number>;
  heap.push([name, String(warmUps), ...[heapUsed, heapMax, rss].map((bytes) => (bytes / 1e6).toFixed(0))]);
}
worker.child.stdin.end();
await worker.exitCode;
console.log();
printTable(['one worker, one after the other', 'scripts', 'heap in use MB', 'heap limit MB', 'RSS MB'], heap);
