// `check --names`: the names of planned scripts against what a consumer lists, page by page, over HTTP.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkNames } from '../../src/cli/check/names.ts';
import type { CheckResult } from '../../src/cli/check/result.ts';
import type { KnownName } from '../../src/identity/identity.ts';
import { createNames } from '../../src/names/names.ts';
import type { Planner } from '../../src/plan/plan.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { openSource } from '../../src/watch/watch.ts';
import { warmPlanner } from '../support/daemon.ts';
import { requireServer } from '../support/databases.ts';
import { openSmallConsole, type SmallConsole } from '../support/smallconsole.ts';

const script = `CREATE TABLE orders (id BIGINT, customer BIGINT) WITH (
  'connector' = 'kafka', 'topic' = 'orders', 'properties.bootstrap.servers' = 'b1:9092,b2:9092', 'format' = 'json');
CREATE TABLE customers (id BIGINT, name STRING) WITH (
  'connector' = 'jdbc', 'url' = 'jdbc:postgresql://pg:5432/app', 'table-name' = 'customers', 'password' = 'Geheim');
CREATE TABLE gone (id BIGINT) WITH ('connector' = 'mine');
CREATE TABLE totals (id BIGINT, name STRING) WITH ('connector' = 'doris', 'fenodes' = 'fe:8030', 'table.identifier' = 'dw.totals');
INSERT INTO totals SELECT o.id, c.name FROM orders AS o JOIN customers AS c ON o.customer = c.id;
INSERT INTO totals SELECT id, 'x' FROM gone;`;

const suite = await requireServer('postgres');
if (suite === describe.skip) process.stderr.write('not tested: check --names\n');

suite('check --names', () => {
  let console: SmallConsole;
  let planner: Planner;
  let server: Server;
  let url: string;
  let known: KnownName[] = [];
  let asked: string[] = [];
  let status = 200;

  beforeAll(async () => {
    planner = await warmPlanner();
    console = await openSmallConsole('postgres');
    await console.app({ id: 1, name: 'totals', script });
    await console.app({ id: 2, name: 'off', script: script.replaceAll('orders', 'others'), optIn: false });
    await console.app({ id: 3, name: 'broken', script: 'CREATE TABLE', optIn: true });
    server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
      asked.push(`${request.url}`);
      const [offset, limit] = ['offset', 'limit'].map((key) => Number(searchParams.get(key)));
      const page = <T>(list: readonly T[]) => list.slice(offset, (offset ?? 0) + Math.min(limit ?? 100, 2));
      const [, namespace] = /^\/base\/api\/v1\/namespaces\/([^/]+)\/datasets$/.exec(pathname) ?? [];
      const found =
        namespace === undefined
          ? { namespaces: page([...new Set(known.map((each) => each.namespace))].map((name) => ({ name }))) }
          : { datasets: page(known.filter((each) => each.namespace === decodeURIComponent(namespace)).map(({ name }) => ({ name }))) };
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(found));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`;
  }, 120_000);
  afterAll(async () => {
    server.close();
    await planner.stop();
    await console.drop();
  });

  async function check(names: readonly string[], destination?: string, identity: object = {}): Promise<CheckResult[]> {
    known = names.map((text) => ({ namespace: text.split(' ')[0] ?? '', name: text.split(' ')[1] ?? '' }));
    asked = [];
    const destinations = [
      { name: 'archive', type: 'console' },
      { name: 'marquez', type: 'http', preset: 'marquez', url: `${url}/api/v1/lineage`, token: 'Geheim' },
    ];
    const settings = readSettings(JSON.stringify({ source: { url: console.database.url }, destinations, identity }), {});
    const source = openSource(settings);
    const namer = createNames(settings.identity, { now: Date.now, notify: () => undefined });
    try {
      return await checkNames({ settings, source, planner, names: namer, destination });
    } finally {
      await source.close();
      await namer.close();
    }
  }
  const lines = (results: readonly CheckResult[]) => results.map(({ level, what, detail }) => `${level} ${what}: ${detail}`);

  it('tells what is known under another spelling, and nothing of what is equal', async () => {
    const results = await check([
      'kafka://b2:9092 orders',
      'kafka://b9:9092 orders',
      'postgres://pg:5432 app.public.customers',
      'mysql://fe:9030 dw.totals',
      'mysql://FE:9030 dw.totals',
      'mysql://fe:9030 other',
    ]);
    expect(lines(results).slice(0, 3)).toEqual([
      'warn names: case: mysql://fe:9030 dw.totals (flink:1) is known to marquez as mysql://FE:9030 dw.totals',
      'warn names: server: kafka://b1:9092 orders (flink:1) is known to marquez as kafka://b2:9092 orders',
      'warn names: symlink: postgres://pg:5432 app.customers (flink:1) is known to marquez as postgres://pg:5432 app.public.customers',
    ]);
    expect(lines(results).at(-1)).toBe('ok names: 3 of ours (1 left out), 6 known to marquez: 1 equal, 3 under another spelling');
    expect(results.filter(({ level, cure }) => level !== 'ok' && (cure ?? '') === '')).toEqual([]);
    expect(JSON.stringify(results)).not.toContain('Geheim');
    expect(asked.some((path) => path.includes('datasets?limit=1000&offset=0'))).toBe(true);
  });

  it('is content once the settings map the names', async () => {
    const identity = { completeDefaultSchema: true, hosts: { aliases: { 'b1:9092': 'b2:9092' } } };
    const results = await check(
      ['kafka://b2:9092 orders', 'postgres://pg:5432 app.public.customers', 'mysql://fe:9030 dw.totals'],
      'marquez',
      identity,
    );
    expect(lines(results).at(-1)).toContain('3 equal, 0 under another spelling');
  });

  it('says what is wrong with the consumer', async () => {
    status = 503;
    try {
      const [result] = await check([]);
      expect(result).toMatchObject({ level: 'fail', what: 'names: marquez', detail: '/base/api/v1/namespaces: answered with http 503' });
    } finally {
      status = 200;
    }
    await expect(check([], 'archive')).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    await expect(check([], 'nobody')).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });
});
