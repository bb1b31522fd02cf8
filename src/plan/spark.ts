// Tables of Spark SQL in the terms of the registry, which speaks Flink's: provider, location and options of a definition, and the catalogs of
// the configuration, become connector options and catalog definitions. What Spark would take from where this program cannot look (the file
// system's default, a metastore) is left out, so that the table has no name rather than a wrong one.
import type { CatalogFacts, PlannedScript, TableFacts } from './script.ts';

type Options = Readonly<Record<string, string>>;

/** Spark's built-in catalog. */
export const sparkCatalog = 'spark_catalog';

/** Catalog classes, by the last part of their name, and how their tables are named. */
const catalogKinds: Readonly<Record<string, (options: Options, conf: Options) => CatalogFacts>> = {
  'iceberg.spark.SparkCatalog': icebergCatalog,
  'iceberg.spark.SparkSessionCatalog': icebergCatalog,
  'paimon.spark.SparkCatalog': paimonCatalog,
  'paimon.spark.SparkGenericCatalog': paimonCatalog,
};

/** The planned script with tables and catalogs as the registry names them. `conf`: Spark's configuration, as prepared. */
export function sparkTables(planned: PlannedScript, conf: Options): PlannedScript {
  const catalogs = new Map(
    Object.entries(planned.catalogs)
      .filter(([name]) => name !== sparkCatalog)
      .map(([name, found]) => [name, catalogOf(found, conf)]),
  );
  const session = planned.catalogs[sparkCatalog] ?? { type: null, options: {} };
  return {
    ...planned,
    catalogs: Object.fromEntries(catalogs),
    inserts: planned.inserts.map((insert) => ({
      ...insert,
      tables: insert.tables.map((table) => ({
        ...table,
        options: inCatalog(table, planned.catalogs[table.path[0]]) ?? inSession(table, session, conf),
      })),
    })),
  };
}

/** Options of a table that lives in a catalog of its own; undefined for one of the built-in catalog or of none. */
function inCatalog({ path: [catalog, database, table], options }: TableFacts, found: CatalogFacts | undefined): Options | undefined {
  if (catalog === sparkCatalog) return undefined;
  const location = options['location'] === undefined ? {} : { location: options['location'] };
  if (!isClass(found, 'JDBCTableCatalog')) return location;
  const name = database === '' ? table : `${database}.${table}`;
  return { connector: 'jdbc', ...kept({ url: found?.options['url'] }), 'table-name': name };
}

function catalogOf(found: CatalogFacts, conf: Options): CatalogFacts {
  const kind = Object.entries(catalogKinds).find(([name]) => isClass(found, name))?.[1];
  return kind === undefined ? found : kind(found.options, conf);
}

const isClass = (catalog: CatalogFacts | undefined, name: string): boolean => catalog?.type?.endsWith(`.${name}`) === true;

function icebergCatalog(options: Options, conf: Options): CatalogFacts {
  const type = options['type'] ?? (options['catalog-impl'] === undefined ? 'hive' : undefined);
  const isHive = type === 'hive';
  const given = {
    'catalog-type': type,
    'catalog-impl': options['catalog-impl'],
    uri: options['uri'] ?? (isHive ? metastore(conf) : undefined),
    warehouse:
      qualified(options['warehouse'], conf) ??
      (isHive ? qualified(hiveWarehouse(conf), conf) : undefined) ??
      nameOnly(options['warehouse']),
    'glue.id': options['glue.id'],
    'client.region': options['client.region'],
  };
  return { type: 'iceberg', options: kept(given) };
}

function paimonCatalog(options: Options, conf: Options): CatalogFacts {
  return { type: 'paimon', options: kept({ warehouse: qualified(options['warehouse'], conf), metastore: options['metastore'] }) };
}

