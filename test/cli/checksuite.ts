// `check` on real databases: a healthy one, and each thing that can be wrong, one at a time.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CheckInput } from '../../src/cli/check/context.ts';
import type { CheckResult } from '../../src/cli/check/result.ts';
import { report, runChecks } from '../../src/cli/check.ts';
import { fingerprintOf, stateOptionsOf } from '../../src/cli/connect.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { acquireLease, ensureInstallation, openState } from '../../src/state/state.ts';
import { createTransport } from '../../src/transports/transports.ts';
import { openSource } from '../../src/watch/watch.ts';
import { asUser, recordedStreampark, runScript, withSource } from '../optin/load.ts';
import { createTestDatabase, onServer, requireServer, type TestDatabase, type TestFamily } from '../support/databases.ts';
import { sharedDir } from '../support/shared.ts';

const noPlanner: CheckInput['planner'] = {
  lib: '/nowhere',
  javaVersion: () => Promise.reject(new Error('java is not there')),
  start: () => Promise.reject(new Error('not reached')),
  versions: [],
};

/** Runs `check` with these environment variables, as the command does. */
async function check(env: Record<string, string>): Promise<CheckResult[]> {
  const settings = readSettings(undefined, env);
  const source = settings.source.url === undefined ? undefined : openSource(settings);
  try {
    return await runChecks({
      settings,
      source,
      stateOptions: source === undefined ? undefined : stateOptionsOf(settings),
      openTransport: (destination) => createTransport(destination, { version: 'test', output: process.stdout }),
      planner: noPlanner,
      now: Date.now,
      probeTimeoutMs: 2_000,
    });
  } finally {
    await source?.close();
  }
}

const find = (results: readonly CheckResult[], what: string): CheckResult => {
  const found = results.find((result) => result.what === what);
  if (found === undefined) throw new Error(`no finding ${what} in ${JSON.stringify(results, null, 1)}`);
  return found;
};

