// What the opt-in migration must do on every database: one suite, run by the files of both families.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import {
  apply,
  type Footprint,
  inspect,
  type OptInTarget,
  optedIn,
  planDown,
  planUp,
  type Statement,
  setOptIn,
} from '../../src/optin/optin.ts';
import { storedKeys } from '../../src/settings/settings.ts';
import { type AppKey, appKey, type ListedApp } from '../../src/watch/watch.ts';
import { createTestDatabase, requireServer, type TestDatabase, type TestFamily } from '../support/databases.ts';
import { sharedDir } from '../support/shared.ts';
import { appsOf, open, patience, pristineStreampark, type Release, recordedStreampark, rowsOf, runScript, withSource } from './load.ts';

const settingsOf = (url: string) =>
  rowsOf(
    url,
    "select order_num, setting_key, setting_value, type from t_setting where setting_key like 'lineage.%' order by order_num",
  ).then((rows) => rows.map((row) => [row['order_num'], row['setting_key'], row['setting_value'], row['type']]));

const freshRows = [
  [16, 'lineage.gravitino.address', null, 1],
  [17, 'lineage.gravitino.token', null, 1],
  [18, 'lineage.gravitino.namespace', null, 1],
  [19, 'lineage.flink.native.listener.enable', 'false', 2],
];

const keyOf = (app: ListedApp): AppKey => appKey(app.engine, app.id);

