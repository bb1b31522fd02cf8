// The catalogs of a metalake over HTTP: a small server of ours that follows the REST interface of Gravitino, in good days and bad.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recognise } from '../../src/actions/actions.ts';
import { type DistilledPipeline, distill, distillTransfers } from '../../src/identity/identity.ts';
import { createNames, type Names, probeNames } from '../../src/names/names.ts';
import { readSettings } from '../../src/settings/settings.ts';

const catalogs = [
  {
    name: 'crm',
    type: 'relational',
    provider: 'jdbc-mysql',
    comment: null,
    properties: { 'jdbc-url': 'jdbc:mysql://db:3306', 'jdbc-password': 'Geheim' },
  },
  { name: 'lake', type: 'relational', provider: 'lakehouse-paimon', properties: { warehouse: 's3://b/wh' }, audit: { creator: 'x' } },
  { name: 'files', type: 'fileset', provider: null, properties: null },
];

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
const list: Answer = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/vnd.gravitino.v1+json' });
  response.end(JSON.stringify({ code: 0, catalogs }));
};

let server: Server;
let answer: Answer;
let requests: IncomingMessage[];
let url: string;
let clock: number;
let troubles: (string | undefined)[];
let names: Names;

beforeEach(async () => {
  [answer, requests, clock, troubles] = [list, [], 0, []];
  server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  names = open();
});
afterEach(async () => {
  await names.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function open(more: object = {}): Names {
  const { identity } = readSettings(
    JSON.stringify({ identity: { profile: 'gravitino', gravitino: { metalake: 'my lake', url, token: 'tok', ...more } } }),
    {},
  );
  return createNames(identity, {
    now: () => clock,
    notify: (code, subject, problem) => void troubles.push(problem && `${code} ${subject} ${problem}`),
  });
}

const factsOf = (options: Record<string, string>, path: readonly [string, string, string] = ['c', 'd', 't']) =>
  distill({ facts: { path, temporary: false, options, columns: [], primaryKey: [], partitionKeys: [] }, catalog: null });
const orders = factsOf({ connector: 'jdbc', url: 'jdbc:mysql://db:3306/shop', 'table-name': 'orders' });
const pipeline: DistilledPipeline = { tier: 'plan', line: 1, sink: orders, inputs: [], columns: null };
const sinkName = async () =>
  (await names.lineage([pipeline])).pipelines.map(({ sink }) => `${sink.dataset.namespace} ${sink.dataset.name}`);

describe('catalogs of Gravitino', () => {
  it('are asked for once and name what they hold', async () => {
    expect(await sinkName()).toEqual(['my lake crm.shop.orders']);
    expect(await names.table(factsOf({}, ['lake', 'sales', 't']))).toMatchObject({
      datasets: [{ namespace: 'my lake', name: 'lake.sales.t' }],
    });
    expect(requests.map(({ method, url: path, headers }) => [method, path, headers.accept, headers.authorization])).toEqual([
      ['GET', '/api/metalakes/my%20lake/catalogs?details=true', 'application/vnd.gravitino.v1+json', 'Bearer tok'],
    ]);
  });

  it('name the tables of Paimon actions, whose catalogs are known by their warehouse alone', async () => {
    const args =
      'mysql_sync_table --warehouse s3a://b/wh --database sales --table orders --mysql_conf hostname=db --mysql_conf username=u --mysql_conf database-name=shop --mysql_conf table-name=orders';
    const action = recognise({ jar: 'paimon-flink-action-1.2.0.jar', mainClass: null, args, config: null });
    const { pipelines } = await names.lineage(distillTransfers(action?.transfers ?? []));
    expect(pipelines.map(({ sink, inputs }) => [sink, ...inputs].map(({ dataset }) => `${dataset.namespace} ${dataset.name}`))).toEqual([
      ['my lake lake.sales.orders', 'my lake crm.shop.orders'],
    ]);
    const elsewhere = recognise({
      jar: 'paimon-flink-action-1.2.0.jar',
      mainClass: null,
      args: args.replace('b/wh', 'c/wh'),
      config: null,
    });
    const [other] = (await names.lineage(distillTransfers(elsewhere?.transfers ?? []))).pipelines;
    expect(`${other?.sink.dataset.namespace} ${other?.sink.dataset.name}`).toBe('s3://c wh/sales.db/orders');
  });

  it('are asked for again after some minutes; the last answer serves while there is no other', async () => {
    await sinkName();
    clock = 301_000;
    answer = (_, response) => void response.writeHead(503).end();
    expect(await sinkName()).toEqual(['my lake crm.shop.orders']);
    expect(await sinkName()).toEqual(['my lake crm.shop.orders']);
    expect(requests).toHaveLength(2);
    expect(troubles).toEqual([undefined, 'LOOKUP_FAILED gravitino the list of catalogs: answered with http 503']);
    clock += 16_000;
    answer = list;
    await sinkName();
    expect([requests.length, troubles.at(-1)]).toEqual([3, undefined]);
  });

  const bad: readonly [string, Answer][] = [
    ['a refusal', (_, response) => void response.writeHead(401).end('Geheim')],
    ['another form', (_, response) => void response.end('{"code":0,"identifiers":[]}')],
    ['an error in the body', (_, response) => void response.end('{"code":1002,"message":"Geheim"}')],
    ['a page', (_, response) => void response.end('<html>')],
    ['nothing', (request) => void request.socket.destroy()],
  ];
  it.each(bad)('that were never read leave no name certain: %s', async (_, given) => {
    answer = given;
    await expect(sinkName()).rejects.toMatchObject({ code: 'LOOKUP_FAILED' });
    expect(troubles).toHaveLength(1);
    expect(troubles.join()).not.toContain('Geheim');
  });

  it('are asked for by one request however many ask', async () => {
    await Promise.all(Array.from({ length: 20 }, sinkName));
    expect(requests).toHaveLength(1);
  });

  it('are asked by `check`', async () => {
    const { identity } = readSettings(JSON.stringify({ identity: { profile: 'gravitino', gravitino: { metalake: 'lake', url } } }), {});
    expect(await probeNames(identity, () => 0)).toEqual([{ subject: 'catalogs of lake', count: 3, problem: undefined }]);
    answer = (_, response) => void response.writeHead(404).end();
    expect(await probeNames(identity, () => 0)).toMatchObject([
      { count: undefined, problem: 'the list of catalogs: answered with http 404' },
    ]);
  });
});
