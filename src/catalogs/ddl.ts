// What a catalog told, as statements that the planner takes before the script.
import type { TablePath } from '../plan/plan.ts';
import type { CatalogSettings } from '../settings/settings.ts';
import { baseUrlOf } from './jdbc/address.ts';
import { type CatalogTable, quoted } from './table.ts';

const longestComment = 500;
const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;
const list = (names: readonly string[]) => names.map(quoted).join(', ');

/** CREATE TABLE for a table of a catalog. Keys that are no columns of it are left out. */
export function createTable(path: TablePath, { columns, primaryKey, partitionKeys, options }: CatalogTable): string {
  const known = new Set(columns.map(({ name }) => name));
  const isKnown = (keys: readonly string[]) => keys.length > 0 && keys.every((key) => known.has(key));
  const lines = columns.map(({ name, type, comment }) => {
    const said = comment === undefined || comment.trim() === '' ? '' : ` COMMENT ${literal(comment.slice(0, longestComment))}`;
    return `${quoted(name)} ${type}${said}`;
  });
  if (isKnown(primaryKey)) lines.push(`PRIMARY KEY (${list(primaryKey)}) NOT ENFORCED`);
  const partitions = isKnown(partitionKeys) ? ` PARTITIONED BY (${list(partitionKeys)})` : '';
  return `CREATE TABLE ${path.map(quoted).join('.')} (\n  ${lines.join(',\n  ')}\n)${partitions}${withOptions(options)}`;
}

/** CREATE CATALOG for an entry whose catalog neither the script nor a prelude defines: only what names are made of. */
export function createCatalog(entry: CatalogSettings): string {
  return `CREATE CATALOG ${quoted(entry.catalog)}${withOptions(catalogOptions(entry))}`;
}

function catalogOptions(entry: CatalogSettings): Record<string, string> {
  const warehouse = 'warehouse' in entry && entry.warehouse !== undefined ? { warehouse: entry.warehouse } : {};
  switch (entry.type) {
    case 'jdbc':
      return { type: 'jdbc', 'base-url': entry.url === undefined ? '' : baseUrlOf(entry.url) };
    case 'iceberg-rest':
      return { type: 'iceberg', 'catalog-type': 'rest', uri: entry.uri, ...warehouse };
    case 'iceberg-files':
      return { type: 'iceberg', 'catalog-type': 'hadoop', ...warehouse };
    case 'paimon-rest':
      return { type: 'paimon', metastore: 'rest', ...warehouse };
    case 'paimon-files':
      return { type: 'paimon', ...warehouse };
  }
}

function withOptions(options: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(options).map(([key, value]) => `${literal(key)} = ${literal(value)}`);
  return pairs.length === 0 ? '' : ` WITH (${pairs.join(', ')})`;
}
