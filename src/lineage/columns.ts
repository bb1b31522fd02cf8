// Column lineage of one INSERT in terms of its pipeline: what comes from a source that does not reach the sink drops out.
import type { ColumnLineage, PlannedInsert, SourceColumn, TableFacts } from '../plan/plan.ts';
import { tableKey } from './table-key.ts';

/**
 * The column lineage with sources counted in `inputs` instead of in the INSERT's tables. A table that is both scanned and
 * looked up counts as the first of the two inputs: it is the same dataset.
 */
export function pipelineColumns(insert: PlannedInsert, inputs: readonly { readonly facts: TableFacts }[]): ColumnLineage | null {
  if (insert.columns === null) return null;
  const places = new Map<string, number>();
  inputs.forEach(({ facts }, place) => {
    const key = tableKey(facts);
    if (!places.has(key)) places.set(key, place);
  });
  const placeOf = insert.tables.map((table) => (table.role === 'source' ? places.get(tableKey(table)) : undefined));
  const placed = (origins: readonly SourceColumn[]): SourceColumn[] =>
    origins.flatMap((origin) => {
      const source = placeOf[origin.source];
      return source === undefined ? [] : [{ ...origin, source }];
    });
  const { columns, influences, expressions } = insert.columns;
  return {
    columns: Object.fromEntries(Object.entries(columns).map(([name, origins]) => [name, placed(origins)])),
    influences: placed(influences),
    ...(expressions !== undefined && { expressions }),
  };
}
