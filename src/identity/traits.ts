// What is known of a table beside its name: version, storage, catalog, comment. Without secrets, kept in the plan cache.
import type { TableUse } from '../lineage/lineage.ts';
import type { TablePath } from '../plan/plan.ts';
import type { Connector } from './connector.ts';
import { connectorNamed, connectorOfCatalog } from './registry.ts';

export interface TableTraits {
  /** Version that is read: a snapshot id, a tag or a time, as written. `batchOnly`: for a streaming job it is where reading begins. */
  readonly version?: { readonly value: string; readonly batchOnly: boolean };
  readonly storage?: { readonly layer: string; readonly format?: string };
  readonly catalog?: CatalogTrait;
  readonly comment?: string;
  /** Values of the PARTITION clause that writes it, by partition key. */
  readonly partition?: Readonly<Record<string, string>>;
}

export interface CatalogTrait {
  readonly framework: string;
  readonly type: string;
  readonly name: string;
  readonly metadataUri?: string;
  readonly warehouseUri?: string;
}

type Options = Readonly<Record<string, string>>;

/** Longest value that is kept; a longer one is no version, format or address. */
const longest = 1024;

/** The traits of a table; an absent one is unknown. `options` are the table's in their current spelling. */
export function traitsOf(use: TableUse & { readonly partition?: Options }, options: Options): TableTraits {
  const type = use.catalog?.type ?? null;
  const connector = options['connector'] ?? type;
  const family = familyOf(options['connector'], type);
  const storage = storageOf(family, options);
  const version = versionOf(family, options);
  const { catalog, partition, facts } = use;
  const known = catalog === null || type === null || connector === null ? undefined : catalogOf(family, type, facts.path, catalog.options);
  return {
    ...(version !== undefined && { version }),
    ...(storage !== undefined && { storage }),
    ...(known !== undefined && { catalog: known }),
    ...(facts.comment !== undefined && facts.comment !== '' && { comment: facts.comment }),
    ...(partition !== undefined && { partition }),
  };
}

/** The family by its first connector name, so that aliases count as one. */
function familyOf(connector: string | undefined, catalog: string | null): string | undefined {
  const rule: Connector | undefined =
    connector !== undefined ? connectorNamed(connector) : catalog === null ? undefined : connectorOfCatalog(catalog);
  return rule?.names[0] ?? connector ?? catalog ?? undefined;
}

const first = (options: Options, keys: readonly string[]): string | undefined =>
  keys.map((key) => options[key]?.trim()).find((value) => value !== undefined && value !== '' && value.length <= longest);

const icebergVersions = ['snapshot-id', 'tag', 'as-of-timestamp'];
const paimonVersions = ['scan.version', 'scan.snapshot-id', 'scan.tag-name', 'scan.timestamp-millis', 'scan.timestamp'];

function versionOf(family: string | undefined, options: Options): TableTraits['version'] {
  // A branch moves on and is no version; an Iceberg read that goes on (`streaming`) has none.
  const [keys, batchOnly] = family === 'iceberg' ? [icebergVersions, false] : family === 'paimon' ? [paimonVersions, true] : [[], false];
  const value = options['streaming'] === 'true' ? undefined : first(options, keys);
  return value === undefined ? undefined : { value, batchOnly };
}

/** Options that say in which format a lake table is stored; what an absent one means depends on the version of the library. */
const lakeFormats: Readonly<Record<string, readonly string[]>> = {
  iceberg: ['write-format', 'write.format.default'],
  paimon: ['file.format'],
  hudi: ['hoodie.table.base.file.format'],
  hive: ['hive.storage.file-format'],
  delta: [],
};

function storageOf(family: string | undefined, options: Options): TableTraits['storage'] {
  if (family === undefined) return undefined;
  const keys = Object.hasOwn(lakeFormats, family) ? lakeFormats[family] : undefined;
  const written = first(options, keys ?? ['value.format', 'format'])?.toLowerCase();
  const format = family === 'delta' ? 'parquet' : written;
  if (keys === undefined && format === undefined) return undefined;
  return { layer: family === 'filesystem' ? 'file' : family, ...(format !== undefined && { format }) };
}

/** Where a catalog says of which kind its metastore is, and which kind it is when nothing is said. */
const metastores: Readonly<Record<string, { readonly key: string; readonly unsaid: string }>> = {
  iceberg: { key: 'catalog-type', unsaid: 'hive' },
  paimon: { key: 'metastore', unsaid: 'filesystem' },
  hudi: { key: 'mode', unsaid: 'dfs' },
  delta: { key: 'catalog-type', unsaid: 'in-memory' },
};

function catalogOf(family: string | undefined, type: string, [name]: TablePath, options: Options): CatalogTrait {
  const metastore = family !== undefined && Object.hasOwn(metastores, family) ? metastores[family] : undefined;
  const metadataUri = plainAddress(first(options, ['uri', 'base-url', 'hive.metastore.uris', 'url']));
  const warehouseUri = plainAddress(first(options, ['warehouse', 'catalog.path']));
  const custom = first(options, ['catalog-impl']);
  return {
    framework: family ?? type,
    type: metastore === undefined ? type : (first(options, [metastore.key]) ?? (custom === undefined ? metastore.unsaid : 'custom')),
    name,
    ...(metadataUri !== undefined && { metadataUri }),
    ...(warehouseUri !== undefined && { warehouseUri }),
  };
}

const address = /^(?:jdbc:)?[a-z][a-z\d+.-]*:\/\/[\w.,:\-[\]]*(?:\/[\w\-./%=+~ ]*)?$|^\/?[\w\-./%=+~ ]+$/i;
const container = /^(?:abfss?|wasbs?):\/\/[\w-]+@[\w.-]+(?:\/[\w\-./%=+~ ]*)?$/i;

/** An address without parameters; one that may hold user info is not shown at all. */
function plainAddress(written: string | undefined): string | undefined {
  if (written === undefined) return undefined;
  if (container.test(written)) return written;
  const plain = written.replace(/[?;#][\s\S]*$/, '');
  return !written.includes('@') && address.test(plain) ? plain : undefined;
}

/** The same with every text that somebody wrote masked. */
export function maskTraits(traits: TableTraits, mask: (text: string) => string): TableTraits {
  const { version, catalog, comment, partition } = traits;
  const uris = catalog === undefined ? {} : { metadataUri: catalog.metadataUri, warehouseUri: catalog.warehouseUri };
  const masked = Object.fromEntries(Object.entries(uris).flatMap(([key, uri]) => (uri === undefined ? [] : [[key, mask(uri)]])));
  return {
    ...traits,
    ...(version !== undefined && { version: { ...version, value: mask(version.value) } }),
    ...(catalog !== undefined && { catalog: { ...catalog, ...masked } }),
    ...(comment !== undefined && { comment: mask(comment) }),
    ...(partition !== undefined && {
      partition: Object.fromEntries(Object.entries(partition).map(([key, value]) => [key, mask(value)])),
    }),
  };
}

/** Comments and traits of a table are free text; they are masked while the secrets are known. */
export function maskTable<T extends { readonly columns: readonly { readonly comment?: string }[]; readonly traits?: TableTraits }>(
  table: T,
  mask: (text: string) => string,
): T {
  return {
    ...table,
    columns: table.columns.map((column) => (column.comment === undefined ? column : { ...column, comment: mask(column.comment) })),
    ...(table.traits !== undefined && { traits: maskTraits(table.traits, mask) }),
  };
}
