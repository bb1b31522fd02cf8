// Paimon tables as arguments give them.
import type { TableUse } from '../lineage/lineage.ts';
import type { Parameters } from './arguments.ts';
import { catalogTable } from './table.ts';

export interface PaimonPath {
  readonly warehouse: string;
  readonly database: string;
  readonly table: string;
}

/** `--warehouse`, `--database`, `--table`, or `--path` of the form `warehouse/database.db/table`. */
export function tablePath(given: Parameters): PaimonPath | undefined {
  const warehouse = given.one('warehouse') ?? given.pairs('catalog_conf')['warehouse'];
  const [database, table, path] = [given.one('database'), given.one('table'), given.one('path')];
  if (warehouse !== undefined && database !== undefined && table !== undefined) return { warehouse, database, table };
  const [, root, db, name] = /^(.+)\/([^/]+)\.db\/([^/]+)\/*$/s.exec(path ?? '') ?? [];
  return root === undefined || db === undefined || name === undefined ? undefined : { warehouse: root, database: db, table: name };
}

/** The table in a catalog with these options. */
export const paimonTable = ({ warehouse, database, table }: PaimonPath, catalog: Readonly<Record<string, string>>): TableUse =>
  catalogTable('paimon', database, table, { ...catalog, warehouse });

/** Whether the catalog keeps upper case in names of tables. */
export function keepsCase(catalog: Readonly<Record<string, string>>): boolean {
  const said = catalog['case-sensitive'] ?? catalog['allow-upper-case'];
  return said === undefined ? !['hive', 'jdbc'].includes(catalog['metastore'] ?? 'filesystem') : said.toLowerCase() === 'true';
}

/** Parts of a name in SQL, without back-ticks. */
export const lastParts = (name: string): string[] =>
  [...name.matchAll(/`((?:[^`]|``)*)`|[^.`]+/g)].map(([whole, quoted]) =>
    quoted === undefined ? whole.trim() : quoted.replaceAll('``', '`'),
  );
