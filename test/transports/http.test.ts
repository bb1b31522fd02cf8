// The http transport against real servers on the loopback interface.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { connect, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { targetOf } from '../../src/transports/http.ts';
import { createTransport, type Transport } from '../../src/transports/transports.ts';
import { destinationOf } from '../support/destination.ts';
import { makeCertificate } from './certificate.ts';
import { answering, type Receiver, startReceiver } from './receiver.ts';

const signal = new AbortController().signal;
const folder = mkdtempSync(join(tmpdir(), 'spl-http-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('http transport', () => {
  let receiver: Receiver;
  const open: Transport[] = [];
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((transport) => transport.close()));
    await receiver.close();
  });
  const transportTo = (url: string, more: Record<string, unknown> = {}): Transport => {
    const destination = destinationOf({ type: 'http', url, timeout: '2s', ...more });
    const transport = createTransport(destination, { version: '1.2.3', output: process.stdout });
    open.push(transport);
    return transport;
  };

  it('posts the bytes as they are, with the headers and the path of each backend', async () => {
    const event = '{"text":"ü🦆"}';
    for (const preset of ['gravitino', 'marquez', 'openlineage'] as const) {
      expect(await transportTo(receiver.url, { preset, token: 'secret', headers: { 'X-Team': 'a' } }).send(event, signal)).toEqual({
        kind: 'sent',
      });
    }
    expect(receiver.received.map((one) => one.path)).toEqual(['/api/lineage', '/api/v1/lineage', '/api/v1/lineage']);
    expect(receiver.received[0]).toMatchObject({
      method: 'POST',
      body: event,
      headers: {
        'content-type': 'application/json',
        accept: 'application/vnd.gravitino.v1+json, application/json',
        authorization: 'Bearer secret',
        'user-agent': 'streampark-lineage/1.2.3',
        'x-team': 'a',
      },
    });
    expect(receiver.received[1]?.headers.accept).toBe('application/json');
  });

  it('joins url and endpoint', () => {
    const target = (url: string, endpoint?: string) =>
      targetOf({ url, preset: 'gravitino', ...(endpoint === undefined ? {} : { endpoint }) }).href;
    expect(target('http://h:8090')).toBe('http://h:8090/api/lineage');
    expect(target('http://h:8090/')).toBe('http://h:8090/api/lineage');
    expect(target('http://h/proxy/')).toBe('http://h/proxy/api/lineage');
    expect(target('http://h/api/lineage')).toBe('http://h/api/lineage');
    expect(target('http://user:pw@h/?a=1', '/x')).toBe('http://h/x?a=1');
  });

  it.each([
    [200, 'sent'],
    [201, 'sent'],
    [204, 'sent'],
    ...[301, 307, 401, 403, 404, 405, 406, 407].map((status) => [status, 'paused'] as const),
    ...[400, 402, 409, 410, 413, 415, 418, 422, 431].map((status) => [status, 'never'] as const),
    ...[408, 425, 429, 500, 501, 502, 503, 504, 599].map((status) => [status, 'later'] as const),
  ] as const)('takes %i for %s', async (status, kind) => {
    receiver.answer = answering(status, { location: 'http://elsewhere/x?token=abcdef' });
    const result = await transportTo(receiver.url).send('{}', signal);
    expect(result.kind).toBe(kind);
    if (result.kind === 'later') expect(result.serverError).toBe(status >= 500);
    expect(JSON.stringify(result)).not.toContain('abcdef');
    expect(receiver.received).toHaveLength(1);
  });

  it('reads Retry-After in both forms', async () => {
    receiver.answer = answering(429, { 'retry-after': '7' });
    expect(await transportTo(receiver.url).send('{}', signal)).toMatchObject({ kind: 'later', retryAfterMs: 7_000, serverError: false });
    receiver.answer = answering(503, { 'retry-after': new Date(Date.now() + 90_000).toUTCString() });
    const result = await transportTo(receiver.url).send('{}', signal);
    expect(result).toMatchObject({ kind: 'later', serverError: true });
    expect((result as { retryAfterMs: number }).retryAfterMs).toBeGreaterThan(85_000);
  });

  it('takes a page with 200 for a wrong address', async () => {
    receiver.answer = answering(200, { 'content-type': 'text/html; charset=utf-8' }, '<html><body>Sign in</body></html>');
    expect(await transportTo(receiver.url).send('{}', signal)).toMatchObject({ kind: 'paused', reason: expect.stringContaining('HTML') });
    receiver.answer = answering(201, { 'content-type': 'text/html' }, '<html></html>');
    expect(await transportTo(receiver.url).send('{}', signal)).toEqual({ kind: 'sent' });
  });

  it('gives up on a server that hangs, before and after the headers', async () => {
    receiver.answer = () => undefined;
    const transport = transportTo(receiver.url, { timeout: '300ms' });
    expect(await transport.send('{}', signal)).toMatchObject({ kind: 'later', serverError: false });
    receiver.answer = (_received, response) => void response.writeHead(500, { 'content-length': '10' }).flushHeaders();
    expect(await transport.send('{}', signal)).toMatchObject({ kind: 'later', serverError: true });
    receiver.answer = (_received, response) => void response.writeHead(201, { 'content-length': '10' }).flushHeaders();
    expect(await transport.send('{}', signal)).toEqual({ kind: 'sent' });
  });

  it('ends at once when it is aborted', async () => {
    receiver.answer = () => undefined;
    const abort = new AbortController();
    const sending = transportTo(receiver.url, { timeout: '60s' }).send('{}', abort.signal);
    setTimeout(() => abort.abort(), 50);
    expect(await sending).toMatchObject({ kind: 'later' });
    expect(await transportTo(receiver.url).send('{}', abort.signal)).toMatchObject({ kind: 'later' });
  });

  it('takes a reset, a refused connection and garbage for passing troubles', async () => {
    receiver.answer = (_received, _response, request) => request.socket.resetAndDestroy();
    expect(await transportTo(receiver.url).send('{}', signal)).toMatchObject({ kind: 'later', serverError: false });
    expect(receiver.received).toHaveLength(1);
    expect(await transportTo('http://127.0.0.1:1').send('{}', signal)).toMatchObject({
      kind: 'later',
      reason: expect.stringContaining('ECONNREFUSED'),
    });
    const garbage = createTcpServer((socket) =>
      socket.on('data', () => socket.end('SSH-2.0-OpenSSH_9.2\r\n')).on('error', () => undefined),
    );
    await new Promise<void>((resolve) => garbage.listen(0, '127.0.0.1', resolve));
    const { port } = garbage.address() as { port: number };
    expect(await transportTo(`http://127.0.0.1:${port}`).send('{}', signal)).toMatchObject({ kind: 'later' });
    await new Promise((resolve) => garbage.close(resolve));
  });

  it('pauses when the host name is unknown or the certificate is not trusted', async (test) => {
    const made = makeCertificate();
    if (made === undefined) return test.skip('openssl is not installed: TLS was not tested');
    const { certificate, privateKey } = made;
    expect(await transportTo('http://no-such-host.invalid').send('{}', signal)).toMatchObject({ kind: 'paused' });
    const secure = await startReceiver(answering(201), (listener) => createTlsServer({ key: privateKey, cert: certificate }, listener));
    const url = secure.url.replace('http:', 'https:').replace('127.0.0.1', 'localhost');
    expect(await transportTo(url).send('{}', signal)).toMatchObject({ kind: 'paused', reason: expect.stringContaining('TLS') });
    const file = join(folder, 'ca.pem');
    writeFileSync(file, certificate);
    expect(await transportTo(url, { ca: file }).send('{}', signal)).toEqual({ kind: 'sent' });
    expect(await transportTo(url, { ca: certificate }).send('{}', signal)).toEqual({ kind: 'sent' });
    expect(await transportTo(receiver.url.replace('http:', 'https:')).send('{}', signal)).toMatchObject({ kind: 'paused' });
    await secure.close();
    expect(() => transportTo(url, { ca: join(folder, 'absent.pem') })).toThrow(/cannot read ca/);
  });

  it('reads the token file again when it is refused, and posts once more with a new token', async () => {
    const tokenFile = join(folder, 'token');
    receiver.answer = (received, response) => response.writeHead(received.headers.authorization === 'Bearer right' ? 201 : 401).end();
    const transport = transportTo(receiver.url, { tokenFile });
    expect(await transport.send('{}', signal)).toMatchObject({ kind: 'paused', reason: expect.stringContaining('token file') });
    writeFileSync(tokenFile, 'wrong\n');
    expect(await transport.send('{}', signal)).toMatchObject({ kind: 'paused' });
    expect(receiver.received).toHaveLength(1);
    writeFileSync(tokenFile, 'right\n');
    expect(await transport.send('{}', signal)).toEqual({ kind: 'sent' });
    expect(receiver.received).toHaveLength(3);
  });

  it('sends user and password of the url as Basic, and never shows them or the token', async () => {
    receiver.answer = (received, response) =>
      response.writeHead(400).end(JSON.stringify({ code: 1001, message: `bad\n${received.headers.authorization} p%40ss p@ss` }));
    const withUser = receiver.url.replace('http://', 'http://user:p%40ss@');
    const basic = await transportTo(withUser).send('{}', signal);
    expect(receiver.received[0]?.headers.authorization).toBe(`Basic ${Buffer.from('user:p@ss').toString('base64')}`);
    const bearer = await transportTo(receiver.url, { token: 'very-secret' }).send('{}', signal);
    expect(basic).toEqual({ kind: 'never', reason: 'http 400: bad Basic *** p%40ss ***' });
    expect(bearer).toEqual({ kind: 'never', reason: 'http 400: bad Bearer *** p%40ss p@ss' });
    expect(await transportTo(receiver.url, { token: 'line\nfeed' }).send('{}', signal)).toMatchObject({ kind: 'paused' });
  });

  it('reads little of a large answer and lives on', async () => {
    receiver.answer = answering(500, { 'content-type': 'text/html' }, `<html><style>x{}</style><b>Oops</b>${'<p>y</p>'.repeat(500_000)}`);
    const transport = transportTo(receiver.url, { concurrency: 1 });
    const result = await transport.send('{}', signal);
    expect(result).toMatchObject({ kind: 'later', reason: expect.stringMatching(/^http 500: Oops y y/) });
    expect((result as { reason: string }).reason.length).toBeLessThan(330);
    receiver.answer = answering(201);
    expect(await transport.send('{}', signal)).toEqual({ kind: 'sent' });
  });

  it('keeps its connections for many events', async () => {
    const ports = new Set<number | undefined>();
    receiver.answer = (_received, response, request) => {
      ports.add(request.socket.remotePort);
      response.writeHead(201).end('{}');
    };
    const transport = transportTo(receiver.url);
    for (let n = 0; n < 50; n++) await transport.send('{}', signal);
    expect(ports.size).toBeLessThanOrEqual(4);
  });

  it('probes without an event', async () => {
    const probe = () => transportTo(receiver.url, { preset: 'gravitino', token: 'abcd' }).probe(signal);
    for (const [status, ok] of [
      [405, true],
      [400, true],
      [200, true],
      [401, false],
      [404, false],
      [500, false],
    ] as const) {
      receiver.answer = answering(status);
      expect(await probe()).toMatchObject({ ok, detail: expect.stringContaining(`${receiver.url}/api/lineage`) });
    }
    expect(receiver.received.every((one) => one.method === 'GET' && one.body === '')).toBe(true);
    expect((await transportTo('http://127.0.0.1:1').probe(signal)).ok).toBe(false);
  });

  it('leaves no connection behind when it is closed', async () => {
    receiver.answer = answering(201);
    const transport = transportTo(receiver.url);
    await transport.send('{}', signal);
    await transport.close();
    expect(await transport.send('{}', signal)).toMatchObject({ kind: 'later' });
    const socket = connect(receiver.port, '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.destroy();
  });
});
