// Scripts that mean harm, or look like it: none reaches a network, a file or a class, none costs the scripts after it anything.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPlanner, javaWorker, type Planner, plannerLib } from '../../src/plan/plan.ts';
import { answerOf, prepared } from '../support/corpus.ts';

const source = javaWorker({ java: undefined, heap: '256m', lib: plannerLib, env: process.env });
const folder = mkdtempSync(join(tmpdir(), 'spl-hostile-'));
let planner: Planner;
let server: Server;
let port = 0;
let connections = 0;

beforeAll(async () => {
  server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as { port: number }).port;
  planner = createPlanner({ source, report: () => {}, timeoutMs: 60_000, backOff: { firstMs: 20, maxMs: 200 } });
  planner.start();
});
afterAll(async () => {
  await planner.stop();
  server.close();
  rmSync(folder, { recursive: true });
});

const tables = `CREATE TABLE s (id BIGINT, v STRING) WITH ('connector' = 'kafka', 'topic' = 's', 'properties.bootstrap.servers' = 'k:9092');
CREATE TABLE t (id BIGINT, v STRING) WITH ('connector' = 'doris', 'fenodes' = 'fe:8030', 'table.identifier' = 'dw.t');
`;
const edge = [{ inputs: ['kafka://k:9092 s'], sink: 'mysql://fe:9030 dw.t' }];
const many = (count: number, of: (i: number) => string, between = ', ') => Array.from({ length: count }, (_, i) => of(i)).join(between);
const insert = (value: string, where = '') => `${tables}INSERT INTO t SELECT id, ${value} FROM s ${where};`;

/** What is asked of every script: the tier, and the tables where there are any. */
async function told(sql: string) {
  const { tier, inserts } = await answerOf(planner, sql);
  return { tier, inserts: inserts.map(({ inputs, sink }) => ({ inputs, sink })) };
}

/** Statements that would reach for a network or a file if they were executed. */
const reaching = (address: string, path: string) => `
ADD JAR 'http://${address}/a.jar';
ADD JAR '${path}/a.jar';
CREATE FUNCTION net AS 'com.acme.Net' USING JAR 'http://${address}/net.jar';
CREATE TEMPORARY FUNCTION file AS 'com.acme.File' USING JAR 'file://${path}/file.jar';
LOAD MODULE hive WITH ('hive-version' = '3.1.2');
SET 'table.sql-dialect' = 'hive';
SET 'table.resources.download-dir' = '${path}';
SET 'table.catalog-store.file.path' = '${path}/store';
CREATE CATALOG my WITH ('type' = 'jdbc', 'default-database' = 'd', 'username' = 'u', 'password' = 'p', 'base-url' = 'jdbc:mysql://${address}');
CREATE CATALOG pg WITH ('type' = 'jdbc', 'default-database' = 'd', 'username' = 'u', 'password' = 'p', 'base-url' = 'jdbc:postgresql://${address}/');
CREATE CATALOG h WITH ('type' = 'hive', 'hive-conf-dir' = '${path}', 'hive.metastore.uris' = 'thrift://${address}');
CREATE CATALOG ice WITH ('type' = 'iceberg', 'catalog-type' = 'rest', 'uri' = 'http://${address}');
CREATE CATALOG pai WITH ('type' = 'paimon', 'metastore' = 'rest', 'uri' = 'http://${address}', 'warehouse' = 'file://${path}/w');
CREATE TABLE s (id BIGINT, v STRING) WITH ('connector' = 'jdbc', 'url' = 'jdbc:mysql://${address}/d', 'table-name' = 's');
CREATE TABLE f (id BIGINT, v STRING) WITH ('connector' = 'filesystem', 'path' = 'file://${path}/f', 'format' = 'json');
INSERT INTO f SELECT id, net(file(v)) FROM s;
INSERT INTO my.d.t SELECT id FROM s;
INSERT INTO ice.d.t SELECT id FROM h.d.x;
EXECUTE PLAN '${path}/plan.json';
COMPILE PLAN '${path}/plan.json' FOR INSERT INTO f SELECT id, v FROM s;
COMPILE AND EXECUTE PLAN '${path}/plan2.json' FOR INSERT INTO f SELECT id, v FROM s;
EXPLAIN PLAN FOR INSERT INTO f SELECT id, v FROM s;
CREATE TABLE c (r RAW('java.lang.Class', 'AAAA')) WITH ('connector' = 'kafka');
ANALYZE TABLE s COMPUTE STATISTICS;
CALL my.sys.run('x');
SHOW JARS;
`;

