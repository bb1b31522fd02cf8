// The real daemon for tests, in this process: real source, real own tables, real lanes; the clock, the log and the moment
// of each poll are the test's.
import { randomBytes } from 'node:crypto';
import type { KyselyPlugin } from 'kysely';
import { logPlanner, plannerFrom } from '../../src/cli/planner.ts';
import { createDaemon, type Daemon } from '../../src/daemon/daemon.ts';
import { type Database, labelOf, openDatabase } from '../../src/database/database.ts';
import type { Extension } from '../../src/extension/extension.ts';
import { Conditions, createLog, createMetrics, type Log, type Metrics } from '../../src/ops/ops.ts';
import { createPlanner, type Planner } from '../../src/plan/plan.ts';
import { readSettings, type Settings } from '../../src/settings/settings.ts';
import { openState } from '../../src/state/state.ts';
import { sourceOf } from '../../src/watch/watch.ts';
import { onServer } from './databases.ts';
import type { TestDatabase } from './streampark.ts';

/** One line of the log. */
export type LogLine = Readonly<Record<string, unknown>> & { readonly level: string; readonly msg: string };

export interface TestDaemon {
  readonly daemon: Daemon;
  readonly settings: Settings;
  readonly metrics: Metrics;
  /** Every line so far, parsed. */
  readonly lines: readonly LogLine[];
  /** Every line so far, as written. */
  readonly text: () => string;
  /** One poll, and all that follows from it: decided and sent as far as it goes. */
  step(): Promise<void>;
  /** Runs the daemon's own loop; the result ends it and gives what it threw. */
  run(): () => Promise<unknown>;
  close(): Promise<void>;
}

export interface TestDaemonOptions {
  /** The StreamPark database and the place of the own tables, see `ownTables`. */
  readonly database: Pick<TestDatabase, 'url'>;
  readonly schema: string;
  /** Settings beyond these two, by environment name without its prefix: `EVENTS_HEARTBEAT`. */
  readonly env?: Readonly<Record<string, string>>;
  /** The settings file. */
  readonly file?: string;
  /** Shared by several daemons; without it the daemon has its own and stops it. */
  readonly planner?: Planner;
  readonly extension?: Extension | undefined;
  /** Both clocks, the daemon's and the StreamPark database's: ms since the epoch. */
  readonly now?: () => number;
  readonly holder?: string;
  /** Gets each line of the log as it is written. */
  readonly onLine?: (line: string) => void;
  /** How long the lease holds without being renewed; default as in the program. */
  readonly leaseTtlMs?: number;
  /** Limit for one statement on both databases, which also bounds how long a silent connection is waited for. */
  readonly statementTimeoutMs?: number;
}

/** The opened neighbours of a daemon or a backfill. */
export function partsOf(options: TestDaemonOptions, log: Log, metrics: Metrics) {
  const env = { SOURCE_URL: options.database.url, STATE_SCHEMA: options.schema, HTTP_PORT: '0', EVENTS_OTHER_JOBS: 'true', ...options.env };
  const settings = readSettings(
    options.file,
    Object.fromEntries(Object.entries(env).map(([name, value]) => [`STREAMPARK_LINEAGE_${name}`, value])),
  );
  const url = settings.state.url ?? settings.source.url ?? '';
  return {
    settings,
    source: sourceOf(databaseOf(settings, options), {
      schema: settings.source.schema,
      optIn: settings.optIn,
      address: labelOf(settings.source.url ?? ''),
    }),
    openState: () =>
      openState({ url, schema: settings.state.schema, connection: { statementTimeoutMs: options.statementTimeoutMs ?? 30_000 } }),
    extension: options.extension,
    planner: options.planner === undefined ? plannerFrom(settings, logPlanner(log, metrics)) : lent(options.planner),
  };
}

