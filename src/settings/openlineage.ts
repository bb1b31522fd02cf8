// OpenLineage's own configuration (openlineage.yml, OPENLINEAGE__A__B, OPENLINEAGE_URL and its kin) as destinations and a namespace
// of ours. What is not supported is named, never dropped in silence. docs/openlineage-configuration.md has the whole mapping.
import { parseDocument } from 'yaml';
import { type DestinationSettings, destinationSchema, type Preset } from './destinations.ts';
import type { FoundFile } from './openlineage-file.ts';
import { kafkaOptions, milliseconds } from './openlineage-kafka.ts';
import { environmentTree, folded, isTree, merged, section, type Tree } from './openlineage-tree.ts';

export interface OpenLineageSettings {
  /** OPENLINEAGE_DISABLED: nothing is sent at all. */
  readonly disabled: boolean;
  readonly destinations: readonly DestinationSettings[];
  readonly namespace: string | undefined;
  /** The file and variables that were found. */
  readonly sources: readonly string[];
  /** What is not supported or cannot be read, one line each, without values. */
  readonly problems: readonly string[];
}

type Env = Readonly<Record<string, string | undefined>>;
type Say = (problem: string) => void;

/** Variables with a meaning of their own; any other OPENLINEAGE_… is named. */
const variables = [
  'OPENLINEAGE_CONFIG',
  'OPENLINEAGE_DISABLED',
  'OPENLINEAGE_URL',
  'OPENLINEAGE_ENDPOINT',
  'OPENLINEAGE_API_KEY',
  'OPENLINEAGE_NAMESPACE',
];

/** Reads it all. Never throws: whatever is wrong is a problem, for our own settings may make it unimportant. */
export function readOpenLineage(file: FoundFile | undefined, env: Env): OpenLineageSettings {
  const problems: string[] = [];
  const say: Say = (problem) => void problems.push(problem);
  const set = (name: string): string | undefined => env[name]?.trim() || undefined;
  const names = Object.keys(env).filter((name) => name.startsWith('OPENLINEAGE_') && set(name) !== undefined);
  for (const name of names) if (!name.startsWith('OPENLINEAGE__') && !variables.includes(name)) say(`${name}: not supported`);

  const top = section(merged(fileTree(file, say), environmentTree(env)), '');
  const transport = top.take('transport');
  const job = top.take('job');
  const jobSection = isTree(job) ? section(job, 'job') : undefined;
  const namespace = jobSection?.text('namespace');
  const destinations = destinationsOf(isTree(transport) ? transport : {}, fromUrl(set), say);
  if (transport !== undefined && !isTree(transport)) say('transport: expected a section');
  for (const rest of [...(jobSection?.rest() ?? []), ...top.rest()]) say(`${rest}: not supported`);

  return Object.freeze({
    disabled: set('OPENLINEAGE_DISABLED')?.toLowerCase() === 'true',
    destinations,
    namespace: namespace ?? set('OPENLINEAGE_NAMESPACE'),
    sources: [...(file === undefined ? [] : [file.path]), ...names.sort()],
    problems,
  });
}

function fileTree(file: FoundFile | undefined, say: Say): Tree {
  if (file === undefined) return {};
  if (file.text === undefined) say(`${file.path}: cannot be read`);
  const document = parseDocument(file.text ?? '', { prettyErrors: true });
  const problem = document.errors[0];
  if (problem !== undefined) {
    say(`${file.path}, line ${problem.linePos?.[0].line ?? '?'}: not valid YAML (${problem.code})`);
    return {};
  }
  const value: unknown = document.toJS() ?? {};
  if (isTree(value)) return value;
  say(`${file.path}: expected sections`);
  return {};
}

