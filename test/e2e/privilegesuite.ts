// A user that lost a right while the daemon runs: what needs the right is left out and said once, everything else goes on.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Planner } from '../../src/plan/plan.ts';
import { ownTablesOf, startTestDaemon, warmPlanner } from '../support/daemon.ts';
import { onServer, requireServer } from '../support/databases.ts';
import { startLineageReceiver } from '../support/lineage-receiver.ts';
import { jobId, openSmallConsole } from '../support/smallconsole.ts';
import type { Family } from '../support/streampark.ts';
import { copyScript, lives } from './scene.ts';

/** Declares the tests for one family. */
export async function privilegeSuite(family: Family): Promise<void> {
  const suite = await requireServer(family);
  suite(`a missing right on ${family}`, () => {
    let planner: Planner;
    beforeAll(async () => {
      planner = await warmPlanner();
    });
    afterAll(() => planner?.stop());

    it('to read scripts: runs are told without datasets, said once; with the right lineage is back', async () => {
      const [console, receiver] = await Promise.all([openSmallConsole(family), startLineageReceiver()]);
      const own = ownTablesOf(console.database);
      const user = `spl_${randomBytes(4).toString('hex')}`;
      const { query, name } = console.database;
      const right = (give: boolean) => {
        const [verb, to] = give ? ['grant', 'to'] : ['revoke', 'from'];
        return query(`${verb} select on t_flink_sql ${to} ${family === 'mysql' ? `'${user}'@'%'` : user}`);
      };
      const url = new URL(console.database.url);
      [url.username, url.password] = [user, 'pw'];
      if (family === 'mysql') {
        await query(`create user '${user}'@'%' identified by 'pw'; grant all on ${own.schema}.* to '${user}'@'%'`);
        for (const row of await query(`select table_name as t from information_schema.tables where table_schema = '${name}'`))
          await query(`grant select on ${name}.${row['t']} to '${user}'@'%'`);
      } else {
        await query(`create role ${user} login password 'pw'; grant create on database ${name} to ${user};
          grant usage on schema public to ${user}; grant select on all tables in schema public to ${user}`);
      }
      const daemon = startTestDaemon({
        database: { url: url.href },
        schema: own.schema,
        planner,
        now: () => console.clock.now,
        env: { SOURCE_TIMEZONE: 'UTC', GRAVITINO_ADDRESS: receiver.url },
      });
      const poll = async () => {
        console.clock.now += 1_000;
        await daemon.step();
      };
      const privilegeLines = () => daemon.lines.filter((line) => line['code'] === 'SOURCE_PRIVILEGE' && line.level !== 'debug');
      try {
        for (const id of [1, 2]) await console.app({ id, name: `app${id}`, script: copyScript('a', `b${id}`) });
        await console.app({ id: 3, name: 'jar', columns: { job_type: 1 } });
        await poll();
        await right(false);
        for (const id of [1, 2, 3]) await console.run(id, jobId(id));
        await poll();
        for (const id of [1, 2, 3]) await console.ended(id, 10);
        await poll();
        await poll();
        expect(lives(receiver.events)).toEqual([
          'app1: START RUNNING COMPLETE',
          'app2: START RUNNING COMPLETE',
          'jar: START RUNNING COMPLETE',
        ]);
        expect(receiver.events[0]?.run?.facets['streampark_app']).toMatchObject({ notes: ['SOURCE_PRIVILEGE'] });
        expect(privilegeLines().map(({ msg }) => msg)).toEqual([expect.stringContaining('runs are reported without datasets')]);
        expect(daemon.lines.filter(({ level }) => level === 'error')).toEqual([]);

        receiver.clear();
        await right(true);
        await console.run(1, jobId(11));
        await poll();
        expect(lives(receiver.events)).toEqual(['app1: START RUNNING', 'app1.b1: START RUNNING']);
        expect(privilegeLines().at(-1)?.msg).toMatch(/^over: /);
      } finally {
        await daemon.close();
        await receiver.close();
        await own.drop();
        await console.drop();
        if (family === 'mysql') await onServer(family, `drop user if exists '${user}'@'%'`);
        else await onServer(family, `drop role if exists ${user}`);
      }
    });
  });
}
