// Forks of connectors under names of their own: Apache InLong (`…-inlong`) and ChunJun (`…-x`). A fork is named as the connector
// it was made from, once its options are read as that connector's; a fork without such a connector stays unknown.
import { type Connector, type Naming, refuse } from './connector.ts';
import { cutPassword, cutUserInfo } from './user-info.ts';

type Options = Readonly<Record<string, string>>;

/** One fork: its name, the connector it was made from, and how its options read as that connector's. */
export interface Fork {
  readonly name: string;
  readonly of: string;
  /** `site`: one of the settings. */
  readonly project: 'Apache InLong' | 'ChunJun' | 'site';
  /** Its keys for options of the base; an option under the base's own key wins. */
  readonly renamed?: Options;
  /** What no other key says; reads `keys` beside the base's. */
  readonly read?: (options: Options) => Options;
  readonly keys?: readonly string[];
  readonly clean?: Connector['clean'];
}

type Details = Omit<Fork, 'name' | 'of' | 'project'>;

/** InLong kept the options of its bases, and one sink may write many tables, chosen by the row. */
const multiple = 'sink.multiple.enable';
const inlong = (of: string, name = of): Fork => ({ name: `${name}-inlong`, of, project: 'Apache InLong', keys: [multiple] });
const chunjun = (of: string, name: string, details: Details = {}): Fork => ({ name: `${name}-x`, of, project: 'ChunJun', ...details });

/** ChunJun's JDBC connectors give the schema (on MySQL the database) in an option of its own. */
const schemaOption: Details = {
  keys: ['schema'],
  read: ({ schema, 'table-name': table, ...options }) => ({
    ...options,
    ...(table === undefined ? {} : { 'table-name': schema === undefined || schema.trim() === '' ? table : `${schema}.${table}` }),
  }),
};

const chunjunJdbc = [
  ...['mysql', 'postgresql', 'oracle', 'sqlserver', 'db2', 'clickhouse', 'greenplum', 'kingbase', 'dm', 'gbase', 'gbase8s', 'gbasehk'],
  ...['opengauss', 'saphana', 'sybase', 'vertica11', 'oceanbase'],
];

/** All forks that are known, in the order of the reference page. */
export const forks: readonly Fork[] = [
  ...['kafka', 'upsert-kafka', 'jdbc', 'mysql-cdc', 'postgres-cdc', 'oracle-cdc', 'sqlserver-cdc', 'mongodb-cdc'].map((of) => inlong(of)),
  ...['filesystem', 'iceberg', 'hudi', 'doris', 'starrocks', 'hbase-2.2', 'redis', 'pulsar', 'upsert-pulsar'].map((of) => inlong(of)),
  ...['6', '7'].flatMap((n) => [inlong(`elasticsearch-${n}`), inlong(`elasticsearch-${n}`, `elasticsearch${n}`)]),
  chunjun('kafka', 'kafka'),
  chunjun('upsert-kafka', 'upsert-kafka'),
  ...chunjunJdbc.map((name) => chunjun('jdbc', name, schemaOption)),
  chunjun('doris', 'doris', {
    renamed: { feNodes: 'fenodes', url: 'jdbc-url' },
    keys: ['schema', 'table-name'],
    read: ({ schema, 'table-name': table, ...options }) =>
      schema === undefined || table === undefined ? options : { 'table.identifier': `${schema}.${table}`, ...options },
  }),
  chunjun('selectdb', 'selectdbcloud', {
    keys: ['host', 'query-port'],
    clean: { host: cutUserInfo },
    read: ({ host, 'query-port': port, ...options }) =>
      host === undefined || !/^\d+$/.test(port ?? '') ? options : { 'jdbc-url': `${host}:${port}`, ...options },
  }),
  chunjun('starrocks', 'starrocks', { renamed: { url: 'jdbc-url', 'schema-name': 'database-name' } }),
  chunjun('filesystem', 'hdfs', {
    keys: ['default-fs'],
    clean: { 'default-fs': cutPassword },
    read: ({ 'default-fs': root, ...options }) =>
      root === undefined || options['path']?.startsWith('/') !== true
        ? options
        : { ...options, path: `${root.replace(/\/+$/, '')}${options['path']}` },
  }),
  chunjun('mongodb', 'mongodb'),
  chunjun('cassandra', 'cassandra', { renamed: { host: 'hosts', keyspaces: 'keyspace', 'table-name': 'table' } }),
  chunjun('elasticsearch-6', 'elasticsearch6'),
  chunjun('elasticsearch-7', 'elasticsearch7'),
  chunjun('hbase-1.4', 'hbase14'),
  chunjun('hbase-2.2', 'hbase2'),
  chunjun('redis', 'redis', { renamed: { url: 'host' } }),
  chunjun('rabbitmq', 'rabbitmq', { renamed: { 'queue-name': 'queue' } }),
];

/** The family of a fork: its base, reading the fork's options. */
export function forkOf(base: Connector, { name, renamed = {}, read, keys = [], clean = {} }: Fork): Connector {
  const cleaned = Object.entries(renamed).flatMap(([theirs, ours]) => {
    const cut = base.clean[ours];
    return cut === undefined ? [] : [[theirs, cut] as const];
  });
  return {
    ...base,
    names: [name],
    catalogs: [],
    keys: [...new Set([...base.keys, ...Object.keys(renamed), ...keys])],
    hostLists: [...(base.hostLists ?? []), ...Object.keys(renamed).filter((key) => base.hostLists?.includes(renamed[key] ?? ''))],
    clean: { ...base.clean, ...clean, ...Object.fromEntries(cleaned) },
    ...(base.pattern === undefined ? {} : { pattern: (facts) => base.pattern?.({ ...facts, options: translate(facts.options) }) }),
    name(facts, settings): Naming {
      if (facts.options[multiple]?.trim().toLowerCase() === 'true') {
        return refuse('PATTERN_UNRESOLVED', `with '${multiple}' each row chooses its table`);
      }
      return base.name({ ...facts, options: translate(facts.options) }, settings);
    },
  };

  function translate(options: Options): Options {
    const found = Object.entries(renamed).flatMap(([theirs, ours]) => (options[theirs] === undefined ? [] : [[ours, options[theirs]]]));
    const all = { ...Object.fromEntries(found), ...options };
    return read === undefined ? all : read(all);
  }
}
