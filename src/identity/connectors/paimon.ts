// Paimon tables: the storage location, as for Iceberg. No released official producer names the tables of a SQL job, so
// the choice is ours; what Paimon's own DataStream lineage prints is kept as alternates.
import { type Connector, invalid, type Naming, named, refuse, tableLink } from '../connector.ts';
import { locate } from '../filesystem.ts';
import { formatHadoopPath, parseHadoopPath } from '../hadoop-path.ts';
import type { IdentityFacts } from '../identity.ts';
import { isPath } from '../metastore.ts';
import { cutPassword } from '../user-info.ts';

function name({ path, catalog, location, options }: IdentityFacts): Naming {
  const [alias, database, full] = path;
  // `t$branch_b`, `t$snapshots`: another view of table t.
  const table = full.replace(/(?<=.)\$[\s\S]*$/, '');
  const warehouse = options['warehouse'] ?? catalog?.options['warehouse'];
  const known = location ?? options['path'];
  const usable = warehouse !== undefined && (catalog?.options['metastore'] !== 'rest' || isPath(warehouse));
  if (known === undefined && !usable) {
    return refuse('LOCATION_UNKNOWN', 'the table has no path and its catalog no warehouse path');
  }
  const target = known ?? `${warehouse}/${database}.db/${table}`;
  const [place, parsed] = [locate(target), parseHadoopPath(target)];
  if (place === undefined || parsed === undefined) return invalid(known === undefined ? 'warehouse' : 'path', 'names no storage location');
  const qualified = `${alias}.${database}.${full}`;
  return named(place.namespace, place.name, [
    warehouse === undefined ? undefined : tableLink(warehouse, qualified),
    tableLink(`paimon://${formatHadoopPath(parsed)}`, qualified),
  ]);
}

export const paimon: Connector = {
  names: ['paimon', 'table-store'],
  catalogs: ['paimon', 'paimon-generic', 'table-store', 'gravitino-paimon'],
  keys: ['path', 'warehouse'],
  catalogKeys: ['warehouse', 'metastore'],
  clean: { path: cutPassword, warehouse: cutPassword },
  name,
  rule: {
    namespace: 'as `filesystem`, of `path`, else of `{warehouse}/{database}.db/{table}`; `$branch_x` and system suffixes cut',
    name: 'likewise',
  },
  authority: 'ours, in line with Iceberg',
  alternates: 'warehouse + `catalog.database.table` (Paimon 2.0 DataStream), `paimon://path` + the same (Paimon 1.4)',
  example: {
    options: {},
    catalog: { type: 'paimon', options: { warehouse: 's3a://lake/wh' } },
    namespace: 's3://lake',
    name: 'wh/sales.db/orders',
  },
};
