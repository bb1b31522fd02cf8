// Backends in trouble: real servers on loopback that misbehave in one way until they are healed.
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';

export interface IllBackend {
  readonly url: string;
  /** Bodies that were taken, in order. */
  readonly taken: readonly string[];
  /** Requests or connections that reached it while it was ill. */
  readonly attempts: () => number;
  /** Most requests that it was working on at one moment. */
  readonly most: () => number;
  /** From now on it takes everything. */
  heal(): Promise<void>;
  close(): Promise<void>;
}

/** What is done with a request whose body was read; `take` notes it as taken. */
export type Misbehaviour = (response: ServerResponse, request: IncomingMessage, take: () => void) => unknown;

/** An http server (https with `tls`) that misbehaves per request. */
export async function illHttp(misbehave: Misbehaviour, tls?: { readonly key: string; readonly cert: string }): Promise<IllBackend> {
  const taken: string[] = [];
  let ill = true;
  let attempts = 0;
  let working = 0;
  let most = 0;
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    working += 1;
    most = Math.max(most, working);
    response.on('close', () => {
      working -= 1;
    });
    const chunks: Buffer[] = [];
    request.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const take = () => void taken.push(Buffer.concat(chunks).toString('utf8'));
      if (ill) {
        attempts += 1;
        misbehave(response, request, take);
        return;
      }
      take();
      response.writeHead(201).end();
    });
  };
  const server = tls === undefined ? createHttpServer(listener) : createHttpsServer(tls, listener);
  const port = await listen(server);
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    taken,
    attempts: () => attempts,
    most: () => most,
    heal: async () => {
      ill = false;
    },
    close: () => shut(server),
  };
}

/** A server that misbehaves before there is any http; healed, an http server has its port. */
export async function illTcp(misbehave: 'refuse' | ((socket: Socket) => unknown)): Promise<IllBackend> {
  let attempts = 0;
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    attempts += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    if (misbehave !== 'refuse') misbehave(socket);
  });
  const port = await listen(server);
  const url = `http://127.0.0.1:${port}`;
  const end = async () => {
    for (const socket of sockets) socket.destroy();
    await shut(server);
  };
  if (misbehave === 'refuse') await end();
  let healed: IllBackend | undefined;
  return {
    url,
    get taken() {
      return healed?.taken ?? [];
    },
    attempts: () => attempts,
    most: () => healed?.most() ?? 0,
    heal: async () => {
      if (misbehave !== 'refuse') await end();
      healed = await healthyAt(port);
    },
    close: async () => {
      await healed?.close();
      if (misbehave !== 'refuse') await end();
    },
  };
}

async function healthyAt(port: number): Promise<IllBackend> {
  const taken: string[] = [];
  const server = createHttpServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      taken.push(Buffer.concat(chunks).toString('utf8'));
      response.writeHead(201).end();
    });
  });
  await listen(server, port);
  return { url: '', taken, attempts: () => 0, most: () => 0, heal: async () => undefined, close: () => shut(server) };
}

async function listen(server: Server, port = 0): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

async function shut(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  if ('closeAllConnections' in server) (server as { closeAllConnections(): void }).closeAllConnections();
  await closed;
}
