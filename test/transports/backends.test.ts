// What each backend is sent and how its answers are read, on real servers that answer as the real ones do.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTransport, eventKindsOf, type Transport } from '../../src/transports/transports.ts';
import { destinationOf } from '../support/destination.ts';
import { answering, type Receiver, startReceiver } from './receiver.ts';

const signal = new AbortController().signal;
const folder = mkdtempSync(join(tmpdir(), 'spl-backends-'));
afterAll(() => rmSync(folder, { recursive: true }));

let receiver: Receiver;
const open: Transport[] = [];
let now = Date.parse('2026-03-14T00:00:00Z');
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((transport) => transport.close()));
  await receiver.close();
});
const transportTo = (more: Record<string, unknown> = {}): Transport => {
  const destination = destinationOf({ type: 'http', url: receiver.url, timeout: '2s', ...more });
  const transport = createTransport(destination, { version: '1.2.3', output: process.stdout, now: () => now });
  open.push(transport);
  return transport;
};
const event = (more: object = {}) => JSON.stringify({ run: { runId: 'r' }, job: { namespace: 'n', name: 'j' }, ...more });

describe('presets', () => {
  it.each([
    ['gravitino', '', '/api/lineage', 'application/vnd.gravitino.v1+json, application/json', 'run'],
    ['marquez', '', '/api/v1/lineage', 'application/json', 'both'],
    ['openmetadata', '', '/api/v1/openlineage/lineage', 'application/json', 'run'],
    ['datahub', '', '/openapi/openlineage/api/v1/lineage', 'application/json', 'run'],
    ['egeria', '/servers/loc', '/servers/loc/open-metadata/integration-daemon/publish-open-lineage-event', 'application/json', 'run'],
    ['openlineage', '', '/api/v1/lineage', 'application/json', 'run'],
  ])('%s', async (preset, base, path, accept, events) => {
    const url = receiver.url + base;
    expect(await transportTo({ preset, url, token: 'secret', urlParams: { team: 'a b', x: '1' } }).send(event(), signal)).toEqual({
      kind: 'sent',
    });
    expect(receiver.received[0]).toMatchObject({ path: `${path}?team=a+b&x=1`, headers: { accept, authorization: 'Bearer secret' } });
    expect(eventKindsOf(destinationOf({ type: 'http', url, preset }))).toBe(events);
    expect(eventKindsOf(destinationOf({ type: 'http', url, preset, events: 'job' }))).toBe('job');
  });

  it('reads what Egeria says with 200', async () => {
    const answers = (body: unknown) => {
      receiver.answer = answering(200, { 'content-type': 'application/json' }, JSON.stringify(body));
      return transportTo({ preset: 'egeria', endpoint: '/x', token: 'abcdef' }).send(event(), signal);
    };
    expect(await answers({ class: 'VoidResponse', relatedHTTPCode: 200 })).toEqual({ kind: 'sent' });
    expect(await answers({ relatedHTTPCode: 400, exceptionErrorMessage: 'bad abcdef\nevent' })).toEqual({
      kind: 'never',
      reason: 'http 400: bad *** event',
    });
    expect(await answers({ relatedHTTPCode: 500, exceptionErrorMessage: 'down' })).toMatchObject({ kind: 'later', serverError: true });
    expect(await answers({ relatedHTTPCode: 403 })).toMatchObject({ kind: 'paused' });
    expect(await answers('nonsense')).toEqual({ kind: 'sent' });
  });

  it('reads the failures that OpenMetadata reports with 200, and takes no edge for no failure', async () => {
    const answers = (body: unknown) => {
      receiver.answer = answering(200, { 'content-type': 'application/json' }, JSON.stringify(body));
      return transportTo({ preset: 'openmetadata' }).send(event(), signal);
    };
    expect(await answers({ status: 'success', lineageEdgesCreated: 0 })).toEqual({ kind: 'sent' });
    expect(await answers({ failedEvents: [{ index: 0, reason: 'no producer', retriable: false }] })).toEqual({
      kind: 'never',
      reason: 'http 422: no producer',
    });
    expect(await answers({ failed_events: [{ index: 0, retriable: true }] })).toMatchObject({ kind: 'later' });
  });

  it('gives DataHub application names without dots, and no symlink that would rename a dataset', async () => {
    const job = (name: string) => ({ namespace: 'n', name });
    const facets = { symlinks: { identifiers: [{ ...job('t'), type: 'TABLE' }] } };
    const located = {
      symlinks: {
        identifiers: [
          { ...job('t'), type: 'TABLE' },
          { ...job('l'), type: 'LOCATION' },
        ],
      },
    };
    const parent = { run: { runId: 'p' }, job: job('my.app'), root: { run: { runId: 'p' }, job: job('my.app') } };
    const child = {
      run: { runId: 'r', facets: { parent } },
      job: job('my.app.lake.db.t'),
      inputs: [{ ...job('a'), facets }],
      outputs: [{ ...job('b'), facets: located }],
    };
    await transportTo({ preset: 'datahub' }).send(JSON.stringify(child), signal);
    const clean = { run: { runId: 'p' }, job: job('my_app'), root: { run: { runId: 'p' }, job: job('my_app') } };
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toEqual({
      run: { runId: 'r', facets: { parent: clean } },
      job: job('my_app.lake.db.t'),
      inputs: [{ ...job('a'), facets: {} }],
      outputs: [{ ...job('b'), facets: { symlinks: { identifiers: [{ ...job('l'), type: 'LOCATION' }] } } }],
    });
    const application = { ...job('my.app'), facets: { jobType: { jobType: 'APPLICATION' } } };
    await transportTo({ preset: 'datahub' }).send(JSON.stringify({ job: application }), signal);
    expect(JSON.parse(receiver.received[1]?.body ?? '')).toEqual({ job: { ...application, name: 'my_app' } });
  });
});

