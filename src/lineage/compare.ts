// The compiled plan beside the validated tree. A source that only the tree has was pruned, which is worth knowing when an edge
// is looked for in vain; any other difference would be a fault of one of the two readers.
import type { Diagnostic } from '../errors/errors.ts';
import type { PlannedInsert, TablePath } from '../plan/plan.ts';
import type { PlanTable } from './compiled-plan.ts';

interface Read {
  readonly role: string;
  readonly path: TablePath;
}

/** What the sources of the plan (`found`) and those of the tree tell about each other; nothing where there is no tree. */
export function compareTiers(insert: PlannedInsert, found: readonly PlanTable[]): Diagnostic[] {
  if (insert.tree === null) return [];
  const { line, column } = insert;
  const sink = insert.target.join('.');
  const plan = found.flatMap(({ role, path }): Read[] => (path === undefined || role === 'sink' ? [] : [{ role, path }]));
  const differing = without(plan, insert.tree.inputs);
  const tables = new Set(differing.map(tableOf));
  const pruned = without(insert.tree.inputs, plan).filter((read) => !tables.has(tableOf(read)));
  return [
    ...pruned.map((read): Diagnostic => {
      const message = `nothing that a ${read.role} of ${tableOf(read)} gives can reach ${sink}, so the planner leaves it out`;
      return { code: 'PLAN_PRUNED', severity: 'warning', message, line, column };
    }),
    ...[...tables].map((table): Diagnostic => {
      const message = `plan and query of the INSERT into ${sink} do not read ${table} alike`;
      return { code: 'PLAN_TREE_DIFFERS', severity: 'warning', message, line, column };
    }),
  ];
}

const tableOf = ({ path }: Read): string => path.join('.');

/** Those of `reads` that are not among `others`, each once. */
function without(reads: readonly Read[], others: readonly Read[]): Read[] {
  const key = ({ role, path }: Read) => JSON.stringify([role, path]);
  const known = new Set(others.map(key));
  return [...new Map(reads.map((read) => [key(read), read])).entries()].flatMap(([each, read]) => (known.has(each) ? [] : [read]));
}
