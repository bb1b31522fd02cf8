// The destinations: one schema per kind of way out. `docs/transports.md` explains every key; a test compares the two.
import { z } from 'zod';
import { specSchema } from './spec.ts';
import { duration, size } from './units.ts';
import { flag, fromJson, text, typeIsOneOf, whole } from './values.ts';

/** What every destination has, whatever its type. */
const common = {
  name: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,62}$/i, 'letters, digits, - and _'),
  /** Kinds of events it takes; the default depends on the preset. */
  events: z.enum(['run', 'job', 'both']).optional(),
  /** Versions of the specification that it understands; default: those of `events.spec`. */
  spec: specSchema.optional(),
  /** ES module whose default export may change or drop an event. */
  transform: text.optional(),
};

export const presets = ['gravitino', 'marquez', 'openmetadata', 'datahub', 'egeria', 'openlineage'] as const;
export type Preset = (typeof presets)[number];

const headers = z.record(z.string(), z.string()).default({});
const httpUrl = z.url({ protocol: /^https?$/ });

/** An API key exchanged for a token; keys and defaults as in openlineage-java's JwtTokenProvider. Its times are seconds. */
const jwt = z
  .strictObject({
    tokenEndpoint: httpUrl,
    apiKey: z.string().min(1).optional(),
    apiKeyFile: text.optional(),
    tokenFields: z.array(text).min(1).default(['token', 'access_token']),
    expiresInField: text.default('expires_in'),
    grantType: text.default('urn:ietf:params:oauth:grant-type:jwt-bearer'),
    responseType: text.default('token'),
    tokenRefreshBuffer: duration.prefault('120s'),
  })
  .refine(({ apiKey, apiKeyFile }) => (apiKey === undefined) !== (apiKeyFile === undefined), 'needs either apiKey or apiKeyFile');

const http = z
  .strictObject({
    ...common,
    type: z.literal('http'),
    preset: z.enum(presets).default('openlineage'),
    url: httpUrl,
    endpoint: z.string().startsWith('/').optional(),
    urlParams: z.record(z.string(), z.string()).default({}),
    token: z.string().min(1).optional(),
    tokenFile: z.string().min(1).optional(),
    jwt: jwt.optional(),
    headers,
    ca: z.string().min(1).optional(),
    cert: z.string().min(1).optional(),
    key: z.string().min(1).optional(),
    timeout: duration.prefault('60s'),
    concurrency: whole(1, 16).default(4),
    compression: z.enum(['none', 'gzip']).default('none'),
    /** Bodies below this are sent as they are: compressing them costs more than it saves. */
    compressFrom: size.prefault('1KiB'),
    /** auto: a batch endpoint is used where one is found; off: one event per request. */
    batch: z.enum(['auto', 'off']).default('auto'),
    /** Whether START says the job's id the way Spark's listener does; default: to Gravitino. */
    sparkProperties: flag.optional(),
  })
  .refine(({ token, tokenFile, jwt }) => [token, tokenFile, jwt].filter(Boolean).length < 2, 'give one of token, tokenFile and jwt')
  .refine(
    ({ preset, compression }) => preset !== 'gravitino' || compression === 'none',
    'Gravitino cannot read gzip: it answers 400 to every event',
  )
  .refine(
    ({ preset, url, endpoint }) =>
      preset !== 'egeria' || endpoint !== undefined || (URL.canParse(url) && /\/servers\/[^/]+/.test(new URL(url).pathname)),
    'the url of an Egeria destination names the server, such as https://egeria:9443/servers/NAME',
  );

const pem = z.string().min(1);

const sasl = z
  .strictObject({
    mechanism: z.enum(['plain', 'scram-sha-256', 'scram-sha-512']),
    username: z.string().min(1),
    password: z.string().min(1).optional(),
    passwordFile: text.optional(),
  })
  .refine(
    ({ password, passwordFile }) => (password === undefined) !== (passwordFile === undefined),
    'needs either password or passwordFile',
  );

