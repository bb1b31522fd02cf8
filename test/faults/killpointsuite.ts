// kill -9 at every commit point: the real daemon in a process of its own that stops itself there; another one takes its place. In
// the end the receiver has exactly what it has when nobody is killed: the same events, byte for byte, in the same order.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { copyScript, lives } from '../e2e/scene.ts';
import { ownTablesOf } from '../support/daemon.ts';
import { requireServer } from '../support/databases.ts';
import { type LineageEvent, startLineageReceiver } from '../support/lineage-receiver.ts';
import { repositoryRoot } from '../support/shared.ts';
import { jobId, openSmallConsole, type SmallConsole } from '../support/smallconsole.ts';
import type { Family } from '../support/streampark.ts';
import { childProgram } from './children.ts';
import type { Place } from './stoppedchild.ts';
import type { Stop } from './stoppoints.ts';

const worker = join(repositoryRoot, 'test/support/fake-worker.mjs');
const day = 86_400_000;

/** What happens before each poll. One application has a script, the other is a JAR. */
const story: readonly ((console: SmallConsole) => Promise<unknown>)[] = [
  async (console) => {
    await console.app({ id: 1, name: 'orders', script: copyScript('a', 'b') });
    await console.app({ id: 2, name: 'clicks', columns: { job_type: 1 } });
  },
  (console) => console.starting(1),
  async (console) => {
    await console.submitted(1, jobId(1));
    await console.run(2, jobId(2));
  },
  (console) => console.state(1, 5),
  async (console) => {
    await console.cancel(1);
    await console.ended(1, 9);
  },
  // Time for a heartbeat of the other, and for what was sent to be forgotten.
  async (console) => {
    console.clock.now += 30 * day;
    await console.run(1, jobId(3));
  },
  (console) => console.ended(2, 7),
  (console) => console.remove('t_flink_app', { id: 1 }),
];

const expected = ['clicks: START RUNNING RUNNING FAIL', 'orders: START RUNNING ABORT', 'orders: START RUNNING ABORT'];

/** Kills at each of the points that `choose` picks from the names of all, and prints how many were survived. */
export async function killPointSuite(family: Family, choose: (names: readonly string[]) => readonly Stop[]): Promise<void> {
  const suite = await requireServer(family);
  suite(`kill -9 at commit points, on ${family}`, () => {
    let children: Spares;
    beforeAll(async () => {
      children = await spares();
    });
    afterAll(() => children?.close());

    it('changes nothing that the receiver gets', async () => {
      const whole = await play(family, children, undefined);
      expect(lives(whole.events).sort()).toEqual(expected);
      expect(whole.kills).toBe(0);
      // Every kind of commit is among them.
      expect([...new Set(whole.points)]).toEqual(expect.arrayContaining(kinds));
      const stops = choose(whole.points);
      let kills = 0;
      let repeated = 0;
      const each = async (stop: Stop) => {
        const played = await play(family, children, stop);
        const where = `${stop.when} ${stop.name} number ${stop.nth}`;
        // How often the lease is renewed and answers are settled depends on the time.
        if (!['lease', 'outbox'].includes(stop.name)) expect([where, played.kills]).toEqual([where, 1]);
        expect([where, ...byKey(played.distinct)]).toEqual([where, ...byKey(whole.distinct)]);
        kills += played.kills;
        repeated += played.bodies - played.distinct.length;
      };
      const waiting = [...stops];
      await Promise.all(
        [1, 2].map(async () => {
          for (let stop = waiting.shift(); stop !== undefined; stop = waiting.shift()) await each(stop);
        }),
      );
      expect(kills).toBeGreaterThan(stops.length / 2);
      process.stderr.write(
        `${family}: ${whole.points.length} commit points; ${kills} kills survived, ${kills * whole.distinct.length} events checked, ${repeated} sent twice\n`,
      );
    }, 1_200_000);
  });
}