/** The transport that OPENLINEAGE_URL and its kin describe. */
function fromUrl(set: (name: string) => string | undefined): Tree | undefined {
  const url = set('OPENLINEAGE_URL');
  if (url === undefined) return undefined;
  const key = set('OPENLINEAGE_API_KEY');
  return {
    type: 'http',
    url,
    endpoint: set('OPENLINEAGE_ENDPOINT'),
    ...(key === undefined ? {} : { auth: { type: 'api_key', apiKey: key } }),
  };
}

function destinationsOf(transport: Tree, url: Tree | undefined, say: Say): DestinationSettings[] {
  const type = Object.entries(transport).find(([key]) => folded(key) === 'type')?.[1];
  if (type === undefined && Object.keys(transport).length > 0 && url === undefined) say('transport.type: is missing');
  if (type === undefined) return url === undefined ? [] : valid('openlineage', httpOptions(url, 'OPENLINEAGE_URL', say), say);
  if (type === 'composite') return composite(transport, url, say);
  if (url !== undefined) say('OPENLINEAGE_URL: not used, for transport.type is set');
  return one('openlineage', transport, 'transport', say);
}

/** Each member is a destination of its own, with its own retries. */
function composite(transport: Tree, url: Tree | undefined, say: Say): DestinationSettings[] {
  const given = section(transport, 'transport');
  given.take('type');
  const transports = given.take('transports');
  // One that fails never stops the others, and each has a lane of its own.
  if (String(given.take('continueOnFailure') ?? true) === 'false')
    say('transport.continueOnFailure: destinations never wait for each other');
  if (String(given.take('withThreadPool') ?? true) === 'false')
    say('transport.withThreadPool: destinations are always served side by side');
  for (const rest of given.rest()) say(`${rest}: not supported`);
  const members: readonly (readonly [string, unknown])[] = Array.isArray(transports)
    ? transports.map((member, i) => [memberName(member, i), member] as const)
    : Object.entries(isTree(transports) ? transports : {});
  const withUrl =
    url === undefined || members.some(([name]) => folded(name) === 'defaulthttp') ? members : [...members, ['default_http', url] as const];
  const seen = new Set<string>();
  return withUrl.flatMap(([name, member]) => {
    const path = `transport.transports.${name}`;
    const clean = name.replace(/[^a-z0-9_-]/gi, '-').slice(0, 60) || 'openlineage';
    if (seen.has(clean)) say(`${path}: another transport has this name`);
    if (!isTree(member)) say(`${path}: expected a section`);
    if (seen.has(clean) || !isTree(member)) return [];
    seen.add(clean);
    return one(clean, member, path, say);
  });
}

const memberName = (member: unknown, i: number): string =>
  isTree(member) && typeof member['name'] === 'string' ? member['name'] : `openlineage-${i + 1}`;

function one(name: string, transport: Tree, path: string, say: Say): DestinationSettings[] {
  const type = section(transport, path).text('type');
  switch (type) {
    case 'http':
    case 'async_http':
      return valid(name, httpOptions(transport, path, say), say);
    case 'kafka': {
      const given = section(transport, path);
      given.take('type', 'name', 'flush');
      const topic = given.text('topicName', 'topic');
      const messageKey = given.text('messageKey');
      const properties = given.take('properties', 'config');
      for (const rest of given.rest()) say(`${rest}: not supported`);
      return valid(
        name,
        { type, topic, messageKey, ...kafkaOptions(isTree(properties) ? properties : {}, given.at('properties'), say) },
        say,
      );
    }
    case 'file': {
      const given = section(transport, path);
      given.take('type', 'name');
      const file = given.text('location', 'logFilePath');
      if (given.text('append') === 'false') say(`${given.at('append')}: events are always appended`);
      for (const rest of given.rest()) say(`${rest}: not supported`);
      return valid(name, { type, path: file }, say);
    }
    case 'console':
      for (const rest of section(transport, path).rest()) if (!/\.(type|name)$/i.test(rest)) say(`${rest}: not supported`);
      return valid(name, { type }, say);
    case 'noop':
      return [];
    default:
      // A transformer may be there to hide something: without it nothing is sent.
      say(`${path}.type: ${/^[\w.-]{1,60}$/.test(type ?? '') ? type : 'the type'} is not supported; nothing is sent there`);
      return [];
  }
}