/** Puts the real parts together as `run` does. */
export function startTestDaemon(options: TestDaemonOptions): TestDaemon {
  const written: string[] = [];
  const log = createLog('debug', {
    write(line) {
      written.push(line);
      options.onLine?.(line);
    },
  });
  const metrics = createMetrics();
  const now = options.now ?? Date.now;
  const parts = partsOf(options, log, metrics);
  const { settings } = parts;
  const daemon = createDaemon({
    ...parts,
    log,
    metrics,
    conditions: new Conditions(log, now, (code) => metrics.conditions.inc({ code })),
    now,
    version: '0.0.0',
    holder: options.holder ?? `test-${randomBytes(4).toString('hex')}`,
    ...(options.leaseTtlMs === undefined ? {} : { leaseTtlMs: options.leaseTtlMs }),
  });
  return {
    daemon,
    settings,
    metrics,
    get lines() {
      return written.map((line) => JSON.parse(line) as LogLine);
    },
    text: () => written.join(''),
    step: async () => {
      await daemon.poll();
      await daemon.settled();
    },
    run: () => {
      const abort = new AbortController();
      const ended = daemon.run(abort.signal).then(
        () => undefined,
        (error: unknown) => error,
      );
      return () => {
        abort.abort();
        return ended;
      };
    },
    close: () => daemon.close(),
  };
}

/** A planner that outlives the daemons it is lent to. */
function lent(planner: Planner): Planner {
  return { ...planner, build: planner.build, start: () => undefined, stop: async () => undefined };
}

/** No planner at all, for applications without scripts. */
export const noPlanner = (): Planner =>
  createPlanner({
    source: {
      build: () => 'none',
      command: () => {
        throw new Error('no planner here');
      },
    },
    timeoutMs: 1_000,
    report: () => undefined,
  });

/** A warm planner for several daemons of one test file. */
export async function warmPlanner(log: Log = createLog('silent')): Promise<Planner> {
  const planner = plannerFrom(readSettings(undefined, {}), logPlanner(log, createMetrics()));
  planner.start();
  while (planner.state().kind !== 'ready') {
    if (planner.state().kind === 'unavailable') throw new Error(`no planner: ${planner.state().detail}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return planner;
}

type AnySchema = Record<string, Record<string, unknown>>;

/** The source's database; with a clock of the test's it shows that instead of its own. */
function databaseOf(settings: Settings, { now, statementTimeoutMs = 20_000 }: TestDaemonOptions): Database<AnySchema> {
  const { schema, url = '' } = settings.source;
  const onIdleError = () => undefined;
  const database = openDatabase<AnySchema>(url, { statementTimeoutMs, connectTimeoutMs: 10_000, poolSize: 3, schema, onIdleError });
  if (now === undefined) return database;
  const clock: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => ({
      ...result,
      rows: result.rows.map((row) => ('now' in row ? { ...row, now: String(now() / 1000) } : row)),
    }),
  };
  return { ...database, db: database.db.withPlugin(clock) };
}

export interface OwnTables {
  readonly schema: string;
  /** All rows of all own tables, as one text. */
  dump(): Promise<string>;
  query(statement: string): Promise<Record<string, unknown>[]>;
  drop(): Promise<void>;
}

/** Where the own tables of a test go: a database beside the test's on MySQL, a schema in it on PostgreSQL. */
export function ownTablesOf(database: TestDatabase, name = 'own'): OwnTables {
  const schema = database.family === 'mysql' ? `${database.name}_${name}` : `lineage_${name}`;
  const query = (statement: string) => database.query(statement.replaceAll('own.', `${schema}.`));
  return {
    schema,
    query,
    dump: async () => {
      const tables = ['migration', 'installation', 'lease', 'checkpoint', 'log_cursor', 'run', 'outbox', 'plan_cache', 'injection'];
      const rows: unknown[] = [];
      for (const table of tables) rows.push(table, ...(await query(`select * from own.${table}`)));
      return JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value), 1);
    },
    drop: async () => {
      if (database.family === 'mysql') await onServer('mysql', `drop database if exists ${schema}`);
    },
  };
}
