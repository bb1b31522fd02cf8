// StreamPark databases for tests: the four dumps of real consoles, and small schemas of our own in the same shape.
// Each lives in a fresh database of its own (prefix spl_) and is dropped afterwards.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import mysql from 'mysql2/promise';
import pg from 'pg';

/** Addresses of the local servers. */
const mysqlServer = 'mysql://root@127.0.0.1:3306';
const postgresServer = 'postgres://postgres@127.0.0.1:5432';

export type Family = 'mysql' | 'postgres';

/** One database with its own connection for what the console would write. */
export interface TestDatabase {
  readonly family: Family;
  readonly name: string;
  readonly url: string;
  /** Runs SQL (several statements allowed) and returns the rows of a single select. */
  query(sql: string): Promise<Record<string, unknown>[]>;
  drop(): Promise<void>;
}

/** Creates an empty database. */
export async function createDatabase(family: Family): Promise<TestDatabase> {
  const name = `spl_${process.pid}_${randomBytes(4).toString('hex')}`;
  return family === 'mysql' ? createMysql(name) : createPostgres(name);
}

async function createMysql(name: string): Promise<TestDatabase> {
  const connection = await mysql.createConnection({ uri: mysqlServer, multipleStatements: true, dateStrings: true, charset: 'utf8mb4' });
  await connection.query(`create database ${name} character set utf8mb4`);
  await connection.changeUser({ database: name });
  return {
    family: 'mysql',
    name,
    url: `${mysqlServer}/${name}`,
    query: async (sql) => {
      const [rows] = await connection.query(sql);
      return Array.isArray(rows) ? (rows as Record<string, unknown>[]) : [];
    },
    drop: async () => {
      await connection.query(`drop database if exists ${name}`);
      await connection.end();
    },
  };
}

async function createPostgres(name: string): Promise<TestDatabase> {
  const admin = new pg.Client({ connectionString: `${postgresServer}/postgres` });
  await admin.connect();
  await admin.query(`create database ${name}`);
  const client = new pg.Client({ connectionString: `${postgresServer}/${name}` });
  await client.connect();
  // One statement at a time: tests write from several lives at once.
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(work);
    turn = result.catch(() => undefined);
    return result;
  };
  return {
    family: 'postgres',
    name,
    url: `${postgresServer}/${name}`,
    query: (sql) =>
      inTurn(async () => {
        const result = await client.query(sql);
        return Array.isArray(result) ? [] : result.rows;
      }),
    drop: async () => {
      await client.end();
      await admin.query(`drop database if exists ${name} with (force)`);
      await admin.end();
    },
  };
}

/** The dumps of `<shared>/fixtures/streampark-real`. */
export const dumps = {
  'mysql-dev': { family: 'mysql', file: 'mysql-2.2.0-dev.sql' },
  'mysql-2.1.7': { family: 'mysql', file: 'mysql-2.1.7.sql' },
  'postgres-dev': { family: 'postgres', file: 'postgres-2.2.0-dev.sql' },
  'postgres-2.1.7': { family: 'postgres', file: 'postgres-2.1.7.sql' },
} as const;
export type DumpName = keyof typeof dumps;

/** Loads one dump into a fresh database. */
export async function loadDump(shared: string, name: DumpName): Promise<TestDatabase> {
  const { family, file } = dumps[name];
  const database = await createDatabase(family);
  try {
    await database.query(readFileSync(join(shared, 'fixtures/streampark-real', file), 'utf8'));
    if (family === 'postgres') await database.query('set search_path to public');
  } catch (error) {
    await database.drop();
    throw error;
  }
  return database;
}

