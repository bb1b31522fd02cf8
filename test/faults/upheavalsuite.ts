// What administrators do to a database while the daemon runs: tables away during an upgrade and back in another shape, columns dropped, locks
// held, the own tables away; and clocks that jump. Nothing of it ends a run: the daemon says once what is wrong and goes on by itself.
import mysql from 'mysql2/promise';
import pg from 'pg';
import { expect, it } from 'vitest';
import { counter, inScene, lives, timesOf } from '../e2e/scene.ts';
import { noPlanner, type OwnTables, ownTablesOf, startTestDaemon } from '../support/daemon.ts';
import { requireServer } from '../support/databases.ts';
import { type LineageEvent, startLineageReceiver } from '../support/lineage-receiver.ts';
import { jobId, openSmallConsole, realClock, type SmallConsole } from '../support/smallconsole.ts';
import type { Family } from '../support/streampark.ts';
import { until } from '../support/until.ts';
import { codesOf, isWell } from './codes.ts';

interface Upheaval {
  readonly name: string;
  readonly begin: (console: SmallConsole, own: OwnTables) => Promise<unknown>;
  readonly end: (console: SmallConsole, own: OwnTables) => Promise<unknown>;
  /** Any of these shows that it was noticed. */
  readonly codes: readonly string[];
}

const table = (statement: string) => (console: SmallConsole) => console.database.query(statement);

const upheavals: readonly Upheaval[] = [
  {
    name: 'the application table away, and back with another column',
    begin: table('alter table t_flink_app rename to t_flink_app_before'),
    end: async (console) => {
      await console.database.query('alter table t_flink_app_before add column upgraded int');
      await console.database.query('alter table t_flink_app_before rename to t_flink_app');
    },
    codes: ['SOURCE_SCHEMA', 'SOURCE_QUERY'],
  },
  {
    name: 'the column of the states dropped, and back',
    begin: table('alter table t_flink_app drop column state'),
    end: table('alter table t_flink_app add column state int default 5'),
    codes: ['SOURCE_SCHEMA', 'SOURCE_QUERY'],
  },
  {
    name: 'the own tables away, and back',
    begin: (_, own) => own.query(`alter table own.lease rename to ${renamed(own)}lease_away`),
    end: (_, own) => own.query(`alter table own.lease_away rename to ${renamed(own)}lease`),
    codes: ['STATE_TABLES_GONE'],
  },
];

/** MySQL takes the database of a new name from the session, PostgreSQL keeps the schema. */
const renamed = ({ schema }: OwnTables): string => (schema.startsWith('lineage_') ? '' : 'own.');

/** What may be said on the way: a neighbour that does not answer, and the own lease that lapsed meanwhile. */
const passing: readonly string[] = ['STATE_UNREACHABLE', 'SOURCE_UNREACHABLE', 'STATE_LEASE_HELD'];

/** An event whose answer could not be settled comes once more, byte for byte the same. */
const distinct = (events: readonly LineageEvent[]) => [...new Map(events.map((event) => [JSON.stringify(event), event])).values()];

