// What the past of applications is read from, many applications in one snapshot: rows, all their START and CANCEL log rows,
// when each version of their scripts was made, and when which version was built.
import { type Kysely, sql } from 'kysely';
import { type AppQuery, readByIds } from './approws.ts';
import type { AnySchema, AppTable, Features, FoundTable } from './features.ts';
import { logColumnsOf } from './logs.ts';
import { filled, logRowOf, number, type RawRow, time } from './normalise.ts';
import { onLostCluster } from './observe.ts';
import { optInCondition } from './optin.ts';
import { type PollSource, readClock, readClusters, readOptIn } from './poll.ts';
import { type AppKey, type AppRow, appKey, type Engine, type LogRow } from './rows.ts';
import type { Build, ScriptVersion } from './versions.ts';

/** One application with everything that tells of its past. */
export interface PastRead {
  readonly row: AppRow;
  readonly logs: readonly LogRow[];
  readonly clusterLost: boolean;
  /** The database's clock, ms since the epoch. */
  readonly now: number;
  /** Versions of its script that are left, oldest first; an unreadable time is null. */
  readonly versions: readonly ScriptVersion[];
  /** Builds in their order; null = they may not be read, or there is no such table. */
  readonly builds: readonly Build[] | null;
}

/** All applications as they are now, of both engines, by engine and id; `optIn` by the rule in force (without the column: none). */
export async function readAllRows(source: PollSource, db: Kysely<AnySchema>, features: Features): Promise<AppRow[]> {
  const all: AppRow[] = [];
  const rule = await readOptIn(db, features, source.optIn);
  for (const table of [features.flink, features.spark]) {
    if (table === null) continue;
    const { rows } = await sql<RawRow>`select id from ${sql.table(table.table)} order by id`.execute(db);
    const found = await readByIds(
      queryOf(db, features, table, optInCondition(features.family, table, rule)),
      rows.map((row) => String(row['id'])),
    );
    all.push(...found.values());
  }
  return all;
}

/** What is known of these applications of one engine; those that are gone are not in it. */
export async function readPasts(
  source: PollSource,
  db: Kysely<AnySchema>,
  features: Features,
  engine: Engine,
  ids: readonly string[],
): Promise<ReadonlyMap<AppKey, PastRead>> {
  const table = engine === 'flink' ? features.flink : features.spark;
  if (table === null || ids.length === 0) return new Map();
  const { now } = await readClock(source.database, db);
  const rule = await readOptIn(db, features, source.optIn);
  const rows = await readByIds(queryOf(db, features, table, optInCondition(features.family, table, rule)), ids);
  const clusters = features.clusters ? await readClusters(db) : new Map<string, number>();
  const logs = byApp(await readOperations(db, features.log, ids), (log) => (log.engine === engine ? log.appId : null));
  const versions = byApp(await readVersions(db, features, engine, ids), ({ appId }) => appId);
  const read = await readBuilds(db, features, engine, ids);
  const builds = read === null ? null : byApp(read, ({ appId }) => appId);
  return new Map(
    [...rows.values()].map((row) => [
      appKey(engine, row.id),
      {
        row,
        logs: logs.get(row.id) ?? [],
        clusterLost: onLostCluster(row, clusters),
        now,
        versions: versions.get(row.id) ?? [],
        builds: builds === null ? null : (builds.get(row.id) ?? []),
      },
    ]),
  );
}

function queryOf(db: Kysely<AnySchema>, features: Features, table: AppTable, condition: AppQuery['condition']): AppQuery {
  const { family, digest } = features;
  return { db, family, digest, table, condition: condition ?? sql<boolean>`1 = 0`, followed: [], known: () => [] };
}

function byApp<T>(rows: readonly T[], idOf: (row: T) => string | null): ReadonlyMap<string, T[]> {
  const found = new Map<string, T[]>();
  for (const row of rows) {
    const id = idOf(row);
    if (id === null) continue;
    const list = found.get(id);
    if (list === undefined) found.set(id, [row]);
    else list.push(row);
  }
  return found;
}

const idList = (ids: readonly string[]) => sql.join(ids.map((id) => sql.raw(BigInt(id).toString())));

/** START and CANCEL rows of both engines; the log has no index but its id, so this reads all of it once. */
async function readOperations(db: Kysely<AnySchema>, log: FoundTable | null, ids: readonly string[]): Promise<LogRow[]> {
  if (log === null) return [];
  const option = log.columns.find((c) => c.alias === 'option_name');
  const operations = option === undefined ? sql`` : sql`and ${sql.ref(option.name)} in (1, 2, 3)`;
  const { rows } = await sql<RawRow>`select ${sql.join(logColumnsOf(log))} from ${sql.table(log.table)}
    where app_id in (${idList(ids)}) ${operations} order by id`.execute(db);
  return rows.map(logRowOf).filter(({ operation }) => operation === 'start' || operation === 'cancel');
}

interface OfApp {
  readonly appId: string;
}

const readable = (features: Features, table: string, columns: readonly string[]): boolean =>
  columns.every((column) => features.catalog.get(table)?.get(column)?.readable === true);

async function readVersions(
  db: Kysely<AnySchema>,
  features: Features,
  engine: Engine,
  ids: readonly string[],
): Promise<(ScriptVersion & OfApp)[]> {
  const table = `t_${engine}_sql`;
  if (!readable(features, table, ['id', 'app_id'])) return [];
  const created = readable(features, table, ['create_time']) ? sql.ref('create_time') : sql`null`;
  const { rows } = await sql<RawRow>`select id, app_id, ${created} as create_time from ${sql.table(table)}
    where app_id in (${idList(ids)}) order by id`.execute(db);
  return rows.map((row) => ({ appId: String(row['app_id']), sqlId: String(row['id']), createdAt: time(row['create_time']) }));
}

/** The releases call the table of Flink's builds t_app_backup. */
const buildTables: Readonly<Record<Engine, readonly string[]>> = {
  flink: ['t_flink_app_backup', 't_app_backup'],
  spark: ['t_spark_app_backup'],
};

async function readBuilds(
  db: Kysely<AnySchema>,
  features: Features,
  engine: Engine,
  ids: readonly string[],
): Promise<(Build & OfApp)[] | null> {
  const table = buildTables[engine].find((name) => readable(features, name, ['app_id', 'sql_id', 'create_time']));
  if (table === undefined) return null;
  const { rows } = await sql<RawRow>`select app_id, sql_id, create_time from ${sql.table(table)}
    where app_id in (${idList(ids)}) order by create_time, app_id`.execute(db);
  return rows.map((row) => ({
    appId: String(row['app_id']),
    sqlId: number(row['sql_id']) === null ? null : filled(row['sql_id']),
    at: time(row['create_time']),
  }));
}
