// The real program: a backfill beside a running daemon, killed with SIGKILL again and again and started anew. In the end every
// run has been told completely, once and in order, and another backfill tells nothing.
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { nameUuid } from '../../src/openlineage/openlineage.ts';
import { requireServer } from '../support/databases.ts';
import type { LineageEvent } from '../support/lineage-receiver.ts';
import { buildProgram, runProgram } from '../support/program.ts';
import { jobId } from '../support/smallconsole.ts';
import type { Family } from '../support/streampark.ts';
import { until } from '../support/until.ts';
import { inPlace } from './place.ts';
import { copyScript } from './scene.ts';

const apps = Array.from({ length: 12 }, (_, i) => i + 1);
const pastRuns = 3;
const kills = 3;
const hour = 3_600_000;

/** Declares the tests for one family. */
export async function backfillKillSuite(family: Family): Promise<void> {
  const suite = await requireServer(family);
  suite(`a backfill beside a daemon, killed and started again, on ${family}`, () => {
    beforeAll(() => buildProgram());

    it('tells every run completely, once and in order', async () => {
      // a clock of a day ago: the past is in the past
      const clock = { now: Math.floor((Date.now() - 24 * hour) / 1_000) * 1_000 };
      await inPlace(
        family,
        async ({ console, receiver, own, env, start }) => {
          for (const id of apps) await console.app({ id, name: `app${id}`, script: copyScript(`in-${id}`, `out-${id}`) });
          for (let n = 1; n <= pastRuns; n += 1) {
            clock.now += hour;
            for (const id of apps) await console.run(id, jobId(id * 10 + n));
            clock.now += hour;
            for (const id of apps) await console.ended(id, 10);
          }
          clock.now += hour;
          for (const id of apps) await console.run(id, jobId(id * 10 + 9));
          const daemon = start(['run']);
          await until('the daemon has adopted all', () => starts(receiver.events).size === apps.length * 2, 60_000);

          let told = 0;
          for (let i = 0; i < kills; i += 1) {
            const backfill = start(['backfill', '--rate', '30']);
            await until('it has begun', () => backfill.stderr().includes('application') || receiver.events.length > told + 12, 60_000);
            await sleep(Math.random() * 1_500);
            backfill.kill('SIGKILL');
            expect((await backfill.ended).signal).toBe('SIGKILL');
            told = receiver.events.length;
            // as if the time of its lease had passed
            await own.query("update own.lease set expires_at = 0 where name = 'backfill'");
          }
          const last = await runProgram(['backfill', '--json'], env);
          expect([last.code, last.stderr.split('\n').filter((line) => line.includes('"error"'))]).toEqual([0, []]);
          expect(JSON.parse(last.stdout)).toMatchObject({ applications: apps.length, total: apps.length, delivery: 'daemon', waiting: 0 });
          const everything = apps.length * (pastRuns + 1) * 2;
          await until('every run', () => starts(receiver.events).size === everything, 60_000);
          await until(
            'all sent',
            async () => (await own.query("select 1 as one from own.outbox where state <> 'sent'")).length === 0,
            60_000,
          );
          check(receiver.events, console.database.name);

          const requests = receiver.requests.length;
          const again = await runProgram(['backfill', '--json'], env);
          expect(JSON.parse(again.stdout)).toMatchObject({ runs: 0, events: 0 });
          const plain = await runProgram(['backfill'], env);
          expect(plain.stdout).toMatch(new RegExp(`^applications +${apps.length} of ${apps.length}$`, 'm'));
          expect(plain.stdout).toContain('reported before');
          await sleep(500);
          expect(receiver.requests.length).toBe(requests);
          daemon.kill('SIGTERM');
          expect((await daemon.ended).code).toBe(0);
        },
        clock,
      );
    }, 240_000);
  });
}

const starts = (events: readonly LineageEvent[]): Set<string> =>
  new Set(events.filter(({ eventType }) => eventType === 'START').map((event) => event.run?.runId ?? ''));

function check(events: readonly LineageEvent[], database: string): void {
  for (const id of apps) {
    const mine = events.filter(({ job }) => job.name === `app${id}`);
    const order = [...new Set(mine.filter(({ eventType }) => eventType === 'START').map(({ eventTime }) => eventTime))];
    const current = nameUuid(`flink-job:${jobId(id * 10 + 9)}`);
    const currentStart = mine.find((event) => event.run?.runId === current)?.eventTime;
    // the current run was told by the daemon first, then the others oldest first
    expect([database, id, order]).toEqual([database, id, [currentStart, ...order.filter((time) => time !== currentStart).sort()]]);
    expect(order).toHaveLength(pastRuns + 1);
    const ofRun = new Map<string, string[]>();
    for (const event of events.filter(({ job }) => job.name === `app${id}` || job.name === `app${id}.out_${id}`)) {
      const run = event.run?.runId ?? '';
      ofRun.set(run, [...(ofRun.get(run) ?? []), event.eventType ?? '']);
    }
    expect(ofRun.size).toBe((pastRuns + 1) * 2);
    const currents = [current, nameUuid(`flink-job:${jobId(id * 10 + 9)}:kafka://broker:9092/out-${id}`)];
    for (const [run, types] of ofRun) {
      if (currents.includes(run)) expect([...new Set(types)]).toEqual(['START', 'RUNNING']);
      else expect(types).toEqual(['START', 'ABORT']);
    }
    // and it is told last
    expect(mine.at(-1)?.run?.runId).toBe(current);
  }
}
