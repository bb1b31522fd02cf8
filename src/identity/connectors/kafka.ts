// kafka, upsert-kafka: the bytes of OpenLineage's Flink 2 listener, except that a topic list is one dataset per topic.
import { type Connector, dataset, invalid, missing, type Naming, type Pattern, patternLeft, tableLink } from '../connector.ts';
import type { IdentityFacts } from '../identity.ts';
import { javaSplit } from '../java/text.ts';
import { parseJavaUri } from '../java/uri.ts';
import { literalName } from '../literal.ts';
import { cutUserInfos } from '../user-info.ts';

const servers = 'properties.bootstrap.servers';

function name({ options, found }: IdentityFacts): Naming {
  const list = options[servers];
  if (list === undefined) return missing(servers);
  const topics = found?.length ? found.map(([topic = '']) => topic) : topicsIn(options);
  if (topics.length === 0) {
    if (options['topic-pattern'] !== undefined) return patternLeft('topic-pattern', options['topic-pattern']);
    return options['topic'] === undefined ? missing('topic') : invalid('topic', 'is empty');
  }
  const namespace = kafkaNamespace(list);
  if (namespace === undefined) return invalid(servers, 'names no server');
  const plain = plainSpelling(namespace);
  const links = (topic: string) => (plain === undefined ? [] : [tableLink(plain, topic)]);
  return { datasets: [...new Set(topics)].map((topic) => dataset(namespace, topic, links(topic))) };
}

/** Those of `topic`, else the one that a `topic-pattern` without metacharacters is. */
function topicsIn(options: IdentityFacts['options']): string[] {
  const topics = options['topic']?.split(';').filter((topic) => topic !== '') ?? [];
  const literal = topics.length > 0 ? undefined : literalName(options['topic-pattern'] ?? '');
  return literal === undefined ? topics : [literal];
}

function pattern({ options }: IdentityFacts): Pattern | undefined {
  const expression = options['topic-pattern'];
  const namespace = options[servers] === undefined ? undefined : kafkaNamespace(options[servers]);
  if (expression === undefined || namespace === undefined || topicsIn(options).length > 0) return undefined;
  return { kind: 'kafka', namespace, database: null, levels: [[expression]], ignoreCase: false };
}

/**
 * `kafka://` and the text before the first `,`, else before the first `;`: no trimming, no default port, protocol kept.
 * The listener passes it through String.format, so `%%` is a percent sign and `%n` a line end; where that throws, the
 * first element that is not empty is taken as it is. Undefined when there is none.
 */
export function kafkaNamespace(list: string): string | undefined {
  const elements = javaSplit(list, list.includes(',') ? ',' : ';');
  const first = elements[0];
  if (first === undefined) return undefined;
  if (!/%(?![%n])/.test(first.replaceAll('%%', '')))
    return `kafka://${first.replace(/%([%n])/g, (_, letter) => (letter === 'n' ? '\n' : '%'))}`;
  return `kafka://${elements.find((element) => element !== '') ?? ''}`;
}

/** Spark drops a protocol in front of the server; its spelling is an alternate where it names a real host and port. */
function plainSpelling(namespace: string): string | undefined {
  const server = namespace.slice('kafka://'.length);
  const uri = server.includes('://') ? parseJavaUri(server) : undefined;
  return uri?.host === undefined || uri.host === null || uri.port < 1 ? undefined : `kafka://${uri.host}:${uri.port}`;
}

export const kafka: Connector = {
  names: ['kafka', 'upsert-kafka'],
  catalogs: [],
  keys: [servers, 'topic', 'topic-pattern'],
  catalogKeys: [],
  hostLists: [servers],
  clean: { [servers]: cutUserInfos },
  name,
  pattern,
  rule: {
    namespace: '`kafka://` and the first server as written (the list is cut at the first `,`, else at the first `;`)',
    name: 'each topic of `topic`, split at `;`; a `topic-pattern` has no dataset unless it is looked up',
  },
  authority: 'OpenLineage Flink 2 listener 1.53; one dataset per topic as its Flink 1 listener',
  alternates: '`kafka://host:port` when the server is written with a protocol',
  example: {
    options: { connector: 'kafka', 'properties.bootstrap.servers': 'b1:9092,b2:9092', topic: 'orders' },
    namespace: 'kafka://b1:9092',
    name: 'orders',
  },
};
