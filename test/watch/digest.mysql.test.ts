// The digests of a row on a real server: each notices a change of each column, and each server gets the one that it can compute.
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/database/database.ts';
import { type DigestKind, digestKind, rowDigest } from '../../src/watch/digest.ts';
import { isPrivilege, isSchemaChange } from '../../src/watch/failure.ts';
import { type AnySchema, type AppTable, type Features, readFeatures } from '../../src/watch/features.ts';
import { createDatabase, smallSchema, type TestDatabase } from '../support/streampark.ts';

let test: TestDatabase;
let database: Database<AnySchema>;
let features: Features;

const open = (url: string) =>
  openDatabase<AnySchema>(url, { statementTimeoutMs: 10_000, connectTimeoutMs: 10_000, poolSize: 1, onIdleError: () => undefined });

beforeAll(async () => {
  test = await createDatabase('mysql');
  await test.query(smallSchema('mysql'));
  await test.query(`insert into t_flink_app (id, team_id, job_type, job_name, user_id, job_id, state, option_state, restart_count,
    create_time, option_time, start_time, lineage_enable) values
    (1, 1, 2, 'one', 1, 'aaaa', 5, 0, 0, '2026-01-01 10:00:00', '2026-01-02 10:00:00', '2026-01-02 10:00:00', 1),
    (2, 1, 2, 'two', 1, 'bbbb', 5, 0, 0, '2026-01-01 10:00:00', '2026-01-02 10:00:00', '2026-01-02 10:00:01', 1)`);
  database = open(test.url);
  features = await readFeatures(database, 'public', null);
});
afterAll(async () => {
  await database.close();
  await test.drop();
});

const digestOf = async (digest: RawBuilder<unknown>, table: AppTable): Promise<string> => {
  const { rows } = await sql<{ sum: string }>`select cast(sum(${digest}) as char) as sum from ${sql.table(table.table)}`.execute(
    database.db,
  );
  return String(rows[0]?.sum);
};

describe('a digest of rows on MySQL and MariaDB', () => {
  const changes: readonly [column: string, value: string][] = [
    ['state', '6'],
    ['state', 'null'],
    ['option_state', '1'],
    ['restart_count', '1'],
    ['start_time', "'2026-01-02 10:00:02'"],
    ['end_time', "'2026-01-02 10:00:00'"],
    ['option_time', 'null'],
    ['job_id', "'aaab'"],
    ['job_id', "''"],
    ['job_id', 'null'],
    ['cluster_id', "''"],
    ['cluster_id', "'-'"],
    ['lineage_enable', '0'],
  ];

  it.each<DigestKind>(['crc32', 'crc32c'])('of the kind %s moves with every column, and comes back', async (kind) => {
    const digest = rowDigest(kind, features.flink);
    const seen = new Set([await digestOf(digest, features.flink)]);
    for (const [column, value] of changes) {
      await test.query(
        `create table before_change as select * from t_flink_app where id = 1; update t_flink_app set ${column} = ${value} where id = 1`,
      );
      const now = await digestOf(digest, features.flink);
      expect(seen.has(now), `${column} = ${value}`).toBe(false);
      seen.add(now);
      await test.query(
        'delete from t_flink_app where id = 1; insert into t_flink_app select * from before_change; drop table before_change',
      );
      expect(seen.has(await digestOf(digest, features.flink)), `${column} as before`).toBe(true);
    }
  });

  it.each<DigestKind>(['crc32', 'crc32c'])('of the kind %s sees two rows that exchange their values', async (kind) => {
    const digest = rowDigest(kind, features.flink);
    const before = await digestOf(digest, features.flink);
    await test.query(
      `update t_flink_app set job_id = if(id = 1, 'bbbb', 'aaaa'), start_time = if(id = 1, '2026-01-02 10:00:01', '2026-01-02 10:00:00')`,
    );
    expect(await digestOf(digest, features.flink)).not.toBe(before);
    await test.query(
      `update t_flink_app set job_id = if(id = 1, 'aaaa', 'bbbb'), start_time = if(id = 1, '2026-01-02 10:00:00', '2026-01-02 10:00:01')`,
    );
    expect(await digestOf(digest, features.flink)).toBe(before);
  });

  it('is of the best kind that the server knows', async () => {
    const [row] = await test.query('select version() as version');
    const [, major, minor] = /^(\d+)\.(\d+)\.\d+-MariaDB/.exec(String(row?.['version'])) ?? [];
    const knows = Number(major) > 10 || (Number(major) === 10 && Number(minor) >= 8);
    expect(features.digest).toBe(knows ? 'crc32c' : 'crc32');
    expect(await digestKind(database)).toBe(features.digest);
  });

  it('is asked of a server without CRC-32C in words that are understood, whoever asks', async () => {
    const user = `${test.name.slice(0, 20)}_u`;
    await test.query(`create user '${user}'@'127.0.0.1'; grant select (id) on ${test.name}.t_flink_app to '${user}'@'127.0.0.1'`);
    const stranger = open(test.url.replace('root@', `${user}@`));
    try {
      const unknown = (db: Database<AnySchema>) => sql`select crc32_of_no_server('')`.execute(db.db).catch((error: unknown) => error);
      expect(isSchemaChange(await unknown(database))).toBe(true);
      expect(isPrivilege(await unknown(stranger))).toBe(true);
    } finally {
      await stranger.close();
      await test.query(`drop user '${user}'@'127.0.0.1'`);
    }
  });
});
