// Databases that are away: at the start, in the middle, cut off, or silent behind a half-open connection. The daemon waits,
// says so once, and nothing that happened meanwhile is lost.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Planner } from '../../src/plan/plan.ts';
import { ownTablesOf, startTestDaemon, type TestDaemon, warmPlanner } from '../support/daemon.ts';
import { requireServer, serverUrls } from '../support/databases.ts';
import { type LineageReceiver, startLineageReceiver } from '../support/lineage-receiver.ts';
import { jobId, openSmallConsole, realClock, type SmallConsole } from '../support/smallconsole.ts';
import type { Family } from '../support/streampark.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { until } from '../support/until.ts';
import { copyScript, counter, expectCodes, lives } from './scene.ts';

interface Place {
  readonly console: SmallConsole;
  readonly receiver: LineageReceiver;
  readonly daemon: TestDaemon;
  /** Begins the daemon's loop; the result ends it. */
  start(): () => Promise<unknown>;
  /** In front of one of the two databases. */
  readonly proxy: TcpProxy;
}

const problems = 'streampark_lineage_problems_total';

/** Declares the tests for one family. */
export async function databaseFaultSuite(family: Family): Promise<void> {
  const suite = await requireServer(family);
  suite(`databases that are away, on ${family}`, () => {
    let planner: Planner;
    beforeAll(async () => {
      planner = await warmPlanner();
    });
    afterAll(() => planner?.stop());

    const place = async (behind: 'source' | 'state', play: (place: Place) => Promise<void>): Promise<void> => {
      const console = await openSmallConsole(family, realClock());
      const receiver = await startLineageReceiver();
      const proxy = await startTcpProxy(serverUrls[family]);
      const own = ownTablesOf(console.database);
      const { url } = console.database;
      const daemon = startTestDaemon({
        database: { url: behind === 'source' ? proxy.through(url) : url },
        schema: own.schema,
        planner,
        statementTimeoutMs: 1_000,
        env: {
          STATE_URL: behind === 'state' ? proxy.through(url) : url,
          GRAVITINO_ADDRESS: receiver.url,
          POLL_INTERVAL: '50ms',
          SOURCE_TIMEZONE: 'UTC',
        },
      });
      const stop = { run: async (): Promise<unknown> => undefined };
      try {
        await console.app({ id: 1, name: 'orders', script: copyScript('a', 'b') });
        await play({
          console,
          receiver,
          daemon,
          proxy,
          start: () => {
            stop.run = daemon.run();
            return stop.run;
          },
        });
      } finally {
        await proxy.heal();
        await stop.run();
        await proxy.close();
        await receiver.close();
        await own.drop();
        await console.drop();
      }
    };
    const raised = (daemon: TestDaemon, code: string, times: number) =>
      until(`${code} ${times} times`, async () => (await counter(daemon, problems, { code })) >= times);
    const arrived = (receiver: LineageReceiver, expected: readonly string[]) =>
      until(
        () => `${expected.join(', ')}; is ${lives(receiver.events).join(', ')}`,
        () => lives(receiver.events).sort().join() === [...expected].sort().join(),
      );

    it('waits for a source that is not there at the start', () =>
      place('source', async ({ console, receiver, daemon, proxy, start }) => {
        await proxy.cut();
        const stop = start();
        await raised(daemon, 'SOURCE_UNREACHABLE', 3);
        expect(daemon.daemon.readiness()).toMatchObject({ ready: false, reasons: [{ code: 'SOURCE_UNREACHABLE' }] });
        await console.run(1, jobId(1));
        await proxy.heal();
        await arrived(receiver, ['orders: START RUNNING', 'orders.b: START RUNNING']);
        expectCodes(daemon, ['SOURCE_UNREACHABLE']);
        await until('ready', () => daemon.daemon.readiness().ready);
        expect(await stop()).toBeUndefined();
      }));

    it.each(['cut', 'silence'] as const)('goes on after the source was away: %s', (how) =>
      place('source', async ({ console, receiver, daemon, proxy, start }) => {
        const stop = start();
        await console.run(1, jobId(1));
        await arrived(receiver, ['orders: START RUNNING', 'orders.b: START RUNNING']);
        await proxy[how]();
        await console.cancel(1);
        await console.ended(1, 9);
        await raised(daemon, 'SOURCE_UNREACHABLE', how === 'cut' ? 3 : 1);
        // A console is not quicker: its times have whole seconds.
        await sleep(1_100);
        await console.run(1, jobId(2));
        expect(lives(receiver.events)).toEqual(['orders: START RUNNING', 'orders.b: START RUNNING']);
        await proxy.heal();
        const life = ['orders: START RUNNING', 'orders.b: START RUNNING'];
        await arrived(receiver, [...life.map((line) => `${line} ABORT`), ...life]);
        expectCodes(daemon, ['SOURCE_UNREACHABLE']);
        expect(await stop()).toBeUndefined();
      }),
    );

    it.each(['cut', 'silence'] as const)('goes on after the own tables were away: %s', (how) =>
      place('state', async ({ console, receiver, daemon, proxy, start }) => {
        const stop = start();
        await console.run(1, jobId(1));
        await arrived(receiver, ['orders: START RUNNING', 'orders.b: START RUNNING']);
        await proxy[how]();
        await console.cancel(1);
        await console.ended(1, 9);
        await raised(daemon, 'STATE_UNREACHABLE', how === 'cut' ? 3 : 1);
        // A console is not quicker: its times have whole seconds.
        await sleep(1_100);
        await console.run(1, jobId(2));
        expect(lives(receiver.events)).toEqual(['orders: START RUNNING', 'orders.b: START RUNNING']);
        await proxy.heal();
        const life = ['orders: START RUNNING', 'orders.b: START RUNNING'];
        await arrived(receiver, [...life.map((line) => `${line} ABORT`), ...life]);
        expectCodes(daemon, ['STATE_UNREACHABLE']);
        expect(await stop()).toBeUndefined();
      }),
    );

    it('ends within 10 s though the source is silent', () =>
      place('source', async ({ console, receiver, proxy, start }) => {
        const stop = start();
        await console.run(1, jobId(1));
        await arrived(receiver, ['orders: START RUNNING', 'orders.b: START RUNNING']);
        proxy.silence();
        const asked = Date.now();
        expect(await stop()).toBeUndefined();
        expect(Date.now() - asked).toBeLessThan(10_000);
      }));
  });
}
