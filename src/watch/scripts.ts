// What StreamPark stored for one application, read only for what changed. Nothing is decoded or interpreted here.
import { type Kysely, sql } from 'kysely';
import { optInColumn } from './columns.ts';
import type { AnySchema, Features } from './features.ts';
import { filled, flag, number, type RawRow, text } from './normalise.ts';
import { propertyColumns } from './properties.ts';
import type { AppContext, Engine, StoredProject, StoredScript, StoredVariable } from './rows.ts';

/** t_*_effective.target_type: Spark numbers its own (the DDL comment is wrong). */
const targets: Readonly<Record<Engine, { readonly config: number; readonly sql: number }>> = {
  flink: { config: 1, sql: 2 },
  spark: { config: 3, sql: 4 },
};

/** Reads several tables in one snapshot, so it wants a transaction. */
export interface ScriptQuery {
  readonly db: Kysely<AnySchema>;
  readonly features: Features;
  readonly engine: Engine;
  readonly appId: string;
}

export const id = (value: string) => sql.raw(BigInt(value).toString());

export async function first(db: Kysely<AnySchema>, query: ReturnType<typeof sql<RawRow>>): Promise<RawRow | null> {
  return (await query.execute(db)).rows[0] ?? null;
}

/** The column is there and may be read. */
export const has = (features: Features, table: string, column: string): boolean =>
  features.catalog.get(table)?.get(column)?.readable === true;

/** The column, or null under its name where it is not there or may not be read. */
export const columnOrNull = (features: Features, table: string, column: string) =>
  has(features, table, column) ? sql.ref(column) : sql`null as ${sql.ref(column)}`;

/**
 * The script of an application with everything that decides how it is planned.
 * @param sqlId t_*_sql.id of a version seen earlier; without it the effective one, else the newest
 * @returns null when the application or the script is gone
 */
export async function loadScript(query: ScriptQuery, sqlId: string | null): Promise<StoredScript | null> {
  const { db, features, engine } = query;
  const app = await first(db, sql<RawRow>`select * from (${appRow(query)}) a`);
  const script = await storedSql(query, sqlId);
  if (script === null) return null;
  const environment = await environmentOf(query, filled(app?.['version_id']));
  const teamId = filled(app?.['team_id']);
  return {
    engine,
    sqlId: String(script['id']),
    sqlVersion: number(script['version']),
    sql: text(script['sql']) ?? '',
    variables: teamId === null ? [] : await variablesOf(db, features, teamId),
    team: teamId === null ? [] : [teamId, ...(await teamName(db, features, teamId))],
    config: await configOf(query),
    dynamicProperties: filled(app?.['properties']),
    engineVersion: filled(environment?.['version']),
    engineConf: filled(environment?.['conf']),
  };
}

/** What an application is submitted with beside its properties. Nothing is decoded yet. */
export type SubmitConf = Pick<StoredScript, 'config' | 'engineVersion' | 'engineConf'>;

/** Config and environment of an application. */
export async function loadSubmitConf(query: ScriptQuery): Promise<SubmitConf> {
  const app = await first(query.db, sql<RawRow>`select * from (${appRow(query)}) a`);
  const environment = await environmentOf(query, filled(app?.['version_id']));
  return { config: await configOf(query), engineVersion: filled(environment?.['version']), engineConf: filled(environment?.['conf']) };
}

function appRow({ features, engine, appId }: ScriptQuery) {
  const table = `t_${engine}_app`;
  const columns = ['version_id', 'team_id', 'user_id', 'description', 'tags', 'resource_from', 'project_id', 'module'].map((c) =>
    columnOrNull(features, table, c),
  );
  const column = propertyColumns[engine];
  const properties = has(features, table, column) ? sql.ref(column) : sql`null`;
  return sql`select ${sql.join(columns)}, ${properties} as properties from ${sql.table(table)} where id = ${id(appId)}`;
}