describe('gzip', () => {
  const large = event({ fill: 'x'.repeat(5_000) });
  it('compresses from the threshold on', async () => {
    const bodies: Buffer[] = [];
    receiver.answer = (_received, response, request) =>
      void response.writeHead(request.headers['content-encoding'] === 'gzip' ? 201 : 200).end();
    const raw = await startRaw(bodies);
    const transport = transportTo({ url: raw.url, compression: 'gzip', compressFrom: '4KiB' });
    expect(await transport.send(large, signal)).toEqual({ kind: 'sent' });
    expect(await transport.send(event(), signal)).toEqual({ kind: 'sent' });
    await raw.close();
    expect(gunzipSync(bodies[0] ?? '').toString('utf8')).toBe(large);
    expect(bodies[0]?.length).toBeLessThan(300);
    expect(bodies[1]?.toString('utf8')).toBe(event());
  });

  it('sends plain to a server that turns out not to read it', async () => {
    receiver.answer = (_received, response, request) =>
      void response.writeHead(request.headers['content-encoding'] === 'gzip' ? 415 : 201).end();
    const transport = transportTo({ compression: 'gzip' });
    expect(await transport.send(large, signal)).toEqual({ kind: 'sent' });
    expect(await transport.send(large, signal)).toEqual({ kind: 'sent' });
    expect(receiver.received.map(({ headers }) => headers['content-encoding'])).toEqual(['gzip', undefined, undefined]);
  });

  it('keeps the verdict on an event that is refused either way, and goes on compressing', async () => {
    receiver.answer = answering(400);
    const transport = transportTo({ compression: 'gzip' });
    expect(await transport.send(large, signal)).toMatchObject({ kind: 'never' });
    receiver.answer = answering(201);
    await transport.send(large, signal);
    expect(receiver.received.map(({ headers }) => headers['content-encoding'])).toEqual(['gzip', undefined, 'gzip']);
  });
});

