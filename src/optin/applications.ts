// The change of an opt-in, and who is opted in by the column.
// Only lineage_enable is written, and only where it differs: PostgreSQL's trigger moves modify_time at every UPDATE.
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { SourceError } from '../errors/errors.ts';
import { type AppKey, appKey, type ListedApp, optInColumn, type Source } from '../watch/watch.ts';
import { type ApplyOptions, inspectTables, runPatiently } from './apply.ts';
import { explain, OptInError, selectCure } from './failures.ts';
import type { ApplicationTables, TableFootprint } from './footprint.ts';
import { readLogin } from './grantfacts.ts';

/**
 * Applications whose lineage_enable is set, by engine and id; none where the column is missing or cannot serve.
 * @throws SourceError
 */
export async function optedIn(database: Database<unknown>, { tables }: ApplicationTables): Promise<AppKey[]> {
  const keys: AppKey[] = [];
  for (const { table, engine, optIn } of tables) {
    if (optIn === undefined || optIn.problem !== undefined) continue;
    const { on } = literals(optIn.boolean);
    try {
      const { rows } = await sql<{ id: bigint | number | string }>`
        select id from ${sql.table(table)} where ${sql.ref(optInColumn)} = ${sql.raw(on)} order by id`.execute(database.db);
      keys.push(...rows.map((row) => appKey(engine, String(row.id))));
    } catch (error) {
      throw explain(error, `reading ${table}`, database.label, selectCure);
    }
  }
  return keys;
}

const literals = (boolean: boolean) => (boolean ? { on: 'true', off: 'false' } : { on: '1', off: '0' });

/** Which applications `apps enable` and `apps disable` mean. A team is given by its name or its id. */
export type OptInTarget =
  | { readonly kind: 'keys'; readonly keys: readonly AppKey[] }
  | { readonly kind: 'team'; readonly team: string }
  | { readonly kind: 'all' };

export interface OptInChange {
  /** Rows that were changed, and rows that had the value already. */
  readonly changed: number;
  readonly unchanged: number;
  /** Keys that no application has. */
  readonly unknown: readonly AppKey[];
}

/**
 * Sets lineage_enable, with one UPDATE for each application table.
 * @throws SourceError OPT_IN_COLUMN_MISSING before anything is written; SOURCE_SCHEMA for a team without applications
 */
export async function setOptIn(source: Source, target: OptInTarget, value: boolean, options: ApplyOptions): Promise<OptInChange> {
  const { database } = source;
  const wanted = await source.listApps(
    target.kind === 'keys' ? { keys: target.keys } : target.kind === 'team' ? { team: target.team } : {},
  );
  if (target.kind === 'team' && wanted.length === 0) {
    const cure = 'See the teams in `streampark-lineage apps --all`; a team is given by its name or its id.';
    throw new OptInError('SOURCE_SCHEMA', `no application belongs to a team ${target.team}`, cure);
  }
  const tables = (await inspectTables(database)).tables.filter((t) => wanted.some((app) => app.engine === t.engine));
  for (const { table, optIn } of tables) {
    if (optIn === undefined) throw new SourceError('OPT_IN_COLUMN_MISSING', `${table} has no column ${optInColumn}`);
    if (optIn.problem !== undefined) throw unusable(table, optIn.problem);
  }
  const { source: schema, user } = await readLogin(database.db, database.family);
  let changed = 0;
  for (const table of tables) {
    const statement = updateOf(table, wanted, value);
    const grant = `GRANT UPDATE (${optInColumn}) ON ${schema}.${table.table} TO ${user};`;
    if (statement !== undefined) changed += await runPatiently(database, statement, grant, options);
  }
  const found = new Set(wanted.map((app) => appKey(app.engine, app.id)));
  const unknown = target.kind === 'keys' ? [...new Set(target.keys)].filter((key) => !found.has(key)) : [];
  return { changed, unchanged: wanted.length - changed, unknown };
}

/** Undefined when every row has the value already. Ids are decimal text of the database itself. */
function updateOf({ table, engine, optIn }: TableFootprint, wanted: readonly ListedApp[], value: boolean) {
  const ids = wanted.filter((app) => app.engine === engine && (app.lineageEnable ?? false) !== value).map((app) => app.id);
  if (ids.length === 0) return undefined;
  const { on, off } = literals(optIn?.boolean === true);
  const differs = value ? `(${optInColumn} is null or ${optInColumn} = ${off})` : `${optInColumn} <> ${off}`;
  return {
    table,
    purpose: `${table}: ${value ? 'enable' : 'disable'} ${ids.length} applications`,
    sql: `update ${table} set ${optInColumn} = ${value ? on : off} where ${differs} and id in (${ids.join(', ')})`,
  };
}

/** The error for a column of this name that cannot serve. */
export function unusable(table: string, problem: string): OptInError {
  const cure =
    'This column was not made by this program: alter it by hand to a nullable tinyint (MySQL) or boolean (PostgreSQL), default off.';
  return new OptInError('OPT_IN_COLUMN_MISSING', `${table}.${optInColumn} ${problem}`, cure);
}
