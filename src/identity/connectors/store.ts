// Stores and queues that no official producer names: `{connector}://{first host in lower case}:{port}` and the object.
import { type Connector, type ConnectorExample, dataset, invalid, type Naming, named, need, refuse } from '../connector.ts';
import { firstHost } from '../host.ts';
import type { IdentityFacts } from '../identity.ts';
import { cutUserInfos } from '../user-info.ts';

interface StoreRule {
  readonly names: readonly string[];
  readonly scheme: string;
  readonly hosts: string;
  readonly port?: number;
  readonly object: readonly string[];
  readonly objectName: (options: Readonly<Record<string, string>>) => readonly string[] | Naming;
  readonly nameText: string;
  readonly example: ConnectorExample;
}

const one =
  (key: string, format: (value: string) => string = (value) => value) =>
  (options: Readonly<Record<string, string>>): readonly string[] | Naming => {
    const found = need(options, key);
    return 'refusal' in found ? found.refusal : [format(found.values[key] ?? '')];
  };

/** An index with `{field}` or a date pattern stands for indexes that only the rows know. */
function index(options: Readonly<Record<string, string>>): readonly string[] | Naming {
  return /\{/.test((options['index'] ?? '').replaceAll('${', ''))
    ? refuse('PATTERN_UNRESOLVED', "option 'index' depends on the row")
    : one('index')(options);
}

/** Fully qualified topics; a list is one dataset each. */
function pulsarTopics(options: Readonly<Record<string, string>>): readonly string[] | Naming {
  const topics = (options['topics'] ?? options['topic'] ?? '').split(';').filter((topic) => topic !== '');
  if (topics.length > 0) return topics.map(qualifiedTopic);
  return options['topic-pattern'] === undefined
    ? refuse('OPTION_MISSING', "option 'topics' is missing")
    : refuse('PATTERN_UNRESOLVED', "option 'topic-pattern' stands for topics that only the broker knows");
}

function qualifiedTopic(topic: string): string {
  if (topic.includes('://')) return topic;
  return `persistent://${topic.includes('/') ? topic : `public/default/${topic}`}`;
}

const search = (names: readonly string[], scheme: string, connector: string): StoreRule => ({
  names,
  scheme,
  hosts: 'hosts',
  port: 9200,
  object: ['index'],
  objectName: index,
  nameText: '`index`; none for an index that depends on the row',
  example: {
    options: { connector, hosts: 'http://es1:9200;http://es2:9200', index: 'orders' },
    namespace: `${scheme}://es1:9200`,
    name: 'orders',
  },
});

const rules: readonly StoreRule[] = [
  search(['elasticsearch-6', 'elasticsearch-7', 'elasticsearch-8', 'elasticsearch'], 'elasticsearch', 'elasticsearch-7'),
  search(['opensearch', 'opensearch-2', 'opensearch-3'], 'opensearch', 'opensearch'),
  {
    names: ['hbase-1.4', 'hbase-2.2', 'hbase-2.6', 'hbase'],
    scheme: 'hbase',
    hosts: 'zookeeper.quorum',
    object: ['table-name'],
    objectName: one('table-name', (table) => (table.includes(':') ? table : `default:${table}`)),
    nameText: '`namespace:table` of `table-name` (default namespace `default`)',
    example: {
      options: { connector: 'hbase-2.2', 'zookeeper.quorum': 'zk1:2181,zk2:2181', 'table-name': 'shop:orders' },
      namespace: 'hbase://zk1:2181',
      name: 'shop:orders',
    },
  },
  {
    names: ['pulsar', 'upsert-pulsar'],
    scheme: 'pulsar',
    hosts: 'service-url',
    port: 6650,
    object: ['topics', 'topic', 'topic-pattern'],
    objectName: pulsarTopics,
    nameText: 'each topic as `persistent://tenant/namespace/topic`',
    example: {
      options: { connector: 'pulsar', 'service-url': 'pulsar://p1:6650', topics: 'orders' },
      namespace: 'pulsar://p1:6650',
      name: 'persistent://public/default/orders',
    },
  },
  {
    names: ['rabbitmq'],
    scheme: 'rabbitmq',
    hosts: 'host',
    port: 5672,
    object: ['port', 'queue'],
    objectName: one('queue'),
    nameText: '`queue`',
    example: { options: { connector: 'rabbitmq', host: 'mq', queue: 'orders' }, namespace: 'rabbitmq://mq:5672', name: 'orders' },
  },
];

function connector(rule: StoreRule): Connector {
  return {
    names: rule.names,
    catalogs: [],
    keys: [rule.hosts, ...rule.object],
    hostLists: [rule.hosts],
    catalogKeys: [],
    clean: { [rule.hosts]: cutUserInfos },
    name({ options }: IdentityFacts): Naming {
      const found = need(options, rule.hosts);
      if ('refusal' in found) return found.refusal;
      const port = rule.object.includes('port') && options['port'] !== undefined ? Number(options['port']) : rule.port;
      const host = Number.isNaN(port) ? undefined : firstHost(found.values[rule.hosts] ?? '', port);
      if (host === undefined) return invalid(rule.hosts, 'names no host');
      const objects = rule.objectName(options);
      if (!Array.isArray(objects)) return objects as Naming;
      return { datasets: [...new Set(objects as readonly string[])].map((object) => dataset(`${rule.scheme}://${host}`, object, [])) };
    },
    rule: {
      namespace: `\`${rule.scheme}://\` and the first host of \`${rule.hosts}\` in lower case${rule.port === undefined ? '' : `, port ${rule.port} where none is written`}`,
      name: rule.nameText,
    },
    authority: 'ours',
    alternates: '',
    example: rule.example,
  };
}

export const stores: readonly Connector[] = rules.map(connector);

/** One server, the nodes of a cluster, or sentinels that know a master by name. */
export const redis: Connector = {
  names: ['redis'],
  catalogs: [],
  hostLists: ['cluster-nodes', 'sentinels.info'],
  keys: ['host', 'port', 'cluster-nodes', 'sentinels.info', 'master.name', 'database'],
  catalogKeys: [],
  clean: { host: cutUserInfos, 'cluster-nodes': cutUserInfos, 'sentinels.info': cutUserInfos },
  name({ options }): Naming {
    const [key, port] = (
      [
        ['host', 6379],
        ['cluster-nodes', 6379],
        ['sentinels.info', 26379],
      ] as const
    ).find(([each]) => options[each] !== undefined) ?? ['host', 6379];
    const found = need(options, key);
    if ('refusal' in found) return found.refusal;
    const own = key === 'host' && options['port'] !== undefined ? Number(options['port']) : port;
    const host = Number.isInteger(own) ? firstHost(found.values[key] ?? '', own) : undefined;
    if (host === undefined) return invalid(key, 'names no host');
    const database = options['database'] ?? '0';
    if (key !== 'sentinels.info') return named(`redis://${host}`, database);
    const master = need(options, 'master.name');
    return 'refusal' in master ? master.refusal : named(`redis://${host}`, `${master.values['master.name']}/${database}`);
  },
  rule: {
    namespace: '`redis://` and `host` and `port`, or the first of `cluster-nodes`, or the first of `sentinels.info`, in lower case',
    name: 'the `database` index (default 0), behind sentinels after `master.name` and a slash',
  },
  authority: 'ours',
  alternates: '',
  example: { options: { connector: 'redis', host: 'r1', port: '6379' }, namespace: 'redis://r1:6379', name: '0' },
};

export const fluss: Connector = {
  names: ['fluss'],
  catalogs: ['fluss'],
  keys: ['bootstrap.servers'],
  hostLists: ['bootstrap.servers'],
  catalogKeys: ['bootstrap.servers'],
  clean: { 'bootstrap.servers': cutUserInfos },
  name({ options, catalog, path }): Naming {
    const found = need({ ...catalog?.options, ...options }, 'bootstrap.servers');
    if ('refusal' in found) return found.refusal;
    const host = firstHost(found.values['bootstrap.servers'], undefined);
    return host === undefined ? invalid('bootstrap.servers', 'names no host') : named(`fluss://${host}`, `${path[1]}.${path[2]}`);
  },
  rule: { namespace: '`fluss://` and the first of `bootstrap.servers` in lower case', name: '`database.table`' },
  authority: 'ours',
  alternates: '',
  example: {
    options: {},
    catalog: { type: 'fluss', options: { 'bootstrap.servers': 'f1:9123,f2:9123' } },
    namespace: 'fluss://f1:9123',
    name: 'sales.orders',
  },
};
