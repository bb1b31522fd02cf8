// Creating and bringing up to date the own tables; run for each family by migrate.*.test.ts.
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { installedSqlFolder } from '../../src/state/migrations.ts';
import { inspectState, openState, removeState, type StateOptions } from '../../src/state/state.ts';
import { createTestDatabase, onServer, requireServer, type TestDatabase, type TestFamily } from '../support/databases.ts';

export async function migrateSuite(family: TestFamily): Promise<void> {
  const suite = await requireServer(family);
  suite(`own tables on ${family}`, () => {
    let database: TestDatabase;
    let options: StateOptions;
    let folder: string;
    let made: string;

    beforeEach(async () => {
      database = await createTestDatabase(family);
      folder = mkdtempSync(join(tmpdir(), 'spl-sql-'));
      cpSync(installedSqlFolder, folder, { recursive: true });
      made = `${database.name}_own`;
      options = { url: database.url, schema: made, sqlFolder: folder };
    });
    afterEach(async () => {
      rmSync(folder, { recursive: true });
      await database.drop();
      if (family === 'mysql') await onServer('mysql', `drop database if exists ${made}`);
    });
    const addFile = (name: string, text: string) => writeFileSync(join(folder, family, name), text);

    it('makes schema and tables, and finds nothing to do the second time', async () => {
      const before = await inspectState(options);
      expect(before).toMatchObject({ schemaExists: false, applied: [], problem: undefined });
      expect(before.pending.map((m) => m.number)).toEqual([1]);
      expect(before.statements.some((s) => s.startsWith('create table outbox'))).toBe(true);

      const state = await openState(options);
      expect(await state.database.db.selectFrom('outbox').selectAll().execute()).toEqual([]);
      await state.close();

      const after = await inspectState(options);
      expect(after).toMatchObject({ schemaExists: true, pending: [], statements: [], problem: undefined });
      expect(after.applied[0]?.appliedAt).toBeGreaterThan(1_700_000_000_000);
      const again = await openState(options);
      await again.close();
    });

    it('lets ten starters in at once', async () => {
      const states = await Promise.all(Array.from({ length: 10 }, () => openState({ ...options, connection: { poolSize: 2 } })));
      const rows = await states[0]?.database.db.selectFrom('migration').select('number').execute();
      expect(rows?.map((r) => Number(r.number))).toEqual([1]);
      await Promise.all(states.map((s) => s.close()));
    });

    it('refuses tables that are newer, and says whether they broke', async () => {
      addFile('000002_more.sql', '-- breaking\ncreate table more (a int not null);\n');
      await (await openState(options)).close();
      rmSync(join(folder, family, '000002_more.sql'));
      await expect(openState(options)).rejects.toMatchObject({ code: 'STATE_NEWER', message: expect.stringContaining('breaking') });
      expect((await inspectState(options)).problem?.code).toBe('STATE_NEWER');
    });

    it('refuses a file that was edited after it was applied, but not other line ends', async () => {
      addFile('000002_more.sql', 'create table more (a int not null);\n');
      await (await openState(options)).close();
      addFile('000002_more.sql', 'create table more (a int not null);\r\n');
      await (await openState(options)).close();
      addFile('000002_more.sql', 'create table more (b int not null);\n');
      await expect(openState(options)).rejects.toMatchObject({ code: 'STATE_CHECKSUM' });
    });

    it('goes on after a statement in the middle failed', async () => {
      await (await openState(options)).close();
      const good = 'create table one (a int not null);\ncreate table two (a int not null);\ncreate table three (a int not null);\n';
      addFile('000002_more.sql', good);
      const name = family === 'mysql' ? `${made}.two` : 'two';
      const blocker = await openState({ ...options, sqlFolder: installedSqlFolder });
      await sql.raw(`create table ${name} (other int)`).execute(blocker.database.db);
      await expect(openState(options)).rejects.toMatchObject({ message: expect.stringMatching(/two/) });
      await sql.raw(`drop table ${name}`).execute(blocker.database.db);
      await blocker.close().catch(() => undefined);
      const state = await openState(options);
      for (const table of ['one', 'two', 'three']) await sql.raw(`select a from ${table}`).execute(state.database.db);
      await state.close();
    });

    it('takes what a killed start had done but not recorded', async () => {
      await (await openState(options)).close();
      addFile('000002_more.sql', 'create table one (a int not null);\nalter table one add b int;\ncreate index one_b on one (b);\n');
      const migrated = await openState(options);
      const db = migrated.database.db;
      // As a kill between the second statement and its record leaves it; PostgreSQL would have rolled all of it back.
      if (family === 'mysql') {
        await sql`drop index one_b on one`.execute(db);
        await db.updateTable('migration').set({ steps: 1, applied_at: null }).where('number', '=', 2).execute();
      } else {
        await sql`drop table one`.execute(db);
        await db.deleteFrom('migration').where('number', '=', 2).execute();
      }
      await migrated.close();
      const state = await openState(options);
      const row = await state.database.db.selectFrom('migration').selectAll().where('number', '=', 2).executeTakeFirstOrThrow();
      expect(Number(row.steps)).toBe(3);
      expect(row.applied_at).not.toBeNull();
      await sql`select b from one`.execute(state.database.db);
      await state.close();
    });

    it('drops what it made, and keeps a schema with foreign tables', async () => {
      const state = await openState(options);
      await state.database.db.insertInto('lease').values({ name: 'daemon', holder: 'x', token: 1, expires_at: 9e15 }).execute();
      await expect(removeState(state)).rejects.toMatchObject({ code: 'STATE_LEASE_HELD' });
      await state.database.db.updateTable('lease').set({ expires_at: 0 }).execute();
      await sql`create table foreign_table (a int)`.execute(state.database.db);
      expect(await removeState(state)).toBe(false);
      await sql`drop table foreign_table`.execute(state.database.db);
      expect(await removeState(state)).toBe(true);
      await state.close();
      expect((await inspectState(options)).schemaExists).toBe(false);
    });

    it('says when the server is away, the login wrong or a privilege missing', async () => {
      const at = new URL(options.url);
      at.port = '1';
      await expect(openState({ ...options, url: at.href })).rejects.toMatchObject({ code: 'STATE_UNREACHABLE' });
      const user = `spl_poor_${database.name.slice(-8)}`;
      const password = 'p';
      if (family === 'mysql') await onServer('mysql', `create user ${user}@'%' identified by '${password}'`);
      else await onServer('postgres', `create role ${user} login password '${password}'`);
      try {
        const poor = new URL(options.url);
        poor.username = user;
        poor.password = password;
        await expect(openState({ ...options, url: poor.href })).rejects.toMatchObject({ code: 'STATE_PRIVILEGE' });
      } finally {
        await onServer(family, family === 'mysql' ? `drop user ${user}@'%'` : `drop role ${user}`);
      }
    });
  });
}

/** Both families have the same numbers and names. */
export const fileNames = (family: TestFamily): string[] => readdirSync(join(installedSqlFolder, family)).sort();
