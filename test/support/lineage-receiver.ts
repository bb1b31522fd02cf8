// A lineage server for tests: a real http server on loopback that keeps every request and answers as it is told.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checkedEvents, type Exceptions } from './checked.ts';

/** The part of an event that tests look at; `raw` holds the rest. */
export interface LineageEvent {
  readonly eventType?: string;
  readonly eventTime: string;
  readonly run?: { readonly runId: string; readonly facets: Readonly<Record<string, Record<string, unknown>>> };
  readonly job: { readonly namespace: string; readonly name: string; readonly facets: Readonly<Record<string, Record<string, unknown>>> };
  readonly inputs: readonly Dataset[];
  readonly outputs: readonly Dataset[];
}

export interface Dataset {
  readonly namespace: string;
  readonly name: string;
  readonly facets?: Readonly<Record<string, Record<string, unknown>>>;
}

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Status it was answered with; undefined while it hangs. */
  readonly status: number | undefined;
}

/** What the server does with the next requests. `hang` never answers. */
export type Behaviour =
  | { readonly kind: 'take' }
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  | { readonly kind: 'html' }
  | { readonly kind: 'hang' }
  /** Takes requests with this bearer token and answers 401 to all others. */
  | { readonly kind: 'token'; readonly token: string };

export interface LineageReceiver {
  readonly url: string;
  /** Every request in the order of arrival. */
  readonly requests: readonly ReceivedRequest[];
  /** Events that were taken (answered 201), in order. */
  readonly events: readonly LineageEvent[];
  behave(behaviour: Behaviour): void;
  /** Rules of `validate` that the events of this test break on purpose, each with the reason. */
  except(rules: Exceptions): void;
  /** Forgets what was received. */
  clear(): void;
  /** Goes away: the port refuses connections until `open`. */
  close(): Promise<void>;
  open(): Promise<void>;
}

/** Starts one on a free port. Its events pass through the checker of `validate`. */
export async function startLineageReceiver(): Promise<LineageReceiver> {
  const exceptions: Record<string, string> = {};
  const check = checkedEvents(exceptions);
  const requests: ReceivedRequest[] = [];
  let events: LineageEvent[] = [];
  let behaviour: Behaviour = { kind: 'take' };
  let port = 0;

  const answer = (response: ServerResponse, headers: IncomingHttpHeaders): number | undefined => {
    switch (behaviour.kind) {
      case 'hang':
        return undefined;
      case 'html':
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<html><body>Please log in</body></html>');
        return 200;
      case 'status':
        response.writeHead(behaviour.status, behaviour.headers).end(behaviour.body);
        return behaviour.status;
      case 'token':
        if (headers.authorization !== `Bearer ${behaviour.token}`) {
          response.writeHead(401).end();
          return 401;
        }
    }
    response.writeHead(201).end();
    return 201;
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      if (request.method !== 'POST') {
        response.writeHead(405).end();
        return;
      }
      const status = answer(response, request.headers);
      requests.push({ path: request.url ?? '', headers: request.headers, body, status });
      if (status !== 201) return;
      events.push(JSON.parse(body) as LineageEvent);
      check(body);
    });
  });
  const open = () =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', reject);
        port = (server.address() as AddressInfo).port;
        resolve();
      });
    });
  await open();

  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    get events() {
      return events;
    },
    behave(next) {
      behaviour = next;
    },
    except(rules) {
      Object.assign(exceptions, rules);
    },
    clear() {
      requests.length = 0;
      events = [];
    },
    open,
    close: () =>
      new Promise((resolve) => {
        if (!server.listening) return resolve();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
