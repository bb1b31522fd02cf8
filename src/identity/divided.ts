// One table under two names: what a graph would show as two nodes although it is one. Found among names that are given together.
import type { Dataset, NamedLineage, NamedTable } from './identity.ts';

/** Two tables, by the names they have; `certain` where one is a symlink of the other. */
export interface DividedName {
  readonly first: NamedTable;
  readonly second: NamedTable;
  readonly certain: boolean;
}

const key = ({ namespace, name }: { readonly namespace: string; readonly name: string }): string => JSON.stringify([namespace, name]);

/**
 * The pairs of datasets of which one carries the other's name as a symlink, or that an Oracle table without schema may be: its
 * schema is the login's, which nothing here knows. Each pair once, in order of appearance.
 */
export function dividedNames(lineages: readonly NamedLineage[]): DividedName[] {
  const tables = new Map<string, NamedTable>();
  for (const { pipelines } of lineages) {
    for (const { sink, inputs } of pipelines) {
      for (const table of [...inputs, sink]) if (!tables.has(key(table.dataset))) tables.set(key(table.dataset), table);
    }
  }
  const pairs = new Map<string, DividedName>();
  const add = (first: NamedTable, second: NamedTable, certain: boolean): void => {
    const name = [key(first.dataset), key(second.dataset)].sort().join();
    if (!pairs.has(name)) pairs.set(name, { first, second, certain });
  };
  const bare = bareNames([...tables.values()]);
  for (const table of tables.values()) {
    for (const link of table.dataset.symlinks) {
      const other = tables.get(key(link));
      if (other !== undefined && other !== table) add(table, other, true);
    }
    const without = bare.get(key(withoutSchema(table.dataset)));
    if (without !== undefined && without !== table) add(without, table, false);
  }
  return [...pairs.values()];
}

/** Tables of Oracle without schema, by `service.table`. */
function bareNames(tables: readonly NamedTable[]): ReadonlyMap<string, NamedTable> {
  return new Map(
    tables
      .filter(({ dataset }) => dataset.namespace.startsWith('oracle://') && dataset.name.split('.').length === 2)
      .map((table) => [key(table.dataset), table]),
  );
}

function withoutSchema({ namespace, name }: Dataset): { readonly namespace: string; readonly name: string } {
  const parts = name.split('.');
  return { namespace, name: parts.length === 3 ? `${parts[0]}.${parts[2]}` : name };
}
