// filesystem: the storage location as Spark's listener names it, partition directories trimmed.
import { type Connector, invalid, type Naming, named, need } from '../connector.ts';
import { locate } from '../filesystem.ts';
import type { IdentityFacts } from '../identity.ts';
import { cutPassword } from '../user-info.ts';

/** Names the table stored at a location that option `key` holds; the untrimmed location is an alternate. */
export function nameLocated(location: string, key: string): Naming {
  const place = locate(location);
  if (place === undefined) return invalid(key, 'names no storage location');
  return named(place.namespace, place.name, [{ namespace: place.namespace, name: place.fullName, type: 'LOCATION' }]);
}

function byOption(key: string): (facts: IdentityFacts) => Naming {
  return ({ options, location }) => {
    if (location !== null) return nameLocated(location, 'location');
    const found = need(options, key);
    return 'refusal' in found ? found.refusal : nameLocated(found.values[key] ?? '', key);
  };
}

export const filesystem: Connector = {
  names: ['filesystem'],
  catalogs: [],
  keys: ['path'],
  catalogKeys: [],
  clean: { path: cutPassword },
  name: byOption('path'),
  rule: {
    namespace: 'scheme and authority of `path`; `s3a`/`s3n` = `s3`, `abfs` = `abfss`, `wasb` = `wasbs`, no scheme = `file`',
    name: 'the path, without leading slash in object stores, without partition directories at its end',
  },
  authority: 'OpenLineage Spark listener 1.53',
  alternates: 'the path with its partition directories',
  example: {
    options: { connector: 'filesystem', path: 's3a://lake/raw/orders/' },
    namespace: 's3://lake',
    name: 'raw/orders',
  },
};

export const delta: Connector = {
  names: ['delta'],
  catalogs: ['delta-catalog'],
  keys: ['table-path'],
  catalogKeys: [],
  clean: { 'table-path': cutPassword },
  name: byOption('table-path'),
  rule: { namespace: 'as `filesystem`, of `table-path`', name: 'as `filesystem`, of `table-path`' },
  authority: 'OpenLineage Spark listener 1.53',
  alternates: 'the path with its partition directories',
  example: { options: { connector: 'delta', 'table-path': 's3a://lake/delta/orders' }, namespace: 's3://lake', name: 'delta/orders' },
};

export const hudi: Connector = {
  names: ['hudi'],
  catalogs: ['hudi'],
  keys: ['path'],
  catalogKeys: ['catalog.path'],
  clean: { path: cutPassword, 'catalog.path': cutPassword },
  name: (facts) => {
    const warehouse = facts.catalog?.options['catalog.path'];
    if (facts.location !== null || facts.options['path'] !== undefined || warehouse === undefined) return byOption('path')(facts);
    return nameLocated(`${warehouse}/${facts.path[1]}/${facts.path[2]}`, 'catalog.path');
  },
  rule: { namespace: 'as `filesystem`, of `path`, in a catalog of `catalog.path/database/table`', name: 'likewise' },
  authority: 'OpenLineage Spark listener 1.53 (file relation)',
  alternates: 'the path with its partition directories',
  example: { options: { connector: 'hudi', path: 's3a://lake/hudi/orders' }, namespace: 's3://lake', name: 'hudi/orders' },
};
