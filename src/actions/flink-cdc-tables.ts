// Tables of Flink CDC's pipeline connectors as connector options of Flink SQL, which the naming rules know.
import type { TableUse } from '../lineage/lineage.ts';
import { matches, tableIdParts } from './patterns.ts';
import { catalogTable, table } from './table.ts';

type Options = Readonly<Record<string, string>>;

interface SourceRule {
  readonly connector: string;
  /** Parts of a table in `tables`. */
  readonly depth: number;
  readonly options: (source: Options, id: readonly string[]) => Readonly<Record<string, string | undefined>>;
}

const threeParts = (connector: string): SourceRule => ({
  connector,
  depth: 3,
  options: ({ hostname, port }, [database, schema, name]) => ({
    hostname,
    port,
    'database-name': database,
    'schema-name': schema,
    'table-name': name,
  }),
});

const twoParts = (connector: string): SourceRule => ({
  connector,
  depth: 2,
  options: ({ hostname, port }, [database, name]) => ({ hostname, port, 'database-name': database, 'table-name': name }),
});

const sources: Readonly<Record<string, SourceRule>> = {
  mysql: twoParts('mysql-cdc'),
  oceanbase: twoParts('oceanbase-cdc'),
  postgres: threeParts('postgres-cdc'),
  sqlserver: threeParts('sqlserver-cdc'),
  // the database stands in an option of its own
  oracle: {
    connector: 'oracle-cdc',
    depth: 2,
    options: ({ hostname, port, 'jdbc.url': url, database }, [schema, name]) => ({
      ...(url === undefined ? { hostname, port } : { url }),
      'database-name': database,
      'schema-name': schema,
      'table-name': name,
    }),
  },
};

const sourceRule = (type: string): SourceRule | undefined => (Object.hasOwn(sources, type) ? sources[type] : undefined);

/** How many parts a table of a source has; undefined for a source without a rule. */
export const tableDepth = (type: string): number | undefined => sourceRule(type)?.depth;

/** A table of the source by its id. */
export function sourceTable(source: Options, id: readonly string[]): TableUse {
  const rule = sourceRule(source['type'] ?? '') ?? twoParts(source['type'] ?? '');
  return table(rule.connector, id, rule.options(source, id));
}

/** Options below a prefix. */
const below = (options: Options, prefix: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(options).flatMap(([key, value]) => (key.startsWith(prefix) ? [[key.slice(prefix.length), value]] : [])),
  );

type SinkRule = (sink: Options, schema: string, name: string, target: readonly string[], source: readonly string[]) => TableUse | undefined;

/** Databases know a table by its last two parts; catalogs and topics by all of them. */
const sinks: Readonly<Record<string, SinkRule>> = {
  doris: ({ fenodes, 'jdbc-url': url }, schema, name) =>
    table('doris', [schema, name], { fenodes, 'jdbc-url': url, 'table.identifier': `${schema}.${name}` }),
  starrocks: ({ 'jdbc-url': url }, schema, name) =>
    table('starrocks', [schema, name], { 'jdbc-url': url, 'database-name': schema, 'table-name': name }),
  oceanbase: ({ url }, schema, name) => table('oceanbase', [schema, name], { url, 'schema-name': schema, 'table-name': name }),
  kafka: (sink, _schema, _name, target, source) => {
    const topic = topicOf(sink, target, source);
    return topic === undefined
      ? undefined
      : table('kafka', ['topic', topic], { 'properties.bootstrap.servers': sink['properties.bootstrap.servers'], topic });
  },
  elasticsearch: (sink, _schema, _name, target) => {
    const index = sink['index'] ?? target.join('.');
    return table(`elasticsearch-${sink['version'] ?? '7'}`, ['index', index], { hosts: sink['hosts']?.replaceAll(',', ';'), index });
  },
  paimon: (sink, schema, name, target) =>
    target.length === 2 ? catalogTable('paimon', schema, name, below(sink, 'catalog.properties.')) : undefined,
  iceberg: (sink, schema, name, target) => {
    const { type, ...options } = below(sink, 'catalog.properties.');
    return target.length === 2 ? catalogTable('iceberg', schema, name, { 'catalog-type': type, ...options }) : undefined;
  },
  fluss: (sink, schema, name, target) =>
    target.length === 2 ? catalogTable('fluss', schema, name, { 'bootstrap.servers': sink['bootstrap.servers'] }) : undefined,
  // written to the log of the job only
  values: (_sink, schema, name) => table('print', [schema, name], {}),
};

/** The table of the sink with an id; undefined where there is no rule. */
export function sinkTable(sink: Options, target: readonly string[], source: readonly string[]): TableUse | undefined {
  const rule = Object.hasOwn(sinks, sink['type'] ?? '') ? sinks[sink['type'] ?? ''] : undefined;
  const [schema, name] = target.slice(-2);
  if (rule === undefined) return undefined;
  if (name === undefined)
    return ['kafka', 'elasticsearch'].includes(sink['type'] ?? '') ? rule(sink, '', schema ?? '', target, source) : undefined;
  return rule(sink, schema ?? '', name, target, source);
}

/** One topic for all, one by a list of tables, or the id itself. */
function topicOf(sink: Options, target: readonly string[], source: readonly string[]): string | undefined {
  const { topic } = sink;
  if (topic !== undefined) return topic;
  for (const rule of (sink['sink.tableId-to-topic.mapping'] ?? '').split(';').filter((text) => text.trim() !== '')) {
    const colon = rule.lastIndexOf(':');
    const parts = tableIdParts(rule.slice(0, Math.max(colon, 0)));
    const found = [target, source].map((id) => (parts.length === id.length ? parts.map((part, i) => matches(part, id[i] ?? '')) : [false]));
    if (found.some((part) => part.every((one) => one === true))) return rule.slice(colon + 1).trim();
    if (found.some((part) => !part.includes(false))) return undefined;
  }
  return target.join('.');
}
