// A user that lost a right while the daemon runs: what needs the right is left out and said once, everything else goes on.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Planner } from '../../src/plan/plan.ts';
import { ownTablesOf, startTestDaemon, warmPlanner } from '../support/daemon.ts';
import { onServer, requireServer } from '../support/databases.ts';
import { makeLeastUser } from '../support/leastuser.ts';
import { startLineageReceiver } from '../support/lineage-receiver.ts';
import { jobId, openSmallConsole } from '../support/smallconsole.ts';
import type { Family } from '../support/streampark.ts';
import { coded, copyScript, lives } from './scene.ts';

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

    it('to read what JAR applications are, as grants of before have it: they alone lose their datasets, said once', async () => {
      const [console, receiver] = await Promise.all([openSmallConsole(family), startLineageReceiver()]);
      const own = ownTablesOf(console.database);
      const user = await makeLeastUser(console.database, own.schema);
      const { username } = new URL(user.url);
      const who = family === 'mysql' ? `'${username}'@'%'` : username;
      const right = (verb: 'grant' | 'revoke') =>
        console.database.query(`${verb} select (jar, main_class, args) on t_flink_app ${verb === 'grant' ? 'to' : 'from'} ${who}`);
      await right('revoke');
      const daemon = startTestDaemon({
        database: user,
        schema: own.schema,
        planner,
        now: () => console.clock.now,
        env: { SOURCE_TIMEZONE: 'UTC', GRAVITINO_ADDRESS: receiver.url, EVENTS_OTHER_JOBS: 'false' },
      });
      const poll = async (afterMs = 1_000) => {
        console.clock.now += afterMs;
        await daemon.step();
      };
      const spoken = () => coded(daemon).filter(({ msg }) => !msg.startsWith('still: '));
      try {
        await console.app({ id: 1, name: 'orders', script: copyScript('a', 'b') });
        const args = 'compact --warehouse s3://lake/wh --database dw --table orders';
        await console.app({ id: 2, name: 'jar', columns: { job_type: 1, jar: 'paimon-flink-action-1.0.1.jar', args } });
        await poll();
        for (const id of [1, 2]) await console.run(id, jobId(id));
        await poll();
        await console.ended(2, 10);
        await poll();
        expect(lives(receiver.events).sort()).toEqual(['jar: START RUNNING COMPLETE', 'orders.b: START RUNNING', 'orders: START RUNNING']);
        const notes = receiver.events.map(({ job, run }) => [job.name, run?.facets['streampark_app']?.['notes']]);
        for (const [name, note] of notes) expect([name, note]).toEqual([name, name === 'jar' ? ['SOURCE_PRIVILEGE'] : undefined]);
        expect(spoken()).toEqual([
          {
            code: 'SOURCE_PRIVILEGE',
            msg: 't_flink_app (jar, main_class, args) may not be read: JAR and Python applications are reported without datasets',
          },
        ]);
        expect(daemon.daemon.readiness()).toMatchObject({ ready: true, reasons: [{ code: 'SOURCE_PRIVILEGE' }] });

        receiver.clear();
        await right('grant');
        await poll(61_000);
        expect(daemon.lines.filter(({ msg }) => msg.startsWith('over: t_flink_app (jar, '))).toHaveLength(1);
        expect(daemon.daemon.readiness().reasons).toEqual([]);
        await console.run(2, jobId(3));
        await poll();
        expect(lives(receiver.events)).toEqual(['jar: START RUNNING', 'jar.paimon.dw.orders: START RUNNING']);
      } finally {
        await daemon.close();
        await receiver.close();
        await own.drop();
        await console.drop();
        await user.drop();
      }
    });
  });
}