/** Declares the tests for one family. */
export async function upheavalSuite(family: Family): Promise<void> {
  const suite = await requireServer(family);
  suite(`upheavals, on ${family}`, () => {
    const play = async ({ begin, end, codes }: Upheaval) => {
      const console = await openSmallConsole(family, realClock());
      const receiver = await startLineageReceiver();
      const own = ownTablesOf(console.database);
      const daemon = startTestDaemon({
        database: console.database,
        schema: own.schema,
        planner: noPlanner(),
        statementTimeoutMs: 1_000,
        leaseTtlMs: 6_000,
        env: { GRAVITINO_ADDRESS: receiver.url, POLL_INTERVAL: '50ms', SOURCE_TIMEZONE: 'UTC' },
      });
      const stop = daemon.run();
      const told = (line: string) =>
        until(
          () => `${line}; is ${lives(receiver.events).join()}`,
          () => lives(distinct(receiver.events)).join() === line,
          60_000,
        );
      try {
        await console.app({ id: 1, name: 'orders', columns: { job_type: 1 } });
        await until('active', () => daemon.daemon.readiness().role === 'leader', 60_000);
        await console.run(1, jobId(1));
        await told('orders: START RUNNING');
        await begin(console, own);
        const noticed = () => codesOf(daemon).filter((code) => codes.includes(code)).length;
        await until('trouble', () => noticed() > 0, 60_000);
        // Several polls go wrong; that is said once.
        await until(
          'more polls that fail',
          async () => (await counter(daemon, 'streampark_lineage_polls_total', { outcome: 'failed' })) > 2,
          60_000,
        );
        await end(console, own);
        await until('well', () => isWell(daemon), 60_000);
        expect(noticed()).toBe(1);
        expect(lives(distinct(receiver.events))).toEqual(['orders: START RUNNING']);
        await console.ended(1, 9);
        await told('orders: START RUNNING ABORT');
        expect(codesOf(daemon).filter((code) => !codes.includes(code) && !passing.includes(code))).toEqual([]);
      } finally {
        expect(await stop()).toBeUndefined();
        await receiver.close();
        await own.drop();
        await console.drop();
      }
    };

    it.concurrent.each(upheavals)('$name', play);

    it.concurrent.each(['source', 'state'] as const)('a lock that is held longer than a statement may take: %s', async (which) => {
      let release: () => Promise<unknown> = async () => undefined;
      await play({
        name: which,
        codes: which === 'state' ? ['STATE_UNREACHABLE'] : ['SOURCE_QUERY', 'SOURCE_UNREACHABLE'],
        begin: async (console, own) => {
          release = await lock(family, console.database.url, which === 'state' ? `${own.schema}.lease` : 't_flink_app');
        },
        end: () => release(),
      });
    });

    it('a clock that jumps, forwards and back', () =>
      inScene({ family, planner: noPlanner(), env: { EVENTS_HEARTBEAT: '1h' } }, async ({ console, receiver, daemon, poll, own }) => {
        const day = 86_400_000;
        await console.app({ id: 1, name: 'orders', columns: { job_type: 1 } });
        await console.app({ id: 2, name: 'clicks', columns: { job_type: 1 } });
        await poll();
        await console.run(1, jobId(1));
        await console.run(2, jobId(2));
        await poll();
        for (const jump of [2 * day, -3 * day, 1_000, 40 * day, -40 * day]) await poll(jump);
        await console.ended(1, 9);
        await poll();
        await console.run(1, jobId(3));
        await poll();
        const [first, second] = lives(receiver.events).filter((life) => life.startsWith('orders'));
        expect([first?.replace(/( RUNNING)+/, ' RUNNING'), second]).toEqual(['orders: START RUNNING ABORT', 'orders: START RUNNING']);
        expect(
          lives(receiver.events)
            .filter((life) => life.startsWith('clicks'))
            .map((life) => life.replace(/( RUNNING)+/, ' RUNNING')),
        ).toEqual(['clicks: START RUNNING']);
        // Never decreasing within a run, whatever the clock said.
        const first3 = timesOf(receiver.events, 'orders').slice(0, -2);
        expect(first3).toEqual([...first3].sort((a, b) => a - b));
        // Heartbeats go on after the clock was set back.
        const before = receiver.events.length;
        for (let i = 0; i < 3; i += 1) await poll(2 * 3_600_000);
        expect(receiver.events.length).toBeGreaterThan(before);
        expect(await own.query("select seq from own.outbox where state not in ('sent', 'skipped')")).toEqual([]);
        expect(codesOf(daemon)).toEqual([]);
      }));
  });
}

/** Locks a table against everybody; the result releases it. */
async function lock(family: Family, url: string, name: string): Promise<() => Promise<unknown>> {
  if (family === 'mysql') {
    const session = await mysql.createConnection(url);
    await session.query(`lock tables ${name} write`);
    return () => session.end();
  }
  const session = new pg.Client(url);
  await session.connect();
  await session.query('begin');
  await session.query(`lock table ${name} in access exclusive mode`);
  return () => session.end();
}
