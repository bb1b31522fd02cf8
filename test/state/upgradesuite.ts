// Own tables of every earlier version, with data in them, brought up to date: at once, by two programs at the same time, and
// through a kill in the middle. Run for each family by upgrade.*.test.ts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { installedSqlFolder } from '../../src/state/migrations.ts';
import * as stores from '../../src/state/state.ts';
import { createTestDatabase, onServer, requireServer, type TestDatabase, type TestFamily } from '../support/databases.ts';

const child = fileURLToPath(new URL('./upgradechild.ts', import.meta.url));
const app = { engine: 'flink' as const, appId: '100001', createTime: '2024-05-01 10:00:00' };
const source = { server: 'db:3306', database: 'streampark', smallestCreateTime: '2024-05-01 10:00:00' };
const run: stores.NewRun = {
  ...app,
  attempt: 3,
  continuation: 0,
  phase: 'planning',
  identityText: 'flink-job:ä',
  runId: '00000000-0000-3000-8000-000000000001',
  jobId: 'ab'.repeat(16),
  yarnId: null,
  logId: '9007199254740993',
  optionTime: '2024-05-01 10:00:00.123',
  sqlId: '100',
  startedAt: 1_700_000_000_123,
  endedAt: null,
  desiredJson: '{"text":"ünï"}',
};

/** What a program of the first version leaves behind. */
async function fill(state: stores.State): Promise<void> {
  await state.transaction(async (tx) => {
    await stores.ensureInstallation(tx, source, { uuid: () => '1'.repeat(36), hex: () => 'k'.repeat(64) }, 5);
    await stores.saveLearnedZone(tx, '{"offsetMs":28800000}');
    await stores.acquireLease(tx, 'daemon', 'old', 1);
    await stores.saveCheckpoint(tx, app, '{"tracker":1}', 0, 7);
    await stores.saveCursor(tx, 't_app_log', '9007199254740993', 8);
    await stores.insertRun(tx, run, 10);
    await stores.putPlan(tx, 'p'.repeat(64), '{"plan":1}', 11);
    const event = { destination: 'd', order_key: 'flink:100001', kind: 'run', type: 'START', run_id: run.runId, terminal: 0 };
    const row = { ...event, payload: '{"ä":1}', state: 'waiting' as const, attempts: 0, server_errors: 0, next_at: 0, error: null };
    await tx
      .insertInto('outbox')
      .values([1, 2].map((n) => ({ ...row, event_id: `e${n}`, created_at: n, settled_at: null })))
      .execute();
    await tx
      .insertInto('injection')
      .values({
        ...{ engine: 'flink', app_id: '1', create_time: 'x' },
        column_name: 'c',
        before_text: null,
        after_text: 'a',
        written_at: 1,
        declined: null,
        writes: 1,
      })
      .execute();
  });
}

/** Everything is still there, and can be worked with. */
async function check(state: stores.State): Promise<void> {
  const { db } = state.database;
  expect(await stores.readInstallation(db)).toEqual({ id: '1'.repeat(36), hashKey: 'k'.repeat(64), source });
  expect(await stores.readLearnedZone(db)).toBe('{"offsetMs":28800000}');
  expect(await stores.loadCheckpoints(db)).toEqual([{ ...app, json: '{"tracker":1}', version: 1 }]);
  expect(await stores.loadCursor(db, 't_app_log')).toBe('9007199254740993');
  expect(await stores.readRun(db, run)).toMatchObject({ ...run, emitted: 'none', createdAt: 10 });
  expect(await stores.getPlan(db, 'p'.repeat(64))).toEqual({ json: '{"plan":1}', usedAt: 11 });
  const events = await db.selectFrom('outbox').select(['event_id', 'payload']).where('state', '=', 'waiting').orderBy('seq').execute();
  expect(events).toEqual(['e1', 'e2'].map((event_id) => ({ event_id, payload: '{"ä":1}' })));
  expect(await db.selectFrom('injection').select('after_text').execute()).toEqual([{ after_text: 'a' }]);
  await state.transaction(async (tx) => {
    await stores.markDecided(tx, run, { phase: 'closed', emitted: 'terminal', lastEventAt: 5 }, 6);
    expect(await stores.saveCheckpoint(tx, app, '{}', 1, 7)).toBe(true);
  });
}

