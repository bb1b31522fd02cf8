// A console for tests: writes what a development-version console writes at each step of an application's life, at the times
// of the test's clock, in UTC.
import { deflateSync } from 'node:zlib';
import { deleteText, insertText, type RowValues, updateText } from './sqltext.ts';
import { smallDatabase, type TestDatabase } from './streampark.ts';

/** As StreamPark stores a script. */
export const encoded = (script: string): string => deflateSync(Buffer.from(script, 'utf8'), { level: 9 }).toString('base64');

export interface NewApp {
  readonly id: number;
  readonly name: string;
  /** Stored as its version 1; none = the application has no script. */
  readonly script?: string;
  readonly optIn?: boolean | null;
  /** Further or other columns. */
  readonly columns?: RowValues;
}

export interface SmallConsole {
  readonly database: TestDatabase;
  /** The test's clock; writes are dated by it. */
  readonly clock: { now: number };
  insert(table: string, row: RowValues): Promise<void>;
  update(table: string, key: RowValues, row: RowValues): Promise<void>;
  remove(table: string, key: RowValues): Promise<void>;
  app(app: NewApp): Promise<void>;
  /** Another version of the script; `effective` as a start promotes it. Gives its id. */
  script(appId: number, script: string, version: number, effective: boolean): Promise<number>;
  /** A build of this version; null = one that goes back to an older version, which the console does not name. */
  built(appId: number, sqlId: number | null): Promise<void>;
  variable(code: string, value: string, secret?: boolean): Promise<void>;
  setting(key: string, value: string | null): Promise<void>;
  /** The request: state STARTING. */
  starting(appId: number): Promise<void>;
  /** The success write and, a moment later, its log row. */
  submitted(appId: number, jobId: string): Promise<void>;
  state(appId: number, state: number, row?: RowValues): Promise<void>;
  /** A START log row with success 0, then FAILED. */
  refused(appId: number, exception: string): Promise<void>;
  cancel(appId: number): Promise<void>;
  /** A final state with its end_time. */
  ended(appId: number, state: number): Promise<void>;
  /** STARTING to RUNNING, a second each. */
  run(appId: number, jobId: string): Promise<void>;
  drop(): Promise<void>;
}

/** A job id of 32 hex digits. */
export const jobId = (n: number): string => n.toString(16).padStart(32, '0');

/** A clock that the test moves. */
export const handClock = (): { now: number } => ({ now: Date.parse('2026-10-01T12:00:00Z') });

/** The real time; it goes on by itself. */
export const realClock = (): { now: number } => ({
  get now() {
    return Date.now();
  },
  set now(_) {},
});

/** Opens a fresh database with the small schema. */
export async function openSmallConsole(family: 'mysql' | 'postgres', clock: { now: number } = handClock()): Promise<SmallConsole> {
  return smallConsoleOn(await smallDatabase(family), clock);
}

/** The console of a database that has the small schema. */
export function smallConsoleOn(database: TestDatabase, clock: { now: number }): SmallConsole {
  const { family } = database;
  let ids = 1_000;
  const time = () => new Date(clock.now).toISOString().slice(0, 19).replace('T', ' ');
  const write = async (text: string) => void (await database.query(text));
  const insert = (table: string, row: RowValues) => write(insertText(family, table, row));
  const update = (table: string, key: RowValues, row: RowValues) => write(updateText(family, table, key, row));
  const remove = (table: string, key: RowValues) => write(deleteText(family, table, key));
  const app = (id: number, row: RowValues) => update('t_flink_app', { id }, row);
  const log = (appId: number, operation: number, success: boolean, exception: string | null = null, created = time()) =>
    insert('t_app_log', { app_id: appId, job_type: 1, success, option_name: operation, create_time: created, exception, user_id: 100000 });

  /** When the last start of an application was asked for: what its log row is dated by. */
  const asked = new Map<number, string>();

  const console: SmallConsole = {
    database,
    clock,
    insert,
    update,
    remove,
    async app({ id, name, script, optIn = true, columns = {} }) {
      const facts = {
        team_id: 100000,
        job_type: 2,
        deploy_mode: 1,
        job_name: name,
        user_id: 100000,
        state: 0,
        restart_count: 0,
        option_state: 0,
      };
      await insert('t_flink_app', { id, ...facts, tracking: 0, create_time: time(), lineage_enable: optIn, ...columns });
      if (script !== undefined) await console.script(id, script, 1, true);
    },
    async script(appId, script, version, effective) {
      ids += 1;
      const id = ids;
      await insert('t_flink_sql', { id, app_id: appId, sql: encoded(script), version, candidate: 0, create_time: time() });
      if (effective) {
        await remove('t_flink_effective', { app_id: appId, target_type: 2 });
        await insert('t_flink_effective', { app_id: appId, target_type: 2, target_id: id });
      }
      return id;
    },
    built: (appId, sqlId) => insert('t_flink_app_backup', { app_id: appId, sql_id: sqlId, version: 1, create_time: time() }),
    variable: (code, value, secret = false) =>
      insert('t_variable', { variable_code: code, variable_value: value, team_id: 100000, desensitization: secret }),
    async setting(key, value) {
      await remove('t_setting', { setting_key: key });
      if (value !== null) await insert('t_setting', { setting_key: key, setting_value: value });
    },
    async starting(id) {
      asked.set(id, time());
      await app(id, { state: 3, tracking: 1, option_time: time() });
    },
    async submitted(id, job) {
      await app(id, { job_id: job, start_time: time(), end_time: null });
      await log(id, 1, true, null, asked.get(id));
    },
    state: (id, state, row = {}) => app(id, { state, ...row }),
    async refused(id, exception) {
      await log(id, 1, false, exception, asked.get(id));
      await app(id, { state: 7, tracking: 0 });
    },
    async cancel(id) {
      await app(id, { state: 8, option_state: 2, option_time: time() });
      await log(id, 3, true);
    },
    ended: (id, state) => app(id, { state, tracking: 0, option_state: 0, end_time: time() }),
    async run(id, job) {
      await console.starting(id);
      clock.now += 1_000;
      await console.submitted(id, job);
      clock.now += 1_000;
      await console.state(id, 5);
    },
    drop: () => database.drop(),
  };
  return console;
}
