// Flink CDC sources of relational databases: `{scheme}://{host}:{port}`, `{database}[.{schema}].{table}`, where Debezium,
// the documentation and a JDBC table of the same server agree. Hosts are lower-cased as JDBC does; a port is always there.
import {
  type Connector,
  type ConnectorExample,
  dataset,
  invalid,
  type Naming,
  need,
  type Pattern,
  patternLeft,
  tableLink,
} from '../connector.ts';
import { parseHost } from '../host.ts';
import type { IdentityFacts, Symlink, Unresolved } from '../identity.ts';
import { literalName, splitList } from '../literal.ts';
import { cutUserInfo } from '../user-info.ts';

interface CdcRule {
  readonly connector: string;
  readonly scheme: string;
  readonly port: number;
  /** Option that holds the host; default `hostname`. */
  readonly host?: string;
  /** How the server's tables can be listed, where this program can. */
  readonly kind?: 'mysql' | 'postgres';
  /** Option with whole names, a list; it stands for the parts. */
  readonly list?: string;
  /** Options that make the name, in order; `dots` marks one that holds `schema.table`. */
  readonly parts: readonly { readonly key: string; readonly dots?: boolean; readonly optional?: boolean }[];
  readonly links?: (host: string, port: string, parts: readonly string[]) => readonly (Symlink | undefined)[];
  readonly authority: string;
  readonly alternates?: string;
  readonly example: ConnectorExample;
}

/** `schema.table` in one option, or (older releases) in two. */
const schemaTable = [
  { key: 'schema-name', optional: true },
  { key: 'table-name', dots: true },
] as const;

const rules: readonly CdcRule[] = [
  {
    connector: 'mysql-cdc',
    scheme: 'mysql',
    kind: 'mysql',
    port: 3306,
    parts: [{ key: 'database-name' }, { key: 'table-name' }],
    authority: 'Debezium 3.5, naming documentation, JDBC form',
    example: {
      options: { connector: 'mysql-cdc', hostname: 'db', 'database-name': 'shop', 'table-name': 'orders' },
      namespace: 'mysql://db:3306',
      name: 'shop.orders',
    },
  },
  {
    connector: 'postgres-cdc',
    scheme: 'postgres',
    kind: 'postgres',
    port: 5432,
    parts: [{ key: 'database-name' }, { key: 'schema-name' }, { key: 'table-name' }],
    links: (host, port, [database, schema, table]) => [
      schema === 'public' ? tableLink(`postgres://${host}:${port}`, `${database}.${table}`) : undefined,
    ],
    authority: 'Debezium 3.5, naming documentation, dbt, Airflow',
    alternates: '`{database}.{table}` in schema public, as an unqualified jdbc table is named',
    example: {
      options: { connector: 'postgres-cdc', hostname: 'pg', 'database-name': 'app', 'schema-name': 'public', 'table-name': 'orders' },
      namespace: 'postgres://pg:5432',
      name: 'app.public.orders',
    },
  },
  {
    connector: 'sqlserver-cdc',
    scheme: 'sqlserver',
    port: 1433,
    parts: [{ key: 'database-name' }, ...schemaTable],
    links: (host, port, parts) => [
      tableLink(`mssql://${host}:${port}`, parts.join('.')),
      port === '1433' ? tableLink(`sqlserver://${host}`, parts.join('.')) : undefined,
    ],
    authority: 'Debezium 3.5',
    alternates: '`mssql://host:port` (Airflow, dbt, documentation); `sqlserver://host` (JDBC url without port)',
    example: {
      options: { connector: 'sqlserver-cdc', hostname: 'ms', 'database-name': 'app', 'table-name': 'dbo.orders' },
      namespace: 'sqlserver://ms:1433',
      name: 'app.dbo.orders',
    },
  },
  {
    connector: 'db2-cdc',
    scheme: 'db2',
    port: 50000,
    parts: [{ key: 'database-name' }, ...schemaTable],
    authority: 'Debezium 3.5',
    example: {
      options: { connector: 'db2-cdc', hostname: 'd', 'database-name': 'SAMPLE', 'table-name': 'APP.ORDERS' },
      namespace: 'db2://d:50000',
      name: 'SAMPLE.APP.ORDERS',
    },
  },
  {
    connector: 'oceanbase-cdc',
    scheme: 'oceanbase',
    kind: 'mysql',
    port: 2881,
    parts: [{ key: 'database-name' }, { key: 'table-name' }],
    list: 'table-list',
    links: (host, port, parts) => [tableLink(`mysql://${host}:${port}`, parts.join('.'))],
    authority: 'naming documentation, JDBC form',
    alternates: '`mysql://` with the same host and port',
    example: {
      options: { connector: 'oceanbase-cdc', hostname: 'ob', port: '2881', 'database-name': 'shop', 'table-name': 'orders' },
      namespace: 'oceanbase://ob:2881',
      name: 'shop.orders',
    },
  },
  {
    connector: 'vitess-cdc',
    scheme: 'vitess',
    port: 15991,
    parts: [{ key: 'keyspace' }, { key: 'table-name' }],
    authority: 'Debezium 3.5 (its generic rule)',
    example: {
      options: { connector: 'vitess-cdc', hostname: 'vt', keyspace: 'shop', 'table-name': 'orders' },
      namespace: 'vitess://vt:15991',
      name: 'shop.orders',
    },
  },
  {
    connector: 'tidb-cdc',
    scheme: 'tidb',
    port: 2379,
    host: 'pd-addresses',
    parts: [{ key: 'database-name' }, { key: 'table-name' }],
    authority: 'ours (the connector knows placement drivers only)',
    example: {
      options: { connector: 'tidb-cdc', 'pd-addresses': 'pd0:2379,pd1:2379', 'database-name': 'shop', 'table-name': 'orders' },
      namespace: 'tidb://pd0:2379',
      name: 'shop.orders',
    },
  },
];

