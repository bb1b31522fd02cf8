// OpenLineage's own configuration, as its clients document it, and which settings win.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { destinationSchema } from '../../src/settings/destinations.ts';
import { readOpenLineage } from '../../src/settings/openlineage.ts';
import { effectiveSettings, findOpenLineageFile, readSettings } from '../../src/settings/settings.ts';
import { repositoryRoot } from '../support/shared.ts';

const folder = mkdtempSync(join(tmpdir(), 'spl-openlineage-'));
afterAll(() => rmSync(folder, { recursive: true }));
const read = (yaml: string | undefined, env: Record<string, string> = {}) =>
  readOpenLineage(yaml === undefined ? undefined : { path: 'openlineage.yml', text: yaml }, env);
const destination = (given: Record<string, unknown>) => destinationSchema.parse({ name: 'openlineage', ...given });

describe('the file', () => {
  it('is found where the clients look, in their order', () => {
    const [work, home] = [join(folder, 'work'), join(folder, 'home')];
    for (const path of [work, join(home, '.openlineage')]) mkdirSync(path, { recursive: true });
    const named = join(folder, 'named.yml');
    expect(findOpenLineageFile({}, work, home)).toBeUndefined();
    writeFileSync(join(home, '.openlineage/openlineage.yml'), 'a: home');
    expect(findOpenLineageFile({}, work, home)?.text).toBe('a: home');
    writeFileSync(join(work, 'openlineage.yml'), 'a: work');
    expect(findOpenLineageFile({}, work, home)?.text).toBe('a: work');
    expect(findOpenLineageFile({ OPENLINEAGE_CONFIG: named }, work, home)).toEqual({ path: named, text: undefined });
    writeFileSync(named, 'a: named');
    expect(findOpenLineageFile({ OPENLINEAGE_CONFIG: named }, work, home)?.text).toBe('a: named');
  });

  it('never stops anything, whatever is in it', () => {
    expect(readOpenLineage({ path: '/x', text: undefined }, {})).toMatchObject({ destinations: [], problems: ['/x: cannot be read'] });
    expect(read('transport: {type: [').problems).toEqual([expect.stringMatching(/line 1: not valid YAML/)]);
    expect(read('text').problems).toEqual(['openlineage.yml: expected sections']);
    expect(read('transport: http').problems).toEqual(['transport: expected a section']);
    expect(read('transport: {type: http}').problems).toEqual([expect.stringMatching(/^openlineage, url/)]);
    expect(read('').problems).toEqual([]);
  });
});

