// `migrate` and `apps` on real databases, through the functions that the command line calls.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ChangeFlags, changeOptIn } from '../../src/cli/apps/change.ts';
import { listApps } from '../../src/cli/apps/list.ts';
import { resultsOf } from '../../src/cli/apps/results.ts';
import { connectSource, fingerprintOf, stateOptionsOf } from '../../src/cli/connect.ts';
import { explainCommand } from '../../src/cli/explain.ts';
import { adoptState, migrateState } from '../../src/cli/migrate/state.ts';
import { migrateStreampark } from '../../src/cli/migrate/streampark.ts';
import { outboxCommand } from '../../src/cli/outbox.ts';
import type { Database } from '../../src/database/database.ts';
import { readSettings, type Settings } from '../../src/settings/settings.ts';
import { acquireLease, ensureInstallation, insertRun, openState } from '../../src/state/state.ts';
import { type AppKey, openSource } from '../../src/watch/watch.ts';
import { appsOf, patience, pristineStreampark, rowsOf, runScript, withSource } from '../optin/load.ts';
import { onServer, requireServer, type TestDatabase, type TestFamily } from '../support/databases.ts';
import { sharedDir } from '../support/shared.ts';

const flags = { dryRun: false, views: false, grants: false, json: false };

/** What a command printed. */
function recorder() {
  const outLines: string[] = [];
  const errLines: string[] = [];
  const take = () => {
    const taken = { out: outLines.splice(0), err: errLines.splice(0) };
    return { ...taken, text: taken.out.join('\n'), json: () => JSON.parse(taken.out.join('')) as Record<string, unknown> };
  };
  return { out: (line: string) => void outLines.push(line), err: (line: string) => void errLines.push(line), take };
}

