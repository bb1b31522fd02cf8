// A consumer's names are asked for with the certificates of its destination.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { type HttpDestination, knownNames } from '../../src/cli/check/consumer.ts';
import { makeAuthority } from '../support/authority.ts';
import { destinationOf } from '../support/destination.ts';

const authority = makeAuthority('lab');
if (authority === undefined) process.stderr.write('not tested: a consumer behind a private authority (openssl is not installed)\n');

describe.skipIf(authority === undefined)('the names that a consumer knows', () => {
  if (authority === undefined) return;
  const pair = authority.issue('server', 'DNS:localhost');
  const server = createServer({ key: readFileSync(pair.key), cert: readFileSync(pair.cert) }, (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://x');
    const answers: Record<string, unknown> = {
      '/api/v1/namespaces': { namespaces: [{ name: 'kafka://b:9092' }] },
      [`/api/v1/namespaces/${encodeURIComponent('kafka://b:9092')}/datasets`]: { datasets: [{ name: 'orders' }] },
    };
    response.end(JSON.stringify(answers[pathname] ?? {}));
  });
  afterAll(() => {
    server.close();
    authority.remove();
  });
  const at = (ca?: string) => {
    const url = `https://localhost:${(server.address() as AddressInfo).port}`;
    return destinationOf({ type: 'http', url, timeout: '5s', ...(ca === undefined ? {} : { ca }) }) as HttpDestination;
  };

  it('are read over a connection that its authority vouches for', async () => {
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
    expect(await knownNames(at(authority.ca))).toEqual({ names: [{ namespace: 'kafka://b:9092', name: 'orders' }], complete: true });
    await expect(knownNames(at())).rejects.toThrow(
      /^\/api\/v1\/namespaces: no answer \((UNABLE_TO_VERIFY_LEAF_SIGNATURE|SELF_SIGNED_CERT_IN_CHAIN)\)$/,
    );
    await expect(knownNames(at('/no/such.pem'))).rejects.toThrow(/cannot read ca \/no\/such\.pem$/);
  });
});
