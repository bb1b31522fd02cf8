// Three instances over one state store. Their leader is frozen past its lease, cut off from the store, and killed, each time with requests
// in flight: another one takes over, the old one writes nothing any more and sends nothing after its lease, what was in flight is not
// sent again before its time is over, and then with the same bytes; no event arrives after a later one of its application.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OwnTables, ownTablesOf } from '../support/daemon.ts';
import { requireServer, serverUrls } from '../support/databases.ts';
import type { LineageEvent } from '../support/lineage-receiver.ts';
import { jobId, openSmallConsole, realClock } from '../support/smallconsole.ts';
import type { Family } from '../support/streampark.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { until } from '../support/until.ts';
import { startReceiver } from '../transports/receiver.ts';
import { type Child, type ChildProgram, childProgram } from './children.ts';
import type { RunPlace } from './runchild.ts';

const apps = [1, 2, 3, 4];
const timeoutMs = 2_500;

interface Arrival {
  readonly at: number;
  readonly from: string;
  readonly body: string;
  /** Answered 201; otherwise it hangs. */
  readonly taken: boolean;
}

interface Member {
  readonly child: Child;
  readonly proxy: TcpProxy;
  readonly log: string[];
}

/** `leaseTtlMs` is 30 s in the program. */
export async function leaderSuite(family: Family, leaseTtlMs: number): Promise<void> {
  const suite = await requireServer(family);
  suite(`a leader that is lost, on ${family}`, () => {
    let program: ChildProgram;
    beforeAll(async () => {
      program = await childProgram('runchild');
    });
    afterAll(() => program?.close());

    it('is followed by another and does no harm', async () => {
      const console = await openSmallConsole(family, realClock());
      const own = ownTablesOf(console.database);
      const arrivals: Arrival[] = [];
      let hangs = false;
      const receiver = await startReceiver((one, response) => {
        // The look for a batch endpoint is no arrival.
        if (one.method === 'GET') return void response.writeHead(404).end();
        arrivals.push({ at: Date.now(), from: String(one.headers['x-from']), body: one.body, taken: !hangs });
        if (!hangs) response.writeHead(201).end();
      });
      const taken = (type: string) => arrivals.filter((a) => a.taken && eventOf(a).eventType === type).length;
      const members = new Map<string, Member>();
      const took: number[] = [];

      /** The applications change, what the leader sends of it hangs, the leader is lost, and another one sends it all. */
      const round = async (change: (id: number) => Promise<unknown>, lose: (leader: Member) => unknown, done: () => boolean) => {
        const leader = await leaderOf(own);
        hangs = true;
        for (const id of apps) await change(id);
        const flying = () => arrivals.filter((a) => a.from === leader && !a.taken && a.at > began);
        const began = Date.now();
        await until('requests in flight', () => flying().length > 0, 60_000);
        lose(members.get(leader) as Member);
        const lostAt = Date.now();
        await until(`a leader after ${leader}`, async () => (await leaderOf(own)) !== leader, leaseTtlMs + 60_000);
        const takenAt = Date.now();
        took.push(takenAt - lostAt);
        await sleep(500);
        hangs = false;
        await until(() => `everything after ${leader}: ${arrivals.length} arrivals`, done, 90_000);
        // Nothing of the old one after its lease, and nothing of the new one before the old one's requests have ended.
        expect(arrivals.filter((a) => a.from === leader && a.at > lostAt + leaseTtlMs)).toEqual([]);
        const sentAgain = arrivals.filter((a) => a.from !== leader && flying().some((f) => f.body === a.body));
        expect(sentAgain.length).toBeGreaterThan(0);
        expect(Math.min(...sentAgain.map((a) => a.at)) - takenAt).toBeGreaterThanOrEqual(timeoutMs - 500);
        return leader;
      };

      try {
        for (const id of apps) await console.app({ id, name: `app${id}`, columns: { job_type: 1 } });
        for (const holder of ['a', 'b', 'c']) {
          const proxy = await startTcpProxy(serverUrls[family]);
          const { url } = console.database;
          const place = { url, stateUrl: proxy.through(url), schema: own.schema, receiver: receiver.url, holder, leaseTtlMs, timeoutMs };
          members.set(holder, begin(program, place, proxy));
        }
        await until('a leader', async () => (await leaderOf(own)) !== '', 120_000);
        for (const id of apps) await console.run(id, jobId(id));
        await until('the first runs', () => taken('RUNNING') === apps.length, 60_000);

        const frozen = await round(
          async (id) => {
            await console.cancel(id);
            await console.ended(id, 9);
          },
          ({ child }) => child.signal('SIGSTOP'),
          () => taken('ABORT') === apps.length,
        );
        await settled(own);
        const before = await written(own);
        members.get(frozen)?.child.signal('SIGCONT');
        await until(
          'the frozen one has noticed',
          () => members.get(frozen)?.log.some((line) => line.includes('no longer active')) === true,
          60_000,
        );
        await sleep(500);
        expect(await written(own)).toEqual(before);

        const cutOff = await round(
          (id) => console.run(id, jobId(id + 10)),
          ({ proxy }) => proxy.silence(),
          () => taken('RUNNING') === apps.length * 2,
        );
        await members.get(cutOff)?.proxy.heal();
        await settled(own);

        await round(
          (id) => console.ended(id, 10),
          ({ child }) => child.signal('SIGKILL'),
          () => taken('COMPLETE') === apps.length,
        );
        await settled(own);
        check(arrivals);
        const repeated = arrivals.length - arrivals.filter((a) => a.taken).length;
        process.stderr.write(
          `${family}: 3 leaders lost, taken over after ${took.join(', ')} ms with a lease of ${leaseTtlMs} ms; ${taken('START')} runs, ${repeated} requests in flight sent again\n`,
        );
      } finally {
        for (const { child } of members.values()) child.signal('SIGKILL');
        await Promise.all([...members.values()].map(({ child }) => child.ended));
        for (const { proxy } of members.values()) await proxy.close();
        await receiver.close();
        await own.drop();
        await console.drop();
      }
    }, 600_000);
  });
}

