// Two views that show less than their tables, for sites that want the run user kept off t_setting and t_variable.
// Optional: column grants do without them, but cannot hide the rows of t_setting that hold other passwords.

import { settingView, variableView } from '../watch/watch.ts';
import { type GrantFacts, quoting } from './grantfacts.ts';
import { readColumns } from './reads.ts';

export interface NarrowView {
  readonly name: string;
  readonly columns: readonly string[];
  readonly where: string | undefined;
}

/** By table. They depend on nothing but that table, so that `migrate down` and StreamPark's own upgrades find little in their way. */
export const narrowViews = {
  t_setting: { name: settingView, columns: readColumns['t_setting'] ?? [], where: "setting_key like 'lineage.%'" },
  t_variable: { name: variableView, columns: readColumns['t_variable'] ?? [], where: undefined },
} as const satisfies Readonly<Record<string, NarrowView>>;

/** The statements that make them. */
export function viewStatements(facts: GrantFacts): string[] {
  const q = quoting(facts.family);
  return Object.entries(narrowViews).flatMap(([table, view]) => {
    const has = facts.columns.get(table);
    if (has === undefined) return [];
    const columns = view.columns.filter((column) => has.includes(column)).map(q.name);
    const where = view.where === undefined ? '' : ` WHERE ${view.where}`;
    const source = q.name(facts.source);
    return [
      `CREATE OR REPLACE VIEW ${source}.${q.name(view.name)} AS SELECT ${columns.join(', ')} FROM ${source}.${q.name(table)}${where}`,
    ];
  });
}
