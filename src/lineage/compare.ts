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
  const plan = found.flatMap(({ role, path }): Read[] => (path === undefined || role === 'sink' ? [] : [{ role, path }]));
  const tree = insert.tree.inputs;
  const paths = new Set(plan.map(pathKey));
  const pruned = tree.filter((input) => !paths.has(pathKey(input)));
  const differing = [...without(plan, tree), ...without(tree, plan).filter((input) => paths.has(pathKey(input)))];
  return [
    ...names(pruned).map((table): Diagnostic => {
      const message = `no row of ${table} can reach ${insert.target.join('.')}, so the planner does not read it`;
      return { code: 'PLAN_PRUNED', severity: 'warning', message, line, column };
    }),
    ...names(differing).map((table): Diagnostic => {
      const message = `plan and query of the INSERT into ${insert.target.join('.')} do not read ${table} alike`;
      return { code: 'PLAN_TREE_DIFFERS', severity: 'warning', message, line, column };
    }),
  ];
}

const pathKey = ({ path }: Read): string => JSON.stringify(path);
const readKey = ({ role, path }: Read): string => JSON.stringify([role, path]);

function without(reads: readonly Read[], others: readonly Read[]): Read[] {
  const known = new Set(others.map(readKey));
  return reads.filter((read) => !known.has(readKey(read)));
}

const names = (reads: readonly Read[]): string[] => [...new Set(reads.map(({ path }) => path.join('.')))];
