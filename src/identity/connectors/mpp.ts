// doris, selectdb, starrocks, tidb: databases with the MySQL protocol. Nothing official names them; what Spark or JDBC emits for the
// same table through a MySQL driver does, so their tables meet those of the jdbc connector.
import { type Connector, invalid, missing, type Naming, named, need, refuse } from '../connector.ts';
import { firstHost } from '../host.ts';
import type { IdentityFacts, IdentitySettings } from '../identity.ts';
import { hideCredentials } from '../jdbc/credentials.ts';
import { cutUserInfos } from '../user-info.ts';
import { nameAt } from './jdbc.ts';

/** The query port of both; the port of fenodes (8030) is another one. */
const queryPort = 9030;

/** A catalog of that type gives its tables its own addresses. */
const withCatalog = ({ options, catalog }: IdentityFacts): Readonly<Record<string, string>> => ({ ...catalog?.options, ...options });

/** StarRocks' own driver speaks the same protocol. */
const asMysql = (url: string): string => url.replace(/^jdbc:starrocks:/i, 'jdbc:mysql:');

function nameDoris(facts: IdentityFacts, settings: IdentitySettings): Naming {
  const options = withCatalog(facts);
  const table = options['table.identifier'] ?? (facts.catalog?.type === 'doris' ? facts.path.slice(1).join('.') : undefined);
  if (table === undefined) return missing('table.identifier');
  if (!/^[^.]+(\.[^.]+)+$/.test(table)) return invalid('table.identifier', 'is not database.table');
  if (options['jdbc-url'] !== undefined && options['jdbc-url'] !== '') return nameAt(asMysql(options['jdbc-url']), table, settings);
  const found = need(options, 'fenodes');
  if ('refusal' in found) return found.refusal;
  const host = firstHost(found.values.fenodes, undefined)?.replace(/:\d+$/, '');
  return host === undefined ? invalid('fenodes', 'names no host') : named(`mysql://${host}:${queryPort}`, table);
}

/** SelectDB gives the query address as `host:port`. */
function nameSelectdb(facts: IdentityFacts, settings: IdentitySettings): Naming {
  const found = need(facts.options, 'jdbc-url', 'table.identifier');
  if ('refusal' in found) return found.refusal;
  const { 'jdbc-url': address, 'table.identifier': table } = found.values;
  if (!/^[^.]+(\.[^.]+)+$/.test(table)) return invalid('table.identifier', 'is not database.table');
  return nameAt(/^jdbc:/i.test(address) ? asMysql(address) : `jdbc:mysql://${address}`, table, settings);
}

function nameTidb(facts: IdentityFacts, settings: IdentitySettings): Naming {
  const own = facts.catalog?.type === 'tidb' ? { 'tidb.database.name': facts.path[1], 'tidb.table.name': facts.path[2] } : {};
  const found = need({ ...own, ...withCatalog(facts) }, 'tidb.database.url', 'tidb.database.name', 'tidb.table.name');
  if ('refusal' in found) return found.refusal;
  const { 'tidb.database.url': url, 'tidb.database.name': database, 'tidb.table.name': table } = found.values;
  return nameAt(url, `${database}.${table}`, settings);
}

function nameStarrocks(facts: IdentityFacts, settings: IdentitySettings): Naming {
  const own = facts.catalog?.type === 'starrocks' ? { 'database-name': facts.path[1], 'table-name': facts.path[2] } : {};
  const found = need({ ...own, ...withCatalog(facts) }, 'jdbc-url', 'database-name', 'table-name');
  if ('refusal' in found) return found.refusal;
  const { 'jdbc-url': url, 'database-name': database, 'table-name': table } = found.values;
  if (!/^jdbc:/i.test(url)) return refuse('OPTION_INVALID', "option 'jdbc-url' is no JDBC url");
  return nameAt(asMysql(url), `${database}.${table}`, settings);
}

export const doris: Connector = {
  names: ['doris'],
  catalogs: ['doris'],
  keys: ['jdbc-url', 'fenodes', 'table.identifier'],
  hostLists: ['fenodes'],
  catalogKeys: ['jdbc-url', 'fenodes'],
  clean: { 'jdbc-url': hideCredentials, fenodes: cutUserInfos },
  name: nameDoris,
  rule: {
    namespace: 'as `jdbc`, of `jdbc-url`; without it `mysql://`, the first host of `fenodes` in lower case, `:9030`',
    name: '`table.identifier`',
  },
  authority: 'JDBC form over the MySQL protocol',
  alternates: 'as `jdbc`',
  example: {
    options: { connector: 'doris', fenodes: 'fe1:8030,fe2:8030', 'table.identifier': 'dw.orders' },
    namespace: 'mysql://fe1:9030',
    name: 'dw.orders',
  },
};

export const starrocks: Connector = {
  names: ['starrocks'],
  catalogs: ['starrocks'],
  keys: ['jdbc-url', 'database-name', 'table-name'],
  catalogKeys: ['jdbc-url'],
  clean: { 'jdbc-url': hideCredentials },
  name: nameStarrocks,
  rule: { namespace: 'as `jdbc`, of `jdbc-url`', name: '`database-name`.`table-name`' },
  authority: 'JDBC form over the MySQL protocol',
  alternates: 'as `jdbc`',
  example: {
    options: { connector: 'starrocks', 'jdbc-url': 'jdbc:mysql://fe:9030', 'database-name': 'dw', 'table-name': 'orders' },
    namespace: 'mysql://fe:9030',
    name: 'dw.orders',
  },
};

export const selectdb: Connector = {
  names: ['selectdb'],
  catalogs: [],
  keys: ['jdbc-url', 'table.identifier'],
  catalogKeys: [],
  clean: { 'jdbc-url': (address) => (/^jdbc:/i.test(address) ? hideCredentials(address) : cutUserInfos(address)) },
  name: nameSelectdb,
  rule: { namespace: '`mysql://` and the address in `jdbc-url`, which has no scheme', name: '`table.identifier`' },
  authority: 'JDBC form over the MySQL protocol',
  alternates: 'as `jdbc`',
  example: {
    options: { connector: 'selectdb', 'jdbc-url': 'sdb:9030', 'table.identifier': 'dw.orders' },
    namespace: 'mysql://sdb:9030',
    name: 'dw.orders',
  },
};

export const tidb: Connector = {
  names: ['tidb'],
  catalogs: ['tidb'],
  keys: ['tidb.database.url', 'tidb.database.name', 'tidb.table.name'],
  catalogKeys: ['tidb.database.url'],
  clean: { 'tidb.database.url': hideCredentials },
  name: nameTidb,
  rule: { namespace: 'as `jdbc`, of `tidb.database.url`', name: '`tidb.database.name`.`tidb.table.name`' },
  authority: 'JDBC form over the MySQL protocol',
  alternates: 'as `jdbc`',
  example: {
    options: {
      connector: 'tidb',
      'tidb.database.url': 'jdbc:mysql://tidb:4000/shop',
      'tidb.database.name': 'shop',
      'tidb.table.name': 'orders',
    },
    namespace: 'mysql://tidb:4000',
    name: 'shop.orders',
  },
};