/** Declares the tests for one family. */
export async function checkSuite(family: TestFamily): Promise<void> {
  const suite = await requireServer(family);
  if (sharedDir() === undefined) process.stderr.write('not tested: check on recorded databases (shared fixtures are missing)\n');
  const recorded = sharedDir() === undefined ? describe.skip : suite;

  recorded(`check on ${family}`, () => {
    let test: TestDatabase;
    let receiver: Server;
    let env: Record<string, string>;

    beforeAll(async () => {
      test = (await recordedStreampark(family, '2.2.0-dev')) as TestDatabase;
      receiver = createServer((_, response) => response.writeHead(200).end('{}')).listen(0, '127.0.0.1');
      await new Promise((resolve) => receiver.once('listening', resolve));
      env = {
        STREAMPARK_LINEAGE_SOURCE_URL: test.url,
        STREAMPARK_LINEAGE_STATE_SCHEMA: `${test.name}_own`,
        STREAMPARK_LINEAGE_GRAVITINO_ADDRESS: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`,
      };
    });
    afterAll(async () => {
      receiver.close();
      await test.drop();
      if (family === 'mysql') await onServer(family, `drop database if exists ${test.name}_own`);
    });

    it('finds what is there, and warns of what a recorded console would report too', async () => {
      const results = await check(env);
      expect(find(results, 'source: connection')).toMatchObject({ level: 'ok', detail: expect.stringContaining(test.name) });
      expect(find(results, 'source: server').detail).toMatch(family === 'mysql' ? /^(MariaDB|MySQL) \d/ : /^PostgreSQL \d/);
      expect(find(results, 'source: schema').detail).toMatch(/2\.2 or 3\.0 \(development\); t_app_log; Spark tables/);
      expect(find(results, 'source: privileges').level).toBe('ok');
      expect(find(results, 'source: poll').detail).toMatch(/^2 applications read/);
      expect(find(results, 'source: t_setting').detail).toContain('lineage.gravitino.token');
      expect(find(results, 'opt-in: t_flink_app').level).toBe('ok');
      expect(find(results, 'opt-in: applications')).toMatchObject({ level: 'ok', detail: expect.stringMatching(/^2 of \d+/) });
      expect(find(results, 'opt-in: one reporter')).toMatchObject({
        level: 'warn',
        detail: expect.stringContaining('listener.enable is true'),
      });
      expect(find(results, 'state: tables')).toMatchObject({
        level: 'warn',
        detail: expect.stringContaining('is not visible to this user, or not there yet'),
      });
      expect(find(results, 'destination: gravitino').level).toBe('ok');
      expect(find(results, 'planner: java')).toMatchObject({ level: 'fail', code: 'PLANNER_UNAVAILABLE' });
      expect(find(results, 'planner: jars').level).toBe('fail');
      expect(results.filter((result) => result.level !== 'ok' && (result.cure ?? '') === '')).toEqual([]);
      expect(JSON.stringify(results)).not.toContain('tok-123');
    });

    it('prints lines and JSON, and fails when something failed', async () => {
      const results = await check(env);
      const lines: string[] = [];
      expect(report(results, false, (line) => void lines.push(line))).toBe(1);
      expect(lines).toHaveLength(results.length + 1);
      for (const line of lines.slice(0, -1)) expect(line).toMatch(/^(ok|warn|fail) +\S/);
      expect(lines.find((line) => line.startsWith('fail'))).toMatch(/ {2}-> /);
      lines.length = 0;
      expect(
        report(
          results.filter((result) => result.level !== 'fail'),
          true,
          (line) => void lines.push(line),
        ),
      ).toBe(0);
      expect(JSON.parse(lines.join(''))).toMatchObject({ ok: true, results: expect.any(Array) });
    });

    it('judges the own tables: owner, lease', async () => {
      const settings = readSettings(undefined, env);
      const state = await openState(stateOptionsOf(settings));
      const own = await withSource(test.url, async (source) => fingerprintOf(await source.fingerprint()));
      const random = { uuid: () => 'id', hex: () => '00' };
      await state.transaction((tx) => ensureInstallation(tx, own, random, 1));
      const before = await check(env);
      expect(find(before, 'state: tables').level).toBe('ok');
      expect(find(before, 'state: owner').level).toBe('ok');
      expect(find(before, 'state: daemon')).toMatchObject({ level: 'warn', detail: 'no daemon is running' });
      await state.transaction((tx) => acquireLease(tx, 'daemon', 'host:7', 60_000));
      await state.transaction((tx) => tx.updateTable('installation').set({ source_server: 'elsewhere' }).execute());
      const after = await check(env);
      expect(find(after, 'state: owner')).toMatchObject({ level: 'fail', code: 'STATE_FOREIGN', cure: expect.stringContaining('adopt') });
      expect(find(after, 'state: daemon')).toMatchObject({ level: 'ok', detail: expect.stringContaining('host:7') });
      await state.transaction((tx) =>
        tx
          .insertInto('migration')
          .values({ number: 999, name: 'x', checksum: 'x', breaking: 1, steps: 1, started_at: 1, applied_at: 1 })
          .execute(),
      );
      expect(find(await check(env), 'state: tables')).toMatchObject({ level: 'fail', code: 'STATE_NEWER' });
      await state.close();
    });

    it('names mistyped lists, and applications that share a name', async () => {
      const results = await check({
        ...env,
        STREAMPARK_LINEAGE_OPT_IN: '{"teams":["analytics","nobody"],"apps":["flink:7"],"except":[]}',
        STREAMPARK_LINEAGE_EVENTS_JOB_NAME: '{team}{app}',
      });
      expect(find(results, 'opt-in: lists')).toMatchObject({ level: 'warn', detail: 'not in this database: team nobody, flink:7' });
      await runScript(test.url, "update t_flink_app set job_name = 'twin' where job_name in ('failing_job', 'missing_sink')");
      const twins = await check({ ...env, STREAMPARK_LINEAGE_OPT_IN: '{"teams":["analytics"]}' });
      expect(find(twins, 'opt-in: job names')).toMatchObject({
        level: 'warn',
        code: 'JOB_NAME_DUPLICATE',
        detail: expect.stringMatching(/^twin \(flink:\d+, flink:\d+\)$/),
      });
    });

    it('compares the zone with the newest write of the console', async () => {
      expect(find(await check({ ...env, STREAMPARK_LINEAGE_SOURCE_TIMEZONE: 'Mars/Olympus' }), 'source: time zone')).toMatchObject({
        level: 'fail',
        code: 'CONFIG_INVALID',
      });
      const now = family === 'mysql' ? 'utc_timestamp()' : "now() at time zone 'UTC'";
      await runScript(test.url, `update t_flink_app set option_time = ${now}`);
      expect(find(await check({ ...env, STREAMPARK_LINEAGE_SOURCE_TIMEZONE: 'UTC' }), 'source: time zone').level).toBe('ok');
      expect(find(await check({ ...env, STREAMPARK_LINEAGE_SOURCE_TIMEZONE: '-05:00' }), 'source: time zone')).toMatchObject({
        level: 'fail',
        code: 'SOURCE_TIMEZONE',
        detail: expect.stringContaining('lies 5 h in the future'),
      });
      await runScript(test.url, 'update t_flink_app set option_time = null');
    });

    it('warns of a missing column and fails on one that cannot serve', async () => {
      await runScript(test.url, 'alter table t_flink_app drop column lineage_enable');
      const missing = await check(env);
      expect(find(missing, 'opt-in: t_flink_app')).toMatchObject({
        level: 'warn',
        code: 'OPT_IN_COLUMN_MISSING',
        cure: expect.stringContaining('migrate up'),
      });
      await runScript(test.url, 'alter table t_flink_app add column lineage_enable date');
      expect((await check(env)).filter((result) => result.level === 'fail').map((result) => result.what)).toContain('opt-in: t_flink_app');
      await runScript(test.url, 'alter table t_flink_app drop column lineage_enable');
    });

    it('never throws: no database, a wrong one, no login, a dead server, dead and hanging destinations', async () => {
      expect(find(await check({}), 'source: connection')).toMatchObject({ level: 'fail', code: 'CONFIG_INVALID' });
      const empty = await createTestDatabase(family);
      expect(find(await check({ ...env, STREAMPARK_LINEAGE_SOURCE_URL: empty.url }), 'source: schema')).toMatchObject({
        level: 'fail',
        code: 'SOURCE_SCHEMA',
      });
      await empty.drop();
      const nobody = await check({ ...env, STREAMPARK_LINEAGE_SOURCE_URL: asUser(test.url, 'spl_nobody', 's3cret') });
      expect(nobody.filter((result) => result.level === 'fail').length).toBeGreaterThan(1);
      expect(JSON.stringify(nobody)).not.toContain('s3cret');
      const dead = await check({ ...env, STREAMPARK_LINEAGE_SOURCE_URL: test.url.replace(/:\d+\//, ':9/') });
      expect(find(dead, 'source: connection')).toMatchObject({ level: 'fail', code: 'SOURCE_UNREACHABLE' });
      expect(find(dead, 'state: connection')).toMatchObject({ level: 'fail', code: 'STATE_UNREACHABLE' });

      const hanging = createServer(() => undefined).listen(0, '127.0.0.1');
      await new Promise((resolve) => hanging.once('listening', resolve));
      const destinations = [
        { name: 'dead', type: 'http', url: 'http://127.0.0.1:9' },
        { name: 'hangs', type: 'http', url: `http://127.0.0.1:${(hanging.address() as AddressInfo).port}` },
      ];
      const results = await check({ ...env, STREAMPARK_LINEAGE_DESTINATIONS: JSON.stringify(destinations) });
      expect(find(results, 'destination: dead').level).toBe('fail');
      expect(find(results, 'destination: hangs').level).toBe('fail');
      expect(find(results, 'destination: gravitino').level).toBe('ok');
      hanging.closeAllConnections();
      hanging.close();
      const none = await check({ STREAMPARK_LINEAGE_SOURCE_URL: test.url.replace(test.name, `${test.name}_gone`) });
      expect(find(none, 'destination: any')).toMatchObject({ level: 'warn', code: 'NOT_CONFIGURED' });
    });
  });
}
