// The topics of a Kafka cluster, by one metadata request of kafkajs, which is loaded when it is first needed.
import { readFileSync } from 'node:fs';
import type { SASLOptions } from 'kafkajs';
import type { ConnectionSettings } from '../settings/settings.ts';
import { parseConnection, passwordOf } from './connections.ts';
import type { FoundName } from './matching.ts';

/** Topics of the brokers themselves, which no subscription by pattern takes. */
const internal: ReadonlySet<string> = new Set(['__consumer_offsets', '__transaction_state', '__share_group_state', '__cluster_metadata']);

/**
 * All topics that the user may see, in alphabetical order.
 * @throws whatever kafkajs says
 */
export async function listTopics(connection: ConnectionSettings): Promise<FoundName[]> {
  const { Kafka, logLevel } = await import('kafkajs');
  const { hosts } = parseConnection(connection.url);
  const client = new Kafka({
    clientId: 'streampark-lineage',
    brokers: hosts.map((host) => (/:\d+$/.test(host) ? host : `${host}:9092`)),
    ssl: connection.ca === undefined ? connection.tls : { ca: [readFileSync(connection.ca, 'utf8')] },
    ...saslOf(connection),
    connectionTimeout: connection.timeout,
    requestTimeout: connection.timeout,
    retry: { retries: 0 },
    logLevel: logLevel.NOTHING,
  });
  const admin = client.admin();
  try {
    await admin.connect();
    const topics = await admin.listTopics();
    return topics
      .filter((topic) => !internal.has(topic))
      .sort()
      .map((topic) => [topic]);
  } finally {
    await admin.disconnect();
  }
}

function saslOf(connection: ConnectionSettings): { readonly sasl?: SASLOptions } {
  const { user } = parseConnection(connection.url);
  if (user === undefined) return {};
  return { sasl: { mechanism: connection.mechanism, username: user, password: passwordOf(connection) ?? '' } as SASLOptions };
}
