// Faults of a database server, on one of the test's own: restarts, a fail-over to a read-only node, no connection left, a rotated
// password. The daemon says once what is wrong, is well again by itself, and every run is told exactly once.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { coded, lives } from '../e2e/scene.ts';
import { noPlanner, startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { type LineageReceiver, startLineageReceiver } from '../support/lineage-receiver.ts';
import { jobId, realClock, type SmallConsole, smallConsoleOn } from '../support/smallconsole.ts';
import { type Family, smallSchema } from '../support/streampark.ts';
import { until } from '../support/until.ts';
import { codesOf, isWell } from './codes.ts';
import * as guest from './guest.ts';
import { type OwnServer, ownServer, requirePrograms } from './ownserver.ts';

interface Place {
  readonly server: OwnServer;
  readonly console: SmallConsole;
  readonly receiver: LineageReceiver;
  readonly daemon: TestDaemon;
  /** A run begins and is told; and it ends and is told. */
  begin(): Promise<void>;
  end(): Promise<void>;
  /** Waits for the condition, and for its end. */
  raised(...codes: string[]): Promise<void>;
  well(): Promise<void>;
}

/** Declares the tests for one family. */
export function serverFaultSuite(family: Family): void {
  requirePrograms(family)(`faults of a ${family} server`, () => {
    let server: OwnServer;
    let n = 0;
    beforeAll(async () => {
      server = await ownServer(family, ['max_connections', '20']);
      await guest.create(server);
    }, 240_000);
    afterAll(() => server?.close());

    const place = async (on: OwnServer, play: (place: Place) => Promise<unknown>): Promise<void> => {
      n += 1;
      const database = await on.database(`source${n}`);
      await database.query(smallSchema(family));
      const console = smallConsoleOn(database, realClock());
      const receiver = await startLineageReceiver();
      await guest.grant(on, `source${n}`, `own${n}`);
      const daemon = startTestDaemon({
        database: { url: on.url(`source${n}`, 'guest', 'first') },
        schema: `own${n}`,
        planner: noPlanner(),
        statementTimeoutMs: 2_000,
        env: { GRAVITINO_ADDRESS: receiver.url, POLL_INTERVAL: '100ms', SOURCE_TIMEZONE: 'UTC' },
      });
      const stop = daemon.run();
      const told: string[] = [];
      const arrived = () =>
        until(
          () => `${told.join()}; is ${lives(distinct()).join()}`,
          () => lives(distinct()).join() === told.join(),
          90_000,
        );
      const distinct = () => [...new Map(receiver.events.map((e) => [`${e.run?.runId} ${e.eventType} ${e.eventTime}`, e])).values()];
      try {
        await console.app({ id: 1, name: 'orders', columns: { job_type: 1 } });
        await until('active', () => daemon.daemon.readiness().role === 'leader', 60_000);
        await play({
          server: on,
          console,
          receiver,
          daemon,
          async begin() {
            await sleep(1_100);
            await console.run(1, jobId(n * 100 + told.length));
            told.push('orders: START RUNNING');
            await arrived();
          },
          async end() {
            await console.ended(1, 9);
            told.push(`${told.pop()} ABORT`);
            await arrived();
          },
          raised: (...codes) =>
            until(
              () => `${codes.join()}; is ${JSON.stringify(daemon.daemon.readiness())}`,
              () => daemon.daemon.readiness().reasons.some(({ code }) => codes.includes(code)),
              60_000,
            ),
          well: () =>
            until(
              () => `well; is ${JSON.stringify(daemon.daemon.readiness())}`,
              () => isWell(daemon),
              90_000,
            ),
        });
        expect(lives(distinct())).toEqual(told);
      } finally {
        expect(await stop()).toBeUndefined();
        await receiver.close();
      }
    };
    const codes = (daemon: TestDaemon) => [...new Set(codesOf(daemon))].sort();

    it.each(['stopped', 'killed'] as const)('goes on after it was %s and started again, twice', (how) =>
      place(server, async ({ begin, end, raised, well, daemon }) => {
        for (let i = 0; i < 2; i += 1) {
          await begin();
          await server.stop(how === 'killed' ? 'SIGKILL' : undefined);
          await raised('SOURCE_UNREACHABLE', 'STATE_UNREACHABLE');
          await server.start();
          await end();
          await well();
        }
        expect(codes(daemon).filter((code) => !code.endsWith('_UNREACHABLE'))).toEqual([]);
      }),
    );

    it('waits while the node is read-only, and goes on when it is not', () =>
      place(server, async ({ begin, end, raised, well, daemon, receiver }) => {
        await begin();
        await guest.readOnly(server, true);
        await raised('STATE_NOT_WRITABLE');
        await sleep(1_500);
        expect(lives(receiver.events)).toEqual(['orders: START RUNNING']);
        await guest.readOnly(server, false);
        await end();
        await well();
        expect(coded(daemon).filter(({ code }) => code === 'STATE_NOT_WRITABLE')).toHaveLength(1);
        // Where only the lease is written meanwhile, its lapse is the first that is noticed.
        expect(codes(daemon).filter((code) => !/_UNREACHABLE$|^STATE_LEASE_HELD$/.test(code))).toEqual(['STATE_NOT_WRITABLE']);
      }));

    it('waits while no connection is left', () =>
      place(server, async ({ begin, end, well, raised, daemon }) => {
        await begin();
        const held = await guest.takeEveryConnection(server);
        await raised('SOURCE_UNREACHABLE', 'STATE_UNREACHABLE');
        await Promise.all(held.map((close) => close()));
        await end();
        await well();
        expect(codes(daemon).filter((code) => !code.endsWith('_UNREACHABLE'))).toEqual([]);
      }));

    it('waits while the password is another one', () =>
      place(server, async ({ begin, end, well, raised, daemon }) => {
        await begin();
        await guest.password(server, 'second');
        await guest.endSessions(server);
        await raised('SOURCE_PRIVILEGE', 'STATE_PRIVILEGE');
        await guest.password(server, 'first');
        await end();
        await well();
        expect(codes(daemon).filter((code) => !/_(PRIVILEGE|UNREACHABLE)$/.test(code))).toEqual([]);
      }));
  });
}
