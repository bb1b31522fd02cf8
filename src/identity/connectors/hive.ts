// Hive tables: the storage location as Spark's listener names it, with the metastore's name as alternate.
import { type Connector, invalid, type Naming, named, refuse, tableLink } from '../connector.ts';
import { locate } from '../filesystem.ts';
import { formatHadoopPath, parseHadoopPath } from '../hadoop-path.ts';
import type { IdentityFacts, Symlink } from '../identity.ts';
import { glueLink, hiveNamespace, warehouseLink } from '../metastore.ts';
import { cutPassword, cutUserInfos } from '../user-info.ts';

const uriKeys = ['hive.metastore.uris', 'metastore.uris', 'uri'];
const warehouseKeys = ['hive.metastore.warehouse.dir', 'warehouse'];
const glueKeys = ['hive.metastore.client.factory.class', 'hive.metastore.glue.catalogid', 'aws.region'];

const firstOf = (options: Readonly<Record<string, string>>, keys: readonly string[]): string | undefined =>
  keys.map((key) => options[key]).find((value) => value !== undefined && value !== '');

function name({ path, catalog, location, options }: IdentityFacts): Naming {
  const [, database, table] = path;
  // A table with `connector` = `hive` carries the catalog's options itself.
  const settings = { ...catalog?.options, ...options };
  const warehouse = firstOf(settings, warehouseKeys);
  const known = location ?? options['location'];
  if (known === undefined && warehouse === undefined) {
    return refuse('LOCATION_UNKNOWN', 'the table has no known location and its catalog no warehouse option');
  }
  const place = locate(known ?? `${warehouse}/${database === 'default' ? '' : `${database}.db/`}${table}`);
  if (place === undefined) return invalid(known === undefined ? 'warehouse' : 'location', 'names no storage location');
  return named(
    place.namespace,
    place.name,
    [catalogLink(settings, warehouse, place, `${database}.${table}`, database, table)],
    known === undefined,
  );
}

/** The first that applies: Glue, the metastore, the warehouse that holds the table. */
function catalogLink(
  settings: Readonly<Record<string, string>>,
  warehouse: string | undefined,
  place: { readonly namespace: string; readonly fullName: string },
  qualified: string,
  database: string,
  table: string,
): Symlink | undefined {
  if (/glue/i.test(settings['hive.metastore.client.factory.class'] ?? '')) {
    return glueLink(settings['aws.region'], settings['hive.metastore.glue.catalogid'], database, table);
  }
  const namespace = hiveNamespace(firstOf(settings, uriKeys));
  if (namespace !== undefined) return tableLink(namespace, qualified);
  const root = warehouse === undefined ? undefined : locate(warehouse);
  const parsed = warehouse === undefined ? undefined : parseHadoopPath(warehouse);
  if (root === undefined || parsed === undefined || root.namespace !== place.namespace) return undefined;
  const inside = root.fullName === '/' || place.fullName.startsWith(`${root.fullName}/`);
  return inside ? warehouseLink(formatHadoopPath(parsed), qualified) : undefined;
}

export const hive: Connector = {
  names: ['hive'],
  catalogs: ['hive', 'gravitino-hive'],
  keys: ['location', ...uriKeys, ...warehouseKeys, ...glueKeys],
  catalogKeys: [...uriKeys, ...warehouseKeys, ...glueKeys],
  clean: {
    location: cutPassword,
    warehouse: cutPassword,
    'hive.metastore.warehouse.dir': cutPassword,
    uri: cutUserInfos,
    'metastore.uris': cutUserInfos,
    'hive.metastore.uris': cutUserInfos,
  },
  name,
  rule: {
    namespace: 'as `filesystem`, of the table location, else of `{warehouse}/{database}.db/{table}` (`default`: `{warehouse}/{table}`)',
    name: 'likewise',
  },
  authority: 'OpenLineage Spark listener 1.53',
  alternates: '`hive://` and the first metastore address, or the Glue ARN, or the warehouse',
  example: {
    options: {},
    catalog: { type: 'hive', options: { warehouse: 'hdfs://nn:8020/user/hive/warehouse' } },
    namespace: 'hdfs://nn:8020',
    name: '/user/hive/warehouse/sales.db/orders',
  },
};