/** A development-version schema with the columns that are read and some that are not; every table empty but for team and user. */
export function smallSchema(family: Family): string {
  const [big, small, time, flag, text] =
    family === 'mysql' ? ['bigint', 'tinyint', 'datetime', 'tinyint', 'text'] : ['int8', 'int2', 'timestamp(6)', 'boolean', 'text'];
  const id = family === 'mysql' ? 'bigint not null auto_increment primary key' : 'bigserial primary key';
  const q = (name: string) => (family === 'mysql' ? `\`${name}\`` : `"${name}"`);
  const no = family === 'mysql' ? '0' : 'false';
  return `
create table t_flink_app (id ${id}, team_id ${big}, job_type ${small}, deploy_mode ${small}, job_name varchar(255), user_id ${big},
  duration ${big}, job_id varchar(64), version_id ${big}, cluster_id varchar(45), state int, restart_size int, restart_count int,
  dynamic_properties ${text}, description varchar(255), jar varchar(255), main_class varchar(255), args ${text}, tags varchar(500), resource_from ${small}, project_id ${big}, module varchar(255), total_task int, option_state ${small}, tracking ${small}, create_time ${time},
  modify_time ${time}, option_time ${time}, ${q('release')} ${small} default 1, start_time ${time}, end_time ${time}, flink_cluster_id ${big},
  lineage_enable ${flag});
create table t_spark_app (id ${id}, team_id ${big}, job_type ${small}, app_name varchar(255), deploy_mode ${small}, cluster_id varchar(64),
  state int, restart_count int, option_state ${small}, option_time ${time}, user_id ${big}, description varchar(255), tags varchar(500), tracking ${small},
  ${q('release')} ${small} default 1, version_id ${big}, create_time ${time}, start_time ${time}, end_time ${time}, app_properties ${text}, lineage_enable ${flag});
create table t_app_log (id ${id}, app_id ${big}, job_type ${small}, cluster_id varchar(64), tracking_url varchar(255), success ${flag},
  exception ${text}, create_time ${time}, option_name ${small}, user_id ${big});
create table t_flink_cluster (id ${id}, cluster_name varchar(128), cluster_state ${small} default 0);
create table t_setting (setting_key varchar(64) primary key, setting_value ${text});
create table t_variable (id ${id}, variable_code varchar(128), variable_value ${text}, team_id ${big}, desensitization ${flag} default ${no});
create table t_team (id ${id}, team_name varchar(64), create_time ${time});
create table t_user (user_id ${id}, username varchar(64), create_time ${time});
create table t_flink_project (id ${id}, team_id ${big}, name varchar(255), url varchar(255), refs varchar(255), repository ${small});
create table t_flink_sql (id ${id}, app_id ${big}, ${q('sql')} ${text}, version int, candidate ${small}, create_time ${time});
create table t_flink_app_backup (id ${id}, app_id ${big}, sql_id ${big}, version int, create_time ${time});
create table t_flink_effective (id ${id}, app_id ${big}, target_type ${small}, target_id ${big});
create table t_flink_config (id ${id}, app_id ${big}, ${q('format')} ${small}, version int, content ${text});
create table t_flink_env (id ${id}, version varchar(64), flink_conf ${text}, is_default ${flag} default ${no});
create table t_spark_sql (id ${id}, app_id ${big}, ${q('sql')} ${text}, version int, candidate ${small});
create table t_spark_effective (id ${id}, app_id ${big}, target_type ${small}, target_id ${big});
create table t_spark_config (id ${id}, app_id ${big}, ${q('format')} ${small}, version int, content ${text});
create table t_spark_env (id ${id}, version varchar(64), spark_conf ${text}, is_default ${flag} default ${no});
insert into t_team (id, team_name, create_time) values (100000, 'default', '2024-05-01 10:00:00'), (100001, 'analytics', '2024-06-01 10:00:00');
insert into t_user (user_id, username, create_time) values (100000, 'admin', '2024-05-01 10:00:00');
`;
}

/** A fresh database with the small schema. */
export async function smallDatabase(family: Family): Promise<TestDatabase> {
  const database = await createDatabase(family);
  await database.query(smallSchema(family));
  return database;
}