describe('transports', () => {
  it.each([
    [
      'http',
      '{type: http, url: "http://m:5000", auth: {type: api_key, apiKey: k}, timeout: 7, compression: gzip}',
      { type: 'http', url: 'http://m:5000', token: 'k', timeout: '7s', compression: 'gzip' },
    ],
    [
      'the spelling of Python',
      '{type: http, url: "http://m", endpoint: lin, custom_headers: {A: 1}, auth: {type: api_key, api_key: k}}',
      { type: 'http', url: 'http://m', endpoint: '/lin', headers: { A: '1' }, token: 'k' },
    ],
    [
      'the spelling of Java',
      '{type: http, url: "http://m/api/v9/x", timeoutInMillis: 250, urlParams: {url.param.a: b}, headers: {H: v}}',
      { type: 'http', url: 'http://m/', endpoint: '/api/v9/x', timeout: '250ms', urlParams: { a: 'b' }, headers: { H: 'v' } },
    ],
    [
      'Gravitino by its path',
      '{type: http, url: "http://g:8090", endpoint: /api/lineage}',
      { type: 'http', preset: 'gravitino', url: 'http://g:8090', endpoint: '/api/lineage' },
    ],
    [
      'a token endpoint',
      '{type: http, url: "http://m", auth: {type: jwt, apiKey: k, tokenEndpoint: "http://t/x", tokenRefreshBuffer: 60}}',
      { type: 'http', url: 'http://m', jwt: { apiKey: 'k', tokenEndpoint: 'http://t/x', tokenRefreshBuffer: '60s' } },
    ],
    [
      'kafka of Java',
      '{type: kafka, topicName: t, messageKey: k, properties: {bootstrap.servers: "a:1,b:2", acks: 1, key.serializer: org.apache.kafka.common.serialization.StringSerializer}}',
      { type: 'kafka', topic: 't', messageKey: 'k', brokers: 'a:1,b:2', acks: 'leader', idempotent: false },
    ],
    [
      'kafka with SASL',
      `{type: kafka, topic: t, flush: true, config: {bootstrap.servers: "a:1", security.protocol: SASL_SSL, sasl.mechanism: SCRAM-SHA-256, sasl.jaas.config: 'x.ScramLoginModule required username="u" password="p\\"q";', ssl.ca.location: /ca}}`,
      {
        type: 'kafka',
        topic: 't',
        brokers: 'a:1',
        tls: { ca: '/ca' },
        sasl: { mechanism: 'scram-sha-256', username: 'u', password: 'p"q' },
      },
    ],
    ['file', '{type: file, location: /tmp/x}', { type: 'file', path: '/tmp/x' }],
    ['file of Python', '{type: file, log_file_path: /tmp/x, append: true}', { type: 'file', path: '/tmp/x' }],
    ['console', '{type: console}', { type: 'console' }],
  ])('%s', (_, transport, expected) => {
    expect(read(`transport: ${transport}`)).toMatchObject({ destinations: [destination(expected)], problems: [] });
  });

  it('makes a destination of each member of a composite', () => {
    const transports = '{one: {type: console}, "two!": {type: http, url: "http://m"}, three: {type: kinesis}}';
    const { destinations, problems } = read(`transport: {type: composite, continueOnFailure: true, transports: ${transports}}`, {
      OPENLINEAGE_URL: 'http://u',
    });
    expect(destinations.map(({ name, type }) => `${name} ${type}`)).toEqual(['one console', 'two- http', 'default_http http']);
    expect(problems).toEqual(['transport.transports.three.type: kinesis is not supported; nothing is sent there']);
    expect(
      read('transport: {type: composite, transports: [{type: console}, {name: b, type: console}]}').destinations.map(({ name }) => name),
    ).toEqual(['openlineage-1', 'b']);
  });

  it('sends nothing around a transformer that it cannot run', () => {
    const { destinations, problems } = read('transport: {type: transform, transformerClass: x.Hide, transport: {type: console}}');
    expect(destinations).toEqual([]);
    expect(problems).toEqual([expect.stringContaining('transform is not supported')]);
  });

  it('names every option that it does not support, and no value', () => {
    const yaml = `
transport: {type: http, url: "http://m", verify: false, retry: {total: 5}, sslContextConfig: {storePassword: hunter2}, auth: {type: com.example.Mine, secret: hunter2}}
facets: {debug: {disabled: true}}
circuitBreaker: {type: static}
job: {namespace: ns, owners: {team: x}}`;
    const { problems, namespace } = read(yaml, { OPENLINEAGE_CLIENT_LOGGING: 'DEBUG' });
    for (const path of [
      'transport.verify',
      'transport.retry',
      'transport.sslContextConfig',
      'transport.auth.type',
      'facets',
      'circuitBreaker',
      'job.owners',
      'OPENLINEAGE_CLIENT_LOGGING',
    ])
      expect(
        problems.filter((problem) => problem.startsWith(`${path}:`)),
        path,
      ).toHaveLength(1);
    expect(JSON.stringify(problems)).not.toContain('hunter2');
    expect(namespace).toBe('ns');
  });
});

