// Iceberg tables: the storage location as Spark's and Flink 1's listeners name it, with the catalog's name as alternate.
import { type Connector, invalid, type Naming, named, refuse, tableLink } from '../connector.ts';
import { locate } from '../filesystem.ts';
import type { IdentityFacts, Symlink } from '../identity.ts';
import { glueLink, hiveNamespace, isPath, warehouseLink } from '../metastore.ts';
import { cutPassword, cutUserInfos, hideSecrets } from '../user-info.ts';

type CatalogKind = 'hadoop' | 'hive' | 'rest' | 'glue' | 'jdbc';

const catalogKeys = ['catalog-type', 'catalog-backend', 'catalog-impl', 'uri', 'warehouse', 'base-namespace', 'glue.id', 'client.region'];

function name({ path, catalog, location, options }: IdentityFacts): Naming {
  // A table with `connector` = `iceberg` carries the catalog's options itself.
  const settings = { ...catalog?.options, ...options };
  const levels = [...(settings['base-namespace'] ?? '').split('.'), ...(options['catalog-database'] ?? path[1]).split(/[./]/)].filter(
    (level) => level !== '',
  );
  const table = options['catalog-table'] ?? path[2];
  const kind = catalogKind(settings);
  const warehouse = settings['warehouse'];
  const known = location ?? options['location'];
  if (known === undefined && (warehouse === undefined || !isPath(warehouse))) {
    return refuse('LOCATION_UNKNOWN', 'the table has no known location and its catalog no warehouse path');
  }
  const place = locate(known ?? `${warehouse}/${[...levels, table].join('/')}`);
  if (place === undefined) return invalid(known === undefined ? 'warehouse' : 'location', 'names no storage location');
  return named(place.namespace, place.name, [catalogLink(kind, settings, levels, table)], known === undefined && kind !== 'hadoop');
}

/** As the listener chooses its handler: by type or class, anything unknown is a Hive catalog. */
function catalogKind(settings: Readonly<Record<string, string>>): CatalogKind {
  const text = (settings['catalog-impl'] ?? settings['catalog-type'] ?? settings['catalog-backend'] ?? '').toLowerCase();
  if (/glue/.test(text)) return 'glue';
  if (/rest|nessie/.test(text)) return 'rest';
  if (/hadoop/.test(text)) return 'hadoop';
  return /jdbc/.test(text) ? 'jdbc' : 'hive';
}

function catalogLink(
  kind: CatalogKind,
  settings: Readonly<Record<string, string>>,
  levels: readonly string[],
  table: string,
): Symlink | undefined {
  const qualified = [...levels, table].map(quoteIfNeeded).join('.');
  switch (kind) {
    case 'glue':
      return glueLink(settings['client.region'], settings['glue.id'], levels.join('.'), table);
    case 'rest':
      return settings['uri'] === undefined ? undefined : tableLink(settings['uri'], qualified);
    case 'hadoop':
      return warehouseLink(settings['warehouse'], qualified);
    case 'hive': {
      const namespace = hiveNamespace(settings['uri']);
      return namespace === undefined ? undefined : tableLink(namespace, qualified);
    }
    case 'jdbc':
      return undefined;
  }
}

/** Spark prints an identifier's part in back-ticks unless it is made of letters, digits and `_` and no number. */
const quoteIfNeeded = (part: string): string => (/^(?!\d+$)[A-Za-z0-9_]+$/.test(part) ? part : `\`${part.replaceAll('`', '``')}\``);

export const iceberg: Connector = {
  names: ['iceberg'],
  catalogs: ['iceberg', 'gravitino-iceberg'],
  keys: [...catalogKeys, 'catalog-database', 'catalog-table', 'location'],
  catalogKeys,
  clean: { location: cutPassword, warehouse: cutPassword, uri: (uri) => hideSecrets(cutUserInfos(uri)) },
  name,
  rule: {
    namespace: 'as `filesystem`, of the table location, else of `{warehouse}/{database}/{table}`',
    name: 'likewise',
  },
  authority: 'OpenLineage Spark listener 1.53, Flink 1 listener',
  alternates: 'hive `hive://` and the first metastore address, hadoop the warehouse, rest and nessie `uri`, glue its ARN',
  example: {
    options: {},
    catalog: { type: 'iceberg', options: { 'catalog-type': 'hadoop', warehouse: 's3a://lake/ice' } },
    namespace: 's3://lake',
    name: 'ice/sales/orders',
  },
};
