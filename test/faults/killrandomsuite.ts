// kill -9 at random moments under load: many applications live at once, the process that follows them dies again and again. In the end the
// receiver, which tells events apart by run id, event type and event time, has every event of every run once, in order, and no other.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ownTablesOf } from '../support/daemon.ts';
import { requireServer } from '../support/databases.ts';
import { type LineageEvent, startLineageReceiver } from '../support/lineage-receiver.ts';
import { jobId, openSmallConsole, realClock, type SmallConsole } from '../support/smallconsole.ts';
import type { Family } from '../support/streampark.ts';
import { until } from '../support/until.ts';
import { type Child, childProgram } from './children.ts';
import type { RunPlace } from './runchild.ts';

const apps = Array.from({ length: 20 }, (_, i) => i + 1);
const jobOf = (app: number, run: number): string => jobId(app * 100_000 + run);

/** Kills so many times, and prints what was survived. */
export async function killRandomSuite(family: Family, kills: number): Promise<void> {
  const suite = await requireServer(family);
  suite(`kill -9 at random moments, on ${family}`, () => {
    it(`loses and repeats nothing in ${kills} kills`, async () => {
      const [console, receiver, program] = await Promise.all([
        openSmallConsole(family, realClock()),
        startLineageReceiver(),
        childProgram('runchild'),
      ]);
      const own = ownTablesOf(console.database);
      const { url } = console.database;
      const place: RunPlace = {
        url,
        stateUrl: url,
        schema: own.schema,
        receiver: receiver.url,
        holder: '',
        leaseTtlMs: 30_000,
        timeoutMs: 5_000,
      };
      let over = false;
      let enough = false;
      /** What the daemon has written of each job: `running 0`, `terminal 1`. */
      let known = new Map<string, string>();
      const watching = (async () => {
        while (!over) {
          const rows = await own.query('select job_id, emitted from own.run').catch(() => []);
          known = new Map(rows.map((row) => [String(row['job_id']), String(row['emitted'])]));
          await sleep(100);
        }
      })();
      const seen = (job: string, emitted: string) => until(`${emitted} of ${job}`, () => known.get(job) === emitted, 120_000);
      try {
        for (const id of apps) await console.app({ id, name: `app${id}`, columns: { job_type: 1 } });
        const lives = Promise.all(apps.map((id) => live(console, id, () => enough, seen)));
        let spare = waiting(program.start);
        for (let kill = 1; kill <= kills; kill += 1) {
          const victim = spare;
          spare = waiting(program.start);
          victim.say(JSON.stringify({ ...place, holder: `number ${kill}` }));
          await until('active', () => victim.active(), 60_000);
          await sleep(Math.random() * 1_200);
          victim.kill();
          expect(await victim.ended).toBe('SIGKILL');
          // As if the time of the lease had passed: its holder is dead.
          await own.query('update own.lease set expires_at = 0');
        }
        spare.say(JSON.stringify({ ...place, holder: 'the last' }));
        enough = true;
        const runs = await lives;
        await until(
          'everything is settled',
          async () => (await own.query("select seq from own.outbox where state <> 'sent'")).length === 0,
          120_000,
        );
        const { repeated, events } = check(receiver.requests, runs);
        process.stderr.write(
          `${family}: ${kills} kills survived under ${apps.length} applications; ${events} events of ${runs.reduce((a, b) => a + b, 0)} runs checked, ${repeated} sent twice\n`,
        );
      } finally {
        over = true;
        await watching;
        await program.close();
        await receiver.close();
        await own.drop();
        await console.drop();
      }
    }, 3_600_000);
  });
}

interface Victim {
  say(line: string): void;
  active(): boolean;
  kill(): void;
  readonly ended: Child['ended'];
}

function waiting(start: (onLine: (line: string) => void) => Child): Victim {
  let active = false;
  const child = start((line) => {
    active ||= line.includes('"msg":"active"');
  });
  return { say: child.say, active: () => active, kill: () => child.signal('SIGKILL'), ended: child.ended };
}

/** Runs one after the other until it is told to stop; each state stays until the daemon has written of it. Gives how many runs. */
async function live(
  console: SmallConsole,
  id: number,
  enough: () => boolean,
  seen: (job: string, emitted: string) => Promise<void>,
): Promise<number> {
  for (let run = 1; ; run += 1) {
    await console.starting(id);
    await sleep(Math.random() * 300);
    await console.submitted(id, jobOf(id, run));
    await console.state(id, 5);
    await seen(jobOf(id, run), 'running');
    await console.ended(id, run % 2 === 0 ? 9 : 10);
    await seen(jobOf(id, run), 'terminal');
    if (enough()) return run;
    // A console is not restarted within the second: its times would be the same.
    await sleep(1_100);
  }
}

function check(requests: readonly { readonly body: string }[], runs: readonly number[]): { repeated: number; events: number } {
  const distinct = new Map<string, string>();
  for (const { body } of requests) {
    const event = JSON.parse(body) as LineageEvent;
    const key = `${event.run?.runId} ${event.eventType} ${event.eventTime}`;
    // Whatever came twice is the same, byte for byte.
    expect(distinct.get(key) ?? body).toBe(body);
    distinct.set(key, body);
  }
  const events = [...distinct.values()].map((body) => JSON.parse(body) as LineageEvent);
  for (const [i, id] of apps.entries()) {
    const mine = events.filter((event) => event.job.name === `app${id}`);
    const expected = Array.from({ length: runs[i] ?? 0 }, (_, run) => ['START', 'RUNNING', run % 2 === 0 ? 'COMPLETE' : 'ABORT']).flat();
    expect([id, mine.map((event) => event.eventType)]).toEqual([id, expected]);
    const ids = mine.map((event) => event.run?.runId);
    expect(new Set(ids).size).toBe(runs[i]);
    expect(ids).toEqual(ids.map((_, n) => ids[n - (n % 3)]));
  }
  expect(events).toHaveLength(runs.reduce((sum, n) => sum + n * 3, 0));
  return { repeated: requests.length - events.length, events: events.length };
}
