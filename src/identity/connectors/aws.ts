// kinesis as OpenLineage's Flink 2 listener names it (from the stream's ARN); dynamodb, firehose and sqs in the same style.
import { type Connector, type ConnectorExample, invalid, missing, type Naming, named, need, tableLink } from '../connector.ts';
import { withoutScheme } from '../host.ts';
import type { IdentityFacts } from '../identity.ts';
import { before } from '../java/text.ts';
import { cutUserInfo } from '../user-info.ts';

function nameKinesis({ options }: IdentityFacts): Naming {
  const arn = options['stream.arn'];
  if (arn === undefined) return nameOldKinesis(options);
  const [, partition, service, region, account, resource] = /^arn:([^:]*):([^:]*):([^:]*):([^:]*):([\s\S]*)$/.exec(arn) ?? [];
  if (resource === undefined) return invalid('stream.arn', 'is no ARN');
  const stream = /^stream\/(.+)$/.exec(resource)?.[1];
  const hasHost = partition === 'aws' && service === 'kinesis' && region !== '' && stream !== undefined;
  return named(`arn:${partition}:kinesis:${region}:${account}`, resource, [
    hasHost ? tableLink(`kinesis://kinesis.${region}.amazonaws.com`, stream) : undefined,
  ]);
}

function nameOldKinesis(options: Readonly<Record<string, string>>): Naming {
  if (options['stream'] === undefined) return missing('stream.arn');
  const endpoint = options['aws.endpoint'];
  const host = endpoint === undefined ? undefined : before(withoutScheme(endpoint), '/').replace(/:(?:80|443)$/, '');
  const region = options['aws.region'];
  if (!host && !region) return missing('aws.region');
  return named(`kinesis://${host || `kinesis.${region}.amazonaws.com`}`, options['stream']);
}

function nameSqs({ options }: IdentityFacts): Naming {
  const found = need(options, 'queue-url');
  if ('refusal' in found) return found.refusal;
  const [, region, account, queue] = /^https:\/\/sqs\.([^./]+)\.amazonaws\.com\/(\d+)\/([^/?#]+)$/.exec(found.values['queue-url']) ?? [];
  return queue === undefined ? invalid('queue-url', 'is no queue of AWS') : named(`arn:aws:sqs:${region}:${account}`, queue);
}

/** A service whose options tell the region but not the account. */
function regional(service: string, key: string, prefix: string, example: ConnectorExample): Connector {
  return {
    names: [service],
    catalogs: [],
    keys: ['aws.region', key],
    catalogKeys: [],
    clean: {},
    name({ options }): Naming {
      const found = need(options, 'aws.region', key);
      return 'refusal' in found ? found.refusal : named(`${service}://${found.values['aws.region']}`, `${prefix}/${found.values[key]}`);
    },
    rule: { namespace: `\`${service}://\` and \`aws.region\``, name: `\`${prefix}/\` and \`${key}\`` },
    authority: 'ours',
    alternates: '',
    example,
  };
}

export const kinesis: Connector = {
  names: ['kinesis', 'kinesis-legacy'],
  catalogs: [],
  keys: ['stream.arn', 'stream', 'aws.region', 'aws.endpoint'],
  catalogKeys: [],
  clean: { 'aws.endpoint': cutUserInfo },
  name: nameKinesis,
  rule: {
    namespace: '`arn:partition:kinesis:region:account` of `stream.arn`; with the old `stream` option `kinesis://` and the endpoint host',
    name: 'the rest of the ARN; the old `stream`',
  },
  authority: 'OpenLineage Flink 2 listener 1.53; Spark for the old form',
  alternates: '`kinesis://kinesis.region.amazonaws.com` + the stream (Spark)',
  example: {
    options: { connector: 'kinesis', 'stream.arn': 'arn:aws:kinesis:eu-west-1:123456789012:stream/orders' },
    namespace: 'arn:aws:kinesis:eu-west-1:123456789012',
    name: 'stream/orders',
  },
};

export const sqs: Connector = {
  names: ['sqs'],
  catalogs: [],
  keys: ['queue-url'],
  catalogKeys: [],
  clean: { 'queue-url': (url) => before(cutUserInfo(url), '?') },
  name: nameSqs,
  rule: { namespace: '`arn:aws:sqs:region:account` of `queue-url`', name: 'the queue' },
  authority: 'ours',
  alternates: '',
  example: {
    options: { connector: 'sqs', 'queue-url': 'https://sqs.eu-west-1.amazonaws.com/123456789012/orders' },
    namespace: 'arn:aws:sqs:eu-west-1:123456789012',
    name: 'orders',
  },
};

export const dynamodb = regional('dynamodb', 'table-name', 'table', {
  options: { connector: 'dynamodb', 'aws.region': 'eu-west-1', 'table-name': 'orders' },
  namespace: 'dynamodb://eu-west-1',
  name: 'table/orders',
});

export const firehose = regional('firehose', 'delivery-stream', 'deliverystream', {
  options: { connector: 'firehose', 'aws.region': 'eu-west-1', 'delivery-stream': 'orders' },
  namespace: 'firehose://eu-west-1',
  name: 'deliverystream/orders',
});
