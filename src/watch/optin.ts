// Which applications are reported: the SQL condition of the opt-in rule in force, per table.
import { type RawBuilder, sql } from 'kysely';
import type { SqlFamily } from '../database/database.ts';
import type { OptIn } from '../settings/settings.ts';
import type { AppTable } from './features.ts';

/** The rule with team names resolved to ids, as decimal text. */
export type ResolvedOptIn =
  | { readonly by: 'column' }
  | { readonly by: 'lists'; readonly teams: readonly string[]; readonly rule: Exclude<OptIn, 'column'> };

/** Joins the rule with the teams of this database: an entry is a team's id or its name. */
export function resolveOptIn(rule: OptIn, teams: readonly { readonly id: string; readonly name: string }[]): ResolvedOptIn {
  if (rule === 'column') return { by: 'column' };
  const ids = rule.teams.flatMap((entry) => {
    const named = teams.filter((team) => team.name === entry).map((team) => team.id);
    return /^\d+$/.test(entry) ? [entry, ...named] : named;
  });
  return { by: 'lists', teams: [...new Set(ids)], rule };
}

/** `flink:1`, `spark:2` -> the ids of one engine. */
const idsOf = (keys: readonly string[], engine: string): string[] =>
  keys.filter((key) => key.startsWith(`${engine}:`)).map((key) => key.slice(engine.length + 1));

const within = (column: string, ids: readonly string[]): RawBuilder<boolean> =>
  ids.length === 0
    ? sql<boolean>`1 = 0`
    : sql<boolean>`${sql.ref(column)} in (${sql.join(ids.map((id) => sql.raw(BigInt(id).toString())))})`;

/** Condition over rows of the table; null = the column that decides does not exist here. */
export function optInCondition(family: SqlFamily, table: AppTable, rule: ResolvedOptIn): RawBuilder<boolean> | null {
  if (rule.by === 'column') {
    if (table.optIn === null) return null;
    const column = sql.ref(table.optIn.name);
    return family === 'postgres' && table.optIn.type === 'boolean'
      ? sql<boolean>`${column} is true`
      : sql<boolean>`(${column} is not null and ${column} <> 0)`;
  }
  const hasTeam = table.columns.some((c) => c.alias === 'team_id');
  const chosen = sql`${hasTeam ? within('team_id', rule.teams) : sql`1 = 0`} or ${within('id', idsOf(rule.rule.apps, table.engine))}`;
  return sql<boolean>`((${chosen}) and not ${within('id', idsOf(rule.rule.except, table.engine))})`;
}

/** Condition for rows with these ids. */
export const idIn = (ids: readonly string[]): RawBuilder<boolean> => within('id', ids);
