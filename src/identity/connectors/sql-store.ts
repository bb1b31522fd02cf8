// clickhouse, oceanbase, cassandra: stores whose tables openlineage-java names too when a JDBC driver reaches them.
import { type Connector, invalid, type Naming, named, need } from '../connector.ts';
import { firstHost, parseHost, withoutScheme } from '../host.ts';
import type { IdentityFacts, IdentitySettings } from '../identity.ts';
import { before } from '../java/text.ts';
import { hideCredentials } from '../jdbc/credentials.ts';
import { nameJdbc } from '../jdbc/jdbc.ts';
import { cutUserInfos } from '../user-info.ts';
import { nameAt } from './jdbc.ts';

function nameClickhouse({ options }: IdentityFacts): Naming {
  const found = need(options, 'url', 'table-name');
  if ('refusal' in found) return found.refusal;
  const { url, 'table-name': table } = found.values;
  const address = withoutScheme(url.replace(/^(?:jdbc:)?(?:clickhouse|ch):(?!\/\/)/i, '')).replace(/[/?#][\s\S]*$/, '');
  const hosts = address.split(',').map(parseHost);
  if (hosts.includes(undefined)) return invalid('url', 'names no host');
  const list = hosts.map((host) => `${host?.host}:${host?.port ?? 8123}`).join(',');
  return named(`clickhouse://${list}`, `${options['database-name'] ?? 'default'}.${table}`);
}

function nameOceanbase({ options }: IdentityFacts, settings: IdentitySettings): Naming {
  const found = need(options, 'url', 'schema-name', 'table-name');
  if ('refusal' in found) return found.refusal;
  const { url, 'schema-name': schema, 'table-name': table } = found.values;
  // An `oceanbase:` url puts its database in front of every name: the schema would stand there twice.
  const twice = nameJdbc(url, table, settings.jdbcNameRule)?.name === `${schema}.${table}`;
  return nameAt(url, twice ? table : `${schema}.${table}`, settings);
}

function nameCassandra({ options }: IdentityFacts): Naming {
  const found = need(options, 'hosts', 'keyspace', 'table');
  if ('refusal' in found) return found.refusal;
  const port = Number(options['port'] ?? 9042);
  const host = Number.isInteger(port) ? firstHost(found.values.hosts, port) : undefined;
  return host === undefined
    ? invalid('hosts', 'names no host')
    : named(`cassandra://${host}`, `${found.values.keyspace}.${found.values.table}`);
}

export const clickhouse: Connector = {
  names: ['clickhouse'],
  catalogs: [],
  keys: ['url', 'database-name', 'table-name'],
  catalogKeys: [],
  clean: { url: (url) => before(cutUserInfos(url), '?') },
  name: nameClickhouse,
  rule: {
    namespace: '`clickhouse://` and the hosts of `url` in lower case, port 8123 where none is written',
    name: '`database-name` (default `default`).`table-name`',
  },
  authority: 'JDBC form = Spark listener 1.53',
  alternates: '',
  example: {
    options: { connector: 'clickhouse', url: 'clickhouse://ch:8123', 'database-name': 'dw', 'table-name': 'orders' },
    namespace: 'clickhouse://ch:8123',
    name: 'dw.orders',
  },
};

export const oceanbase: Connector = {
  names: ['oceanbase'],
  catalogs: [],
  keys: ['url', 'schema-name', 'table-name'],
  catalogKeys: [],
  clean: { url: hideCredentials },
  name: nameOceanbase,
  rule: { namespace: 'as `jdbc`, of `url`', name: 'as `jdbc`, of `schema-name`.`table-name`' },
  authority: 'JDBC form',
  alternates: 'as `jdbc`',
  example: {
    options: { connector: 'oceanbase', url: 'jdbc:oceanbase://ob:2883/shop', 'schema-name': 'shop', 'table-name': 'orders' },
    namespace: 'oceanbase://ob:2883',
    name: 'shop.orders',
  },
};

export const cassandra: Connector = {
  names: ['cassandra'],
  catalogs: [],
  keys: ['hosts', 'port', 'keyspace', 'table'],
  hostLists: ['hosts'],
  catalogKeys: [],
  clean: { hosts: cutUserInfos },
  name: nameCassandra,
  rule: { namespace: '`cassandra://` and the first host, port 9042 where none is written', name: '`keyspace`.`table`' },
  authority: 'Flink 1 listener, naming documentation, JDBC form',
  alternates: '',
  example: {
    options: { connector: 'cassandra', hosts: 'c1:9042,c2:9042', keyspace: 'shop', table: 'orders' },
    namespace: 'cassandra://c1:9042',
    name: 'shop.orders',
  },
};
