// The StreamPark database as the rest of the program sees it: polls, and details of single applications on request.
import { type Kysely, sql } from 'kysely';
import { type Database, labelOf, openDatabase } from '../database/database.ts';
import { ConfigError, type SourceError } from '../errors/errors.ts';
import { type Connection, connectionOptions, type OptIn, type Settings, type StoredSettings } from '../settings/settings.ts';
import { isSchemaChange, sourceError } from './failure.ts';
import { type AnySchema, type Features, readFeatures } from './features.ts';
import { type Fingerprint, readFingerprint } from './fingerprint.ts';
import type { PollMemory } from './memory.ts';
import { filled, flag, number, type RawRow, text } from './normalise.ts';
import { type PastRead, readAllRows, readPasts } from './pasts.ts';
import { type Polled, type PollSource, poll, readClock, readSettings } from './poll.ts';
import { loadProgram } from './programs.ts';
import { type AppProperties, readProperties } from './properties.ts';
import { type AppContext, type AppKey, type AppRow, appKey, type Engine, type StoredProgram, type StoredScript } from './rows.ts';
import {
  type AppFilter,
  type ListedApp,
  listRows,
  loadContext,
  loadException,
  loadScript,
  loadSecrets,
  loadSubmitConf,
  type ScriptQuery,
  type SubmitConf,
} from './scripts.ts';

/** Limits of the source connection: a poll that takes longer than this is in trouble. */
const statementTimeoutMs = 20_000;
const connectTimeoutMs = 10_000;
const poolSize = 3;

/** All methods throw SourceError only. */
export interface Source {
  /** `host:port/database`, safe to print. */
  readonly label: string;
  readonly database: Database<AnySchema>;
  /** What the database has; read anew when it changed. */
  features(): Promise<Features>;
  /** Clock of the database (ms since the epoch) and the zone of its server. */
  clock(): Promise<{ readonly now: number; readonly zone: string }>;
  /** One consistent read; see `poll`. The memory given stays valid when it throws. */
  pollOnce(memory: PollMemory, follow: ReadonlySet<AppKey>): Promise<Polled>;
  /** See `loadScript` of the stage's scripts: the effective script, or version `sqlId`; null when it is gone. */
  loadScript(engine: Engine, appId: string, sqlId?: string): Promise<StoredScript | null>;
  /** What a JAR or Python application of Flink runs; null when it is gone. */
  loadProgram(appId: string): Promise<StoredProgram | null>;
  loadContext(engine: Engine, appId: string): Promise<AppContext>;
  /** Values of the desensitized variables of the application's team. */
  loadSecrets(engine: Engine, appId: string): Promise<readonly string[]>;
  /** The property texts of applications, for those that exist and whose engine has the column. */
  readProperties(engine: Engine, ids: readonly string[]): Promise<AppProperties[]>;
  /** Config and environment of an application. */
  loadSubmitConf(engine: Engine, appId: string): Promise<SubmitConf>;
  loadException(logId: string): Promise<string | null>;
  /** Only the rows of t_setting that are ours: what an idle daemon looks at. */
  readSettings(): Promise<StoredSettings>;
  fingerprint(): Promise<Fingerprint>;
  listApps(filter?: AppFilter): Promise<ListedApp[]>;
  /** All application rows, of both engines. */
  allRows(): Promise<AppRow[]>;
  /** What tells of the past of these applications; see `readPasts`. */
  pasts(engine: Engine, ids: readonly string[]): Promise<ReadonlyMap<AppKey, PastRead>>;
  close(): Promise<void>;
}

/**
 * Opens the source named by the settings; connects at the first query.
 * @param onIdleError called when an idle connection is lost; the next query makes a new one
 * @throws ConfigError when source.url is missing or no MySQL or PostgreSQL URL
 */
export function openSource(
  settings: { readonly source: Connection & Pick<Settings['source'], 'schema'>; readonly optIn: OptIn },
  onIdleError: (error: Error) => void = () => undefined,
): Source {
  const { url, schema } = settings.source;
  if (url === undefined) throw new ConfigError('CONFIG_INVALID', 'source.url is not set');
  try {
    const options = { statementTimeoutMs, connectTimeoutMs, poolSize, schema, onIdleError, ...connectionOptions(settings.source) };
    const database = openDatabase<AnySchema>(url, options);
    return sourceOf(database, { schema, optIn: settings.optIn, address: labelOf(url) });
  } catch (cause) {
    throw new ConfigError('CONFIG_INVALID', `source.url: ${cause instanceof Error ? cause.message : 'not valid'}`, { cause });
  }
}

