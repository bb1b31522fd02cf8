// Tables as the identity stage takes them, made of what a tool was told.

import type { TableUse } from '../lineage/lineage.ts';
import type { TablePath } from '../plan/plan.ts';

type Options = Readonly<Record<string, string | undefined>>;

const given = (options: Options): Record<string, string> =>
  Object.fromEntries(Object.entries(options).filter((entry): entry is [string, string] => entry[1] !== undefined));

/** A table by connector options. `path`, two parts or more, is for messages and job names. */
export function table(connector: string, path: readonly string[], options: Options): TableUse {
  return use([connector, ...path], { connector, ...given(options) }, null);
}

/** A table of a catalog that the tool makes for itself; nothing outside knows its name. */
export function catalogTable(type: string, database: string, name: string, options: Options): TableUse {
  return use([type, database, name], {}, { type, options: given(options) });
}

function use(
  [first = '', second = '', ...rest]: readonly string[],
  options: Record<string, string>,
  catalog: TableUse['catalog'],
): TableUse {
  const path: TablePath = [first, second, rest.join('.')];
  return {
    facts: { path, temporary: true, options, columns: [], primaryKey: [], partitionKeys: [] },
    catalog,
  };
}