async function storedSql({ db, engine, appId }: ScriptQuery, sqlId: string | null): Promise<RawRow | null> {
  const table = sql.table(`t_${engine}_sql`);
  const columns = sql.join(['id', 'version', 'sql'].map((c) => sql.ref(c)));
  if (sqlId !== null) return first(db, sql<RawRow>`select ${columns} from ${table} where id = ${id(sqlId)} and app_id = ${id(appId)}`);
  // PostgreSQL has no unique key here: of two effective rows the one with the highest id counts.
  const effective = await first(
    db,
    sql<RawRow>`select s.id, s.version, s.${sql.ref('sql')} from ${sql.table(`t_${engine}_effective`)} e join ${table} s on s.id = e.target_id
      where e.app_id = ${id(appId)} and s.app_id = ${id(appId)} and e.target_type = ${sql.lit(targets[engine].sql)}
      order by e.id desc limit 1`,
  );
  return (
    effective ?? first(db, sql<RawRow>`select ${columns} from ${table} where app_id = ${id(appId)} order by version desc, id desc limit 1`)
  );
}

export async function variablesOf(db: Kysely<AnySchema>, features: Features, teamId: string): Promise<StoredVariable[]> {
  if (features.variables === null) return [];
  const { rows } = await sql<RawRow>`select variable_code, variable_value, desensitization from ${sql.table(features.variables)}
    where team_id = ${id(teamId)} order by id`.execute(db);
  return rows.map((row) => ({
    code: String(row['variable_code']),
    value: text(row['variable_value']) ?? '',
    secret: flag(row['desensitization']),
  }));
}

/** Values of the desensitized variables of the application's team: what must be masked in any text about it. */
export async function loadSecrets(query: ScriptQuery): Promise<readonly string[]> {
  const app = await first(query.db, sql<RawRow>`select * from (${appRow(query)}) a`);
  const teamId = filled(app?.['team_id']);
  const variables = teamId === null ? [] : await variablesOf(query.db, query.features, teamId);
  return variables.filter(({ secret }) => secret).map(({ value }) => value);
}

/** The effective config. Rollback builds leave ids here that are no configs of this application; those are ignored. */
export async function configOf({ db, features, engine, appId }: ScriptQuery): Promise<StoredScript['config']> {
  const table = `t_${engine}_config`;
  if (!has(features, table, 'content')) return null;
  const row = await first(
    db,
    sql<RawRow>`select c.${sql.ref('format')}, c.content from ${sql.table(`t_${engine}_effective`)} e join ${sql.table(table)} c on c.id = e.target_id
      where e.app_id = ${id(appId)} and c.app_id = ${id(appId)} and e.target_type = ${sql.lit(targets[engine].config)}
      order by e.id desc limit 1`,
  );
  const content = text(row?.['content']);
  return content === null ? null : { format: number(row?.['format']) ?? 0, content };
}

/** The environment named by the application, else the default one. */
export async function environmentOf({ db, features, engine }: ScriptQuery, versionId: string | null): Promise<RawRow | null> {
  const table = `t_${engine}_env`;
  if (!has(features, table, 'version')) return null;
  const conf = has(features, table, `${engine}_conf`) ? sql.ref(`${engine}_conf`) : sql`null`;
  const columns = sql`${sql.ref('version')}, ${conf} as conf, is_default`;
  if (versionId !== null) {
    const own = await first(db, sql<RawRow>`select ${columns} from ${sql.table(table)} where id = ${id(versionId)}`);
    if (own !== null) return own;
  }
  const { rows } = await sql<RawRow>`select ${columns} from ${sql.table(table)} order by id desc`.execute(db);
  return rows.find((row) => flag(row['is_default'])) ?? null;
}

/** Names of the team and the owner, description, tags, and the project that it was built from. */
export async function loadContext(query: ScriptQuery): Promise<AppContext> {
  const { db, features } = query;
  const app = await first(db, sql<RawRow>`select * from (${appRow(query)}) a`);
  const [teamId, userId] = [filled(app?.['team_id']), filled(app?.['user_id'])];
  const [team] = teamId === null ? [] : await teamName(db, features, teamId);
  const user =
    userId === null || !has(features, 't_user', 'username')
      ? null
      : await first(db, sql<RawRow>`select username from t_user where user_id = ${id(userId)}`);
  return {
    teamName: team ?? null,
    userName: filled(user?.['username']),
    description: filled(app?.['description']),
    tags: tagsIn(text(app?.['tags'])),
    project: await projectOf(query, app),
  };
}

const mostTags = 50;

