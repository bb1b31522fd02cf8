// docs/grants.md, carried out: two users with exactly the rights of the page can do their work and nothing else.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import {
  apply,
  grantScript,
  grantSections,
  inspect,
  migrateUser,
  planDown,
  planUp,
  readColumns,
  readGrantFacts,
  runUser,
  setOptIn,
} from '../../src/optin/optin.ts';
import { openState, removeState } from '../../src/state/state.ts';
import { onServer, requireServer, type TestDatabase, type TestFamily } from '../support/databases.ts';
import { repositoryRoot, sharedDir } from '../support/shared.ts';
import { appsOf, asUser, open, patience, pristineStreampark, type Release, rowsOf, runScript, withSource } from './load.ts';

/** The SQL of the page below the heading of a database and release, comments kept. */
function documented(family: TestFamily, release: Release): string {
  const page = readFileSync(join(repositoryRoot, 'docs/grants.md'), 'utf8');
  const title = `${family === 'mysql' ? 'MySQL, MariaDB' : 'PostgreSQL'}: StreamPark ${release === '2.1.7' ? '2.1.4' : 'dev'}`;
  const at = page.indexOf(`## ${title}`);
  const block = /```sql\n([\s\S]*?)```/.exec(page.slice(at))?.[1];
  if (at < 0 || block === undefined) throw new Error(`docs/grants.md has no SQL below "${title}"`);
  return block;
}

