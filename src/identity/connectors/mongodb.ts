// mongodb, mongodb-cdc: the connection string without user info, options and trailing slash, as Debezium prints it.
import { type Connector, invalid, type Naming, named, need, patternLeft, refuse } from '../connector.ts';
import type { IdentityFacts } from '../identity.ts';
import { before } from '../java/text.ts';
import { literalName } from '../literal.ts';
import { cutUserInfo, cutUserInfos } from '../user-info.ts';

function nameMongo({ options }: IdentityFacts): Naming {
  const found = need(options, 'uri', 'database', 'collection');
  if ('refusal' in found) return found.refusal;
  const { uri, database, collection } = found.values;
  const address = /^[\w+]+:\/\/[^/?#]+/.exec(cutUserInfo(uri))?.[0];
  return address === undefined ? invalid('uri', 'is no connection string') : named(address, `${database}.${collection}`);
}

function nameMongoCdc({ options }: IdentityFacts): Naming {
  const found = need(options, 'hosts');
  if ('refusal' in found) return found.refusal;
  // Without database or collection the source reads all of them.
  for (const key of ['database', 'collection'] as const) {
    if (options[key] === undefined) return refuse('PATTERN_UNRESOLVED', `without option '${key}' the source reads all of them`);
  }
  const [database, written] = [literalName(options['database'] ?? '', true), literalName(options['collection'] ?? '', true)];
  const collection = options['collection']?.includes('\\') === true ? behind(written, `${database}.`) : written;
  if (database === undefined || collection === undefined)
    return patternLeft(
      database === undefined ? 'database' : 'collection',
      options[database === undefined ? 'database' : 'collection'] ?? '',
    );
  const hosts = before(found.values.hosts, '?').replace(/\/+$/, '');
  return named(`${options['scheme'] ?? 'mongodb'}://${hosts}`, `${database}.${collection}`);
}

/** A collection written as an expression (`shop\.orders`) stands for the full name. */
const behind = (text: string | undefined, head: string): string | undefined =>
  text?.startsWith(head) === true && text.length > head.length ? text.slice(head.length) : undefined;

export const mongodb: Connector = {
  names: ['mongodb'],
  catalogs: [],
  keys: ['uri', 'database', 'collection'],
  catalogKeys: [],
  clean: { uri: (uri) => before(cutUserInfo(uri), '?') },
  name: nameMongo,
  rule: { namespace: '`uri` without user info, path and options', name: '`database`.`collection`' },
  authority: 'by analogy with Debezium',
  alternates: '',
  example: {
    options: { connector: 'mongodb', uri: 'mongodb://m1:27017/shop', database: 'shop', collection: 'orders' },
    namespace: 'mongodb://m1:27017',
    name: 'shop.orders',
  },
};

export const mongodbCdc: Connector = {
  names: ['mongodb-cdc'],
  catalogs: [],
  keys: ['scheme', 'hosts', 'database', 'collection'],
  catalogKeys: [],
  clean: { hosts: (hosts) => before(cutUserInfos(hosts), '?') },
  name: nameMongoCdc,
  rule: { namespace: '`scheme` (default `mongodb`), `://`, `hosts` as written', name: '`database`.`collection`; literal names only' },
  authority: 'Debezium 3.5',
  alternates: '',
  example: {
    options: { connector: 'mongodb-cdc', hosts: 'm1:27017', database: 'shop', collection: 'orders' },
    namespace: 'mongodb://m1:27017',
    name: 'shop.orders',
  },
};
