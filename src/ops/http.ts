// /metrics, /healthz and /readyz. Two routes and a page of text need no framework.
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CodedError, ConfigError } from '../errors/errors.ts';

/** What /readyz answers: 200 when `ready`, else 503, with role and reasons either way. */
export interface Readiness {
  readonly ready: boolean;
  readonly role: 'leader' | 'standby' | 'starting' | 'idle';
  /** Why it is not ready, or works with less than all; `since` is a time in ISO form. */
  readonly reasons: readonly { readonly code: string; readonly message: string; readonly cure?: string; readonly since?: string }[];
}

export interface OpsServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Starts the server.
 * @throws CodedError PORT_IN_USE, ConfigError when host and port cannot be bound
 */
export async function startOpsServer(
  host: string,
  port: number,
  sources: { readonly metrics: () => Promise<string>; readonly readiness: () => Readiness },
): Promise<OpsServer> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    answer(path, request.method ?? 'GET', response, sources).catch(() => {
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  server.requestTimeout = 10_000;
  await listen(server, host, port, 'http.host/http.port');
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  path: string,
  method: string,
  response: ServerResponse,
  sources: { readonly metrics: () => Promise<string>; readonly readiness: () => Readiness },
): Promise<void> {
  if (method !== 'GET' && method !== 'HEAD') return end(response, 405, 'text/plain', 'only GET\n');
  switch (path) {
    case '/metrics':
      return end(response, 200, 'text/plain; version=0.0.4; charset=utf-8', await sources.metrics());
    case '/healthz':
      return end(response, 200, 'application/json', '{"alive":true}\n');
    case '/readyz': {
      const readiness = sources.readiness();
      return end(response, readiness.ready ? 200 : 503, 'application/json', `${JSON.stringify(readiness)}\n`);
    }
    case '/':
      return end(response, 200, 'text/plain', 'streampark-lineage: /metrics /healthz /readyz\n');
    default:
      return end(response, 404, 'text/plain', 'not found\n');
  }
}

function end(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type });
  response.end(body);
}

/**
 * Binds a server.
 * @param option what the address was given by
 * @throws CodedError PORT_IN_USE while another process holds the port; ConfigError when the address cannot be bound at all
 */
export function listen(server: Server, host: string, port: number, option: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const message = `${option}: cannot listen on ${host}:${port} (${cause.code ?? 'error'})`;
      const held = cause.code === 'EADDRINUSE';
      reject(held ? new CodedError('PORT_IN_USE', message, { cause }) : new ConfigError('CONFIG_INVALID', message, { cause }));
    });
    server.listen(port, host, resolve);
  });
}
