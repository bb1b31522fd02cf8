// A lineage server of the demo's own: takes POST /api/lineage on loopback and keeps what it got.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The part of an event that the demo shows. */
export interface ReceivedEvent {
  readonly eventType?: string;
  readonly eventTime: string;
  readonly run?: { readonly runId: string };
  readonly job: { readonly namespace: string; readonly name: string };
  readonly inputs?: readonly { readonly namespace: string; readonly name: string }[];
  readonly outputs?: readonly { readonly namespace: string; readonly name: string }[];
}

export interface Receiver {
  readonly url: string;
  readonly events: readonly ReceivedEvent[];
  close(): Promise<void>;
}

/** Starts it on a free port. */
export async function startReceiver(): Promise<Receiver> {
  const events: ReceivedEvent[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.method !== 'POST' || request.url !== '/api/lineage') {
        response.writeHead(404).end();
        return;
      }
      events.push(JSON.parse(Buffer.concat(chunks).toString('utf8')) as ReceivedEvent);
      response.writeHead(201).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    events,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
