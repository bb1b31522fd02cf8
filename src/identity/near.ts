// Names that are most likely one dataset: what a consumer knows beside what we say, and in what they differ.
import type { Dataset, IdentityFacts } from './identity.ts';
import { connectorNamed } from './registry.ts';

export interface KnownName {
  readonly namespace: string;
  readonly name: string;
}

/** How the other spelling differs; `symlink`: it is one of ours, `server`: another server of the same list. */
export type Difference = 'symlink' | 'server' | 'case' | 'scheme' | 'port' | 'schema' | 'quotes' | 'slash';

export interface NearMiss {
  readonly ours: KnownName;
  readonly known: KnownName;
  readonly differences: readonly Difference[];
}

const exact = ({ namespace, name }: KnownName): string => JSON.stringify([namespace, name]);

/**
 * The names that are known and are not ours, but most likely mean one of our datasets.
 * @param ours with the names that it would have under the other servers of its lists
 */
export function nearMisses(
  ours: readonly { readonly dataset: Dataset; readonly servers: readonly KnownName[] }[],
  known: readonly KnownName[],
): NearMiss[] {
  const names = new Map(known.map((each) => [exact(each), each]));
  const alike = new Map<string, KnownName[]>();
  for (const each of known) {
    const key = looseKey(each);
    const list = alike.get(key);
    if (list === undefined) alike.set(key, [each]);
    else list.push(each);
  }
  const mine = new Set(ours.map(({ dataset }) => exact(dataset)));
  const found = new Map<string, NearMiss>();
  for (const { dataset, servers } of ours) {
    const own = { namespace: dataset.namespace, name: dataset.name };
    const add = (other: KnownName | undefined, differences: readonly Difference[]): void => {
      if (other === undefined || mine.has(exact(other)) || differences.length === 0) return;
      const key = JSON.stringify([exact(own), exact(other)]);
      if (!found.has(key)) found.set(key, { ours: own, known: other, differences });
    };
    for (const link of dataset.symlinks) add(names.get(exact(link)), ['symlink']);
    for (const server of servers) add(names.get(exact(server)), ['server']);
    for (const other of alike.get(looseKey(own)) ?? []) add(other, differencesOf(own, other));
  }
  return [...found.values()];
}

/** The same table as it would be if each of the other servers of its lists stood first. */
export function withOtherServers(facts: IdentityFacts): IdentityFacts[] {
  const keys = facts.connector === null ? [] : (connectorNamed(facts.connector)?.hostLists ?? []);
  return keys.flatMap((key) => {
    const list = facts.options[key];
    const separator = list?.includes(',') === true ? ',' : ';';
    const servers = (list ?? '').split(separator).map((server) => server.trim());
    return servers.slice(1, mostServers).map((server, i) => {
      const others = servers.filter((_, at) => at !== i + 1);
      return { ...facts, options: { ...facts.options, [key]: [server, ...others].join(separator) } };
    });
  });
}

const mostServers = 20;

/** Schemes under which producers name the same kind of server. */
const families: Readonly<Record<string, string>> = {
  postgresql: 'postgres',
  mssql: 'sqlserver',
  mariadb: 'mysql',
  oceanbase: 'mysql',
  doris: 'mysql',
  starrocks: 'mysql',
  s3a: 's3',
  s3n: 's3',
  abfs: 'abfss',
  wasb: 'wasbs',
  thrift: 'hive',
};

interface Parts {
  readonly scheme: string;
  readonly hosts: string;
  readonly ports: string;
  readonly path: string;
}

function partsOf(namespace: string): Parts {
  const [, scheme, authority, path = ''] = /^([\w+.-]+):\/\/(?:[\w+]+:\/\/)?([^/]*)(.*)$/.exec(namespace) ?? [];
  if (scheme === undefined || authority === undefined) return { scheme: '', hosts: namespace, ports: '', path: '' };
  const servers = authority.split(',').map((server) => /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(server.trim()) ?? [server, server]);
  return {
    scheme,
    hosts: servers.map(([, host = '']) => host).join(),
    ports: servers.map(([, , port = '']) => port).join(),
    path,
  };
}

const familyOf = (scheme: string): string => families[scheme.toLowerCase()] ?? scheme.toLowerCase();
const withoutQuotes = (name: string): string => name.replace(/["`[\]]/g, '');
const withoutSlashes = (name: string): string => name.replace(/^\/+|\/+$/g, '');
const relational = /^(?:mysql|postgres|sqlserver|oracle|db2|redshift|snowflake|trino)$/;

/** `db.schema.table` -> `db.table` */
function withoutSchema(name: string): string {
  const parts = name.split('.');
  return parts.length === 3 ? `${parts[0]}.${parts[2]}` : name;
}

/** What is left of a name when everything is taken off in which spellings differ. */
function looseKey({ namespace, name }: KnownName): string {
  const { scheme, hosts, path } = partsOf(namespace);
  const family = familyOf(scheme);
  const plain = withoutSlashes(withoutQuotes(name)).toLowerCase();
  return JSON.stringify([family, hosts.toLowerCase(), path.toLowerCase(), relational.test(family) ? withoutSchema(plain) : plain]);
}

function differencesOf(ours: KnownName, known: KnownName): Difference[] {
  const [a, b] = [partsOf(ours.namespace), partsOf(known.namespace)];
  const [plainA, plainB] = [ours.name, known.name].map((name) => withoutSlashes(withoutQuotes(name)).toLowerCase());
  const changed: readonly (readonly [Difference, boolean])[] = [
    ['scheme', a.scheme.toLowerCase() !== b.scheme.toLowerCase()],
    ['port', a.ports !== b.ports],
    ['schema', plainA !== plainB],
    ['quotes', withoutQuotes(ours.name) !== ours.name || withoutQuotes(known.name) !== known.name],
    ['slash', (withoutSlashes(ours.name) !== ours.name) !== (withoutSlashes(known.name) !== known.name)],
  ];
  const found = changed.filter(([, differs]) => differs).map(([difference]) => difference);
  const sameButCase = [
    [a.hosts + a.path, b.hosts + b.path],
    [a.scheme, b.scheme],
    [ours.name, known.name],
  ].some(([x = '', y = '']) => x !== y && x.toLowerCase() === y.toLowerCase());
  // Two schemas that are both written out are two tables.
  const [full, other] = [ours.name, known.name].map((name) => withoutQuotes(name).split('.').length);
  if (found.includes('schema') && full === other) return [];
  return sameButCase ? [...found, 'case'] : found;
}