/** Declares the tests for one family. */
export async function optInSuite(family: TestFamily): Promise<void> {
  const suite = await requireServer(family);
  const present = sharedDir() !== undefined;
  const recorded = present ? suite : describe.skip;
  if (!present) process.stderr.write('not tested: the opt-in migration on recorded databases (shared fixtures are missing)\n');

  for (const release of ['2.1.7', '2.2.0-dev'] as const) {
    recorded(`the opt-in migration on ${family}, StreamPark ${release}`, () => {
      let test: TestDatabase;
      let database: Database<unknown>;
      const change = (target: OptInTarget, value: boolean) => withSource(test.url, (source) => setOptIn(source, target, value, patience));
      beforeAll(async () => {
        test = (await pristineStreampark(family, release)) as TestDatabase;
        database = open(test.url);
      });
      afterAll(async () => {
        await database.close();
        await test.drop();
      });

      it('goes up, finds nothing more to do, and goes down without a trace', async () => {
        const before = await schemaOf(test.url, family);
        const done = await apply(database, planUp, patience);
        expect(done.map((s) => s.purpose)).toEqual([
          't_flink_app: add lineage_enable',
          ...(release === '2.1.7' ? [] : ['t_spark_app: add lineage_enable']),
          ...storedKeys.map((key) => `t_setting: add ${key}`),
        ]);
        expect(await settingsOf(test.url)).toEqual(freshRows);
        const column = (await inspect(database)).tables[0]?.optIn;
        expect(column).toEqual({ type: family === 'mysql' ? 'tinyint' : 'boolean', boolean: family === 'postgres', problem: undefined });
        const counts = await rowsOf(test.url, 'select count(*) as n, count(lineage_enable) as set_, max(id) as id from t_flink_app');
        expect(Number(counts[0]?.['set_'])).toBe(Number(counts[0]?.['n']));

        expect(await apply(database, planUp, patience)).toEqual([]);
        await apply(database, planDown, patience);
        expect(await schemaOf(test.url, family)).toEqual(before);
        expect(await settingsOf(test.url)).toEqual([]);
        expect(await apply(database, planDown, patience)).toEqual([]);
      });

      it('finishes a migration that stopped half way and leaves what others made', async () => {
        await runScript(
          test.url,
          `alter table t_flink_app add lineage_enable ${family === 'mysql' ? 'int default 0' : 'smallint default 0'};
           insert into t_setting (order_num, setting_key, setting_value, setting_name, description, type)
           values (99, 'lineage.gravitino.address', 'http://kept:8090', 'x', 'y', 1)`,
        );
        const done = await apply(database, planUp, patience);
        expect(done.map((s) => s.purpose)).toEqual([
          ...(release === '2.1.7' ? [] : ['t_spark_app: add lineage_enable']),
          ...storedKeys.slice(1).map((key) => `t_setting: add ${key}`),
        ]);
        expect((await settingsOf(test.url)).at(-1)).toEqual([99, 'lineage.gravitino.address', 'http://kept:8090', 1]);
        const settings = (await inspect(database)).settings ?? [];
        expect(settings.filter((row) => row.changed).map((row) => row.key)).toEqual(['lineage.gravitino.address']);

        const [app] = await appsOf(test.url);
        const result = await change({ kind: 'keys', keys: [keyOf(app as ListedApp)] }, true);
        expect(result).toEqual({ changed: 1, unchanged: 0, unknown: [] });
        expect((await appsOf(test.url)).filter((a) => a.optIn).map(keyOf)).toEqual([keyOf(app as ListedApp)]);
        await apply(database, planDown, patience);
      });

      it('survives many runs at the same time', async () => {
        const others = await Promise.all([1, 2, 3, 4].map(async () => open(test.url)));
        await Promise.all(others.map((other) => apply(other, planUp, { ...patience, attempts: 10 })));
        expect(await settingsOf(test.url)).toEqual(freshRows);
        await Promise.all(others.map((other) => apply(other, planDown, { ...patience, attempts: 10 })));
        expect(planDown(await inspect(database))).toEqual([]);
        await Promise.all(others.map((other) => other.close()));
      });

      it('gives up quickly on a locked table, says so, and continues later', async () => {
        const letGo = await holding(
          test.url,
          family === 'mysql' ? 'select count(*) from t_flink_app' : 'lock table t_flink_app in access share mode',
        );
        const waits: string[] = [];
        const began = Date.now();
        const attempt = apply(database, planUp, { ...patience, onLocked: (s: Statement) => void waits.push(s.purpose) });
        await expect(attempt).rejects.toMatchObject({ code: 'SOURCE_QUERY', cure: expect.stringContaining('Run the same command again') });
        expect(waits).toEqual(['t_flink_app: add lineage_enable']);
        expect(Date.now() - began).toBeLessThan(60_000);
        // the console was never held up for good: its own statement goes through right after
        await letGo();
        await runScript(test.url, 'update t_flink_app set description = description');
        await apply(database, planUp, patience);
        expect(planUp(await inspect(database))).toEqual([]);
      });

      it('does not wait for rows that another session holds', async () => {
        const letGo = await holding(test.url, 'update t_flink_app set description = description');
        await expect(change({ kind: 'all' }, true)).rejects.toMatchObject({
          code: 'SOURCE_QUERY',
          message: expect.stringContaining('locked'),
        });
        await letGo();
      });

      it('opts in by key, by team and everywhere, writing only what differs', async () => {
        const all = await appsOf(test.url);
        expect(all.every((app) => app.optIn === false)).toBe(true);
        const flink = all.filter((app) => app.engine === 'flink');
        const first = flink[0];
        const keys = [keyOf(first as ListedApp), keyOf(first as ListedApp), appKey('flink', '999999999999999999'), appKey('spark', '1')];
        expect(await change({ kind: 'keys', keys }, true)).toEqual({
          changed: 1,
          unchanged: 0,
          unknown: ['flink:999999999999999999', 'spark:1'],
        });
        const times = await rowsOf(test.url, 'select id, modify_time from t_flink_app order by id');
        expect(await change({ kind: 'keys', keys: [keyOf(first as ListedApp)] }, true)).toMatchObject({
          changed: 0,
          unchanged: 1,
        });
        expect(await rowsOf(test.url, 'select id, modify_time from t_flink_app order by id')).toEqual(times);

        const team = all.filter((app) => app.teamName === 'analytics');
        expect(team.length).toBeGreaterThan(2);
        const byName = await change({ kind: 'team', team: 'analytics' }, true);
        expect(byName.changed + byName.unchanged).toBe(team.length);
        const byId = await change({ kind: 'team', team: team[0]?.teamId as string }, false);
        expect(byId.changed).toBe(team.length);
        await expect(change({ kind: 'team', team: 'nobody' }, true)).rejects.toMatchObject({ message: /nobody/ });

        expect((await change({ kind: 'all' }, true)).changed).toBeGreaterThanOrEqual(team.length);
        expect((await appsOf(test.url)).every((app) => app.optIn)).toBe(true);
        const off = await change({ kind: 'all' }, false);
        expect(off).toEqual({ changed: all.length, unchanged: 0, unknown: [] });
      });
    });
  }

  recorded(`the opt-in on ${family} as the recorded consoles left it`, () => {
    it.each(['2.1.7', '2.2.0-dev'] as Release[])('is complete in %s and lists who is opted in', async (release) => {
      const test = (await recordedStreampark(family, release)) as TestDatabase;
      const database = open(test.url);
      try {
        const footprint = await inspect(database);
        expect(planUp(footprint)).toEqual([]);
        const on = (await appsOf(test.url)).filter((app) => app.optIn);
        expect(on.map((app) => app.name).sort()).toEqual(['bounded_batch', 'orders_enrich']);
        expect(await optedIn(database, footprint)).toEqual(on.map(keyOf));
      } finally {
        await database.close();
        await test.drop();
      }
    });
  });

  suite(`the opt-in on a ${family} database that is not StreamPark's`, () => {
    it('says so', async () => {
      const test = await createTestDatabase(family);
      const database = open(test.url);
      await expect(apply(database, planUp, patience)).rejects.toMatchObject({ code: 'SOURCE_SCHEMA' });
      await database.close();
      const gone = open(test.url.replace(test.name, `${test.name}_gone`));
      await expect(apply(gone, planUp, patience)).rejects.toMatchObject({ code: 'SOURCE_SCHEMA' });
      await gone.close();
      const dead = open(test.url.replace(/:\d+\//, ':9/'));
      await expect(apply(dead, planUp, patience)).rejects.toMatchObject({ code: 'SOURCE_UNREACHABLE' });
      await dead.close();
      await test.drop();
    });

    it('refuses a column of its name that cannot serve', async () => {
      const test = await createTestDatabase(family);
      await runScript(
        test.url,
        `create table t_team (id bigint, team_name varchar(64));
         create table t_flink_app (id bigint primary key, team_id bigint, job_name varchar(255), state int,
           create_time timestamp, start_time timestamp null, end_time timestamp null, option_time timestamp null, execution_mode int,
           job_id varchar(64), lineage_enable varchar(8));
         insert into t_flink_app (id) values (1)`,
      );
      const database = open(test.url);
      const footprint: Footprint = await inspect(database);
      expect(footprint.tables[0]?.optIn?.problem).toMatch(/holds no flag/);
      expect(footprint.settings).toBeUndefined();
      expect(await optedIn(database, footprint)).toEqual([]);
      expect(planUp(footprint)).toEqual([]);
      const all = withSource(test.url, (source) => setOptIn(source, { kind: 'all' }, true, patience));
      await expect(all).rejects.toMatchObject({ code: 'OPT_IN_COLUMN_MISSING' });
      await database.close();
      await test.drop();
    });
  });
}

/** Columns and keys of the tables that the migration touches. */
async function schemaOf(url: string, family: TestFamily): Promise<unknown> {
  const where = family === 'mysql' ? 'database()' : 'current_schema()';
  return rowsOf(
    url,
    `select table_name as t, column_name as c, data_type as d, column_default as e, is_nullable as n from information_schema.columns
      where table_schema = ${where} and table_name in ('t_flink_app', 't_spark_app', 't_setting') order by 1, 2`,
  );
}

/** Leaves a transaction open after `statement`, with the locks it took; the returned function ends it. */
async function holding(url: string, statement: string): Promise<() => Promise<void>> {
  const holder = open(url);
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let begun: () => void = () => undefined;
  const isHeld = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const done = holder.db.transaction().execute(async (tx) => {
    await sql.raw(statement).execute(tx);
    begun();
    await ended;
  });
  await isHeld;
  return async () => {
    end();
    await done;
    await holder.close();
  };
}