/** `host` and `port` of the server, or what is wrong with them. */
export function cdcServer(
  options: IdentityFacts['options'],
  key: string,
  defaultPort: number,
): { host: string; port: string } | Unresolved {
  const found = need(options, key);
  if ('refusal' in found) return found.refusal;
  const parsed = parseHost((found.values[key] ?? '').split(/[,;]/)[0] ?? '');
  if (parsed === undefined) return invalid(key, 'is no host name');
  const port = options['port'] ?? parsed.port ?? String(defaultPort);
  return /^\d+$/.test(port) ? { host: parsed.host, port } : invalid('port', 'is no number');
}

/** The literal names in the options of a rule, or why there are none. */
export function cdcParts(options: IdentityFacts['options'], parts: CdcRule['parts']): readonly string[] | Unresolved {
  const names: string[] = [];
  for (const { key, dots, optional } of parts) {
    if (optional === true && options[key] === undefined) continue;
    const found = need(options, key);
    if ('refusal' in found) return found.refusal;
    const literal = literalName(found.values[key] ?? '', dots);
    if (literal === undefined) return patternLeft(key, found.values[key] ?? '');
    names.push(literal);
  }
  return names;
}

/** Whole names, separated by commas. */
function listedNames(list: string, key: string, count: number): readonly (readonly string[])[] | Unresolved {
  const names: (readonly string[])[] = [];
  for (const text of splitList(list)) {
    const literal = literalName(text, true);
    if (literal === undefined) return patternLeft(key, list);
    const parts = literal.split('.');
    if (parts.length !== count || parts.includes('')) return invalid(key, 'is no list of full names');
    names.push(parts);
  }
  return names.length === 0 ? invalid(key, 'is empty') : names;
}

/** Every table behind the options: those that were looked up, a list of full names, or the one that the parts name. */
function tablesOf({ options, found }: IdentityFacts, rule: CdcRule): readonly (readonly string[])[] | Unresolved {
  if (found !== undefined && found.length > 0) return found;
  const list = rule.list === undefined ? undefined : options[rule.list];
  if (rule.list !== undefined && list !== undefined) return listedNames(list, rule.list, rule.parts.length);
  const parts = cdcParts(options, rule.parts);
  return 'reason' in parts ? parts : [parts];
}

/** Where the tables of a pattern can be asked for: undefined when nothing in the options is a pattern. */
function patternOf(facts: IdentityFacts, rule: CdcRule, kind: NonNullable<CdcRule['kind']>): Pattern | undefined {
  const tables = tablesOf({ ...facts, found: undefined }, rule);
  const server = cdcServer(facts.options, rule.host ?? 'hostname', rule.port);
  if (!('reason' in tables) || tables.reason !== 'PATTERN_UNRESOLVED' || !('host' in server)) return undefined;
  const values = rule.parts.map(({ key }) => facts.options[key] ?? '');
  const [first = '', ...rest] = values;
  const namespace = `${rule.scheme}://${server.host}:${server.port}`;
  // MySQL: expressions for the database and for `database.table`. PostgreSQL: one database, expressions for `schema.table`.
  if (kind === 'mysql')
    return { kind, namespace, database: null, levels: [splitList(first), splitList(values.join('\\.'))], ignoreCase: true };
  const schema = rest[0] ?? '';
  return { kind, namespace, database: first, levels: [splitList(schema), splitList(rest.join('\\.'))], ignoreCase: true };
}

function connector(rule: CdcRule): Connector {
  const host = rule.host ?? 'hostname';
  const { kind } = rule;
  return {
    names: [rule.connector],
    catalogs: [],
    keys: [host, 'port', ...(rule.list === undefined ? [] : [rule.list]), ...rule.parts.map((part) => part.key)],
    catalogKeys: [],
    hostLists: [host],
    clean: { [host]: cutUserInfo },
    name(facts): Naming {
      const server = cdcServer(facts.options, host, rule.port);
      if (!('host' in server)) return server;
      const tables = tablesOf(facts, rule);
      if ('reason' in tables) return tables;
      const namespace = `${rule.scheme}://${server.host}:${server.port}`;
      return {
        datasets: tables.map((parts) => dataset(namespace, parts.join('.'), rule.links?.(server.host, server.port, parts) ?? [])),
      };
    },
    ...(kind === undefined ? {} : { pattern: (facts) => patternOf(facts, rule, kind) }),
    rule: {
      namespace: `\`${rule.scheme}://\` and \`${host}\` in lower case, \`:\` and the port (default ${rule.port})`,
      name: `${rule.parts.map((part) => `\`${part.key}\``).join('.')}${rule.list === undefined ? '' : `, or each of \`${rule.list}\``}; a pattern has no dataset${kind === undefined ? '' : ' unless it is looked up'}`,
    },
    authority: rule.authority,
    alternates: rule.alternates ?? '',
    example: rule.example,
  };
}

export const relationalCdc: readonly Connector[] = rules.map(connector);
