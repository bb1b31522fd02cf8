// The examples of extensions as they stand: typed by the published declarations, loaded and run.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type Extension, type ExtensionCall, openExtension } from '../../src/extension/extension.ts';
import { distill } from '../../src/identity/identity.ts';
import { createNames } from '../../src/names/names.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { createTransport } from '../../src/transports/transports.ts';
import { repositoryRoot } from '../support/shared.ts';

const folder = mkdtempSync(join(tmpdir(), 'spl-examples-'));
afterAll(() => rmSync(folder, { recursive: true }));
const opened: Extension[] = [];
afterEach(async () => {
  for (const extension of opened.splice(0)) await extension.close();
});

async function example(name: string, more = '') {
  const settings = readSettings(`extensions: {module: ${join(repositoryRoot, 'examples', name)}}\n${more}`, {});
  const calls: ExtensionCall[] = [];
  const extension = await openExtension(settings, (call) => calls.push(call));
  if (extension === undefined) throw new Error('nothing was opened');
  opened.push(extension);
  return { extension, settings, calls };
}

describe('the published declarations', () => {
  const tsc = (...args: readonly string[]) =>
    spawnSync(process.execPath, [join(repositoryRoot, 'node_modules/typescript/bin/tsc'), ...args], { cwd: folder, encoding: 'utf8' });

  it('stand alone, and the examples are as they say', () => {
    // As a site has them: the package beside its own module.
    const site = join(folder, 'node_modules', 'streampark-lineage');
    mkdirSync(site, { recursive: true });
    cpSync(join(repositoryRoot, 'package.json'), join(site, 'package.json'));
    const made = tsc('-p', join(repositoryRoot, 'tsconfig.types.json'), '--outDir', join(site, 'dist'));
    expect(made.stdout).toBe('');
    const names = ['extension-names.mjs', 'extension-facets.mjs', 'extension-transport.mjs'];
    for (const name of names) cpSync(join(repositoryRoot, 'examples', name), join(folder, name));
    const options = [
      '--noEmit',
      '--checkJs',
      '--strict',
      '--noImplicitAny',
      'false',
      '--module',
      'nodenext',
      '--target',
      'es2023',
      '--types',
      '',
    ];
    const check = tsc(...options, ...names);
    expect(check.stdout).toBe('');
    // It notices what is wrong.
    writeFileSync(
      join(folder, 'wrong.mjs'),
      "/** @type {import('streampark-lineage/extension').NameMapper} */\nexport const mapName = () => 'text';\n",
    );
    expect(tsc(...options, 'wrong.mjs').stdout).toContain('TS2322');
  });
});

describe('extension-names.mjs', () => {
  it('names queues, leaves out what is for tests, and maps staging', async () => {
    const { extension, settings, calls } = await example(
      'extension-names.mjs',
      'identity: {namespaceAliases: {"acme://eu": "acme://europe"}}',
    );
    const names = createNames(settings.identity, { now: Date.now, notify: () => undefined, extension });
    const named = (options: Record<string, string>) =>
      names.table(
        distill(
          { facts: { path: ['c', 'd', 't'], temporary: false, options, columns: [], primaryKey: [], partitionKeys: [] }, catalog: null },
          null,
          names.own,
        ),
      );
    const queue = (queue: string, more = {}) => ({ connector: 'acme-queue', cluster: 'eu', queue, password: 'hunter2', ...more });
    expect(await named(queue('orders, returns'))).toMatchObject({
      datasets: [
        { namespace: 'acme://europe', name: 'orders' },
        { namespace: 'acme://europe', name: 'returns' },
      ],
    });
    expect(await named(queue('test'))).toMatchObject({ reason: 'NO_IDENTITY', silent: true });
    expect(await named({ connector: 'acme-queue-v2', queue: 'orders' })).toMatchObject({
      reason: 'EXTENSION_FAILED',
      message: "connector 'acme-queue-v2' of the extension: it threw Error",
    });
    expect(calls.at(-1)).toMatchObject({ part: 'connector', of: 'acme-queue-v2', result: 'threw' });
    // The mapper is asked about names of the program's own rules, too.
    expect(await named({ connector: 'kafka', topic: 'staging_orders', 'properties.bootstrap.servers': 'k:9092' })).toMatchObject({
      datasets: [{ namespace: 'kafka://k:9092', name: 'orders' }],
    });
    await names.close();
  });
});

describe('extension-facets.mjs', () => {
  it('says who pays and what is personal', async () => {
    const { extension } = await example('extension-facets.mjs');
    const change = {
      engine: 'flink',
      application: { id: '1', team: 'shop', owner: null },
      run: { id: 'r', attempt: 1, startedAt: '2026-01-01T00:00:00.000Z', previousRunId: null },
      job: { namespace: 'n', name: 'j' },
      processing: 'STREAMING',
      sql: null,
      output: {
        namespace: 'n',
        name: 't',
        columns: [
          { name: 'id', type: 'BIGINT' },
          { name: 'first_name', type: 'STRING' },
        ],
      },
      inputs: [],
    } as const;
    expect(await extension.facetsOf(change)).toEqual([
      { job: { acme_costs: { costCentre: '4711' } } },
      { output: { acme_personalData: { columns: ['first_name'] } } },
    ]);
    expect(await extension.facetsOf({ ...change, application: { id: '1', team: null, owner: null }, output: null })).toEqual([]);
  });
});

describe('extension-transport.mjs', () => {
  it('tells a room of failures, and nobody of scratch applications', async () => {
    const bodies: string[] = [];
    let status = 200;
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += String(chunk);
      });
      request.on('end', () => {
        bodies.push(body);
        response.writeHead(status).end();
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/1`;
    const { extension, settings } = await example(
      'extension-transport.mjs',
      `destinations: [{name: room, type: extension, options: {url: "${url}"}}]`,
    );
    const [destination] = settings.destinations;
    if (destination === undefined) throw new Error('no destination');
    const transport = createTransport(destination, { version: 'x', output: process.stdout, extension });
    const { signal } = new AbortController();
    const send = (eventType: string, name: string) => transport.send(JSON.stringify({ eventType, job: { name } }), signal);
    expect(await transport.probe(signal)).toEqual({ ok: true, detail: `posts to ${new URL(url).host}` });
    expect(await send('START', 'orders')).toEqual({ kind: 'sent' });
    expect(await send('FAIL', 'scratch_1')).toEqual({ kind: 'sent' });
    expect(bodies).toEqual([]);
    expect(await send('FAIL', 'orders')).toEqual({ kind: 'sent' });
    expect(bodies).toEqual(['{"text":"orders failed"}']);
    status = 503;
    expect(await send('FAIL', 'orders')).toEqual({ kind: 'later', reason: 'the room answered 503', serverError: false });
    status = 404;
    expect(await send('FAIL', 'orders')).toEqual({ kind: 'never', reason: 'the room answered 404' });
    server.close();
    // Nobody listens: the function throws.
    server.closeAllConnections();
    expect(await send('FAIL', 'orders')).toMatchObject({ kind: 'later', serverError: true });
    await transport.close();
  });
});
