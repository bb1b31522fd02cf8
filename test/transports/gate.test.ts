// The last question before a request: asked when the connection is there, so that a process that was frozen while it connected
// sends nothing late.
import { createServer, type Socket } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { createTransport } from '../../src/transports/transports.ts';
import { destinationOf } from '../support/destination.ts';
import { startReceiver } from './receiver.ts';

const signal = new AbortController().signal;
const closing: (() => unknown)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));

const transportTo = (url: string) => {
  const transport = createTransport(destinationOf({ type: 'http', url, timeout: '5000ms', concurrency: 1 }), {
    version: '1',
    output: process.stdout,
  });
  closing.push(() => transport.close());
  return transport;
};

describe('a request that may not begin any more', () => {
  it('is not sent over a connection that took its time', async () => {
    const written: Buffer[] = [];
    const sockets: Socket[] = [];
    const server = createServer((socket) => {
      sockets.push(socket);
      socket.on('data', (bytes) => written.push(bytes)).on('error', () => undefined);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => server.close());
    const { port } = server.address() as { port: number };
    let may = true;
    const asked: boolean[] = [];
    const sending = transportTo(`http://127.0.0.1:${port}`).send('{"late":1}', signal, () => {
      asked.push(may);
      return may;
    });
    // The send was begun; its connection is not there yet.
    may = false;
    expect(await sending).toMatchObject({ kind: 'later', reason: 'no answer (NOT_BEGUN)' });
    expect(asked).toEqual([false]);
    expect(Buffer.concat(written).toString()).toBe('');
    for (const socket of sockets) socket.destroy();
  });

  it('is not sent over a kept connection, and the next one is', async () => {
    const receiver = await startReceiver();
    closing.push(() => receiver.close());
    const transport = transportTo(receiver.url);
    expect(await transport.send('{"n":1}', signal, () => true)).toEqual({ kind: 'sent' });
    expect(await transport.send('{"n":2}', signal, () => false)).toMatchObject({ kind: 'later' });
    expect(await transport.send('{"n":3}', signal)).toEqual({ kind: 'sent' });
    expect(receiver.received.map(({ body }) => body)).toEqual(['{"n":1}', '{"n":3}']);
  });
});