export async function upgradeSuite(family: TestFamily): Promise<void> {
  const suite = await requireServer(family);
  suite(`upgrades of the own tables on ${family}`, () => {
    let database: TestDatabase;
    let options: stores.StateOptions;
    let folder: string;
    let schema: string;

    beforeEach(async () => {
      database = await createTestDatabase(family);
      folder = mkdtempSync(join(tmpdir(), 'spl-sql-'));
      cpSync(installedSqlFolder, folder, { recursive: true });
      schema = `${database.name}_own`;
      options = { url: database.url, schema, sqlFolder: folder };
    });
    afterEach(async () => {
      rmSync(folder, { recursive: true });
      await database.drop();
      if (family === 'mysql') await onServer('mysql', `drop database if exists ${schema}`);
    });

    const installed = readdirSync(join(installedSqlFolder, family)).length - 1;
    const wait = family === 'mysql' ? 'do sleep(0.3)' : 'select pg_sleep(0.3)';
    /** Versions to come: a column with a value in each row, a table filled from another, an index; each statement takes a while. */
    const later = [
      `alter table run add note varchar(20);\n${wait};\nupdate run set note = 'old';\n${wait};\nalter table checkpoint add seen bigint;\n`,
      `-- breaking\ncreate table told (event_id varchar(190) not null);\n${wait};\ninsert into told select event_id from outbox;\n${wait};\ncreate index told_event on told (event_id);\n`,
    ];
    const add = (count: number) => {
      for (const [n, text] of later.slice(0, count).entries())
        writeFileSync(join(folder, family, `${String(installed + 1 + n).padStart(6, '0')}_later.sql`), text);
    };
    const version = async (state: stores.State) =>
      (await state.database.db.selectFrom('migration').select(['number', 'applied_at']).orderBy('number').execute()).map((row) => [
        Number(row.number),
        row.applied_at !== null,
      ]);
    const all = Array.from({ length: installed + later.length }, (_, n) => [n + 1, true]);
    /** The later versions did their work once. */
    const checkLater = async (state: stores.State) => {
      expect(await version(state)).toEqual(all);
      const told = await sql<{ event_id: string }>`select event_id from told order by event_id`.execute(state.database.db);
      expect(told.rows.map((row) => row.event_id)).toEqual(['e1', 'e2']);
      expect((await sql<{ note: string }>`select note from run`.execute(state.database.db)).rows).toEqual([{ note: 'old' }]);
    };
    const filled = async (upTo: number) => {
      add(upTo);
      const state = await stores.openState(options);
      await fill(state);
      await state.close();
    };

    it.each(later.map((_, n) => n))('from version %i later than the installed one to the newest, with data', async (n) => {
      await filled(n);
      if (n === 1) {
        const state = await stores.openState(options);
        await sql`update run set note = 'old'`.execute(state.database.db);
        await state.close();
      }
      add(later.length);
      const state = await stores.openState(options);
      await check(state);
      await checkLater(state);
      await state.close();
    });

    it('by three programs at once: one upgrades, the others wait and find it done', async () => {
      await filled(0);
      add(later.length);
      const states = await Promise.all([1, 2, 3].map(() => stores.openState({ ...options, connection: { poolSize: 2 } })));
      const [first] = states;
      if (first === undefined) throw new Error('none opened');
      await check(first);
      await checkLater(first);
      await Promise.all(states.map((state) => state.close()));
    });

    it('through kills in the middle: the next start goes on, and nothing is done twice', async () => {
      await filled(0);
      add(later.length);
      for (const ms of [150, 450, 750, 1_050]) {
        const program = spawn(process.execPath, ['--import', 'tsx', child, options.url, schema, folder], {
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        const ended = once(program, 'exit');
        await once(program.stdout, 'data');
        await sleep(ms);
        program.kill('SIGKILL');
        await ended;
      }
      const state = await stores.openState(options);
      await check(state);
      await checkLater(state);
      await state.close();
    });

    it('an older program refuses the newer tables and leaves them as they are', async () => {
      await filled(0);
      add(later.length);
      await (await stores.openState(options)).close();
      await expect(stores.openState({ ...options, sqlFolder: installedSqlFolder })).rejects.toMatchObject({ code: 'STATE_NEWER' });
      const state = await stores.openState(options);
      await check(state);
      await checkLater(state);
      await state.close();
    });
  });
}
