// Certificates of both sides on a real https server: ours is asked for, and renewed while the transport is in use.
import { copyFileSync, readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createTransport } from '../../src/transports/transports.ts';
import { makeAuthority } from '../support/authority.ts';
import { destinationOf } from '../support/destination.ts';
import { answering, startReceiver } from './receiver.ts';

const authority = makeAuthority('lab');
const foreign = makeAuthority('foreign');
if (authority === undefined) process.stderr.write('not tested: client certificates (openssl is not installed)\n');

describe.skipIf(authority === undefined || foreign === undefined)('TLS of an http destination', () => {
  if (authority === undefined || foreign === undefined) return;
  afterAll(() => {
    authority.remove();
    foreign.remove();
  });
  const signal = new AbortController().signal;
  const transportTo = (url: string, tls: { ca?: string; cert?: string; key?: string }) =>
    createTransport(destinationOf({ type: 'http', url, timeout: '5s', concurrency: 1, ...tls }), { version: '1', output: process.stdout });
  const secured = () => {
    const own = authority.issue('server', 'DNS:localhost');
    const read = (path: string) => readFileSync(path, 'utf8');
    // The last post of a connection ends it, so that each post makes a new one.
    return startReceiver(answering(201, { connection: 'close' }), (listener) =>
      createServer(
        { key: read(own.key), cert: read(own.cert), ca: read(authority.ca), requestCert: true, rejectUnauthorized: true },
        listener,
      ),
    );
  };

  it('shows a certificate, from files or as text, and pauses when it is refused', async () => {
    const receiver = await secured();
    const url = receiver.url.replace('http://127.0.0.1', 'https://localhost');
    const [ours, theirs] = [authority.issue('lineage'), foreign.issue('lineage')];
    const outcomes = [];
    for (const tls of [ours, { cert: readFileSync(ours.cert, 'utf8'), key: readFileSync(ours.key, 'utf8') }, {}, theirs]) {
      const transport = transportTo(url, { ca: authority.ca, ...tls });
      outcomes.push((await transport.send('{}', signal)).kind);
      await transport.close();
    }
    expect(outcomes.slice(0, 2)).toEqual(['sent', 'sent']);
    // A server that says good-bye after the handshake looks like a broken connection or like a TLS alert, as the timing goes.
    expect(
      outcomes.slice(2).every((kind) => kind === 'paused' || kind === 'later'),
      outcomes.join(),
    ).toBe(true);
    expect(receiver.received).toHaveLength(2);
    await receiver.close();
  });

  it('takes up a renewed certificate without a restart', async () => {
    const receiver = await secured();
    const [cert, key] = [join(authority.folder, 'current.pem'), join(authority.folder, 'current.key')];
    const install = (from: { cert: string; key: string }) => {
      copyFileSync(from.cert, cert);
      copyFileSync(from.key, key);
    };
    install(foreign.issue('lineage'));
    const transport = transportTo(receiver.url.replace('http://127.0.0.1', 'https://localhost'), { ca: authority.ca, cert, key });
    expect((await transport.send('{}', signal)).kind).not.toBe('sent');
    install(authority.issue('lineage'));
    expect(await transport.send('{}', signal)).toEqual({ kind: 'sent' });
    await transport.close();
    await receiver.close();
  });

  it('says what is missing', () => {
    const { cert, key } = authority.issue('lineage');
    expect(() => transportTo('https://localhost:1', { cert })).toThrow('cert and key go together');
    expect(() => transportTo('https://localhost:1', { cert, key: `${key}.absent` })).toThrow(/cannot read key .*absent/);
  });
});