/** What the daemon commits, by the tables written. */
const kinds = ['installation', 'lease', 'checkpoint', 'checkpoint+run', 'outbox+run', 'plan_cache', 'log_cursor', 'outbox', 'post'];

/** Bodies in the order of each application. */
const byKey = (bodies: readonly string[]): string[][] => {
  const keys = new Map<string, string[]>();
  for (const body of bodies) {
    const key = (JSON.parse(body) as LineageEvent).job.name.split('.')[0] ?? '';
    keys.set(key, [...(keys.get(key) ?? []), body]);
  }
  return [...keys].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, list]) => list);
};

interface Played {
  readonly events: readonly LineageEvent[];
  /** Requests that were taken. */
  readonly bodies: number;
  /** Their bodies without what came before: told apart by run id, event type and event time. */
  readonly distinct: readonly string[];
  readonly points: readonly string[];
  readonly kills: number;
}

async function play(family: Family, children: Spares, stop: Stop | undefined): Promise<Played> {
  const console = await openSmallConsole(family);
  const receiver = await startLineageReceiver();
  const own = ownTablesOf(console.database);
  const place: Place = { url: console.database.url, schema: own.schema, receiver: receiver.url, worker };
  let child = children.take(stop === undefined ? place : { ...place, stop });
  const { points } = child;
  let kills = 0;
  try {
    for (const happens of story) {
      await happens(console);
      console.clock.now += 1_000;
      while (!(await child.poll(console.clock.now))) {
        kills += 1;
        // As if the time of the lease had passed: its holder is dead.
        await own.query('update own.lease set expires_at = 0').catch(() => undefined);
        child = children.take(place);
      }
    }
    const undelivered = await own.query("select seq from own.outbox where state <> 'sent'");
    expect(undelivered).toEqual([]);
    const seen = new Map<string, string>();
    for (const { body } of receiver.requests) {
      const { run, eventType, eventTime } = JSON.parse(body) as LineageEvent;
      const id = `${run?.runId} ${eventType} ${eventTime}`;
      // Whatever came twice is the same, byte for byte.
      expect(seen.get(id) ?? body).toBe(body);
      seen.set(id, body);
    }
    return { events: receiver.events, bodies: receiver.requests.length, distinct: [...seen.values()], points, kills };
  } finally {
    await child.end();
    await receiver.close();
    await own.drop();
    await console.drop();
  }
}

interface Daemon {
  /** Names of the points passed so far. */
  readonly points: string[];
  /** False when the process was killed meanwhile. */
  poll(now: number): Promise<boolean>;
  end(): Promise<unknown>;
}

interface Spares {
  take(place: Place): Daemon;
  close(): Promise<void>;
}

/** Processes that have loaded everything and wait to be told where they are. */
async function spares(): Promise<Spares> {
  const program = await childProgram('stoppedchild');
  const begin = () => {
    const hear: { line: (line: string) => void } = { line: () => undefined };
    return { hear, child: program.start((line) => hear.line(line)) };
  };
  const ready = [begin(), begin()];
  return {
    take(place) {
      ready.push(begin());
      const { child, hear } = ready.shift() as ReturnType<typeof begin>;
      const points: string[] = [];
      let answer: (alive: boolean) => void = () => undefined;
      hear.line = (line) => {
        if (line === 'done') answer(true);
        else if (line.startsWith('point ')) points.push(line.split(' ')[1] ?? '');
      };
      const killed = child.ended.then((signal) => {
        if (signal !== 'SIGKILL') throw new Error('the process ended by itself');
        return false;
      });
      killed.catch(() => undefined);
      child.say(JSON.stringify(place));
      return {
        points,
        poll: (now) => {
          const answered = new Promise<boolean>((resolve) => {
            answer = resolve;
          });
          child.say(String(now));
          return Promise.race([answered, killed]);
        },
        end: () => {
          child.signal('SIGKILL');
          return child.ended;
        },
      };
    },
    close: () => program.close(),
  };
}