/** Declares the tests for one family. */
export async function migrateSuite(family: TestFamily): Promise<void> {
  const suite = await requireServer(family);
  if (sharedDir() === undefined) process.stderr.write('not tested: migrate and apps on recorded databases (shared fixtures are missing)\n');
  const recorded = sharedDir() === undefined ? describe.skip : suite;

  recorded(`migrate and apps on ${family}`, () => {
    let test: TestDatabase;
    let settings: Settings;
    let database: Database<unknown>;
    const said = recorder();
    const context = () => ({ database, schema: 'public', stateSchema: settings.state.schema, ...said, apply: patience });
    const fingerprint = () => withSource(test.url, async (source) => fingerprintOf(await source.fingerprint()));
    const change = (value: boolean, which: Partial<ChangeFlags>) =>
      withSource(test.url, (source) =>
        changeOptIn(
          value,
          { keys: [], team: undefined, all: false, json: false, ...which },
          { source, optIn: 'column', apply: patience, ...said },
        ),
      );
    const stateContext = () => ({
      options: stateOptionsOf(settings),
      fingerprint: fingerprint,
      now: () => Date.UTC(2026, 0, 1),
      ...said,
    });

    beforeAll(async () => {
      test = (await pristineStreampark(family, '2.2.0-dev')) as TestDatabase;
      settings = readSettings(undefined, { STREAMPARK_LINEAGE_SOURCE_URL: test.url, STREAMPARK_LINEAGE_STATE_SCHEMA: `${test.name}_own` });
      database = connectSource(settings, 60_000);
    });
    afterAll(async () => {
      await database.close();
      await test.drop();
      if (family === 'mysql') await onServer(family, `drop database if exists ${test.name}_own`);
    });

    it('shows what is missing, and the SQL of a dry run is what makes it complete', async () => {
      expect(await migrateStreampark('status', { ...flags, json: true }, context())).toBe(0);
      const before = said.take().json();
      expect(before).toMatchObject({ target: 'streampark', complete: false, tables: [{ column: 'missing' }, { column: 'missing' }] });
      expect(before['pending']).toHaveLength(6);
      expect(await migrateStreampark('up', { ...flags, dryRun: true }, context())).toBe(0);
      const { text } = said.take();
      expect((await rowsOf(test.url, "select count(*) as n from t_setting where setting_key like 'lineage.%'"))[0]).toMatchObject({
        n: expect.toSatisfy((n) => Number(n) === 0),
      });
      await runScript(test.url, text);
      await migrateStreampark('status', flags, context());
      const { out } = said.take();
      expect(out.at(-1)).toBe('complete');
      expect(out.find((line) => line.includes('t_flink_app.lineage_enable'))).toMatch(
        /present {2}(tinyint|boolean), 0 applications opted in/,
      );
    });

    it('goes down with a warning of what goes along, and up again', async () => {
      await change(true, { team: 'analytics' });
      await runScript(test.url, "update t_setting set setting_value = 'tok-secret' where setting_key = 'lineage.gravitino.token'");
      said.take();
      await migrateStreampark('down', { ...flags, dryRun: true }, context());
      expect(said.take().out.filter((line) => line.startsWith('alter table'))).toHaveLength(2);
      expect(await migrateStreampark('down', flags, context())).toBe(0);
      const down = said.take();
      expect(down.err.join('\n')).toMatch(/\d+ applications opted in by the column will not be reported any more: flink:\d+/);
      expect(down.err.join('\n')).toContain('lineage.gravitino.token');
      expect(`${down.text}${down.err.join('')}`).not.toContain('tok-secret');
      await migrateStreampark('down', flags, context());
      expect(said.take().out).toEqual(['nothing to do']);
      expect(await migrateStreampark('up', { ...flags, json: true }, context())).toBe(0);
      expect(said.take().json()).toMatchObject({
        action: 'up',
        dryRun: false,
        statements: expect.arrayContaining([{ purpose: 't_setting: add lineage.gravitino.address', sql: expect.any(String) }]),
      });
    });

    it('prints grants and views on demand', async () => {
      await migrateStreampark('status', { ...flags, grants: true }, context());
      const { out, text } = said.take();
      expect(text).toMatch(/GRANT SELECT \(.*lineage_enable.*t_flink_app/);
      expect(out[0]).toMatch(/^-- StreamPark database /);
      await migrateState('status', { ...flags, grants: true }, stateContext());
      for (const line of [...text.split('\n'), ...said.take().out]) expect(line).toMatch(/^(--|$|(GRANT|CREATE) .*;$)/);
      await migrateStreampark('up', { ...flags, views: true }, context());
      expect(said.take().text).toMatch(/CREATE OR REPLACE VIEW .*lineage_setting/);
      await migrateStreampark('status', { ...flags, grants: true, json: true }, context());
      expect(said.take().json()).toMatchObject({
        grants: expect.arrayContaining([expect.objectContaining({ when: 'before migrate up' })]),
      });
    });

    it('lists applications with the rule that holds', async () => {
      const list = async (optIn: Settings['optIn'], more: object = {}) => {
        const source = openSource({ source: { url: test.url, schema: 'public' }, optIn });
        await listApps({ team: undefined, all: true, json: true, ...more }, { source, optIn, results: async () => new Map(), ...said });
        await source.close();
      };
      await list('column');
      const all = JSON.parse(said.take().text) as {
        app: AppKey;
        name: string;
        team: string;
        state: string;
        optIn: boolean;
        rule: string;
      }[];
      expect(all.filter((app) => app.optIn)).toEqual([]);
      expect(all.find((app) => app.name === 'orders_enrich')).toMatchObject({ team: 'analytics', state: 'RUNNING', rule: 'column' });
      expect(all.some((app) => app.app.startsWith('spark:') && app.state === 'ADDED')).toBe(true);

      const one = all.find((app) => app.name === 'orders_enrich')?.app as AppKey;
      await change(true, { keys: [one, 'flink:7' as AppKey], json: true });
      expect(said.take().json()).toEqual({ enabled: true, changed: 1, unchanged: 0, unknown: ['flink:7'] });
      await list('column', { all: false });
      expect((JSON.parse(said.take().text) as { app: string }[]).map((app) => app.app)).toEqual([one]);

      const rule = { teams: ['analytics'], apps: [], except: [one] };
      await list(rule);
      const ruled = JSON.parse(said.take().text) as typeof all;
      expect(ruled.find((app) => app.app === one)).toMatchObject({ optIn: false, rule: 'optIn.except' });
      expect(ruled.filter((app) => app.optIn).every((app) => app.rule === 'optIn.teams' && app.team === 'analytics')).toBe(true);
      await list({ ...rule, except: [], teams: [], apps: [one] }, { json: false });
      const lines = said.take();
      expect(lines.out[0]).toMatch(/^APP +NAME +TEAM +STATE +OPT-IN +RULE +LAST RESULT +LAST DELIVERED +LAST ERROR$/);
      expect(lines.out.find((line) => line.startsWith(`${one} `))).toMatch(/ yes +optIn\.apps +- +- +-$/);
      expect(lines.out.find((line) => line.includes('tab\\tname'))).toBeDefined();
      await expect(change(true, {})).rejects.toMatchObject({ code: 'USAGE' });
    });

    it('explains every application that is named, also behind one that is not there', async () => {
      const spark = `spark:${(await appsOf(test.url)).find((app) => app.engine === 'spark')?.id}`;
      const lines: string[] = [];
      const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
      const options = { app: ['flink:7', spark], batch: false, json: false, columns: false };
      const code = await explainCommand(settings, [], options).finally(() => write.mockRestore());
      expect(code).toBe(1);
      expect(lines).toHaveLength(2);
      expect(lines[0]).toContain('APPLICATION_UNKNOWN: flink:7 does not exist');
      expect(lines[1]).toContain(`${spark}  (`);
    });

    it('makes, describes and removes the own tables', async () => {
      await migrateState('status', { ...flags, json: true }, stateContext());
      expect(said.take().json()).toMatchObject({ target: 'state', exists: false, version: 0, problem: null });
      expect(await adoptState(false, stateContext())).toBe(1);
      said.take();
      await migrateState('status', flags, stateContext());
      expect(said.take().out).toEqual([expect.stringMatching(/ is not visible to this user, or not there yet$/), 'pending: 000001_tables']);
      await migrateState('up', { ...flags, dryRun: true }, stateContext());
      expect(said.take().text).toMatch(/create (database|schema)/i);
      await migrateState('up', flags, stateContext());
      expect(said.take().text).toContain('applied 000001_tables');
      const again = { state: 'dead', dead: false, limit: '50', json: true };
      expect(await outboxCommand(settings, 'replay', { ...again, run: 'nope' })).toBe(1);
      expect(await outboxCommand(settings, 'replay', { ...again, event: 'nope' })).toBe(1);
      expect(await outboxCommand(settings, 'replay', { ...again, dead: true })).toBe(0);
      await migrateState('status', flags, stateContext());
      expect(said.take().out.at(-1)).toBe('complete');
    });

    it('adopts, refuses while a daemon works, and shows the last results', async () => {
      const state = await openState(stateOptionsOf(settings));
      const source = await fingerprint();
      await state.transaction((tx) =>
        ensureInstallation(tx, { ...source, server: 'elsewhere:1' }, { uuid: () => 'id', hex: () => '00' }, 1),
      );
      await adoptState(true, stateContext());
      expect(said.take().json()).toMatchObject({ adopted: true, before: { server: 'elsewhere:1' }, source });

      const run = {
        engine: 'flink' as const,
        appId: '100001',
        createTime: '2026-01-01 00:00:00',
        continuation: 0,
        jobId: null,
        yarnId: null,
        logId: null,
        optionTime: null,
        sqlId: null,
        phase: 'closed' as const,
        startedAt: Date.UTC(2026, 0, 1),
        endedAt: Date.UTC(2026, 0, 2),
      };
      const desired = (how: string | null) => JSON.stringify({ facts: { notes: ['SQL_GONE'] }, end: how === null ? null : { how } });
      await state.transaction(async (tx) => {
        await insertRun(tx, { ...run, attempt: 1, identityText: 'a', runId: 'a', desiredJson: desired('fail') }, 1);
        await insertRun(tx, { ...run, attempt: 2, identityText: 'b', runId: 'b', desiredJson: desired('complete') }, 2);
        // reported by a backfill afterwards
        const earlier = { startedAt: run.startedAt - 1, endedAt: run.startedAt };
        await insertRun(tx, { ...run, ...earlier, attempt: 0, identityText: 'z', runId: 'z', desiredJson: desired('abort') }, 9);
        await insertRun(tx, { ...run, appId: '7', attempt: 1, identityText: 'c', runId: 'c', desiredJson: 'no json' }, 2);
        await tx.updateTable('run').set({ emitted: 'terminal' }).where('app_id', '=', '100001').execute();
        await acquireLease(tx, 'daemon', 'host:1', 60_000);
      });
      const results = await resultsOf(state.database.db, 60_001);
      expect(Object.fromEntries([...results].map(([key, { lastResult }]) => [key, lastResult]))).toEqual({
        'flink:7': 'waits for the planner 2026-01-02T00:00:00Z (attempt 1)',
        'flink:100001': 'COMPLETE 2026-01-02T00:00:00Z (attempt 2) SQL_GONE',
      });
      await expect(adoptState(false, stateContext())).rejects.toMatchObject({ code: 'STATE_LEASE_HELD' });
      await expect(migrateState('down', flags, stateContext())).rejects.toMatchObject({ code: 'STATE_LEASE_HELD' });
      await migrateState('status', flags, stateContext());
      expect(said.take().text).toContain('host:1 works with them');
      await state.transaction((tx) => tx.deleteFrom('lease').execute());
      await state.close();

      await migrateState('down', { ...flags, dryRun: true }, stateContext());
      const { text } = said.take();
      if (family === 'postgres') await runScript(test.url, text);
      else await runScript(`${test.url}_own`, text);
      await migrateState('status', { ...flags, json: true }, stateContext());
      expect(said.take().json()).toMatchObject({ exists: false });
      await migrateState('down', flags, stateContext());
      expect(said.take().out).toEqual(['nothing to do']);
      await migrateState('up', flags, stateContext());
      await migrateState('down', flags, stateContext());
      expect(said.take().out.at(-1)).toContain('dropped');
    });
  });
}
