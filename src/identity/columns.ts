// Column lineage in terms of datasets. Influences on whole rows stay apart from the columns as long as possible: a wide table
// behind a join would otherwise carry the same entries a hundred times through every store.
import type { ColumnLineage, SourceColumn } from '../plan/plan.ts';
import type { ColumnOrigin, Dataset, NamedPipeline } from './identity.ts';

export type NamedColumns = Pick<NamedPipeline, 'columns' | 'influences' | 'expressions'>;

/** Names every source column once per dataset of its input; what comes from an input without identity is left out. */
export function nameColumns(lineage: ColumnLineage, datasetsOf: readonly (readonly Dataset[])[]): NamedColumns {
  const named = (origins: readonly SourceColumn[]): ColumnOrigin[] =>
    distinct(
      origins.flatMap(({ source, ...origin }) =>
        (datasetsOf[source] ?? []).map(({ namespace, name }): ColumnOrigin => ({ namespace, name, ...origin })),
      ),
    );
  const { expressions } = lineage;
  return {
    columns: mapColumns(lineage.columns, named),
    influences: named(lineage.influences),
    ...(expressions !== undefined && { expressions }),
  };
}

/** Unites the column lineage of two INSERTs into one dataset. */
export function uniteColumns(first: NamedColumns, second: NamedColumns): NamedColumns {
  const both = touchAlike(first, second) ? [first, second] : [spread(first), spread(second)];
  const columns = new Map<string, readonly ColumnOrigin[]>();
  for (const [name, origins] of both.flatMap((each) => Object.entries(each.columns))) {
    columns.set(name, distinct([...(columns.get(name) ?? []), ...origins]));
  }
  const expressions = { ...second.expressions, ...first.expressions };
  return { columns: Object.fromEntries(columns), influences: distinct(both.flatMap((each) => each.influences)), expressions };
}

const spread = (named: NamedColumns): NamedColumns => ({ ...named, columns: columnLineage(named), influences: [] });

/** Whether the influences of either touch all columns of both: an INSERT that writes other columns does not touch these. */
function touchAlike(a: NamedColumns, b: NamedColumns): boolean {
  if (a.influences.length === 0 && b.influences.length === 0) return true;
  const names = Object.keys(a.columns);
  return names.length === Object.keys(b.columns).length && names.every((name) => Object.hasOwn(b.columns, name));
}

/** Column lineage by sink column with everything that touches it; columns without any origin are kept. */
export const columnLineage = ({ columns, influences }: NamedColumns): NamedPipeline['columns'] =>
  influences.length === 0 ? columns : mapColumns(columns, (origins) => distinct([...origins, ...influences]));

function mapColumns<T, U>(columns: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(columns).map(([name, value]) => [name, map(value)]));
}

/** A column in one use stands once; it is hidden only where it is on every way. */
function distinct(origins: readonly ColumnOrigin[]): ColumnOrigin[] {
  const found = new Map<string, ColumnOrigin>();
  for (const origin of origins) {
    const { namespace, name, field, type, subtype } = origin;
    const key = JSON.stringify([namespace, name, field, type, subtype]);
    const before = found.get(key);
    if (before === undefined || (before.masking === true && origin.masking !== true)) found.set(key, origin);
  }
  return [...found.values()];
}