const topicName = text.regex(/^[a-zA-Z0-9._-]{1,249}$/, 'letters, digits, ., - and _');

/** How a Kafka cluster is reached. */
const connection = {
  /** `host:port`, several as a list or with commas. */
  brokers: z.preprocess(
    (v) => (typeof v === 'string' ? v.split(',').map((broker) => broker.trim()) : v),
    z.array(z.string().regex(/^[^\s/@]+:\d+$/, 'a broker is written host:port')).min(1),
  ),
  clientId: text.default('streampark-lineage'),
  tls: z
    .union([flag, z.strictObject({ ca: pem.optional(), cert: pem.optional(), key: pem.optional(), serverName: text.optional() })], {
      error: 'expected true, false or {ca, cert, key, serverName}',
    })
    .default(false),
  sasl: sasl.optional(),
};

/** Where `relay` reads events. */
export const relayKafkaSchema = z.strictObject({
  ...connection,
  topics: z.preprocess((v) => (typeof v === 'string' ? v.split(',').map((topic) => topic.trim()) : v), z.array(topicName).min(1)),
  group: text.default('streampark-lineage-relay'),
});
export type RelayKafka = z.output<typeof relayKafkaSchema>;

const kafka = z
  .strictObject({
    ...common,
    type: z.literal('kafka'),
    ...connection,
    topic: topicName,
    /** One key for all messages; without it the key of the OpenLineage clients is used. */
    messageKey: text.optional(),
    acks: z.enum(['all', 'leader', 'none']).default('all'),
    idempotent: flag.default(true),
    compression: z.enum(['none', 'gzip']).default('none'),
    headers,
    timeout: duration.prefault('30s'),
    concurrency: whole(1, 256).default(32),
  })
  .refine(({ acks, idempotent }) => !idempotent || acks === 'all', 'an idempotent producer needs acks: all (or set idempotent: false)');

const file = z.strictObject({
  ...common,
  type: z.literal('file'),
  path: z.string().min(1),
  /** A file that has reached this size is renamed to PATH.1; absent: never. */
  rotateAt: size.refine((bytes) => bytes >= 1024, 'at least 1KiB').optional(),
  /** Renamed files that are kept. */
  keep: whole(1, 1_000).default(5),
  /** event: an event counts as sent when it is on the disk; none: when the operating system has it. */
  fsync: z.enum(['event', 'none']).default('event'),
});

const console = z.strictObject({ ...common, type: z.literal('console') });

/** Through the transport that `extensions.module` exports. */
const extension = z.strictObject({
  ...common,
  type: z.literal('extension'),
  /** What the transport is made with. */
  options: z.record(z.string(), z.unknown()).default({}),
  timeout: duration.prefault('30s'),
  concurrency: whole(1, 64).default(4),
});

/** One destination. `preset` sets path, headers and what the backend cannot take; single options override it. */
export const destinationSchema = z.discriminatedUnion(
  'type',
  [http, kafka, file, console, extension],
  typeIsOneOf('http', 'kafka', 'file', 'console', 'extension'),
);
export type DestinationSettings = z.output<typeof destinationSchema>;

/** The keys of each type, for the test of the docs. */
export const destinationKeys: Readonly<Record<DestinationSettings['type'], readonly string[]>> = {
  http: Object.keys(http.shape),
  kafka: Object.keys(kafka.shape),
  file: Object.keys(file.shape),
  console: Object.keys(console.shape),
  extension: Object.keys(extension.shape),
};

const distinct = (values: readonly string[]): boolean => new Set(values).size === values.length;

/** The option `destinations`. */
export const destinationsSchema = z
  .preprocess(fromJson, z.array(destinationSchema))
  .refine((list) => distinct(list.map((d) => d.name)), 'two destinations have the same name')
  .refine((list) => distinct(list.flatMap((d) => (d.type === 'file' ? [d.path] : []))), 'two destinations write the same file')
  .default([]);