/** Options of a table of the built-in catalog, of a temporary view, or of files read by their path. */
function inSession({ temporary, options: facts, path }: TableFacts, session: CatalogFacts, conf: Options): Options {
  const { location } = facts;
  const provider = shortProvider(facts['provider']);
  const option = (key: string): string | undefined => facts[`option.${key}`];
  if (provider === 'jdbc') return { connector: 'jdbc', ...kept({ url: option('url'), 'table-name': plainTable(option('dbtable')) }) };
  if (provider === 'kafka') return kafka(option('kafka.bootstrap.servers'), option('subscribe') ?? option('topic'));
  if (provider !== undefined && !fileProviders.has(provider)) return { connector: provider };
  const place = qualified(location, conf);
  const isHive = conf['spark.sql.catalogImplementation'] === 'hive' || conf['spark.config.enable.hive.support'] === 'true';
  if (provider === 'iceberg' && isClass(session, 'SparkSessionCatalog')) {
    return { connector: 'iceberg', ...icebergCatalog(session.options, conf).options, ...kept({ location: place }) };
  }
  if (provider === 'paimon' && isClass(session, 'SparkGenericCatalog')) {
    return { connector: 'paimon', ...paimonCatalog(session.options, conf).options, ...kept({ path: place }) };
  }
  // a location that cannot be told must not become the default one
  const isUnsure = location !== undefined && place === undefined;
  if (temporary || isUnsure) return files(provider, place);
  const warehouse = qualified(sessionWarehouse(conf, isHive), conf);
  const isDeclared = Object.keys(facts).length > 0;
  if (isHive) {
    const known = { location: place, 'hive.metastore.warehouse.dir': warehouse, 'hive.metastore.uris': metastore(conf) };
    return { connector: 'hive', ...kept(known) };
  }
  // without a metastore the built-in catalog is empty when the application starts
  const standard =
    isDeclared && warehouse !== undefined ? `${warehouse}/${path[1] === 'default' ? '' : `${path[1]}.db/`}${path[2]}` : undefined;
  return files(provider, place ?? standard);
}

/** Providers that are written with their class or package. */
const shortProvider = (provider: string | undefined): string | undefined =>
  provider?.replace(/^org\.apache\.spark\.sql\.(?=jdbc$)|^org\.apache\.(?=hudi$)/, '');

/** Providers whose tables are files at a location; a table without provider is one of the default format, or Hive's. */
const fileProviders: ReadonlySet<string> = new Set([
  ...['parquet', 'orc', 'csv', 'json', 'text', 'avro', 'xml', 'binaryfile', 'hive'],
  ...['delta', 'hudi', 'iceberg', 'paimon'],
]);

function files(provider: string | undefined, location: string | undefined): Options {
  // the rule that refuses for want of a location
  if (location === undefined) return { connector: 'hive' };
  if (provider === 'delta') return { connector: 'delta', 'table-path': location };
  if (provider === 'iceberg') return { connector: 'iceberg', location };
  const connector = provider === 'hudi' || provider === 'paimon' ? provider : 'filesystem';
  return { connector, path: location };
}

/** Spark's listener drops the protocol of a server and reports a list of topics as one name; only what all producers name alike is named. */
function kafka(servers: string | undefined, topic: string | undefined): Options {
  const isPlain = servers !== undefined && !servers.includes('://') && topic !== undefined && !topic.includes(',');
  return { connector: 'kafka', ...(isPlain ? { 'properties.bootstrap.servers': servers, topic } : {}) };
}

/** `dbtable` may be a sub-query, which is no table. */
const plainTable = (dbtable: string | undefined): string | undefined =>
  dbtable === undefined || /[\s(]/.test(dbtable.trim()) ? undefined : dbtable.trim();

const sessionWarehouse = (conf: Options, isHive: boolean): string | undefined =>
  conf['spark.sql.warehouse.dir'] ?? (isHive ? hiveWarehouse(conf) : undefined);

const hiveWarehouse = (conf: Options): string | undefined =>
  conf['spark.hadoop.hive.metastore.warehouse.dir'] ?? conf['spark.sql.warehouse.dir'];

const metastore = (conf: Options): string | undefined => conf['spark.sql.hive.metastore.uris'] ?? conf['spark.hadoop.hive.metastore.uris'];

/**
 * A location with scheme and, where its scheme wants one, authority. What lacks them is completed from fs.defaultFS as Hadoop does; undefined
 * where that is not known, for the cluster's files would be taken for this machine's.
 */
function qualified(location: string | undefined, conf: Options): string | undefined {
  if (location === undefined || location === '') return undefined;
  const standard = /^([A-Za-z][\w+.-]*):\/\/[^/]*/.exec(conf['spark.hadoop.fs.defaultFS'] ?? '');
  const [, scheme, rest = ''] = /^([A-Za-z][\w+.-]*):(.*)$/s.exec(location) ?? [];
  if (scheme === undefined) return location.startsWith('/') && standard !== null ? `${standard[0]}${location}` : undefined;
  if (scheme === 'file' || /^\/\/[^/]/.test(rest)) return location;
  if (standard?.[1] !== scheme) return undefined;
  return `${standard[0]}${rest.replace(/^\/\//, '')}`;
}

/** A REST catalog takes a mere name for its warehouse. */
const nameOnly = (warehouse: string | undefined): string | undefined => (warehouse?.includes('/') === false ? warehouse : undefined);

const kept = (options: Readonly<Record<string, string | undefined>>): Options =>
  Object.fromEntries(Object.entries(options).filter((entry): entry is [string, string] => entry[1] !== undefined));
