// A simulated history with the daemon in a process of its own, which is killed at random moments and started again.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ownTablesOf } from '../support/daemon.ts';
import { startLineageReceiver } from '../support/lineage-receiver.ts';
import type { Family } from '../support/streampark.ts';
import type { Write } from './console.ts';
import { historyOf } from './histories.ts';
import { seeded } from './random.ts';
import { compareWith, prepare } from './realplay.ts';
import { openRealTables } from './realtables.ts';

const script = fileURLToPath(new URL('./daemonchild.ts', import.meta.url));

/** The daemon forgets with its process when it last looked at the catalog, so these histories leave the schema alone. */
const schemaActions: readonly string[] = ['dropColumn', 'addColumn', 'remakeSchema'];

/** Seeds from `first` on whose histories can be played here. */
export function killableSeeds(first: number, count: number): number[] {
  const seeds: number[] = [];
  for (let seed = first; seeds.length < count; seed++) {
    if (!historyOf(seed).steps.some((step) => step.kind === 'act' && schemaActions.includes(step.action))) seeds.push(seed);
  }
  return seeds;
}

/** JARs need no planner, so that a process is up in a moment. */
const asJar = (write: Write): Write =>
  write.table === 'app' && write.columns !== null && write.isNew ? { ...write, columns: { ...write.columns, job_type: 1 } } : write;

/** Plays a history; at each poll the process is killed with this chance in percent. Gives how often it was killed. */
export async function playKilled(family: Family, seed: number, percent: number): Promise<number> {
  const real = prepare(family, seed);
  const random = seeded(seed);
  const tables = await openRealTables(family, real.history.world.release);
  const receiver = await startLineageReceiver();
  const own = ownTablesOf(tables.database);
  let kills = 0;
  let child: Child | undefined;
  try {
    for (const { writes, now } of real.scenes) {
      await tables.write(writes.map(asJar));
      child ??= startChild(tables.database.url, own.schema, receiver.url);
      while (random.chance(percent)) {
        child.poll(now);
        await delay(random.int(child.pollMs + 20));
        await child.kill();
        kills += 1;
        // A lease of a process that is gone holds for half a minute; here nobody waits for it.
        await own.query('update own.lease set expires_at = 0').catch(() => undefined);
        child = startChild(tables.database.url, own.schema, receiver.url);
        await child.up;
      }
      await child.poll(now);
    }
    const undelivered = await own.query("select count(*) as n from own.outbox where state = 'waiting'").catch(() => [{ n: 0 }]);
    if (Number(undelivered[0]?.['n']) !== 0) throw new Error(`seed ${seed}: ${String(undelivered[0]?.['n'])} events are not sent`);
    const lives = real.expected.lives.map((life) => ({ ...life, script: null }));
    compareWith({ ...real, expected: { lives } }, seed, receiver.events);
    return kills;
  } finally {
    await child?.kill();
    await receiver.close();
    await own.drop();
    await tables.drop();
  }
}

interface Child {
  /** Resolves when the process reads what it is told. */
  readonly up: Promise<void>;
  /** How long the last poll took, ms. */
  readonly pollMs: number;
  poll(now: number): Promise<void>;
  kill(): Promise<void>;
}

function startChild(url: string, schema: string, receiver: string): Child {
  const process_: ChildProcess = spawn(process.execPath, ['--import', 'tsx', script, url, schema, receiver], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waiting: (() => void)[] = [];
  let ready: (() => void) | undefined;
  const up = new Promise<void>((resolve) => {
    ready = resolve;
  });
  if (process_.stdout !== null)
    createInterface({ input: process_.stdout }).on('line', (line) => (line === 'up' ? ready?.() : waiting.shift()?.()));
  let pollMs = 150;
  return {
    up,
    get pollMs() {
      return pollMs;
    },
    async poll(now) {
      await up;
      const began = Date.now();
      const answered = new Promise<void>((resolve) => waiting.push(resolve));
      process_.stdin?.write(`${now}\n`);
      await answered;
      pollMs = Math.min(400, Date.now() - began);
    },
    async kill() {
      if (process_.exitCode !== null || process_.signalCode !== null) return;
      process_.kill('SIGKILL');
      await once(process_, 'exit');
    },
  };
}
