// A backend that is away for six hours in which applications change state 10,000 times: nothing is lost, memory stays flat, it is probed and not
// hammered, and when it is back everything arrives in order, with no more requests at once than are allowed.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { lives } from '../e2e/scene.ts';
import { noPlanner, ownTablesOf, startTestDaemon } from '../support/daemon.ts';
import { requireServer } from '../support/databases.ts';
import type { LineageEvent } from '../support/lineage-receiver.ts';
import { jobId, openSmallConsole } from '../support/smallconsole.ts';
import type { Family } from '../support/streampark.ts';
import { until } from '../support/until.ts';
import { illHttp } from './backends.ts';

const apps = 400;
const stateChanges = 10_000;
const polls = 360;
const minute = 60_000;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const heapMiB = (): number => {
  collect();
  return Math.round(process.memoryUsage().heapUsed / 1024 / 1024);
};

for (const family of ['postgres', 'mysql'] as const) await awaySuite(family);

async function awaySuite(family: Family): Promise<void> {
  const suite = await requireServer(family);
  suite(`a backend that is away for six hours, on ${family}`, () => {
    it('gets everything when it is back', async () => {
      const console = await openSmallConsole(family);
      const backend = await illHttp((response) => response.writeHead(503).end());
      const own = ownTablesOf(console.database);
      const daemon = startTestDaemon({
        database: console.database,
        schema: own.schema,
        planner: noPlanner(),
        now: () => console.clock.now,
        env: { GRAVITINO_ADDRESS: backend.url, SOURCE_TIMEZONE: 'UTC', EVENTS_HEARTBEAT: '30d', LOG_LEVEL: 'warn' },
      });
      try {
        for (let id = 1; id <= apps; id += 1) await console.app({ id, name: `app${id}`, columns: { job_type: 1 } });
        await daemon.daemon.poll();
        const heap: number[] = [];
        let changed = 0;
        const runs = new Map<number, number>();
        // Each application in turn: starting, running, ended.
        for (let poll = 0; poll < polls; poll += 1) {
          console.clock.now += minute;
          for (const until_ = Math.ceil(((poll + 1) * stateChanges) / polls); changed < until_; changed += 1) {
            const id = (changed % apps) + 1;
            const step = Math.floor(changed / apps) % 3;
            const run = Math.floor(changed / apps / 3);
            if (step === 0) await console.starting(id);
            else if (step === 1) {
              await console.submitted(id, jobId(id * 1_000 + run));
              await console.state(id, 5);
              runs.set(id, run + 1);
            } else await console.ended(id, 10);
          }
          await daemon.daemon.poll();
          if (poll % 60 === 59) heap.push(heapMiB());
        }
        await until(
          'everything is decided',
          async () => (await own.query("select 1 from own.run where phase = 'planning'")).length === 0,
          120_000,
        );
        const attempts = backend.attempts();
        const [waiting] = await own.query('select count(*) as n from own.outbox');
        expect(backend.taken).toEqual([]);
        // What is in flight at once, and probes that come ever more rarely.
        expect(attempts).toBeLessThan(30);
        expect((heap.at(-1) ?? 0) - (heap[0] ?? 0)).toBeLessThan(40);

        const began = Date.now();
        await backend.heal();
        await until(
          'everything has arrived',
          async () => {
            await daemon.daemon.poll();
            return (await own.query("select seq from own.outbox where state = 'waiting' limit 1")).length === 0;
          },
          600_000,
        );
        const tookMs = Date.now() - began;
        expect(backend.most()).toBeLessThanOrEqual(4);
        expect(await own.query("select seq from own.outbox where state <> 'sent' limit 1")).toEqual([]);
        const events = backend.taken.map((body) => JSON.parse(body) as LineageEvent);
        expect(new Set(events.map((e) => `${e.run?.runId} ${e.eventType} ${e.eventTime}`)).size).toBe(events.length);
        for (const [id, count] of runs) {
          const mine = lives(events.filter((event) => event.job.name === `app${id}`));
          expect(mine.slice(0, -1)).toEqual(Array.from({ length: count - 1 }, () => `app${id}: START RUNNING COMPLETE`));
          expect(mine.at(-1)).toMatch(/: START RUNNING( COMPLETE)?$/);
        }
        process.stderr.write(
          `${family}: ${changed} state changes in 6 h without a backend, ${attempts} requests meanwhile; heap ${heap.join(', ')} MiB; ` +
            `${events.length} of ${String(waiting?.['n'])} events arrived within ${Math.round(tookMs / 1000)} s of its return (which waits for a probe)\n`,
        );
      } finally {
        await daemon.close();
        await backend.close();
        await own.drop();
        await console.drop();
      }
    }, 1_800_000);
  });
}