/** Backends whose particulars are known by their path. */
const presetOf: Readonly<Record<string, Preset>> = {
  '/api/lineage': 'gravitino',
  '/api/v1/openlineage/lineage': 'openmetadata',
  '/openapi/openlineage/api/v1/lineage': 'datahub',
};

function httpOptions(transport: Tree, path: string, say: Say): Tree {
  const given = section(transport, path);
  given.take('type', 'name');
  const url = given.text('url') ?? '';
  const named = given.text('endpoint');
  const target = URL.canParse(url) ? new URL(url) : undefined;
  // Without an endpoint an url with a path is whole, as the Java client has it.
  const whole = named === undefined && target !== undefined && target.pathname !== '/' ? target.pathname : undefined;
  const endpoint = named === undefined ? whole : `/${named.replace(/^\/+/, '')}`;
  const params = given.take('urlParams');
  const seconds = given.text('timeout');
  const milli = given.text('timeoutInMillis');
  if (String(given.take('verify') ?? true) !== 'true')
    say(`${given.at('verify')}: certificates are always checked; a private authority is given in a destination of ours`);
  const options: Tree = {
    type: 'http',
    preset: presetOf[endpoint ?? ''],
    url: whole === undefined || target === undefined ? url : whole && withoutPath(target),
    endpoint,
    urlParams: isTree(params)
      ? Object.fromEntries(Object.entries(params).map(([key, value]) => [key.replace(/^url\.param\./, ''), String(value)]))
      : undefined,
    headers: textValues(given.take('headers', 'customHeaders')),
    compression: given.text('compression')?.toLowerCase(),
    timeout: milliseconds(milli) ?? (seconds === undefined ? undefined : `${seconds}s`),
    ...auth(given.take('auth'), given.at('auth'), say),
  };
  for (const rest of given.rest()) say(`${rest}: ${/\.retry$/i.test(rest) ? 'the outbox sends again by its own rules' : 'not supported'}`);
  return options;
}

const withoutPath = (target: URL): string => {
  const bare = new URL(target);
  bare.pathname = '';
  return bare.href;
};

const textValues = (value: unknown): unknown =>
  isTree(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, String(one)])) : undefined;

function auth(value: unknown, path: string, say: Say): Tree {
  if (!isTree(value)) return {};
  const given = section(value, path);
  const type = folded(given.text('type') ?? 'api_key');
  const apiKey = given.text('apiKey');
  if (type === 'apikey') {
    for (const rest of given.rest()) say(`${rest}: not supported`);
    return { token: apiKey };
  }
  if (type !== 'jwt') {
    say(`${given.at('type')}: not supported`);
    return {};
  }
  const buffer = given.text('tokenRefreshBuffer');
  const jwt = {
    apiKey,
    tokenEndpoint: given.text('tokenEndpoint'),
    tokenFields: given.take('tokenFields'),
    expiresInField: given.text('expiresInField'),
    grantType: given.text('grantType'),
    responseType: given.text('responseType'),
    tokenRefreshBuffer: buffer === undefined ? undefined : `${buffer}s`,
  };
  for (const rest of given.rest()) say(`${rest}: not supported`);
  return { jwt };
}

function valid(name: string, options: Tree, say: Say): DestinationSettings[] {
  const result = destinationSchema.safeParse(defined({ name, ...options }));
  if (result.success) return [result.data];
  for (const { path, message } of result.error.issues) say(`${name}${path.length === 0 ? '' : `, ${path.join('.')}`}: ${message}`);
  return [];
}

/** Without members that are undefined, at any depth. */
function defined(tree: Tree): Tree {
  return Object.fromEntries(
    Object.entries(tree).flatMap(([key, value]) => (value === undefined ? [] : [[key, isTree(value) ? defined(value) : value] as const])),
  );
}
