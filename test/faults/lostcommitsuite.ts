// Connections that die at the worst moments: in the middle of a read, just before a commit arrives, and just after, when nobody can know
// whether it went through. The daemon finds out by itself, says once that the database is away, and every run is told exactly once.
import { afterAll, expect, it } from 'vitest';
import { lives } from '../e2e/scene.ts';
import { noPlanner, ownTablesOf, startTestDaemon } from '../support/daemon.ts';
import { requireServer, serverUrls } from '../support/databases.ts';
import { startLineageReceiver } from '../support/lineage-receiver.ts';

import { jobId, openSmallConsole, realClock } from '../support/smallconsole.ts';
import type { Family } from '../support/streampark.ts';
import { type Passing, startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { until } from '../support/until.ts';
import { codesOf } from './codes.ts';

const runs = 5;

interface Danger {
  readonly name: string;
  readonly behind: 'source' | 'state';
  /** What happens to the nth piece that matches. */
  readonly matches: (bytes: Buffer, up: boolean) => boolean;
  readonly every: number;
  readonly what: Exclude<Passing, 'pass'>;
}

const isCommit = (bytes: Buffer, up: boolean): boolean => up && /\bcommit\b/i.test(bytes.toString('latin1'));

const dangers: readonly Danger[] = [
  { name: 'a commit that did not arrive', behind: 'state', matches: isCommit, every: 3, what: 'cut' },
  { name: 'a commit whose answer was lost', behind: 'state', matches: isCommit, every: 3, what: 'passThenCut' },
  { name: 'every commit whose answer was lost, for a while', behind: 'state', matches: isCommit, every: 1, what: 'passThenCut' },
  { name: 'a read that broke off', behind: 'source', matches: (_, up) => !up, every: 40, what: 'cut' },
  { name: 'a read of the own tables that broke off', behind: 'state', matches: (_, up) => !up, every: 50, what: 'cut' },
];

/** Declares the tests for one family. */
export async function lostCommitSuite(family: Family): Promise<void> {
  const suite = await requireServer(family);
  suite(`connections that die at the worst moments, on ${family}`, () => {
    const proxies: TcpProxy[] = [];
    afterAll(() => Promise.all(proxies.map((proxy) => proxy.close())));

    it.concurrent.each(dangers)('$name', async ({ behind, matches, every, what }) => {
      const console = await openSmallConsole(family, realClock());
      const receiver = await startLineageReceiver();
      const proxy = await startTcpProxy(serverUrls[family]);
      proxies.push(proxy);
      const own = ownTablesOf(console.database);
      const { url } = console.database;
      const daemon = startTestDaemon({
        database: { url: behind === 'source' ? proxy.through(url) : url },
        schema: own.schema,
        planner: noPlanner(),
        statementTimeoutMs: 5_000,
        env: {
          STATE_URL: behind === 'state' ? proxy.through(url) : url,
          GRAVITINO_ADDRESS: receiver.url,
          POLL_INTERVAL: '50ms',
          SOURCE_TIMEZONE: 'UTC',
        },
      });
      const stop = daemon.run();
      try {
        await console.app({ id: 1, name: 'orders', columns: { job_type: 1 } });
        await until('active', () => daemon.daemon.readiness().role === 'leader', 60_000);
        let seen = 0;
        let broken = 0;
        proxy.inspect((bytes, up) => {
          if (!matches(bytes, up)) return 'pass';
          seen += 1;
          // A database that is never there is another test.
          if (seen % every !== 0 || broken >= 6) return 'pass';
          broken += 1;
          return what;
        });
        const life: string[] = [];
        for (let run = 1; run <= runs; run += 1) {
          await console.run(1, jobId(run));
          await until(`run ${run}: ${lives(receiver.events).join()}`, () => receiver.events.length >= run * 3 - 1, 60_000);
          await console.ended(1, run % 2 === 0 ? 9 : 10);
          await until(`the end of run ${run}`, () => receiver.events.length >= run * 3, 60_000);
          life.push(`orders: START RUNNING ${run % 2 === 0 ? 'ABORT' : 'COMPLETE'}`);
          // A console is not restarted within the second: its times would be the same.
          await until(
            'the next second',
            () => Math.floor(Date.now() / 1000) > Math.floor(started(receiver.events.at(-1)?.eventTime) / 1000),
            5_000,
          );
        }
        expect(broken).toBeGreaterThan(1);
        proxy.inspect(undefined);
        await until('ready', () => daemon.daemon.readiness().ready, 60_000);
        await until('settled', async () => (await own.query("select seq from own.outbox where state <> 'sent'")).length === 0);
        const distinct = [...new Map(receiver.events.map((e) => [`${e.run?.runId} ${e.eventType} ${e.eventTime}`, e])).values()];
        expect(lives(distinct)).toEqual(life);
        const codes = codesOf(daemon);
        expect(codes.filter((code) => code !== (behind === 'state' ? 'STATE_UNREACHABLE' : 'SOURCE_UNREACHABLE'))).toEqual([]);
      } catch (error) {
        process.stderr.write(`${daemon.text().slice(-6000)}\n`);
        throw error;
      } finally {
        expect(await stop()).toBeUndefined();
        await receiver.close();
        await own.drop();
        await console.drop();
      }
    });
  });
}

const started = (time: string | undefined): number => Date.parse(time ?? '');
