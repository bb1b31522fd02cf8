// What the source must do on either database; run by source.mysql.test.ts and source.pg.test.ts on real servers.
import { inflateSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { OptIn } from '../../src/settings/settings.ts';
import { goneGraceMs } from '../../src/watch/vanish.ts';
import {
  type AppKey,
  observations,
  openSource,
  type PollMemory,
  type PollRead,
  pollMemory,
  type Source,
  sameSource,
  type Tracker,
  track,
} from '../../src/watch/watch.ts';
import { requireServer } from '../support/databases.ts';
import { context, line } from '../support/history.ts';
import { sharedDir } from '../support/shared.ts';
import { createDatabase, type DumpName, type Family, loadDump, smallDatabase, type TestDatabase } from '../support/streampark.ts';

/** A source with its memory, polled by hand. */
class Eye {
  readonly source: Source;
  memory: PollMemory;
  follow: ReadonlySet<AppKey> = new Set();
  constructor(url: string, optIn: OptIn = 'column', memory: PollMemory = pollMemory()) {
    this.source = openSource({ source: { url, schema: 'public' }, optIn });
    this.memory = memory;
  }
  async look(): Promise<PollRead> {
    const { result, memory } = await this.source.pollOnce(this.memory, this.follow);
    if (result.kind === 'skipped') throw result.error;
    this.memory = memory;
    return result;
  }
  /** As after a minute: every row is read again. */
  forget(): this {
    this.memory = { ...this.memory, checkedAt: 0 };
    return this;
  }
}

const keys = (of: ReadonlyMap<AppKey, unknown>) => [...of.keys()].sort();

export async function sourceSuite(family: Family, dev: DumpName, release: DumpName): Promise<void> {
  const suite = await requireServer(family);
  const shared = sharedDir();
  const yes = family === 'mysql' ? '1' : 'true';
  const no = family === 'mysql' ? '0' : 'false';
  const quoted = (name: string) => (family === 'mysql' ? `\`${name}\`` : `"${name}"`);
  const open: { close(): Promise<void> }[] = [];
  const eye = (database: TestDatabase, optIn: OptIn = 'column', memory?: PollMemory): Eye => {
    const made = new Eye(database.url, optIn, memory);
    open.push(made.source);
    return made;
  };
  /** A database for one test. */
  const fresh = async (make: (family: Family) => Promise<TestDatabase> = smallDatabase): Promise<TestDatabase> => {
    const made = await make(family);
    open.push({ close: () => made.drop() });
    return made;
  };
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await one.close();
  });

  suite('a small database', () => {
    let database: TestDatabase;
    const flinkRow = (id: number, name: string, on: string = yes) =>
      `insert into t_flink_app (id, team_id, job_type, deploy_mode, job_name, user_id, state, option_state, tracking, create_time, lineage_enable)
       values (${id}, 100000, 2, 1, '${name}', 100000, 0, 0, 0, '2026-01-01 10:00:00', ${on})`;
    beforeAll(async () => {
      database = await smallDatabase(family);
    });
    afterAll(() => database.drop());
    afterEach(() =>
      database.query(
        `delete from t_flink_app; delete from t_spark_app; delete from t_app_log; delete from t_setting; delete from t_flink_cluster`,
      ),
    );

    test('reads only what is opted in, and only once', async () => {
      await database.query(`${flinkRow(1, 'a')}; ${flinkRow(2, 'b', no)}; ${flinkRow(3, 'c', 'null')}`);
      await database.query(
        `insert into t_spark_app (id, app_name, state, create_time, lineage_enable) values (1, 's', 0, '2026-01-01 10:00:00', ${yes})`,
      );
      const e = eye(database);
      const first = await e.look();
      expect(keys(first.rows)).toEqual(['flink:1', 'spark:1']);
      expect(first.rows.get('flink:1' as AppKey)).toMatchObject({
        name: 'a',
        teamId: '100000',
        jobType: 'sql',
        deployMode: 1,
        state: 0,
        jobId: null,
        createTime: '2026-01-01 10:00:00',
        optIn: true,
      });
      expect(Math.abs(first.now - Date.now())).toBeLessThan(60_000);
      expect(first.before).toBeNull();
      const second = await e.look();
      expect([second.rows.size, second.gone.size, second.logs.length]).toEqual([0, 0, 0]);
      expect(second.before).toBe(first.now);
      expect((await e.forget().look()).rows.size).toBe(0);
    });

    test('sees a change of every column that tells of a run at once, of the others with the next change or full read', async () => {
      await database.query(`${flinkRow(1, 'a')}; ${flinkRow(2, 'b')}; ${flinkRow(700, 'far')}`);
      const e = eye(database);
      await e.look();
      const runs: [string, string][] = [
        ['state', '5'],
        ['job_id', "'0123456789abcdef0123456789abcdef'"],
        ['cluster_id', "'application_1'"],
        ['start_time', "'2026-01-02 10:00:00'"],
        ['end_time', "'2026-01-02 11:00:00'"],
        ['option_time', "'2026-01-02 09:00:00'"],
        ['restart_count', '1'],
        ['option_state', '4'],
      ];
      for (const [column, value] of runs) {
        await database.query(`update t_flink_app set ${quoted(column)} = ${value} where id = 2`);
        expect(keys((await e.look()).rows), column).toEqual(['flink:2']);
      }
      const frozen: [string, string][] = [
        ['job_name', "'renamed'"],
        ['deploy_mode', '4'],
        ['job_type', '1'],
        ['team_id', '100001'],
        ['user_id', '100001'],
        ['version_id', '7'],
        ['flink_cluster_id', '9'],
        ['create_time', "'2026-01-01 10:00:01'"],
        ['tracking', '1'],
        ['release', '1'],
      ];
      for (const [column, value] of frozen) {
        await database.query(`update t_flink_app set ${quoted(column)} = ${value} where id in (1, 2)`);
      }
      await database.query(`update t_flink_app set duration = 5, total_task = 3, modify_time = '2026-03-01 00:00:00', description = 'x'`);
      expect((await e.look()).rows.size).toBe(0);
      await database.query(`update t_flink_app set state = 9 where id = 2`);
      const started = (await e.look()).rows;
      expect(keys(started)).toEqual(['flink:1', 'flink:2']);
      expect(started.get('flink:2' as AppKey)).toMatchObject({ name: 'renamed', teamId: '100001', versionId: '7', tracking: 1 });
      await database.query(`update t_flink_app set job_name = 'again' where id = 700`);
      expect((await e.look()).rows.size).toBe(0);
      expect(keys((await e.forget().look()).rows)).toEqual(['flink:700']);
    });

    test('tells NULL, empty, 0 and shifted texts apart, and swapped values between rows', async () => {
      await database.query(`${flinkRow(1, 'a')}; ${flinkRow(2, 'b')}`);
      await database.query(`update t_flink_app set cluster_id = 'a'`);
      const e = eye(database);
      await e.look();
      for (const [set, back] of [
        ["cluster_id = ''", "cluster_id = 'a'"],
        ["cluster_id = '-'", "cluster_id = 'a'"],
        ["cluster_id = 'a,-', job_id = null", "cluster_id = 'a'"],
        ["cluster_id = 'a', job_id = '-'", 'job_id = null'],
        ["job_id = '0'", 'job_id = null'],
        ['restart_count = 0', 'restart_count = null'],
        ['restart_count = 1', 'restart_count = null'],
        ['restart_count = -1', 'restart_count = null'],
        ["cluster_id = 'A'", "cluster_id = 'a'"],
        ["cluster_id = 'ä'", "cluster_id = 'a'"],
        ["cluster_id = '订单/öä#1%\t'", "cluster_id = 'a'"],
      ] as const) {
        for (const sets of [set, back]) {
          await database.query(`update t_flink_app set ${sets} where id = 1`);
          const changed = (await e.look()).rows;
          // An empty job id and NULL mean the same once normalised; everything else is a change.
          expect(keys(changed), sets).toEqual(['flink:1']);
        }
      }
      await database.query(
        `update t_flink_app set state = 9, restart_count = 1 where id = 1; update t_flink_app set state = 10, restart_count = 2 where id = 2`,
      );
      await e.look();
      await database.query(`update t_flink_app set state = 19 - state, restart_count = 3 - restart_count`);
      expect(keys((await e.look()).rows)).toEqual(['flink:1', 'flink:2']);
    });

    test('opting out, deleting, and following what has an open run', async () => {
      await database.query(`${flinkRow(1, 'a')}; ${flinkRow(2, 'b')}; ${flinkRow(3, 'c')}`);
      const e = eye(database);
      await e.look();
      await database.query(`update t_flink_app set lineage_enable = ${no} where id in (1, 2); delete from t_flink_app where id = 3`);
      e.follow = new Set(['flink:1' as AppKey]);
      const out = await e.look();
      expect(keys(out.rows)).toEqual(['flink:1', 'flink:2']);
      expect([...out.rows.values()].map((r) => r.optIn)).toEqual([false, false]);
      expect(keys(out.gone)).toEqual(['flink:3']);
      await database.query('update t_flink_app set state = 9');
      expect(keys((await e.look()).rows)).toEqual(['flink:1']);
      e.follow = new Set();
      await database.query('update t_flink_app set state = 10');
      expect((await e.look()).rows.size).toBe(0);
      await database.query(`update t_flink_app set lineage_enable = ${yes}`);
      const back = await e.look();
      expect([...back.rows].map(([key, row]) => [key, row.optIn, row.state])).toEqual([
        ['flink:1', true, 10],
        ['flink:2', true, 10],
      ]);
    });

    test('rows that go away all at once are held back until they are still missing ten minutes later', async () => {
      const restored = `${flinkRow(1, 'a')}; ${flinkRow(2, 'b')}; ${flinkRow(3, 'c')}; ${flinkRow(4, 'd')}`;
      await database.query(restored);
      const e = eye(database);
      const look = async () => {
        const { rows, gone, heldBack } = await e.look();
        return [keys(rows), keys(gone), heldBack];
      };
      await e.look();
      await database.query('delete from t_flink_app');
      expect(await look()).toEqual([[], [], 4]);
      expect(await look()).toEqual([[], [], 4]);
      await database.query(`${restored}; update t_flink_app set state = 10 where id = 4`);
      expect(await look()).toEqual([['flink:1', 'flink:2', 'flink:3', 'flink:4'], [], 0]);
      expect(await look()).toEqual([[], [], 0]);

      // most of them, but not all
      await database.query('delete from t_flink_app where id < 4');
      expect(await look()).toEqual([[], [], 3]);
      expect(await e.forget().look()).toMatchObject({ heldBack: 3 });
      await database.query(flinkRow(2, 'b'));
      expect(await look()).toEqual([['flink:2'], [], 2]);
      e.memory = {
        ...e.memory,
        suspects: new Map([...e.memory.suspects].map(([key, suspect]) => [key, { ...suspect, since: suspect.since - goneGraceMs }])),
      };
      expect(await look()).toEqual([[], ['flink:1', 'flink:3'], 0]);
      expect(await look()).toEqual([[], [], 0]);
      expect([...e.memory.rows.keys()].sort()).toEqual(['flink:2', 'flink:4']);
      // one of two is a matter of course, the last one of all is not
      await database.query('delete from t_flink_app where id = 2');
      expect(await look()).toEqual([[], ['flink:2'], 0]);
      await database.query('delete from t_flink_app');
      expect(await look()).toEqual([[], [], 1]);
    });

    test('a log row tells nothing of an application that is held back, and all once it is there again', async () => {
      const rows = `${flinkRow(1, 'a')}; ${flinkRow(2, 'b')}; ${flinkRow(3, 'c')}`;
      await database.query(rows);
      const e = eye(database);
      const limits = { lostGraceMs: 0, stuckAfterMs: 0 };
      const look = async () => [...observations(await e.look(), e.memory, new Map(), limits)].map(([key, { logs }]) => [key, logs.length]);
      expect(await look()).toEqual([
        ['flink:1', 0],
        ['flink:2', 0],
        ['flink:3', 0],
      ]);
      await database.query('delete from t_flink_app');
      expect(await look()).toEqual([]);
      await database.query(
        `insert into t_app_log (id, app_id, job_type, option_name, success, create_time) values (7, 1, 1, 1, ${yes}, '2026-01-01 10:00:01')`,
      );
      expect(await look()).toEqual([]);
      await database.query(rows);
      expect(await look()).toEqual([
        ['flink:1', 1],
        ['flink:2', 0],
        ['flink:3', 0],
      ]);
    });

    test('opt-in by lists of teams, applications and exceptions', async () => {
      await database.query(`${flinkRow(1, 'a')}; ${flinkRow(2, 'b')}; ${flinkRow(3, 'c', no)}; ${flinkRow(4, 'd', 'null')}`);
      await database.query('update t_flink_app set team_id = 100001 where id in (1, 2, 3)');
      const byName = eye(database, { teams: ['analytics'], apps: ['flink:4'], except: ['flink:2'] });
      expect(keys((await byName.look()).rows)).toEqual(['flink:1', 'flink:3', 'flink:4']);
      await database.query('update t_flink_app set team_id = 100000 where id = 3');
      const moved = await byName.look();
      expect([...moved.rows].map(([key, row]) => [key, row.optIn])).toEqual([['flink:3', false]]);
      const byId = eye(database, { teams: ['100001'], apps: [], except: [] });
      expect(keys((await byId.look()).rows)).toEqual(['flink:1', 'flink:2']);
      const none = eye(database, { teams: [], apps: [], except: [] });
      expect((await none.look()).rows.size).toBe(0);
      const listed = await byName.source.listApps();
      expect(listed.map((a) => [a.id, a.optIn, a.rule, a.lineageEnable])).toEqual([
        ['1', true, 'team', true],
        ['2', false, 'except', true],
        ['3', false, null, false],
        ['4', true, 'app', null],
      ]);
      expect((await byName.source.listApps({ team: 'analytics' })).map((a) => a.id)).toEqual(['1', '2']);
    });

    test('new log rows, late ones with a lower id included', async () => {
      const logRow = (id: number, app: number, option: number, success: string, type = '1') =>
        `insert into t_app_log (id, app_id, job_type, success, exception, create_time, option_name, cluster_id)
         values (${id}, ${app}, ${type}, ${success}, 'why ${'x'.repeat(5000)}', '2026-01-02 10:00:00', ${option}, 'application_1')`;
      await database.query(`${flinkRow(1, 'a')}; ${logRow(5000, 1, 1, yes)}; ${logRow(5001, 1, 0, yes, 'null')}`);
      const e = eye(database);
      const first = await e.look();
      expect(first.logs.map((l) => l.id)).toEqual(['5000']);
      expect(first.cursor).toEqual({ table: 't_app_log', id: '5001' });
      expect((await e.look()).logs).toEqual([]);
      await database.query(
        `${logRow(5010, 1, 1, no)}; ${logRow(5011, 1, 2, yes, '2')}; ${logRow(5012, 1, 2, yes)}; ${logRow(5013, 1, 3, yes)}`,
      );
      const more = await e.look();
      expect(more.logs.map((l) => [l.id, l.engine, l.operation, l.success])).toEqual([
        ['5010', 'flink', 'start', false],
        ['5011', 'spark', 'cancel', true],
        ['5013', 'flink', 'cancel', true],
      ]);
      expect(more.logs[0]?.exception).toHaveLength(4000);
      expect(more.logs[2]?.exception).toBeNull();
      await database.query(logRow(4700, 1, 1, yes));
      expect((await e.look()).logs.map((l) => l.id)).toEqual(['4700']);
      expect(await e.source.loadException('5010')).toHaveLength(5004);
      // Deleting the newest rows in the console is no reset; a table that counts from below again is one.
      await database.query('delete from t_app_log where id > 5000');
      expect((await e.look()).cursor?.id).toBe('5013');
      await database.query(`delete from t_app_log; ${logRow(100, 1, 1, yes)}`);
      const reset = await e.look();
      expect(reset.diagnostics.map((d) => d.code)).toEqual(['LOG_RESET']);
      expect([reset.logs, reset.cursor?.id]).toEqual([[], '100']);
      await database.query(logRow(101, 1, 1, yes));
      const after = await e.look();
      expect([after.logs.map((l) => l.id), after.diagnostics]).toEqual([['101'], []]);
    });

    test('clusters and settings', async () => {
      await database.query(`insert into t_flink_cluster (id, cluster_state) values (1, 1), (2, 0);
        insert into t_setting values ('lineage.gravitino.address', ' http://g:8090 '), ('lineage.gravitino.token', null),
          ('lineage.gravitino.namespace', '  '), ('other', 'x')`);
      const e = eye(database);
      const first = await e.look();
      expect(first.settings).toEqual({ 'lineage.gravitino.address': 'http://g:8090' });
      expect([...first.clustersChanged]).toEqual(['1', '2']);
      await database.query(`update t_flink_cluster set cluster_state = 3 where id = 1; update t_setting set setting_value = 'prod'`);
      const second = await e.look();
      expect([...second.clustersChanged]).toEqual(['1']);
      expect(e.memory.clusters.get('1')).toBe(3);
      expect(second.settings['lineage.gravitino.namespace']).toBe('prod');
    });

    test('a new process reports only what changed since the checkpoint', async () => {
      await database.query(`${flinkRow(1, 'a')}; ${flinkRow(2, 'b')}; ${flinkRow(3, 'c')}`);
      const before = eye(database);
      await before.look();
      await database.query(`update t_flink_app set state = 5 where id = 2; delete from t_flink_app where id = 3`);
      const after = eye(database, 'column', pollMemory(before.memory.rows.values(), before.memory.cursor));
      const result = await after.look();
      expect(keys(result.rows)).toEqual(['flink:2']);
      expect(keys(result.gone)).toEqual(['flink:3']);
    });

    test('row and log of one transaction are seen together or not at all', async () => {
      await database.query(flinkRow(1, 'a'));
      const e = eye(database);
      await e.look();
      let done = false;
      const writer = (async () => {
        for (let n = 1; n <= 40; n++) {
          await database.query(
            `begin; update t_flink_app set restart_count = ${n} where id = 1;
             insert into t_app_log (app_id, job_type, success, create_time, option_name) values (1, 1, ${yes}, '2026-01-02 10:00:00', 1); commit`,
          );
        }
        done = true;
      })();
      let logs = 0;
      while (!done) {
        logs += (await e.look()).logs.length;
        expect(e.memory.rows.get('flink:1' as AppKey)?.restartCount ?? 0).toBe(logs);
      }
      await writer;
    });

    test('10,000 rows: one change among them, and ids far apart', async () => {
      const row = (id: number) => `(${id}, 100000, 2, 1, 'n${id}', 5, '2026-01-01 10:00:00', ${yes})`;
      const ids = [...Array.from({ length: 9_999 }, (_, i) => 100_000 + i), 9_000_000_000];
      for (let i = 0; i < ids.length; i += 2000) {
        await database.query(
          `insert into t_flink_app (id, team_id, job_type, deploy_mode, job_name, state, create_time, lineage_enable) values ${ids
            .slice(i, i + 2000)
            .map(row)
            .join(',')}`,
        );
      }
      const e = eye(database);
      expect((await e.look()).rows.size).toBe(10_000);
      await database.query('update t_flink_app set state = 7 where id in (100777, 9000000000)');
      expect(keys((await e.look()).rows)).toEqual(['flink:100777', 'flink:9000000000']);
      await database.query('delete from t_flink_app where id = 100778');
      expect(keys((await e.look()).gone)).toEqual(['flink:100778']);
    });

    test('tracker and poll together: a run from STARTING to its end', async () => {
      await database.query(flinkRow(1, 'a'));
      const e = eye(database);
      const trackers = new Map<AppKey, Tracker>();
      const seen: string[] = [];
      const step = async (sql: string) => {
        if (sql !== '') await database.query(sql);
        const result = await e.look();
        for (const [key, observation] of observations(result, e.memory, trackers, context)) {
          const { tracker, changes } = track(trackers.get(key) ?? null, observation, context);
          if (tracker !== null) trackers.set(key, tracker);
          seen.push(...changes.map((c) => line(c).replace(/ @[\d.-]+/g, '')));
        }
      };
      await step('');
      await step(`update t_flink_app set state = 3, option_time = '2026-01-02 10:00:00', restart_count = 0`);
      await step(`update t_flink_app set job_id = '${'a'.repeat(32)}', start_time = '2026-01-02 10:00:20', flink_cluster_id = 1;
        insert into t_flink_cluster (id, cluster_state) values (1, 1)`);
      await step(
        `insert into t_app_log (app_id, job_type, success, create_time, option_name) values (1, 1, ${yes}, '2026-01-02 10:00:00', 1)`,
      );
      await step('update t_flink_app set state = 5');
      await step('update t_flink_cluster set cluster_state = 3');
      await step('update t_flink_cluster set cluster_state = 1');
      await step(`update t_flink_app set state = 10, end_time = '2026-01-02 11:00:00'`);
      // A table that is empty all at once would be held back.
      await step(flinkRow(2, 'b'));
      await step('delete from t_flink_app where id = 1');
      expect(seen).toEqual([
        '#1 starting',
        '#1 submitted flink-job:a',
        '#1 running',
        '#1 lost',
        '#1 revived',
        '#1 ended complete FINISHED',
        '#1 vanished',
      ]);
    });
  });

  suite('a database that changes under the poll, or is none', () => {
    test('no StreamPark database', async () => {
      const database = await fresh(createDatabase);
      const e = eye(database);
      await expect(e.look()).rejects.toMatchObject({ code: 'SOURCE_SCHEMA', message: expect.stringContaining('t_flink_app') });
      await database.query('create table t_flink_app (id int)');
      await expect(e.look()).rejects.toMatchObject({ code: 'SOURCE_SCHEMA', message: expect.stringContaining('create_time') });
    });

    test('nobody there, wrong password, no such database', async () => {
      const gone = new Eye(family === 'mysql' ? 'mysql://root@127.0.0.1:1/x' : 'postgres://postgres@127.0.0.1:1/x');
      await expect(gone.look()).rejects.toMatchObject({ code: 'SOURCE_UNREACHABLE', message: expect.stringContaining('127.0.0.1:1/x') });
      await gone.source.close();
      const missing = new Eye(
        family === 'mysql' ? 'mysql://root@127.0.0.1:3306/spl_no_such' : 'postgres://postgres@127.0.0.1:5432/spl_no_such',
      );
      await expect(missing.look()).rejects.toMatchObject({ code: 'SOURCE_SCHEMA' });
      await missing.source.close();
      if (family === 'mysql') {
        const stranger = new Eye('mysql://spl_nobody:secret@127.0.0.1:3306/mysql');
        const error: unknown = await stranger.look().catch((e: unknown) => e);
        expect(error).toMatchObject({ code: 'SOURCE_PRIVILEGE' });
        expect(String(error)).not.toContain('secret');
        await stranger.source.close();
      }
    });

    test('columns and tables that vanish change nothing; what is there again is read again', async () => {
      const database = await fresh();
      const insert = (id: number) =>
        database.query(`insert into t_flink_app (id, job_name, deploy_mode, state, restart_count, create_time, lineage_enable)
          values (${id}, 'a${id}', 1, 5, 2, '2026-01-01 10:00:00', ${yes})`);
      await insert(1);
      const e = eye(database);
      await e.look();

      await database.query('alter table t_flink_app drop column lineage_enable');
      const skipped = await e.source.pollOnce(e.memory, new Set());
      expect(skipped.result).toMatchObject({ kind: 'skipped', error: { code: 'SOURCE_QUERY' } });
      e.memory = skipped.memory;
      await database.query('alter table t_spark_app drop column lineage_enable');
      const blind = await e.look();
      expect([blind.optInMissing, blind.rows.size, blind.gone.size]).toEqual([['t_flink_app', 't_spark_app'], 0, 0]);
      await database.query(
        `insert into t_flink_app (id, job_name, deploy_mode, state, create_time) values (2, 'b', 1, 5, '2026-01-01 10:00:00')`,
      );
      await database.query('update t_flink_app set state = 7');
      const followed = await e.look();
      expect([...followed.rows].map(([key, row]) => [key, row.state, row.optIn])).toEqual([['flink:1', 7, true]]);
      await database.query(`alter table t_flink_app add column lineage_enable ${family === 'mysql' ? 'tinyint' : 'boolean'}`);
      await database.query(`update t_flink_app set lineage_enable = ${yes}`);
      const back = await e.forget().look();
      expect([back.optInMissing, keys(back.rows), back.gone.size]).toEqual([['t_spark_app'], ['flink:2'], 0]);

      await database.query('alter table t_flink_app drop column restart_count');
      const again = await e.source.pollOnce(e.memory, new Set());
      expect(again.result.kind).toBe('skipped');
      e.memory = again.memory;
      expect((await e.look()).rows.get('flink:1' as AppKey)?.restartCount).toBeNull();

      await database.query('alter table t_app_log rename to t_flink_log');
      const log = await e.source.pollOnce(e.memory, new Set());
      expect(log.result.kind).toBe('skipped');
      e.memory = log.memory;
      expect((await e.look()).cursor?.table).toBe('t_flink_log');

      await database.query('alter table t_flink_app rename to t_gone');
      e.memory = (await e.source.pollOnce(e.memory, new Set())).memory;
      await expect(e.look()).rejects.toMatchObject({ code: 'SOURCE_SCHEMA' });
      await database.query('alter table t_gone rename to t_flink_app');
      expect((await e.look()).gone.size).toBe(0);
    });

    test('connections that are cut under the poll: an error, and a later poll works from the same memory', async () => {
      const database = await fresh();
      const e = eye(database);
      await e.look();
      const kill =
        family === 'mysql'
          ? (
              await database.query(
                `select concat('kill ', id) as k from information_schema.processlist where db = '${database.name}' and id <> connection_id()`,
              )
            )
              .map((r) => String(r['k']))
              .join(';')
          : `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database.name}' and pid <> pg_backend_pid()`;
      await database.query(kill);
      const errors: unknown[] = [];
      for (let polls = 0; polls < 5; polls++) await e.look().catch((error: unknown) => errors.push(error));
      expect(errors.length).toBeLessThan(4);
      for (const error of errors) expect(error).toMatchObject({ code: 'SOURCE_UNREACHABLE' });
      expect((await e.look()).rows.size).toBe(0);
    });
  });

  suite('rights', () => {
    test('column-level SELECT is enough, and a missing one is named', async () => {
      const database = await fresh();
      await database.query(
        `insert into t_flink_app (id, job_name, deploy_mode, state, create_time, lineage_enable) values (1, 'a', 1, 5, '2026-01-01 10:00:00', ${yes})`,
      );
      const user = `${database.name}_u`;
      const who = family === 'mysql' ? `'${user}'@'%'` : user;
      const app = [
        'id',
        'team_id',
        'user_id',
        'job_type',
        'deploy_mode',
        'job_name',
        'state',
        'option_state',
        'tracking',
        'release',
        'job_id',
        'cluster_id',
        'start_time',
        'end_time',
        'option_time',
        'restart_count',
        'flink_cluster_id',
        'version_id',
        'create_time',
        'lineage_enable',
        'dynamic_properties',
        'description',
        'jar',
        'main_class',
        'args',
      ];
      const grant = (columns: readonly string[], table: string) =>
        `grant select (${columns.map(quoted).join(', ')}) on ${family === 'mysql' ? `${database.name}.` : ''}${table} to ${who}`;
      await database.query(`create user ${who} ${family === 'mysql' ? "identified by 'secret'" : "password 'secret'"}`);
      open.push({
        close: async () => {
          await database.query(family === 'mysql' ? `drop user ${who}` : `drop owned by ${who}; drop user ${who}`);
        },
      });
      if (family === 'postgres') await database.query(`revoke all on schema public from public; grant usage on schema public to ${who}`);
      const url = database.url.replace(/root@|postgres@/, `${user}:secret@`);
      const look = async () => {
        const e = new Eye(url);
        try {
          return await e.look();
        } finally {
          await e.source.close();
        }
      };
      await database.query('drop table t_spark_app');
      await database.query(
        grant(
          app.filter((c) => c !== 'restart_count'),
          't_flink_app',
        ),
      );
      if (family === 'postgres') {
        await expect(look()).rejects.toMatchObject({
          code: 'SOURCE_PRIVILEGE',
          message: expect.stringContaining('t_flink_app.restart_count'),
        });
      } else {
        // MariaDB does not tell a hidden column from one that does not exist: one that is not indispensable is a warning.
        const blind = await look();
        expect(blind.rows.get('flink:1' as AppKey)?.restartCount).toBeNull();
        expect(blind.features.problems.map((p) => p.message).join(', ')).toContain('t_flink_app.restart_count may not be read');
      }
      await database.query(grant(['restart_count'], 't_flink_app'));
      if (family === 'postgres') {
        await expect(look()).rejects.toMatchObject({ code: 'SOURCE_PRIVILEGE', message: expect.stringContaining('t_app_log') });
      }
      await database.query(
        grant(['id', 'app_id', 'job_type', 'cluster_id', 'success', 'exception', 'create_time', 'option_name'], 't_app_log'),
      );
      const seen = await look();
      expect(keys(seen.rows)).toEqual(['flink:1']);
      expect(seen.features.settings).toBeNull();
      expect(seen.features.problems.map((p) => p.message).join('\n')).toContain('t_setting (setting_key, setting_value) may not be read');
      await database.query(
        `create view lineage_setting as select setting_key, setting_value from t_setting where setting_key like 'lineage.%';
         insert into t_setting values ('lineage.gravitino.namespace', 'prod');
         ${grant(['setting_key', 'setting_value'], 'lineage_setting')}`,
      );
      expect((await look()).settings).toEqual({ 'lineage.gravitino.namespace': 'prod' });
    });
  });

  (shared === undefined ? suite.skip : suite)('databases of real consoles', () => {
    const loaded: Partial<Record<DumpName, TestDatabase>> = {};
    beforeAll(async () => {
      for (const name of [dev, release]) loaded[name] = await loadDump(shared ?? '', name);
    });
    afterAll(async () => {
      for (const database of Object.values(loaded)) await database.drop();
    });
    const of = (name: DumpName): TestDatabase => {
      const database = loaded[name];
      if (database === undefined) throw new Error(`${name} was not loaded`);
      return database;
    };

    test('features', async () => {
      const development = await eye(of(dev)).source.features();
      expect(development.log?.table).toBe('t_app_log');
      expect(development.spark?.table).toBe('t_spark_app');
      expect(development.release).toBe('2.2 or 3.0 (development)');
      const named = (table: { columns: readonly { alias: string; name: string }[] }, alias: string) =>
        table.columns.find((c) => c.alias === alias)?.name;
      expect(named(development.flink, 'deploy_mode')).toBe('deploy_mode');
      expect(named(development.flink, 'cluster_id')).toBe('cluster_id');
      const old = await eye(of(release)).source.features();
      expect(old.log?.table).toBe('t_flink_log');
      expect(old.spark).toBeNull();
      expect(old.release).toBe('2.1.4 to 2.1.7');
      expect(named(old.flink, 'deploy_mode')).toBe('execution_mode');
      if (old.log !== null)
        expect(['create_time', 'cluster_id'].map((a) => old.log && named(old.log, a))).toEqual(['option_time', 'yarn_app_id']);
      for (const features of [development, old]) {
        expect(features.flink.optIn?.type).toBe(family === 'mysql' ? 'tinyint' : 'boolean');
        expect(features.problems).toEqual([]);
      }
    });

    test.each([dev, release])('%s: the opted-in applications as they stand there', async (name) => {
      const e = eye(of(name));
      const result = await e.look();
      const rows = [...result.rows.values()].sort((a, b) => a.name.localeCompare(b.name));
      expect(rows.map((r) => r.name)).toEqual(['bounded_batch', 'orders_enrich']);
      const orders = rows[1];
      expect(orders).toMatchObject({
        engine: 'flink',
        jobType: 'sql',
        deployMode: 1,
        state: 5,
        optionState: 0,
        endTime: null,
        restartCount: 0,
        optIn: true,
      });
      expect(orders?.jobId).toMatch(/^[0-9a-f]{32}$/);
      expect(orders?.startTime).toMatch(/^2026-1[12]-\d\d \d\d:\d\d:\d\d(\.\d+)?$/);
      expect(result.settings).toEqual({
        'lineage.gravitino.address': 'http://gravitino.example.org:8090',
        'lineage.gravitino.token': 'tok-123',
        'lineage.gravitino.namespace': name === 'mysql-2.1.7' ? 'streampark' : 'prod',
        'lineage.flink.native.listener.enable': 'true',
      });
      expect(result.optInMissing).toEqual([]);
      expect(result.logs.filter((l) => l.appId === orders?.id && l.operation === 'start' && l.success).length).toBeGreaterThan(2);
      const failed = result.logs.find((l) => l.operation === 'start' && !l.success);
      expect(failed?.exception).toContain('java.');
      expect((await e.look()).rows.size).toBe(0);
    });

    test.each([dev, release])('%s: script, context and fingerprint', async (name) => {
      const { source } = eye(of(name));
      const [orders] = (await source.listApps()).filter((a) => a.name === 'orders_enrich');
      const id = orders?.id ?? '';
      const script = await source.loadScript('flink', id);
      expect(inflateSync(Buffer.from(script?.sql ?? '', 'base64')).toString('utf8')).toContain('INSERT INTO');
      expect(script?.variables.find((v) => v.code === 'doris.password')?.secret).toBe(true);
      expect(script?.variables.find((v) => v.code === 'orders.rps')?.secret).toBe(false);
      expect(script?.engineVersion).toBe('1.20.1');
      expect(script?.engineConf?.length).toBeGreaterThan(10);
      expect(script?.dynamicProperties).toContain('-D');
      const effective = (await of(name).query(`select target_id from t_flink_effective where app_id = ${id} and target_type = 2`))[0]?.[
        'target_id'
      ];
      expect(script?.sqlId).toBe(String(effective));
      const other = (await of(name).query(`select id, version from t_flink_sql where app_id = ${id} and id <> ${script?.sqlId}`))[0];
      const older = await source.loadScript('flink', id, String(other?.['id']));
      expect([older?.sqlId, older?.sqlVersion]).toEqual([String(other?.['id']), Number(other?.['version'])]);
      expect(older?.sql).not.toBe(script?.sql);
      expect(await source.loadScript('flink', '999999999')).toBeNull();
      expect(await source.loadScript('flink', id, '999999999')).toBeNull();
      expect(await source.loadContext('flink', id)).toMatchObject({ teamName: 'analytics', userName: 'admin' });
      expect(await source.loadContext('flink', id)).toMatchObject({ tags: ['sales', 'core'], project: null });
      const branch = (await source.features()).catalog.get('t_flink_project')?.has('refs') === true ? 'refs' : 'branches';
      await of(name).query(
        `insert into t_flink_project (id, team_id, name, url, ${branch}, repository, type, create_time)
          values (100900, 100000, 'jobs', 'git@git.example.org:shop/jobs.git', 'release-2', 1, 1, '2026-01-01 00:00:00')`,
      );
      const built = "resource_from = 1, project_id = 100900, module = 'orders'";
      await of(name).query(`update t_flink_app set tags = ' gold, shop,,gold', ${built} where id = ${id}`);
      expect(await source.loadContext('flink', id)).toMatchObject({
        tags: ['gold', 'shop'],
        project: { url: 'git@git.example.org:shop/jobs.git', branch: 'release-2', module: 'orders' },
      });
      await of(name).query(`update t_flink_app set resource_from = 2 where id = ${id}`);
      expect(await source.loadContext('flink', id)).toMatchObject({ project: null });
      await of(name).query(`update t_flink_app set tags = null, resource_from = null, project_id = null, module = null where id = ${id}`);
      await of(name).query('delete from t_flink_project where id = 100900');
      expect(await source.loadContext('flink', '999999999')).toEqual({
        teamName: null,
        userName: null,
        description: null,
        tags: [],
        project: null,
      });
      const fingerprint = await source.fingerprint();
      expect(sameSource(fingerprint, await source.fingerprint())).toBe(true);
      const elsewhere = await eye(of(name === dev ? release : dev)).source.fingerprint();
      expect(sameSource(fingerprint, elsewhere)).toBe(false);
      expect(fingerprint.createdAt).toMatch(/^20\d\d-/);
    });

    test('a Spark script is found by its own target types', async () => {
      const { source } = eye(of(dev));
      const [spark] = (await source.listApps({ engine: 'spark' })).filter((a) => a.name === 'spark_orders');
      const script = await source.loadScript('spark', spark?.id ?? '');
      expect(inflateSync(Buffer.from(script?.sql ?? '', 'base64')).toString('utf8')).toMatch(/INSERT OVERWRITE/i);
      expect(script?.engineVersion).toMatch(/^\d\.\d/);
    });

    test('of two effective rows the one with the highest id counts', async () => {
      const database = await fresh();
      await database.query(`insert into t_flink_app (id, team_id, job_name, deploy_mode, state, create_time) values (1, 100000, 'a', 1, 0, '2026-01-01 10:00:00');
        insert into t_flink_sql (id, app_id, ${quoted('sql')}, version) values (10, 1, 'one', 1), (11, 1, 'two', 2), (12, 1, 'three', 3), (13, 2, 'foreign', 1);
        insert into t_flink_config (id, app_id, ${quoted('format')}, version, content) values (30, 1, 1, 1, 'conf'), (31, 2, 1, 1, 'foreign');
        insert into t_flink_env (id, version, flink_conf, is_default) values (1, '1.17.1', 'c', ${no}), (2, '1.20.1', 'd', ${yes});
        insert into t_variable (id, variable_code, variable_value, team_id, desensitization) values (1, 'a.b', 'v', 100000, ${no}), (2, 'c.d', 'w', 100001, ${yes})`);
      const { source } = eye(database);
      expect(await source.loadScript('flink', '1')).toMatchObject({ sqlId: '12', sql: 'three', config: null, engineVersion: '1.20.1' });
      await database.query(
        `insert into t_flink_effective (id, app_id, target_type, target_id) values (1, 1, 2, 10), (2, 1, 2, 11), (3, 1, 1, 30)`,
      );
      await database.query('update t_flink_app set version_id = 1');
      expect(await source.loadScript('flink', '1')).toMatchObject({
        sqlId: '11',
        sql: 'two',
        config: { format: 1, content: 'conf' },
        engineVersion: '1.17.1',
        engineConf: 'c',
        variables: [{ code: 'a.b', value: 'v', secret: false }],
        team: expect.arrayContaining(['100000']),
      });
      await database.query('update t_flink_effective set target_id = 31 where id = 3; update t_flink_app set version_id = 77');
      expect(await source.loadScript('flink', '1')).toMatchObject({ config: null, engineVersion: '1.20.1' });
    });
  });

  describe.skipIf(shared !== undefined)('without fixtures', () => {
    test('says what was not tested', () => {
      process.stderr.write(`not tested: the ${family} databases of real consoles are not beside the checkout\n`);
    });
  });
}