const eventOf = ({ body }: Arrival): LineageEvent => JSON.parse(body) as LineageEvent;

const leaderOf = async (own: OwnTables): Promise<string> => {
  const [row] = await own.query('select holder from own.lease').catch(() => []);
  return String(row?.['holder'] ?? '');
};

const settled = (own: OwnTables) =>
  until('everything is settled', async () => (await own.query("select seq from own.outbox where state <> 'sent'")).length === 0, 60_000);

/** All that a leader writes but the lease. */
const written = async (own: OwnTables): Promise<unknown> => {
  const tables = ['checkpoint', 'run', 'outbox', 'log_cursor', 'plan_cache', 'installation'];
  return await Promise.all(tables.map((table) => own.query(`select * from own.${table} order by 1, 2`)));
};

function begin(program: ChildProgram, place: RunPlace, proxy: TcpProxy): Member {
  const log: string[] = [];
  const child = program.start((line) => log.push(line));
  child.say(JSON.stringify(place));
  return { child, proxy, log };
}

/** Each application lived twice, each event was taken once, and none arrived after a later one, answered or not. */
function check(arrivals: readonly Arrival[]): void {
  for (const id of apps) {
    const mine = arrivals.filter((a) => eventOf(a).job.name === `app${id}`);
    const order = [...new Set(mine.map(({ body }) => body))];
    expect(order.map((body) => (JSON.parse(body) as LineageEvent).eventType)).toEqual([
      ...['START', 'RUNNING', 'ABORT'],
      ...['START', 'RUNNING', 'COMPLETE'],
    ]);
    const places = mine.map(({ body }) => order.indexOf(body));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(mine.filter((a) => a.taken).map(({ body }) => body)).toEqual(order);
  }
}
