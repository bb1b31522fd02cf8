// The endpoint of the proxy: takes what OpenLineage clients post, one event or a batch, and answers 201 when it is on disk. A client that gets
// no 201 sends again; the same bytes are then one event.

import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGunzip } from 'node:zlib';
import { listen } from '../ops/ops.ts';
import { type AcceptedEvent, acceptEvent } from './accept.ts';
import type { Spool } from './spool.ts';

export interface ReceiverOptions {
  readonly host: string;
  readonly port: number;
  /** Bearer token that clients must send; undefined: none. */
  readonly token: string | undefined;
  /** Largest body, inflated, in bytes. */
  readonly maxBytes: number;
  /** What is wrong with an event beyond its outline; null where events are not validated. */
  readonly validate: ((event: unknown) => Promise<readonly { readonly path: string; readonly message: string }[]>) | null;
  /** Called with each answer's status. */
  readonly answered: (status: number) => void;
}

export interface Receiver {
  readonly port: number;
  /** Takes no new requests; those under way are answered. */
  close(): Promise<void>;
}

const single = new Set(['/api/v1/lineage', '/api/lineage']);
const batches = new Set(['/api/v1/lineage/batch', '/api/lineage/batch']);
/** More than this waits for the database: clients are asked to come back. */
const mostWaitingChars = 64_000_000;
const requestTimeoutMs = 60_000;

class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Starts the server.
 * @throws ConfigError when host and port cannot be bound
 */
export async function startReceiver(options: ReceiverOptions, spool: Spool): Promise<Receiver> {
  const server = createServer((request, response) => {
    take(request, options, spool)
      .then((answer) => end(response, answer.status, answer.body))
      .catch((error: unknown) => {
        if (error instanceof Refused) return end(response, error.status, { error: error.message });
        // The own tables are away: nothing is on disk, so the client must keep it.
        response.setHeader('retry-after', '5');
        return end(response, 503, { error: 'the event could not be stored; send it again' });
      })
      .finally(() => options.answered(response.statusCode));
  });
  server.requestTimeout = requestTimeoutMs;
  await listen(server, options.host, options.port, 'relay --listen');
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}

async function take(request: IncomingMessage, options: ReceiverOptions, spool: Spool): Promise<{ status: number; body: object }> {
  const path = new URL(request.url ?? '/', 'http://localhost').pathname.replace(/\/+$/, '');
  if (!single.has(path) && !batches.has(path)) throw new Refused(404, `post to ${[...single].join(' or ')}`);
  if (request.method !== 'POST') throw new Refused(405, 'only POST');
  if (!authorized(request.headers.authorization, options.token)) throw new Refused(401, 'a bearer token is needed');
  if (spool.waiting > mostWaitingChars) throw new Error('the spool is full');
  const text = await bodyOf(request, options.maxBytes);
  const value = parse(text);
  const events = batches.has(path) ? batchOf(value) : [accepted(text.trim(), value, '')];
  if (options.validate !== null) {
    for (const event of batches.has(path) ? (value as unknown[]) : [value]) {
      const [fault] = await options.validate(event);
      if (fault !== undefined) throw new Refused(422, `${fault.path}: ${fault.message}`);
    }
  }
  await spool.add(events);
  return {
    status: 201,
    body: batches.has(path) ? { status: 'success', summary: { received: events.length, successful: events.length, failed: 0 } } : {},
  };
}

function authorized(header: string | undefined, token: string | undefined): boolean {
  if (token === undefined) return true;
  const [given, wanted] = [Buffer.from(header ?? ''), Buffer.from(`Bearer ${token}`)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

async function bodyOf(request: IncomingMessage, maxBytes: number): Promise<string> {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity' && encoding !== 'gzip') throw new Refused(415, `content-encoding ${encoding} is not understood`);
  const stream = encoding === 'gzip' ? request.pipe(createGunzip()) : request;
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw new Refused(413, `a body has at most ${maxBytes} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw new Refused(400, 'the body broke off or is not what its content-encoding says');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new Refused(400, 'the body is not UTF-8');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refused(400, 'the body is not JSON');
  }
}

function batchOf(value: unknown): AcceptedEvent[] {
  if (!Array.isArray(value)) throw new Refused(400, 'a batch is a JSON array');
  return value.map((event, index) => accepted(JSON.stringify(event), event, `/${index}`));
}

function accepted(json: string, value: unknown, path: string): AcceptedEvent {
  const result = acceptEvent(json, value);
  if ('problem' in result) throw new Refused(400, `${path}${path === '' ? '' : ': '}${result.problem}`);
  return result;
}

function end(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}