describe('a hostile script', () => {
  it('reaches neither network nor files', async () => {
    const { tier } = await told(reaching(`127.0.0.1:${port}`, folder));
    expect(tier).toBe('text');
    expect(connections).toBe(0);
    expect(existsSync(join(folder, 'plan.json')) || existsSync(join(folder, 'plan2.json'))).toBe(false);
  });

  it.each([
    ['a regular expression that goes back and forth', insert('v', `WHERE NOT REGEXP('${'a'.repeat(40)}!', '(a+)+$')`), 'plan'],
    ['5,000 parentheses', insert('v', `WHERE ${'('.repeat(5_000)}id > 1${')'.repeat(5_000)}`), 'plan'],
    ['20,000 values in a list', insert('v', `WHERE id IN (${many(20_000, String)})`), 'plan'],
    ['conditions that multiply', insert('v', `WHERE ${many(14, (i) => `(id = ${i} AND v = '${i}')`, ' OR ')}`), 'plan'],
    ['a chain of 3,000 concatenations', insert(many(3_000, () => 'v', ' || ')), 'tree'],
    [
      'a view that reads itself',
      `${tables}CREATE VIEW w AS SELECT * FROM s; ALTER VIEW w AS SELECT * FROM w; INSERT INTO t SELECT * FROM w;`,
      'plan',
    ],
    ['a comment of a megabyte', `${tables}/* ${'x'.repeat(2 ** 20)} */ INSERT INTO t SELECT id, v FROM s;`, 'plan'],
  ] as const)('%s', { timeout: 240_000 }, async (_, sql, tier) => {
    expect(await told(sql)).toEqual({ tier, inserts: edge });
    expect(await told(insert('v'))).toEqual({ tier: 'plan', inserts: edge });
  });

  it('with a token of 100 KB is refused before the planner', () => {
    expect(() => prepared(insert(`'${'x'.repeat(100_000)}'`))).toThrow(expect.objectContaining({ code: 'SQL_TOO_LARGE' }));
  });

  it('of 20 MB is refused before the planner', () => {
    expect(() => prepared(`${tables}-- ${'x'.repeat(20 * 2 ** 20)}`)).toThrow(expect.objectContaining({ code: 'SQL_TOO_LARGE' }));
  });
});

/** Runs a command to its end with these lines on its stdin; `onLine` gets those of its stdout. */
function talk(command: readonly string[], env: Readonly<Record<string, string>>, lines: readonly string[], onLine: (line: string) => void) {
  return new Promise<number | null>((resolve, reject) => {
    const child = spawn(command[0] as string, command.slice(1), { env: { ...env }, stdio: ['pipe', 'pipe', 'ignore'] });
    child.on('error', reject);
    child.on('close', resolve);
    let answers = 0;
    createInterface({ input: child.stdout }).on('line', (line) => {
      onLine(line);
      answers += 1;
      // the greeting comes first
      if (answers === 1) child.stdin.write(lines.map((each) => `${each}\n`).join(''));
      if (answers === lines.length + 1) child.stdin.end();
    });
  });
}

const isThere = async (...command: string[]) =>
  (await talk(command, { PATH: process.env['PATH'] ?? '' }, [], () => {}).catch(() => 1)) === 0;

describe('the worker process', () => {
  const request = () => {
    const { mode, catalog, database, options, statements } = prepared(reaching('127.0.0.1:9', folder));
    return JSON.stringify({ id: 1, cmd: 'plan', mode, catalog, database, options, statements, functions: {} });
  };

  it('plans in a network namespace that is empty', async ({ skip }) => {
    if (!(await isThere('unshare', '-rn', 'true'))) skip('unshare -rn is not allowed here');
    const { file, args, env } = source.command();
    const lines: string[] = [];
    expect(await talk(['unshare', '-rn', file, ...args], env, [request()], (line) => lines.push(line))).toBe(0);
    expect(JSON.parse(lines[1] ?? '{}')).toMatchObject({ ok: true, inserts: expect.arrayContaining([expect.anything()]) });
  });

  it('opens no socket and no file of the script', async ({ skip }) => {
    const trace = join(folder, 'trace');
    const strace = ['strace', '-f', '--seccomp-bpf', '-qq', '-e', 'trace=%network,%file', '-o', trace];
    if (!(await isThere(...strace, 'true'))) skip('strace is not allowed here');
    const { file, args, env } = source.command();
    let ready = 0;
    await talk([...strace, file, ...args], env, [request()], (line) => {
      if (line.includes('"ready":true')) ready = readFileSync(trace, 'utf8').length;
    });
    const calls = readFileSync(trace, 'utf8');
    expect(calls.match(/\b(?:connect|bind|listen|sendto)\([^\n]*AF_INET[^\n]*/g) ?? []).toEqual([]);
    // Java's network library tries which families there are when it is loaded: three sockets that nothing is done with
    expect((calls.match(/\bsocket\([^\n]*AF_INET/g) ?? []).length).toBeLessThanOrEqual(3);
    expect(ready).toBeGreaterThan(0);
    const paths = [...calls.slice(ready).matchAll(/"([^"]*)"/g)].map(([, path]) => path ?? '');
    expect(paths.filter((path) => path.startsWith(folder))).toEqual([]);
    const known = [plannerLib, '/proc/', '/sys/', '/dev/', '/etc/localtime', '/usr/share/zoneinfo', '/usr/lib/jvm', '/tmp/hsperfdata'];
    expect([
      ...new Set(paths.filter((path) => path !== '' && !known.some((prefix) => path.startsWith(prefix) || prefix.startsWith(`${path}/`)))),
    ]).toEqual([]);
  });
});
