// Memory of the daemon and of its planner after a busy time: 1,000 applications are started, planned, reported, stopped and
// started again. The daemon is the built program as it is run; the console and the lineage server are in this process.
// Run: npx tsx bench/memory.ts [mysql|postgres] [applications]. Linux only: it reads /proc.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ownTablesOf } from '../test/support/daemon.ts';
import { startLineageReceiver } from '../test/support/lineage-receiver.ts';
import { jobId, openSmallConsole } from '../test/support/smallconsole.ts';
import { childrenOf, memoryOf, printTable } from './figures.ts';
import { medium } from './scripts.ts';

const family = (process.argv[2] ?? 'mysql') as 'mysql' | 'postgres';
const applications = Number(process.argv[3] ?? 1_000);
const childrenPerApp = 5;
const program = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The console's clock: the real one, whatever is written to it. */
const clock = {
  get now() {
    return Date.now();
  },
  set now(_: number) {},
};
const desk = await openSmallConsole(family, clock);
const receiver = await startLineageReceiver();
const own = ownTablesOf(desk.database);
const ids = Array.from({ length: applications }, (_, i) => 100_001 + i);
for (const id of ids) await desk.app({ id, name: `application ${id}`, script: medium(id) });

const env = {
  SOURCE_URL: desk.database.url,
  SOURCE_TIMEZONE: 'UTC',
  STATE_SCHEMA: own.schema,
  HTTP_PORT: '0',
  POLL_INTERVAL: '1s',
  LOG_LEVEL: 'warn',
  GRAVITINO_ADDRESS: receiver.url,
};
const daemon = spawn(process.execPath, [program, 'run'], {
  env: { ...process.env, ...Object.fromEntries(Object.entries(env).map(([name, value]) => [`STREAMPARK_LINEAGE_${name}`, value])) },
  stdio: ['ignore', 'ignore', 'inherit'],
});
const rows: string[][] = [];
let ended = false;
daemon.once('exit', () => {
  ended = true;
});
process.once('exit', () => daemon.kill('SIGKILL'));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

function note(what: string): void {
  const pid = daemon.pid as number;
  const [worker] = childrenOf(pid);
  const figures = [memoryOf(pid), worker === undefined ? { now: 0, peak: 0 } : memoryOf(worker)];
  console.error(what);
  rows.push([what, String(receiver.requests.length), ...figures.flatMap(({ now, peak }) => [now.toFixed(0), peak.toFixed(0)])]);
}

/** Waits until the server has so many events of a type of every application and its children. */
async function received(type: string, times: number): Promise<void> {
  const expected = applications * (1 + childrenPerApp) * times;
  while (receiver.events.filter((event) => event.eventType === type).length < expected) {
    if (ended) throw new Error('the daemon ended');
    await sleep(500);
  }
}

async function all(step: (id: number) => Promise<void>): Promise<void> {
  for (const id of ids) await step(id);
}

try {
  await sleep(10_000);
  note('idle, nothing ever happened');
  for (const round of [1, 2]) {
    const begin = Date.now();
    await all((id) => desk.run(id, jobId(round * 1_000_000 + id)));
    await received('START', round);
    note(`${applications} runs started, round ${round} (${((Date.now() - begin) / 1000).toFixed(0)} s)`);
    await all((id) => desk.ended(id, 9));
    await received('ABORT', round);
    note(`the same ended, round ${round}`);
  }
  await sleep(30_000);
  note('30 s later');
} finally {
  daemon.kill('SIGTERM');
  while (!ended) await sleep(50);
  await receiver.close();
  await own.drop();
  await desk.drop();
}
console.log(`${family}, ${applications} applications, RSS in MB (now, highest so far)`);
printTable(['', 'events', 'daemon', 'peak', 'planner', 'peak'], rows);
