// A real http server that keeps what it was posted and answers as a test says.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Answering = (received: Received, response: ServerResponse, request: IncomingMessage) => void;

export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly received: Received[];
  answer: Answering;
  close(): Promise<void>;
}

/** Answers with a status, headers and a body. */
export function answering(status: number, headers: Record<string, string> = {}, body = ''): Answering {
  return (_received, response) => response.writeHead(status, headers).end(body);
}

/** Listens on a free port of the loopback interface, or on `port`. */
export async function startReceiver(
  answer: Answering = answering(201),
  make: (listener: Listener) => Server = createServer,
  port = 0,
): Promise<Receiver> {
  const received: Received[] = [];
  const receiver = { received, answer };
  const server = make((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      received.push(one);
      receiver.answer(one, response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const at = (server.address() as AddressInfo).port;
  return Object.assign(receiver, {
    url: `http://127.0.0.1:${at}`,
    port: at,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void;
