// The real program, killed with SIGKILL at random moments while applications start, run and end, and started again. In the
// end every run has been told completely, in order, and whatever arrived twice is the same byte for byte.
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { nameUuid } from '../../src/openlineage/openlineage.ts';
import { requireServer } from '../support/databases.ts';
import type { LineageEvent, LineageReceiver } from '../support/lineage-receiver.ts';
import { buildProgram } from '../support/program.ts';
import { jobId, type SmallConsole } from '../support/smallconsole.ts';
import type { Family } from '../support/streampark.ts';
import { until } from '../support/until.ts';
import { inPlace } from './place.ts';
import { copyScript } from './scene.ts';

const apps = [1, 2, 3, 4, 5, 6];
const runsEach = 3;
const kills = 6;
const jobOf = (app: number, run: number): string => jobId(app * 1000 + run);
const terminal = new Set(['COMPLETE', 'FAIL', 'ABORT']);

/** Declares the tests for one family. */
export async function killSuite(family: Family): Promise<void> {
  const suite = await requireServer(family);
  suite(`killed and started again, on ${family}`, () => {
    beforeAll(() => buildProgram());

    it('tells every run completely, once and in order', async () => {
      await inPlace(family, async ({ console, receiver, own, start }) => {
        for (const id of apps) await console.app({ id, name: `app${id}`, script: copyScript(`in-${id}`, `out-${id}`) });
        const begun = async (app: number, run: number) =>
          (await own.query(`select 1 as one from own.run where job_id = '${jobOf(app, run)}'`).catch(() => [])).length > 0;
        const busy = Promise.all(apps.map((id) => live(console, id, (run) => until(`run ${run} of ${id}`, () => begun(id, run), 100_000))));
        for (let i = 0; i < kills; i += 1) {
          const running = start(['run']);
          await until('active', () => running.stderr().includes('"active"'), 60_000);
          await sleep(Math.random() * 2_500);
          running.kill('SIGKILL');
          await running.ended;
          // As if the time of the lease had passed: its holder is dead.
          await own.query('update own.lease set expires_at = 0');
        }
        const last = start(['run']);
        await busy;
        await until('the end of every run', () => ended(receiver.events).size === apps.length * runsEach * 2, 60_000);
        // everything may have been told before the last one is up, and a signal then finds no handler yet
        await until('active', () => last.stderr().includes('"active"'), 60_000);
        last.kill('SIGTERM');
        expect((await last.ended).code).toBe(0);
        check(receiver);
        expect(await own.query("select seq from own.outbox where state <> 'sent'")).toEqual([]);
      });
    }, 240_000);
  });
}

/** The life of one application. A run begins when the one before it was seen, for then its job id is evidence that stays. */
async function live(console: SmallConsole, id: number, begun: (run: number) => Promise<void>): Promise<void> {
  for (let run = 1; run <= runsEach; run += 1) {
    await console.starting(id);
    await sleep(100 + Math.random() * 400);
    await console.submitted(id, jobOf(id, run));
    await sleep(Math.random() * 300);
    await console.state(id, 5);
    await begun(run);
    await sleep(Math.random() * 1_000);
    if (run % 2 === 0) await console.cancel(id);
    await sleep(Math.random() * 200);
    await console.ended(id, run % 2 === 0 ? 9 : 10);
    // A console is not restarted within the second: its times would be the same.
    await sleep(1_100);
  }
}

const ended = (events: readonly LineageEvent[]): Set<string> =>
  new Set(events.filter((event) => terminal.has(event.eventType ?? '')).map((event) => event.run?.runId ?? ''));

function check({ events, requests }: LineageReceiver): void {
  // Whatever came twice is the same text.
  const bodies = new Map<string, Set<string>>();
  for (const { body } of requests) {
    const event = JSON.parse(body) as LineageEvent;
    const key = `${event.run?.runId} ${event.eventType} ${event.eventTime}`;
    bodies.set(key, (bodies.get(key) ?? new Set()).add(body));
  }
  for (const [key, texts] of bodies) expect([key, texts.size]).toEqual([key, 1]);

  const types = (id: string) => [...new Set([...bodies.keys()].filter((key) => key.startsWith(id)).map((key) => key.split(' ')[1]))];
  const first = (id: string, type?: string) => events.findIndex((e) => e.run?.runId === id && (type === undefined || e.eventType === type));
  const last = (id: string) => events.filter((e) => e.run?.runId === id).at(-1)?.eventType ?? '';
  const expected = new Set<string>();
  for (const app of apps) {
    let before = -1;
    for (let run = 1; run <= runsEach; run += 1) {
      const parent = nameUuid(`flink-job:${jobOf(app, run)}`);
      const child = nameUuid(`flink-job:${jobOf(app, run)}:kafka://broker:9092/out-${app}`);
      const how = howEnded(events, parent, run % 2 === 0);
      for (const id of [parent, child]) {
        expected.add(id);
        expect(
          types(id)
            .filter((type) => type !== 'RUNNING')
            .sort(),
        ).toEqual(['START', how].sort());
        expect(last(id)).toBe(how);
        expect(first(id)).toBe(first(id, 'START'));
      }
      expect(first(parent)).toBeLessThan(first(child));
      expect(first(parent)).toBeGreaterThan(before);
      before = first(parent, how);
      expect(before).toBeGreaterThan(first(child, how));
    }
  }
  expect(new Set(events.map((event) => event.run?.runId))).toEqual(expected);
}

/**
 * A job that finished while no daemon ran, and was started again before one did, left no trace of how it ended: then the
 * end is said to be reconstructed.
 */
function howEnded(events: readonly LineageEvent[], parent: string, canceled: boolean): string {
  const end = events.find((event) => event.run?.runId === parent && terminal.has(event.eventType ?? ''));
  const reconstructed = end?.run?.facets['streampark_app']?.['reconstructed'] === true;
  return canceled || (reconstructed && end?.eventType === 'ABORT') ? 'ABORT' : 'COMPLETE';
}