describe('token endpoint', () => {
  const issuing = (answer: (form: URLSearchParams, n: number) => [number, unknown]) => {
    let asked = 0;
    receiver.answer = (received, response) => {
      if (received.path !== '/token')
        return void response.writeHead(received.headers.authorization === `Bearer t${asked}` ? 201 : 401).end();
      asked += 1;
      const [status, body] = answer(new URLSearchParams(received.body), asked);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
  };
  const jwt = () => ({ tokenEndpoint: `${receiver.url}/token`, apiKey: 'my key' });
  const asked = () => receiver.received.filter(({ path }) => path === '/token').length;

  it('exchanges the key once, and again before the token ends', async () => {
    issuing((_form, n) => [200, { accessToken: `t${n}`, expiresIn: 600 }]);
    const transport = transportTo({ jwt: jwt() });
    await Promise.all([1, 2, 3].map(() => transport.send(event(), signal)));
    expect(asked()).toBe(1);
    expect(Object.fromEntries(new URLSearchParams(receiver.received[0]?.body))).toEqual({
      apikey: 'my key',
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      response_type: 'token',
    });
    now += 479_000;
    expect(await transport.send(event(), signal)).toEqual({ kind: 'sent' });
    expect(asked()).toBe(1);
    now += 2_000;
    expect(await transport.send(event(), signal)).toEqual({ kind: 'sent' });
    expect(asked()).toBe(2);
  });

  it('takes the end from the token itself, and gets a new one when it is refused', async () => {
    const token = (exp: number) => `h.${Buffer.from(JSON.stringify({ exp })).toString('base64url')}.s`;
    let valid = token(now / 1000 + 300);
    let asked = 0;
    receiver.answer = (received, response) => {
      if (received.path === '/token') {
        asked += 1;
        response.end(JSON.stringify({ token: valid }));
      } else response.writeHead(received.headers.authorization === `Bearer ${valid}` ? 201 : 401).end();
    };
    const transport = transportTo({ jwt: jwt() });
    await transport.send(event(), signal);
    await transport.send(event(), signal);
    expect(asked).toBe(1);
    now += 181_000;
    valid = token(now / 1000 + 1_000);
    expect(await transport.send(event(), signal)).toEqual({ kind: 'sent' });
    expect(asked).toBe(2);
    valid = token(now / 1000 + 2_000);
    expect(await transport.send(event(), signal)).toEqual({ kind: 'sent' });
    expect(asked).toBe(3);
  });

  it('says whose fault it is when there is none, without the key', async () => {
    const file = join(folder, 'key');
    const transport = transportTo({ jwt: { tokenEndpoint: `${receiver.url}/token`, apiKeyFile: file } });
    expect(await transport.send(event(), signal)).toMatchObject({ kind: 'paused', reason: expect.stringContaining('API key file') });
    writeFileSync(file, 'my key\n');
    for (const [status, body, kind] of [
      [401, { message: 'my key is wrong' }, 'paused'],
      [200, { nothing: 1 }, 'paused'],
      [200, 'text', 'paused'],
      [503, {}, 'later'],
      [429, {}, 'later'],
    ] as const) {
      issuing((form) => [form.get('apikey') === 'my key' ? status : 999, body]);
      const result = await transport.send(event(), signal);
      expect(result, String(status)).toMatchObject({ kind, reason: expect.stringContaining('token endpoint') });
      expect(JSON.stringify(result)).not.toContain('my key');
    }
    const gone = transportTo({ jwt: { tokenEndpoint: 'http://127.0.0.1:1/', apiKey: 'my key' } });
    expect(await gone.send(event(), signal)).toMatchObject({ kind: 'later', reason: expect.stringContaining('token endpoint') });
  });
});

describe('batches', () => {
  const all = (transport: Transport, count: number) =>
    Promise.all(Array.from({ length: count }, (_, n) => transport.send(event({ n }), signal)));
  const paths = () => receiver.received.map(({ method, path }) => `${method} ${path}`);
  const numbers = (body: string) => (JSON.parse(body) as { n: number }[]).map(({ n }) => n);

  it('are not tried while events come one by one', async () => {
    const transport = transportTo();
    for (let n = 0; n < 3; n++) await transport.send(event({ n }), signal);
    expect(new Set(paths())).toEqual(new Set(['POST /api/v1/lineage']));
  });

  it('are used where a GET shows the endpoint, in order, with one answer for each event', async () => {
    receiver.answer = (received, response) => {
      if (received.method === 'GET') return void response.writeHead(405).end();
      if (received.path !== '/api/v1/lineage/batch') return void response.writeHead(201).end();
      const failed = numbers(received.body).flatMap((n, index) =>
        n === 13 ? [{ index, reason: 'bad luck', retriable: false }] : n === 14 ? [{ index, reason: 'busy', retriable: true }] : [],
      );
      response.end(
        JSON.stringify({
          status: 'partial_success',
          summary: { received: 0, successful: 0, failed: failed.length },
          failed_events: failed,
        }),
      );
    };
    const transport = transportTo();
    await all(transport, 2);
    receiver.received.length = 0;
    const results = await all(transport, 20);
    expect(results.map(({ kind }) => kind)).toEqual(
      Array.from({ length: 20 }, (_, n) => (n === 13 ? 'never' : n === 14 ? 'later' : 'sent')),
    );
    expect(results[13]).toEqual({ kind: 'never', reason: 'batch: bad luck' });
    expect(receiver.received.length).toBeLessThan(20);
    expect(
      receiver.received.flatMap(({ body, path }) => (path.endsWith('/batch') ? numbers(body) : [(JSON.parse(body) as { n: number }).n])),
    ).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });

  it.each([404, 200, 401, 500])('are not used where a GET is answered with %i', async (status) => {
    receiver.answer = (received, response) => void response.writeHead(received.method === 'GET' ? status : 201).end();
    const transport = transportTo();
    for (let n = 0; n < 3; n++) expect(await all(transport, 4)).toEqual(Array.from({ length: 4 }, () => ({ kind: 'sent' })));
    expect(
      paths()
        .filter((one) => one.startsWith('POST'))
        .every((one) => one === 'POST /api/v1/lineage'),
    ).toBe(true);
  });

  it('fall apart into single events when the batch is refused or its answer is unclear', async () => {
    for (const answer of [
      [400, ''],
      [404, ''],
      [200, '{"summary":{"failed":2}}'],
      [200, '{"failed_events":[{"index":99}]}'],
    ] as const) {
      receiver.answer = (received, response) => {
        if (received.method === 'GET') return void response.writeHead(405).end();
        if (received.path.endsWith('/batch')) return void response.writeHead(answer[0]).end(answer[1]);
        response.writeHead((JSON.parse(received.body) as { n: number }).n === 1 ? 422 : 201).end();
      };
      const transport = transportTo();
      await all(transport, 2);
      expect(
        (await all(transport, 3)).map(({ kind }) => kind),
        JSON.stringify(answer),
      ).toEqual(['sent', 'never', 'sent']);
    }
  });

  it('share the trouble of the destination', async () => {
    receiver.answer = (received, response) => void response.writeHead(received.method === 'GET' ? 405 : 201).end();
    const transport = transportTo();
    await all(transport, 2);
    receiver.answer = answering(503, { 'retry-after': '7' });
    expect(await all(transport, 3)).toEqual(
      Array.from({ length: 3 }, () => ({ kind: 'later', reason: 'http 503', serverError: true, retryAfterMs: 7_000 })),
    );
    receiver.answer = () => undefined;
    const abort = new AbortController();
    const hanging = [1, 2].map((n) => transport.send(event({ n }), abort.signal));
    setTimeout(() => abort.abort(), 50);
    for (const result of await Promise.all(hanging)) expect(result).toMatchObject({ kind: 'later', serverError: false });
    expect(await transport.send(event(), abort.signal)).toMatchObject({ kind: 'later' });
  });

  it('have the form of OpenMetadata there, and are off for those that have none', async () => {
    receiver.answer = (received, response) => void response.writeHead(received.method === 'GET' ? 405 : 200).end('{}');
    const transport = transportTo({ preset: 'openmetadata' });
    await all(transport, 2);
    await all(transport, 3);
    const batch = receiver.received.find(({ path, method }) => method === 'POST' && path === '/api/v1/openlineage/lineage/batch');
    expect((JSON.parse(batch?.body ?? '') as { events: unknown[] }).events.length).toBeGreaterThan(1);
    for (const more of [{ preset: 'gravitino' }, { preset: 'marquez' }, { batch: 'off' }]) {
      receiver.received.length = 0;
      await all(transportTo(more), 4);
      expect(paths().every((one) => one.startsWith('POST') && !one.endsWith('batch'))).toBe(true);
    }
  });
});

/** A server that keeps the bytes of the bodies. */
async function startRaw(bodies: Buffer[]): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { createServer } = await import('node:http');
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks));
      response.writeHead(201).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    close: () => new Promise((resolve) => void server.close(() => resolve()).closeAllConnections()),
  };
}