/** Declares the tests for one family. */
export async function grantSuite(family: TestFamily): Promise<void> {
  const suite = await requireServer(family);
  if (sharedDir() === undefined) process.stderr.write('not tested: the documented grants (shared fixtures are missing)\n');
  const recorded = sharedDir() === undefined ? describe.skip : suite;

  for (const release of ['2.1.7', '2.2.0-dev'] as const) {
    recorded(`the documented grants on ${family}, StreamPark ${release}`, () => {
      const mark = randomBytes(4).toString('hex');
      const [run, migrate, viewer, owner, state] = ['run', 'mig', 'view', 'own', 'state'].map((part) => `spl_${mark}_${part}`) as [
        string,
        string,
        string,
        string,
        string,
      ];
      let test: TestDatabase;
      let admin: Database<unknown>;
      let asRun: Database<unknown>;
      let asMigrate: Database<unknown>;
      let steps: { before: string; after: string; whole: string };

      beforeAll(async () => {
        test = (await pristineStreampark(family, release)) as TestDatabase;
        const sql = documented(family, release)
          .replaceAll(runUser, run)
          .replaceAll(migrateUser, migrate)
          .replaceAll("'…'", "'pw'")
          .replaceAll('`streampark`.', `\`${test.name}\`.`)
          .replaceAll('"streampark"', `"${owner}"`)
          .replaceAll('streampark_lineage', state)
          .replaceAll('streampark\\_lineage', state.replaceAll('_', '\\_'));
        const sections = sql.split(/\n\n/);
        const of = (when: string) => sections.filter((s) => s.startsWith(`-- ${when}`)).join('\n');
        steps = { before: of('before migrate up'), after: of('after migrate up'), whole: sql.trim() };
        if (family === 'postgres') {
          // as in a real installation the tables belong to the console's role; the hand-made Spark tables are not in the page
          await runScript(
            test.url,
            `create role "${owner}"; grant all on schema public to "${owner}";
             do $$ declare t text; begin for t in select tablename from pg_tables where schemaname = 'public' loop
               execute format('alter table %I owner to "${owner}"', t); end loop; end $$;
             drop table if exists t_spark_app, t_spark_app_backup, t_spark_sql, t_spark_effective, t_spark_config, t_spark_env`,
          );
        }
        admin = open(test.url);
        asRun = open(asUser(test.url, run, 'pw'));
        asMigrate = open(asUser(test.url, migrate, 'pw'));
      });
      afterAll(async () => {
        await admin?.close();
        await asRun?.close();
        await asMigrate?.close();
        await test?.drop();
        if (family === 'mysql') {
          await onServer(family, `drop database if exists ${state}`);
          for (const user of [run, migrate, viewer]) await onServer(family, `drop user if exists '${user}'@'%'`);
        } else {
          for (const user of [run, migrate, viewer, owner]) await onServer(family, `drop role if exists "${user}"`);
        }
      });

      it('let migrate make the column and the rows', async () => {
        await runScript(test.url, steps.before);
        await apply(asMigrate, planUp, patience);
        await runScript(test.url, steps.after);
        expect(planUp(await inspect(admin))).toEqual([]);
      });

      it('are those that are printed for such a database', async () => {
        const printed = grantScript(grantSections(await readGrantFacts(admin, state, false)));
        expect(printed.replaceAll(runUser, run).replaceAll(migrateUser, migrate).replaceAll("'…'", "'pw'")).toBe(steps.whole);
      });

      it('let run read every column it needs, and keep its own tables', async () => {
        const features = await withSource(asUser(test.url, run, 'pw'), (source) => source.features());
        expect(features.problems).toEqual([]);
        expect(features.spark === null).toBe(release === '2.1.7' || family === 'postgres');
        const { columns } = await readGrantFacts(admin, state, false);
        for (const [table, wanted] of Object.entries(readColumns)) {
          const there = wanted.filter((column) => columns.get(table)?.includes(column));
          if (there.length === 0) continue;
          const quoted = there.map((c) => (family === 'mysql' ? `\`${c}\`` : `"${c}"`));
          await rowsOf(asUser(test.url, run, 'pw'), `select ${quoted.join(', ')} from ${table}`);
        }
        const own = await openState({ url: asUser(test.url, run, 'pw'), schema: state });
        await removeState(own);
        await own.close();
      });

      it('refuse run everything else', async () => {
        const url = asUser(test.url, run, 'pw');
        for (const statement of [
          'select * from t_flink_app',
          'select password from t_user',
          'select description from t_setting',
          'select * from t_member',
          'update t_flink_app set lineage_enable = null',
          "update t_setting set setting_value = 'x'",
          'delete from t_setting',
          'alter table t_flink_app add column x int',
          'create table x (id int)',
        ]) {
          await expect(rowsOf(url, statement), statement).rejects.toThrow(/denied|permission|owner/i);
        }
        await expect(apply(asRun, planDown, patience)).rejects.toMatchObject({
          code: 'SOURCE_PRIVILEGE',
          cure: expect.stringMatching(new RegExp(`^GRANT SELECT, INSERT, DELETE ON .*t_setting.* TO .*${run}`)),
        });
      });

      it('let migrate change the opt-in and nothing of the applications', async () => {
        const result = await withSource(asUser(test.url, migrate, 'pw'), (source) => setOptIn(source, { kind: 'all' }, true, patience));
        expect(result.changed).toBeGreaterThan(1);
        const seen = await appsOf(asUser(test.url, run, 'pw'));
        expect(seen.every((app) => app.optIn)).toBe(true);
        if (family === 'mysql') {
          const url = asUser(test.url, migrate, 'pw');
          for (const statement of [
            'update t_flink_app set job_name = 1',
            'delete from t_flink_app',
            'drop table t_setting',
            'select * from t_user',
          ]) {
            await expect(rowsOf(url, statement), statement).rejects.toThrow(/denied/i);
          }
        }
      });

      it('name the grant that lifts a refusal, and it does', async () => {
        const revoke = family === 'mysql' ? `revoke alter on t_flink_app from '${migrate}'@'%'` : `revoke "${owner}" from "${migrate}"`;
        const reads = family === 'mysql' ? 'select 1' : `grant select, insert, delete on t_setting to "${migrate}"`;
        await runScript(test.url, `${revoke}; ${reads}`);
        const refused = await apply(asMigrate, planDown, patience).catch((error: { cure: string; code: string }) => error);
        expect(refused).toMatchObject({ code: 'SOURCE_PRIVILEGE' });
        await runScript(test.url, (refused as { cure: string }).cure);
        await apply(asMigrate, planDown, patience);
        await apply(asMigrate, planUp, patience);
        expect(planUp(await inspect(admin))).toEqual([]);
      });

      it('with views hide all other settings', async () => {
        const sections = grantSections(await readGrantFacts(admin, state, true)).filter((s) => s.when === 'after migrate up');
        const user = family === 'mysql' ? `create user '${viewer}'@'%' identified by 'pw'` : `create role "${viewer}" login password 'pw'`;
        const text = sections.filter((s) => !s.title.startsWith(migrateUser)).flatMap((s) => s.statements);
        await runScript(test.url, [user, ...text].join(';\n').replaceAll(runUser, viewer));
        await runScript(test.url, "update t_setting set setting_value = 'http://g:8090' where setting_key = 'lineage.gravitino.address'");
        const features = await withSource(asUser(test.url, viewer, 'pw'), (source) => source.features());
        expect([features.settings, features.variables]).toEqual(['lineage_setting', 'lineage_variable']);
        const rows = await rowsOf(asUser(test.url, viewer, 'pw'), 'select setting_key from lineage_setting');
        expect(rows).toHaveLength(4);
        await expect(rowsOf(asUser(test.url, viewer, 'pw'), 'select setting_value from t_setting')).rejects.toThrow(/denied/i);
        const variables = (url: string, table: string) => rowsOf(url, `select count(*) as n from ${table}`);
        expect(await variables(asUser(test.url, viewer, 'pw'), 'lineage_variable')).toEqual(await variables(test.url, 't_variable'));
      });
    });
  }
}