describe('variables', () => {
  it('nest, and JSON of a section wins over its parts', () => {
    const env = {
      OPENLINEAGE__TRANSPORT__TYPE: 'http',
      OPENLINEAGE__TRANSPORT__URL: 'http://m:5000',
      OPENLINEAGE__TRANSPORT__ENDPOINT: '/api/lineage',
      OPENLINEAGE__TRANSPORT__AUTH: '{"type":"api_key","apiKey":"k"}',
      OPENLINEAGE__TRANSPORT__TIMEOUT: '9',
    };
    expect(read(undefined, env)).toMatchObject({
      destinations: [
        destination({ type: 'http', preset: 'gravitino', url: 'http://m:5000', endpoint: '/api/lineage', token: 'k', timeout: '9s' }),
      ],
      problems: [],
    });
    expect(read(undefined, { ...env, OPENLINEAGE__TRANSPORT: '{"type":"console"}' }).destinations).toEqual([
      destination({ type: 'console' }),
    ]);
    const composite = { OPENLINEAGE__TRANSPORT__TYPE: 'composite', OPENLINEAGE__TRANSPORT__TRANSPORTS__LAKE__TYPE: 'console' };
    expect(read(undefined, composite).destinations).toEqual([destination({ name: 'lake', type: 'console' })]);
    const digits = '12345678901234567890';
    expect(
      read(undefined, { ...env, OPENLINEAGE__TRANSPORT__AUTH: `{"type":"api_key"}`, OPENLINEAGE__TRANSPORT__AUTH__APIKEY: digits })
        .destinations,
    ).toMatchObject([{ type: 'http' }]);
    expect(
      read('transport: {type: http, url: "http://m", auth: {type: api_key}}', { OPENLINEAGE__TRANSPORT__AUTH__API_KEY: digits })
        .destinations,
    ).toMatchObject([{ token: digits }]);
  });

  it('stand below the file, key by key', () => {
    expect(
      read('transport: {type: http, url: "http://file"}', {
        OPENLINEAGE__TRANSPORT__URL: 'http://env',
        OPENLINEAGE__TRANSPORT__COMPRESSION: 'gzip',
      }).destinations,
    ).toMatchObject([{ url: 'http://file', compression: 'gzip' }]);
  });

  it('of the old kind make an http transport where there is no other', () => {
    const env = { OPENLINEAGE_URL: 'http://m', OPENLINEAGE_ENDPOINT: 'x', OPENLINEAGE_API_KEY: 'k', OPENLINEAGE_NAMESPACE: 'ns' };
    expect(read(undefined, env)).toMatchObject({
      destinations: [destination({ type: 'http', url: 'http://m', endpoint: '/x', token: 'k' })],
      namespace: 'ns',
      problems: [],
    });
    const { destinations, problems } = read('transport: {type: console}', env);
    expect(destinations).toEqual([destination({ type: 'console' })]);
    expect(problems).toEqual(['OPENLINEAGE_URL: not used, for transport.type is set']);
  });
});

describe('which settings win', () => {
  const theirs = { OPENLINEAGE_URL: 'http://theirs', OPENLINEAGE_NAMESPACE: 'theirs' };
  const names = (e: ReturnType<typeof effectiveSettings>) => e.destinations.map(({ name }) => name);

  it('is ours, from whatever place, and theirs as a whole where ours name no destination', () => {
    const bare = effectiveSettings(readSettings(undefined, theirs), {});
    expect(bare).toMatchObject({ configured: true, namespace: 'theirs', openLineage: 'used', disabled: false });
    expect(names(bare)).toEqual(['openlineage']);
    const stored = effectiveSettings(readSettings(undefined, theirs), { 'lineage.gravitino.address': 'http://g' });
    expect(stored).toMatchObject({ namespace: 'streampark', openLineage: 'unused' });
    expect(names(stored)).toEqual(['gravitino']);
    const own = effectiveSettings(readSettings('destinations: [{name: a, type: console}]', theirs), {});
    expect(own).toMatchObject({ namespace: 'streampark', openLineage: 'unused' });
    expect(names(own)).toEqual(['a']);
    expect(effectiveSettings(readSettings(undefined, { ...theirs, STREAMPARK_LINEAGE_GRAVITINO_NAMESPACE: 'own' }), {}).namespace).toBe(
      'own',
    );
    expect(effectiveSettings(readSettings(undefined, {}), {})).toMatchObject({ configured: false, openLineage: undefined });
  });

  it('is OPENLINEAGE_DISABLED over everything', () => {
    for (const value of ['true', ' TRUE ']) {
      const off = effectiveSettings(readSettings('destinations: [{name: a, type: console}]', { OPENLINEAGE_DISABLED: value }), {});
      expect(off).toMatchObject({ configured: false, disabled: true, destinations: [] });
    }
    for (const value of ['false', '', '1']) {
      expect(effectiveSettings(readSettings(undefined, { ...theirs, OPENLINEAGE_DISABLED: value }), {}).disabled).toBe(false);
    }
  });
});

it('docs/openlineage-configuration.md names the variables', () => {
  const page = readFileSync(join(repositoryRoot, 'docs/openlineage-configuration.md'), 'utf8');
  for (const name of ['CONFIG', 'DISABLED', 'URL', 'ENDPOINT', 'API_KEY', 'NAMESPACE']) expect(page).toContain(`OPENLINEAGE_${name}`);
});
