// What happens in the demo: the rows that a console would write, one step after the other.
import { deflateSync } from 'node:zlib';
import { type Kysely, sql } from 'kysely';
import { broken, crmToLake, ordersToDoris, secretJob, sparkReport } from './scripts.ts';

type Db = Kysely<unknown>;

const encode = (script: string) => deflateSync(Buffer.from(script, 'utf8'), { level: 9 }).toString('base64');
const jobId = (n: number) => n.toString(16).padStart(32, 'a');

interface App {
  readonly id: number;
  readonly name: string;
  readonly script: string;
  readonly optIn: boolean;
}

const flinkApps: readonly App[] = [
  { id: 100001, name: 'orders_to_doris', script: ordersToDoris, optIn: true },
  { id: 100002, name: 'crm_to_lake', script: crmToLake, optIn: true },
  { id: 100003, name: 'broken_job', script: broken, optIn: true },
  { id: 100004, name: 'not_opted_in', script: secretJob, optIn: false },
];

/** Creates the applications, released but never started. */
export async function createApps(db: Db): Promise<void> {
  for (const app of flinkApps) {
    await sql`insert into t_flink_app (id, team_id, job_type, deploy_mode, job_name, user_id, app_type, version_id, state, restart_count,
        option_state, tracking, create_time, modify_time, release, build, flink_cluster_id, lineage_enable, description)
      values (${app.id}, 100000, 2, 1, ${app.name}, 100000, 1, 1, 0, 0, 0, 0, localtimestamp, localtimestamp, 0, false, 1, ${app.optIn}, 'demo')`.execute(
      db,
    );
    await sql`insert into t_flink_sql (id, app_id, sql, version, candidate, create_time) values (${app.id}, ${app.id}, ${encode(app.script)}, 1, 0, localtimestamp)`.execute(
      db,
    );
    await sql`insert into t_flink_effective (id, app_id, target_type, target_id, create_time) values (${app.id}, ${app.id}, 2, ${app.id}, localtimestamp)`.execute(
      db,
    );
  }
  await sql`insert into t_spark_app (id, team_id, job_type, app_type, version_id, app_name, deploy_mode, restart_count, state, option_state,
      user_id, tracking, release, build, create_time, modify_time, lineage_enable)
    values (100001, 100000, 2, 4, 1, 'daily_report', 2, 0, 0, 0, 100000, 0, 0, false, localtimestamp, localtimestamp, true)`.execute(db);
  await sql`insert into t_spark_sql (id, app_id, sql, version, candidate, create_time) values (100001, 100001, ${encode(sparkReport)}, 1, 0, localtimestamp)`.execute(
    db,
  );
  await sql`insert into t_spark_effective (id, app_id, target_type, target_id, create_time) values (100001, 100001, 4, 100001, localtimestamp)`.execute(
    db,
  );
}

/** Points the daemon at the receiver, as an operator would in t_setting. */
export async function setAddress(db: Db, url: string): Promise<void> {
  await sql`update t_setting set setting_value = ${url} where setting_key = 'lineage.gravitino.address'`.execute(db);
}

async function flinkStarting(db: Db, id: number, automatic = false): Promise<void> {
  await sql`update t_flink_app set state = 3, tracking = 1, option_time = localtimestamp,
    restart_count = ${automatic ? sql`restart_count + 1` : 0} where id = ${id}`.execute(db);
}

async function flinkSubmitted(db: Db, id: number, job: string): Promise<void> {
  await sql`update t_flink_app set job_id = ${job}, start_time = localtimestamp, end_time = null where id = ${id}`.execute(db);
  await sql`insert into t_app_log (app_id, job_type, success, create_time, option_name, user_id)
    values (${id}, 1, true, localtimestamp, 1, 100000)`.execute(db);
}

async function flinkState(db: Db, id: number, state: number): Promise<void> {
  await sql`update t_flink_app set state = ${state}, option_state = 0 where id = ${id}`.execute(db);
}

async function flinkEnded(db: Db, id: number, state: number): Promise<void> {
  await sql`update t_flink_app set state = ${state}, tracking = 0, option_state = 0, end_time = localtimestamp where id = ${id}`.execute(
    db,
  );
}

async function flinkCancel(db: Db, id: number): Promise<void> {
  await sql`update t_flink_app set state = 8, option_state = 2, option_time = localtimestamp where id = ${id}`.execute(db);
  await sql`insert into t_app_log (app_id, job_type, success, create_time, option_name, user_id)
    values (${id}, 1, true, localtimestamp, 3, 100000)`.execute(db);
}

async function submissionFailed(db: Db, id: number): Promise<void> {
  await sql`insert into t_app_log (app_id, job_type, success, exception, create_time, option_name, user_id)
    values (${id}, 1, false, ${"org.apache.flink.table.api.ValidationException: Object 'nobody_created_this' not found"}, localtimestamp, 1, 100000)`.execute(
    db,
  );
  await sql`update t_flink_app set state = 7, tracking = 0, option_state = 0 where id = ${id}`.execute(db);
}

async function spark(db: Db, state: number, set: 'start' | 'submitted' | 'state' | 'end'): Promise<void> {
  const extra = {
    start: sql`, tracking = 1, option_time = localtimestamp`,
    submitted: sql`, cluster_id = 'application_1764500000000_0042', start_time = localtimestamp, end_time = null`,
    state: sql``,
    end: sql`, tracking = 0, end_time = localtimestamp`,
  }[set];
  await sql`update t_spark_app set state = ${state}${extra} where id = 100001`.execute(db);
  if (set === 'submitted') {
    await sql`insert into t_app_log (app_id, job_type, cluster_id, success, create_time, option_name, user_id)
      values (100001, 2, 'application_1764500000000_0042', true, localtimestamp, 1, 100000)`.execute(db);
  }
}

export interface Step {
  readonly says: string;
  readonly act: (db: Db) => Promise<void>;
}

/** The story, in order; the demo waits a few polls between two steps. */
export const story: readonly Step[] = [
  {
    says: 'orders_to_doris, crm_to_lake and daily_report are started; so is not_opted_in',
    act: async (db) => {
      for (const id of [100001, 100002, 100004]) await flinkStarting(db, id);
      await spark(db, 3, 'start');
    },
  },
  {
    says: 'their jobs are submitted',
    act: async (db) => {
      await flinkSubmitted(db, 100001, jobId(1));
      await flinkSubmitted(db, 100002, jobId(2));
      await flinkSubmitted(db, 100004, jobId(4));
      await spark(db, 3, 'submitted');
    },
  },
  {
    says: 'they run; broken_job is started, too',
    act: async (db) => {
      for (const id of [100001, 100002, 100004]) await flinkState(db, id, 5);
      await spark(db, 6, 'state');
      await flinkStarting(db, 100003);
    },
  },
  { says: 'the submission of broken_job fails', act: (db) => submissionFailed(db, 100003) },
  {
    says: 'crm_to_lake fails and StreamPark restarts it at once; somebody stops orders_to_doris',
    act: async (db) => {
      await flinkEnded(db, 100002, 7);
      await flinkStarting(db, 100002, true);
      await flinkCancel(db, 100001);
    },
  },
  {
    says: 'crm_to_lake runs again; orders_to_doris is canceled; daily_report finishes',
    act: async (db) => {
      await flinkSubmitted(db, 100002, jobId(5));
      await flinkState(db, 100002, 5);
      await flinkEnded(db, 100001, 9);
      await spark(db, 7, 'end');
    },
  },
];
