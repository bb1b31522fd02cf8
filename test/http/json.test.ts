// A question to a real server that answers well, badly, or not at all.
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { askJson, type Question } from '../../src/http/http.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function ask(listener: RequestListener, question: Partial<Question> = {}): Promise<unknown> {
  server = createServer(listener);
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/path?q=1`);
  return askJson({ url, headers: { accept: 'application/json' }, timeoutMs: 5_000, maxBytes: 1024 * 1024, ...question });
}

describe('a question answered with JSON', () => {
  it('carries method, headers and body', async () => {
    const answer = ask(
      (request, response) => {
        let body = '';
        request.on('data', (chunk) => {
          body += chunk;
        });
        request.on('end', () => response.end(JSON.stringify([request.method, request.url, request.headers['accept'], body])));
      },
      { method: 'POST', body: 'a=1' },
    );
    expect(await answer).toEqual(['POST', '/path?q=1', 'application/json', 'a=1']);
  });

  it.each<[string, RequestListener, object]>([
    [
      'fails',
      (_, response) => response.writeHead(503).end('{"secret":1}'),
      { kind: 'status', status: 503, message: 'answered with http 503' },
    ],
    [
      'points elsewhere',
      (_, response) => response.writeHead(302, { location: 'http://192.0.2.1/' }).end(),
      { kind: 'status', status: 302, message: 'answered with http 302' },
    ],
    ['is a page', (_, response) => response.end('<html>'), { kind: 'notJson', message: 'the answer is no JSON' }],
    [
      'has no end',
      (_, response) => {
        const more = () => !response.destroyed && response.write(' '.repeat(65_536), more);
        more();
      },
      { kind: 'tooLong', message: 'the answer is longer than 1 MiB' },
    ],
    ['breaks off', (request) => request.socket.destroy(), { kind: 'unreachable', message: 'no answer (UND_ERR_SOCKET)' }],
  ])('says in one clause why there is none when the answer %s', async (_, listener, fault) => {
    await expect(ask(listener)).rejects.toMatchObject(fault);
  });

  it('ends with silence', async () => {
    await expect(ask(() => undefined, { timeoutMs: 100 })).rejects.toMatchObject({
      kind: 'unreachable',
      message: 'no answer (UND_ERR_HEADERS_TIMEOUT)',
    });
  });

  it('ends with its signal, for the reason that the signal has', async () => {
    const abort = new AbortController();
    const reason = new Error('enough');
    await expect(ask(() => abort.abort(reason), { signal: abort.signal })).rejects.toBe(reason);
  });
});