/** The column is free text with commas. */
function tagsIn(column: string | null): string[] {
  const tags = (column ?? '').split(',').map((tag) => tag.trim());
  return [...new Set(tags.filter((tag) => tag !== ''))].slice(0, mostTags);
}

/** Values of resource_from and of t_flink_project.repository. */
const builtFromProject = 1;
const gitRepository = 1;

/** An application that was changed to an uploaded jar keeps its project_id. */
async function projectOf({ db, features, engine }: ScriptQuery, app: RawRow | null): Promise<StoredProject | null> {
  const projectId = filled(app?.['project_id']);
  if (engine !== 'flink' || projectId === null || !/^\d+$/.test(projectId) || number(app?.['resource_from']) !== builtFromProject)
    return null;
  if (!has(features, 't_flink_project', 'id') || !has(features, 't_flink_project', 'url')) return null;
  const columns = ['url', 'refs', 'branches', 'repository'].map((column) => columnOrNull(features, 't_flink_project', column));
  const row = await first(db, sql<RawRow>`select ${sql.join(columns)} from t_flink_project where id = ${id(projectId)}`);
  const url = filled(row?.['url']);
  if (url === null || (number(row?.['repository']) ?? gitRepository) !== gitRepository) return null;
  return { url, branch: filled(row?.['refs']) ?? filled(row?.['branches']), module: filled(app?.['module']) };
}

async function teamName(db: Kysely<AnySchema>, features: Features, teamId: string): Promise<string[]> {
  if (!has(features, 't_team', 'team_name')) return [];
  const team = await first(db, sql<RawRow>`select team_name from t_team where id = ${id(teamId)}`);
  const name = filled(team?.['team_name']);
  return name === null ? [] : [name];
}

/** The exception of one log row, cut to 64 KiB; null when the row or the text is gone. */
export async function loadException(db: Kysely<AnySchema>, features: Features, logId: string): Promise<string | null> {
  if (features.log === null || !has(features, features.log.table, 'exception')) return null;
  const row = await first(
    db,
    sql<RawRow>`select substring(exception, 1, 65536) as exception from ${sql.table(features.log.table)} where id = ${id(logId)}`,
  );
  return filled(row?.['exception']);
}

/** One application as the `apps` command lists it. */
export interface ListedApp {
  readonly engine: Engine;
  readonly id: string;
  readonly name: string;
  readonly teamId: string | null;
  readonly teamName: string | null;
  readonly state: number;
  readonly jobType: number | null;
  /** Reported by the rule in force. */
  readonly optIn: boolean;
  /** Raw lineage_enable: null = NULL, undefined = no such column. */
  readonly lineageEnable: boolean | null | undefined;
  /** What made it so: the column, or the list entry that applies; null = nothing does. */
  readonly rule: 'column' | 'team' | 'app' | 'except' | null;
}

/** Restricts `listApps`; team is an id or a name. */
export interface AppFilter {
  readonly engine?: Engine;
  readonly team?: string;
  readonly keys?: readonly string[];
}

/** All applications, by engine and id. */
export async function listRows(db: Kysely<AnySchema>, features: Features): Promise<(RawRow & { readonly engine: Engine })[]> {
  const teams = has(features, 't_team', 'team_name');
  const all: (RawRow & { readonly engine: Engine })[] = [];
  for (const table of [features.flink, features.spark]) {
    if (table === null) continue;
    const column = (alias: string) => {
      const found = table.columns.find((c) => c.alias === alias);
      return found === undefined ? sql`null` : sql`a.${sql.ref(found.name)}`;
    };
    const enable = table.optIn === null ? sql`null` : sql`a.${sql.ref(optInColumn)}`;
    const name = teams ? sql`t.team_name` : sql`null`;
    const join = teams ? sql`left join t_team t on t.id = ${column('team_id')}` : sql``;
    const { rows } = await sql<RawRow>`select a.id, ${column('name')} as name, ${column('team_id')} as team_id, ${name} as team_name,
      ${column('state')} as state, ${column('job_type')} as job_type, ${enable} as enable
      from ${sql.table(table.table)} a ${join} order by a.id`.execute(db);
    all.push(...rows.map((row) => ({ ...row, engine: table.engine })));
  }
  return all;
}
