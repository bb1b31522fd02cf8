// One poll: one consistent narrow read of everything that can tell of a run, compared with what was known.
import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { type Diagnostic, SourceError } from '../errors/errors.ts';
import { type OptIn, type StoredSettings, storedKeys } from '../settings/settings.ts';
import { type AppQuery, readApps, readByIds } from './approws.ts';
import { isSchemaChange } from './failure.ts';
import { type AnySchema, type AppTable, type Features, readFeatures } from './features.ts';
import { readLogs } from './logs.ts';
import { type LogCursor, outsideOf, type PollMemory, type RangeDigests } from './memory.ts';
import { filled, number, type RawRow, sameRow } from './normalise.ts';
import { optInCondition, type ResolvedOptIn, resolveOptIn } from './optin.ts';
import { type AppKey, type AppRow, appKey, type Engine, type LogRow } from './rows.ts';
import { judgeGone, type Suspect } from './vanish.ts';

/** How often the catalog is looked at and every narrow row is read: a digest's collision delays a change by this much. */
const fullEveryMs = 60_000;

/** What a poll needs of the source. */
export interface PollSource {
  readonly database: Database<AnySchema>;
  readonly schema: string;
  readonly optIn: OptIn;
}

export interface PollRead {
  readonly kind: 'read';
  /** Clock of the database, ms since the epoch, and the same moment of the poll before. */
  readonly now: number;
  readonly before: number | null;
  /** Zone of the database server: an IANA name, or an offset such as +08:00. */
  readonly serverZone: string;
  readonly features: Features;
  /** Rows that are new, differ from the ones last seen, or are there again. */
  readonly rows: ReadonlyMap<AppKey, AppRow>;
  /** Rows as last seen that are no longer in the table. */
  readonly gone: ReadonlyMap<AppKey, AppRow>;
  /** START and CANCEL log rows that were not seen by this process before, of any application. */
  readonly logs: readonly LogRow[];
  readonly cursor: LogCursor | null;
  /** Clusters whose state differs from the one last seen. */
  readonly clustersChanged: ReadonlySet<string>;
  readonly settings: StoredSettings;
  /** Tables without the column where the rule is `column`: applications of theirs that were opted in stay so, no other is taken up. */
  readonly optInMissing: readonly string[];
  /** Applications that went away with many others, and are not taken for deleted yet. */
  readonly heldBack: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** The schema changed under the poll: nothing may be concluded; the next poll looks at the catalog again. */
export interface PollSkipped {
  readonly kind: 'skipped';
  readonly error: SourceError;
}

export type PollResult = PollRead | PollSkipped;

export interface Polled {
  readonly result: PollResult;
  readonly memory: PollMemory;
}

/**
 * Reads once.
 * @param follow applications with an open run: they are followed even when they are opted out
 * @throws what the driver throws; the memory given stays valid
 */
export async function poll(source: PollSource, memory: PollMemory, follow: ReadonlySet<AppKey>): Promise<Polled> {
  try {
    const features = memory.features ?? (await readFeatures(source.database, source.schema, null));
    return await source.database.db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((db) => readOnce(source, db, { ...memory, features }, features, follow));
  } catch (error) {
    if (!isSchemaChange(error)) throw error;
    const message = `${source.database.label}: ${error instanceof Error ? error.message : 'a table or column is missing'}`;
    return {
      result: { kind: 'skipped', error: new SourceError('SOURCE_QUERY', message, { cause: error }) },
      memory: { ...memory, features: null, ranges: {} },
    };
  }
}

async function readOnce(
  source: PollSource,
  db: Kysely<AnySchema>,
  memory: PollMemory,
  known: Features,
  follow: ReadonlySet<AppKey>,
): Promise<Polled> {
  const clock = await readClock(source.database, db);
  const full =
    memory.checkedAt === 0 ||
    clock.now - memory.checkedAt >= fullEveryMs ||
    clock.now < memory.checkedAt ||
    memory.ranges.flink === undefined;
  const features = full ? await readFeatures({ ...source.database, db }, source.schema, known) : known;
  const optIn = full || memory.optIn === null ? await readOptIn(db, features, source.optIn) : memory.optIn;

  const rows = new Map<AppKey, AppRow>();
  const missing = new Map<AppKey, AppRow>();
  const still = new Map<AppKey, Suspect>();
  let empty = false;
  // Opted out and nothing open: said once, then forgotten.
  const forget = new Set([...memory.outside].filter((key) => !follow.has(key)));
  const followed = [...memory.outside].filter((key) => follow.has(key));
  const ranges: Partial<Record<Engine, RangeDigests>> = {};
  const tables = [features.flink, features.spark].filter((t): t is AppTable => t !== null);
  for (const table of tables) {
    const { engine } = table;
    const query: AppQuery = {
      db,
      family: features.family,
      digest: features.digest,
      table,
      condition: optInCondition(features.family, table, optIn),
      followed: followed.filter((key) => key.startsWith(`${engine}:`)).map((key) => key.slice(engine.length + 1)),
      known: () => [...memory.rows].filter(([key, row]) => row.engine === engine && !forget.has(key)).map(([, row]) => row),
    };
    const found = await readApps(query, full ? null : (memory.ranges[engine] ?? null));
    ranges[engine] = found.ranges;
    const suspects = [...memory.suspects].filter(([key, { row }]) => row.engine === engine && !found.read.has(key));
    const lookedFor = [...new Set([...found.missing.map((row) => row.id), ...suspects.map(([, { row }]) => row.id)])];
    const again = lookedFor.length === 0 ? new Map<AppKey, AppRow>() : await readByIds(query, lookedFor);
    for (const [key, row] of [...found.read, ...again]) {
      const old = memory.rows.get(key);
      if (old === undefined || !sameRow(old, row) || memory.suspects.has(key)) rows.set(key, row);
      if (!row.optIn && !follow.has(key)) forget.add(key);
    }
    for (const row of found.missing) {
      const key = appKey(engine, row.id);
      if (!again.has(key) && !memory.suspects.has(key)) missing.set(key, row);
    }
    for (const [key, suspect] of suspects) if (!again.has(key)) still.set(key, suspect);
    if (lookedFor.length > again.size) empty ||= await isEmpty(db, table.table);
  }
  const { gone, suspects } = judgeGone({ missing, still, followed: memory.rows.size, empty, now: clock.now });

  const log = features.log === null ? null : await readLogs(db, features.family, features.log, memory.cursor, memory.window);
  const clusters = features.clusters ? await readClusters(db) : memory.clusters;
  const settings = features.settings === null ? {} : await readSettings(db, features.settings);
  const optInMissing = optIn.by === 'column' ? tables.filter((table) => table.optIn === null).map(({ table }) => table) : [];

  const clustersChanged = new Set([...clusters].filter(([id, state]) => memory.clusters.get(id) !== state).map(([id]) => id));
  const result: PollRead = {
    kind: 'read',
    now: clock.now,
    before: memory.polledAt,
    serverZone: clock.zone,
    features,
    rows,
    gone,
    logs: log?.fresh ?? [],
    cursor: log?.cursor ?? memory.cursor,
    clustersChanged,
    settings,
    optInMissing,
    heldBack: suspects.size,
    diagnostics: log?.diagnostics ?? [],
  };
  const changed = rows.size + gone.size + forget.size > 0;
  const nextKnown = changed ? nextRows(memory.rows, rows, gone, forget) : memory.rows;
  return {
    result,
    memory: {
      features,
      optIn,
      checkedAt: full ? clock.now : memory.checkedAt,
      rows: nextKnown,
      outside: changed ? outsideOf(nextKnown) : memory.outside,
      suspects,
      ranges,
      cursor: result.cursor,
      window: log?.window ?? null,
      clusters,
      settings,
      polledAt: clock.now,
    },
  };
}

async function isEmpty(db: Kysely<AnySchema>, table: string): Promise<boolean> {
  const { rows } = await sql<RawRow>`select 1 as one from ${sql.table(table)} limit 1`.execute(db);
  return rows.length === 0;
}

function nextRows(
  rows: ReadonlyMap<AppKey, AppRow>,
  changed: ReadonlyMap<AppKey, AppRow>,
  gone: ReadonlyMap<AppKey, AppRow>,
  forget: ReadonlySet<AppKey>,
): ReadonlyMap<AppKey, AppRow> {
  const next = new Map(rows);
  for (const [key, row] of changed) next.set(key, row);
  for (const key of [...gone.keys(), ...forget]) next.delete(key);
  return next;
}

/** The database's clock as an instant, and the zone its server thinks in. */
export async function readClock(
  database: Database<AnySchema>,
  db: Kysely<AnySchema>,
): Promise<{ readonly now: number; readonly zone: string }> {
  if (database.family === 'postgres') {
    const { rows } =
      await sql<RawRow>`select cast(extract(epoch from clock_timestamp()) as text) as now, current_setting('TimeZone') as zone`.execute(db);
    return { now: Math.floor(Number(rows[0]?.['now']) * 1000), zone: String(rows[0]?.['zone'] ?? 'UTC') };
  }
  const { rows } = await sql<RawRow>`select cast(unix_timestamp(now(6)) as char) as now,
    timestampdiff(minute, utc_timestamp(), now()) as minutes`.execute(db);
  const minutes = Number(rows[0]?.['minutes'] ?? 0);
  const two = (n: number) => String(Math.floor(n)).padStart(2, '0');
  const zone = `${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
  return { now: Math.floor(Number(rows[0]?.['now']) * 1000), zone };
}

/** The opt-in rule with the teams of this database. */
export async function readOptIn(db: Kysely<AnySchema>, features: Features, rule: OptIn): Promise<ResolvedOptIn> {
  if (rule === 'column' || rule.teams.length === 0 || !features.catalog.has('t_team')) return resolveOptIn(rule, []);
  const { rows } = await sql<RawRow>`select id, team_name from t_team`.execute(db);
  return resolveOptIn(
    rule,
    rows.map((row) => ({ id: String(row['id']), name: String(row['team_name']) })),
  );
}

/** cluster_state by id. */
export async function readClusters(db: Kysely<AnySchema>): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<RawRow>`select id, cluster_state from t_flink_cluster`.execute(db);
  return new Map(rows.map((row) => [String(row['id']), number(row['cluster_state']) ?? -1]));
}

/** The rows of t_setting that are ours. */
export async function readSettings(db: Kysely<AnySchema>, table: string): Promise<StoredSettings> {
  const { rows } = await sql<RawRow>`select setting_key, setting_value from ${sql.table(table)}
    where setting_key in (${sql.join(storedKeys.map((key) => sql`${key}`))})`.execute(db);
  const entries = rows.map((row) => [String(row['setting_key']), filled(row['setting_value'])] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== null)) as StoredSettings;
}
