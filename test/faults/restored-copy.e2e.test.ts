// The own tables beside another StreamPark: a copy of the database on a staging server, be it made from a dump or from the files of the server.
// Nothing is sent from there until an operator adopts it.
import { beforeAll, expect, it } from 'vitest';
import { lives } from '../e2e/scene.ts';
import { noPlanner, ownTablesOf, startTestDaemon } from '../support/daemon.ts';
import { requireServer, serverUrls } from '../support/databases.ts';
import { startLineageReceiver } from '../support/lineage-receiver.ts';
import { buildProgram, runProgram } from '../support/program.ts';
import { jobId, openSmallConsole, realClock } from '../support/smallconsole.ts';
import type { Family } from '../support/streampark.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { until } from '../support/until.ts';

for (const family of ['postgres', 'mysql'] as const) await copySuite(family);

async function copySuite(family: Family): Promise<void> {
  const suite = await requireServer(family);
  suite(`a restored copy, on ${family}`, () => {
    beforeAll(() => buildProgram());

    it('is refused until it is adopted', async () => {
      const [console, receiver] = await Promise.all([openSmallConsole(family, realClock()), startLineageReceiver()]);
      // The copy has the identity of its server, the names and all rows; only its address is another one.
      const copy = await startTcpProxy(serverUrls[family]);
      const own = ownTablesOf(console.database);
      const { url } = console.database;
      const daemonAt = (address: string) =>
        startTestDaemon({
          database: { url: address },
          schema: own.schema,
          planner: noPlanner(),
          env: { STATE_URL: address, GRAVITINO_ADDRESS: receiver.url, POLL_INTERVAL: '50ms', SOURCE_TIMEZONE: 'UTC' },
        });
      const told = (line: string) =>
        until(
          () => `${line}; is ${lives(receiver.events).join()}`,
          () => lives(receiver.events).join() === line,
        );
      try {
        await console.app({ id: 1, name: 'orders', columns: { job_type: 1 } });
        const original = daemonAt(url);
        const stop = original.run();
        await until('active', () => original.daemon.readiness().role === 'leader');
        await console.run(1, jobId(1));
        await told('orders: START RUNNING');
        expect(await stop()).toBeUndefined();

        await console.ended(1, 10);
        const staging = daemonAt(copy.through(url));
        // Its own loop ends with the refusal; nothing has to stop it.
        expect(await staging.daemon.run(AbortSignal.timeout(30_000)).catch((error: unknown) => error)).toMatchObject({
          code: 'STATE_FOREIGN',
        });
        expect(lives(receiver.events)).toEqual(['orders: START RUNNING']);

        const env = { SOURCE_URL: copy.through(url), STATE_URL: copy.through(url), STATE_SCHEMA: own.schema };
        expect(await runProgram(['migrate', 'state', 'adopt'], env)).toMatchObject({ code: 0 });
        const adopted = daemonAt(copy.through(url));
        const end = adopted.run();
        await told('orders: START RUNNING COMPLETE');
        expect(await end()).toBeUndefined();
      } finally {
        await copy.close();
        await receiver.close();
        await own.drop();
        await console.drop();
      }
    });
  });
}
