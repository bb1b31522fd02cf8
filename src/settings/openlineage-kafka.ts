// The producer properties of OpenLineage's kafka transport, in the spelling of Java's client or of librdkafka, as options of ours.
import { type Section, section, type Tree } from './openlineage-tree.ts';

type Say = (problem: string) => void;

/** Keys of a kafka destination from the properties; what is not understood is said. */
export function kafkaOptions(properties: Tree, path: string, say: Say): Tree {
  const given = section(dotted(properties), path);
  const options: Tree = {
    brokers: given.text('bootstrap.servers', 'metadata.broker.list'),
    clientId: given.text('client.id'),
    timeout: milliseconds(given.text('delivery.timeout.ms', 'message.timeout.ms', 'request.timeout.ms')),
    acks: acksOf(given.text('acks', 'request.required.acks')),
    idempotent: given.text('enable.idempotence'),
    compression: given.text('compression.type', 'compression.codec'),
    ...security(given, say),
  };
  for (const side of ['key', 'value']) {
    const serializer = given.text(`${side}.serializer`);
    if (serializer !== undefined && !serializer.endsWith('StringSerializer'))
      say(`${given.at(`${side}.serializer`)}: events are sent as text`);
  }
  if (options['acks'] !== undefined && options['acks'] !== 'all') options['idempotent'] ??= 'false';
  for (const rest of given.rest()) say(`${rest}: not supported`);
  return options;
}

function security(given: Section, say: Say): Tree {
  const protocol = (given.text('security.protocol') ?? 'PLAINTEXT').toUpperCase();
  const files = { ca: given.text('ssl.ca.location'), cert: given.text('ssl.certificate.location'), key: given.text('ssl.key.location') };
  const mechanism = given.text('sasl.mechanism', 'sasl.mechanisms')?.toLowerCase();
  const jaas = given.text('sasl.jaas.config');
  const inJaas = (name: string) => new RegExp(`\\b${name}\\s*=\\s*"((?:[^"\\\\]|\\\\.)*)"`).exec(jaas ?? '')?.[1]?.replace(/\\(.)/g, '$1');
  const username = given.text('sasl.username') ?? inJaas('username');
  const password = given.text('sasl.password') ?? inJaas('password');
  if (!/^(SASL_)?(PLAINTEXT|SSL)$/.test(protocol)) say(`${given.at('security.protocol')}: not supported`);
  const hasFiles = Object.values(files).some((file) => file !== undefined);
  return {
    ...(protocol.endsWith('SSL') ? { tls: hasFiles ? files : true } : {}),
    ...(protocol.startsWith('SASL') ? { sasl: { mechanism: mechanism ?? 'plain', username, password } } : {}),
  };
}

/** Nested as YAML and the environment may give them, `bootstrap: {servers}`, or with the dots in the names. */
function dotted(properties: Tree, before = ''): Tree {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([key, value]) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(dotted(value as Tree, `${before}${key}.`))
        : [[`${before}${key}`, Array.isArray(value) ? value.join(',') : value]],
    ),
  );
}

const acksOf = (acks: string | undefined): string | undefined =>
  ({ all: 'all', '-1': 'all', '1': 'leader', '0': 'none' })[acks ?? ''] ?? acks;

export const milliseconds = (text: string | undefined): string | undefined => (text === undefined ? undefined : `${text}ms`);
