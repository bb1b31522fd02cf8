// The columns of StreamPark that `run` reads, over all versions and both databases: the source of the printed grants.
// Alternatives of one meaning stand side by side (deploy_mode, execution_mode); a grant names those that exist.
import {
  appColumns,
  appTables,
  detailColumns,
  historyColumns,
  logColumns,
  logTables,
  optInColumn,
  projectColumns,
  sideTables,
} from '../watch/watch.ts';

const names = (columns: readonly { readonly names: readonly string[] }[]): string[] => columns.flatMap((column) => column.names);

/** Table -> columns. A table or column that a version lacks is simply not granted. */
export const readColumns: Readonly<Record<string, readonly string[]>> = {
  [appTables.flink]: [...names(appColumns.flink), ...detailColumns.flink, optInColumn],
  [appTables.spark]: [...names(appColumns.spark), ...detailColumns.spark, optInColumn],
  ...Object.fromEntries(logTables.map((table) => [table, names(logColumns)])),
  ...sideTables,
  ...Object.fromEntries(
    Object.entries({ ...historyColumns, ...projectColumns }).map(([table, columns]) => [table, [...(sideTables[table] ?? []), ...columns]]),
  ),
};