/** A source over a database that is open already (the embedded one of the demo). Closing the source closes it. */
export function sourceOf(
  database: Database<AnySchema>,
  options: { readonly schema: string; readonly optIn: OptIn; readonly address?: string },
): Source {
  const { schema, optIn } = options;
  const pollSource: PollSource = { database, schema, optIn };
  let features: Features | null = null;

  const coded = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw sourceError(error, database.label) satisfies SourceError;
    }
  };
  const current = async (): Promise<Features> => {
    features = await readFeatures(database, schema, features);
    return features;
  };
  /** Works with the features last seen; looks again, once, when a table or column is missing. */
  const withFeatures = <T>(work: (features: Features) => Promise<T>): Promise<T> =>
    coded(async () => {
      try {
        return await work(features ?? (await current()));
      } catch (error) {
        if (!isSchemaChange(error)) throw error;
        return work(await current());
      }
    });
  const snapshot = <T>(work: (db: Kysely<AnySchema>, features: Features) => Promise<T>): Promise<T> =>
    withFeatures((known) =>
      database.db
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute((db) => work(db, known)),
    );
  const inSnapshot = <T>(engine: Engine, appId: string, work: (query: ScriptQuery) => Promise<T>): Promise<T> =>
    snapshot((db, known) => work({ db, features: known, engine, appId }));

  return {
    label: database.label,
    database,
    features: () => coded(current),
    clock: () => coded(() => readClock(database, database.db)),
    pollOnce: (memory, follow) =>
      coded(async () => {
        const polled = await poll(pollSource, memory, follow);
        features = polled.memory.features ?? features;
        return polled;
      }),
    loadScript: (engine, appId, sqlId) => inSnapshot(engine, appId, (query) => loadScript(query, sqlId ?? null)),
    loadProgram: (appId) => inSnapshot('flink', appId, loadProgram),
    loadContext: (engine, appId) => inSnapshot(engine, appId, loadContext),
    readProperties: (engine, ids) => withFeatures((known) => readProperties(database.db, known, engine, ids)),
    loadSubmitConf: (engine, appId) => inSnapshot(engine, appId, loadSubmitConf),
    loadSecrets: (engine, appId) => inSnapshot(engine, appId, loadSecrets),
    loadException: (logId) => withFeatures((known) => loadException(database.db, known, logId)),
    readSettings: () => withFeatures(async ({ settings }) => (settings === null ? {} : readSettings(database.db, settings))),
    fingerprint: () => withFeatures((known) => readFingerprint(database, known, schema, options.address ?? database.label)),
    listApps: (filter = {}) =>
      withFeatures(async (known) => {
        const rows = await listRows(database.db, known);
        return rows.map((row) => listed(row, optIn, known)).filter((app) => matches(app, filter));
      }),
    allRows: () => snapshot((db, known) => readAllRows(pollSource, db, known)),
    pasts: (engine, ids) => snapshot((db, known) => readPasts(pollSource, db, known, engine, ids)),
    close: () => database.close(),
  };
}

function matches(app: ListedApp, filter: AppFilter): boolean {
  if (filter.engine !== undefined && app.engine !== filter.engine) return false;
  if (filter.team !== undefined && filter.team !== app.teamId && filter.team !== app.teamName) return false;
  return filter.keys === undefined || filter.keys.includes(appKey(app.engine, app.id));
}

function listed(row: RawRow & { readonly engine: Engine }, optIn: OptIn, features: Features): ListedApp {
  const { engine } = row;
  const id = String(row['id']);
  const [teamId, teamName] = [filled(row['team_id']), text(row['team_name'])];
  const hasColumn = (engine === 'flink' ? features.flink : features.spark)?.optIn != null;
  const raw = row['enable'];
  const lineageEnable = !hasColumn ? undefined : raw === null || raw === undefined ? null : flag(raw);
  const rule = ruleOf(optIn, appKey(engine, id), teamId, teamName, hasColumn);
  const chosen = rule === 'column' ? lineageEnable === true : rule === 'team' || rule === 'app';
  const [state, jobType] = [number(row['state']) ?? 0, number(row['job_type'])];
  return { engine, id, name: text(row['name']) ?? '', teamId, teamName, state, jobType, optIn: chosen, lineageEnable, rule };
}

function ruleOf(optIn: OptIn, key: string, teamId: string | null, teamName: string | null, hasColumn: boolean): ListedApp['rule'] {
  if (optIn === 'column') return hasColumn ? 'column' : null;
  if (optIn.except.includes(key)) return 'except';
  if (optIn.apps.includes(key)) return 'app';
  return optIn.teams.some((team) => team === teamId || team === teamName) ? 'team' : null;
}

/** Reads one number, for commands that only ask whether the database answers. */
export async function ping(source: Source): Promise<void> {
  try {
    await sql`select 1`.execute(source.database.db);
  } catch (error) {
    throw sourceError(error, source.label);
  }
}
