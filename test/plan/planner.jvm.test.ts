import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { PlanError } from '../../src/errors/errors.ts';
import {
  createPlanner,
  javaWorker,
  type PlannedScript,
  type Planner,
  type PlannerEvent,
  type PlannerOptions,
  plannerLib,
  prepareText,
} from '../../src/plan/plan.ts';
import type { StoredVariable } from '../../src/watch/watch.ts';
import { repositoryRoot } from '../support/shared.ts';

const source = javaWorker({ java: undefined, heap: '256m', lib: plannerLib, env: process.env });
const limits = { maxScriptBytes: 2 * 1024 * 1024 };
const prepared = (sql: string, variables: readonly StoredVariable[] = []) => prepareText({ sql, variables, engineVersion: null }, limits);

function started(over: Partial<PlannerOptions> = {}) {
  const events: PlannerEvent[] = [];
  const planner = createPlanner({
    source,
    report: (event) => events.push(event),
    timeoutMs: 60_000,
    backOff: { firstMs: 50, maxMs: 500 },
    ...over,
  });
  planner.start();
  return { planner, events };
}

const ready = (planner: Planner) => vi.waitFor(() => expect(planner.state().kind).toBe('ready'), { timeout: 60_000, interval: 20 });
const pidOf = (planner: Planner) => planner.state().pid as number;
/** Dead, or a zombie that its parent has not taken note of. */
const isGone = (pid: number) => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return true;
  }
};
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'planned',
    (error: unknown) => (error instanceof PlanError ? error.code : String(error)),
  );
const edges = (planned: PlannedScript) =>
  planned.inserts.map(
    (insert) => `${(insert.tree ?? insert.text)?.inputs.map((i) => `${i.path[2]}:${i.role}`).join('+')}>${insert.target.join('.')}`,
  );

const orders = `CREATE TABLE orders (id BIGINT, user_id BIGINT, amount DECIMAL(10, 2), proc AS PROCTIME()) WITH (
  'connector' = 'kafka', 'topic' = 'orders', 'properties.bootstrap.servers' = '\${brokers}', 'properties.sasl.password' = '\${pw1}');
CREATE TABLE users (id BIGINT, name STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'jdbc', 'url' = 'jdbc:mysql://h/db', 'table-name' = 'users');
CREATE TABLE wide (id BIGINT, name STRING, amount DECIMAL(10, 2)) WITH ('connector' = 'doris', 'fenodes' = 'h:8030', 'table.identifier' = 'a.b');
`;
const variables = [
  { code: 'brokers', value: 'h1:9092,\nh2:9092', secret: false },
  { code: 'pw1', value: 's3cr3t', secret: true },
];
const small =
  "CREATE TABLE a (x INT) WITH ('connector' = 'kafka'); CREATE TABLE b (x INT) WITH ('connector' = 'doris'); INSERT INTO b SELECT x FROM a";

describe('one planner', () => {
  let planner: Planner;
  beforeAll(async () => {
    planner = started().planner;
    await ready(planner);
  });
  afterAll(() => planner.stop());
  const plan = (sql: string, values: readonly StoredVariable[] = []) => planner.plan(prepared(sql, values));

  it('plans a statement set with a lookup join, with the facts of its tables', async () => {
    const planned = await plan(
      `${orders}BEGIN STATEMENT SET;
INSERT INTO wide SELECT o.id, u.name, o.amount FROM orders o LEFT JOIN users FOR SYSTEM_TIME AS OF o.proc AS u ON o.user_id = u.id;
INSERT INTO wide (id) SELECT id FROM orders /*+ OPTIONS('scan.startup.mode'='earliest-offset') */;
END;`,
      variables,
    );
    expect(planned.diagnostics).toEqual([]);
    expect(edges(planned)).toEqual([
      'orders:scan+users:lookup>default_catalog.default_database.wide',
      'orders:scan>default_catalog.default_database.wide',
    ]);
    expect(planned.inserts.map((i) => i.line)).toEqual([6, 7]);
    expect(planned.inserts[0]?.plan).toMatchObject({ nodes: expect.any(Array), edges: expect.any(Array) });
    const hinted = planned.inserts[1]?.tables.find((t) => t.role === 'source');
    expect(hinted?.options).toMatchObject({
      'properties.bootstrap.servers': 'h1:9092,\nh2:9092',
      'properties.sasl.password': 's3cr3t',
      'scan.startup.mode': 'earliest-offset',
    });
    expect(planned.inserts[0]?.tables.find((t) => t.path[2] === 'users')?.primaryKey).toEqual(['id']);
    expect(planned.inserts[0]?.tables.find((t) => t.path[2] === 'orders')?.columns.map((c) => c.kind)).toEqual([
      'physical',
      'physical',
      'physical',
      'computed',
    ]);
  });

  it('plans catalogs, temporary tables, views and what StreamPark would refuse', async () => {
    const planned = await plan(`CREATE CATALOG lake WITH ('type' = 'paimon', 'warehouse' = 's3://b/w');
USE CATALOG lake;
CREATE TABLE t (id INT, n STRING);
CREATE TEMPORARY TABLE src (id INT, n STRING) WITH ('connector' = 'mysql-cdc', 'password' = 'x');
CREATE VIEW v (a, b) AS SELECT id, n FROM src;
EXECUTE STATEMENT SET BEGIN
  INSERT INTO t SELECT a, b FROM v;
  INSERT INTO lake.other.u SELECT 1;
END;`);
    expect(planned.catalogs).toEqual({ lake: { type: 'paimon', options: { type: 'paimon', warehouse: 's3://b/w' } } });
    expect(edges(planned)).toEqual(['src:scan>lake.default.t', '>lake.other.u']);
    expect(planned.inserts.map((insert) => insert.text)).toEqual([null, { inputs: [] }]);
    expect(planned.inserts[0]?.tables.find((t) => t.role === 'source')?.temporary).toBe(true);
    expect(planned.diagnostics.map((d) => [d.code, d.line, d.column])).toEqual([
      ['PLAN_STATEMENT_REFUSED', 5, 1],
      ['PLAN_STATEMENT_REFUSED', 6, 1],
      ['PLAN_PARSE', 8, 3],
    ]);
  });

  it('plans CREATE TABLE AS and batch scripts', async () => {
    const planned = await plan(
      "SET 'execution.runtime-mode' = 'batch'; SET table.local-time-zone = UTC; CREATE TABLE a (x INT, y INT) WITH ('connector' = 'jdbc'); CREATE TABLE b WITH ('connector' = 'jdbc') AS SELECT x, SUM(y) AS s FROM a GROUP BY x ORDER BY x LIMIT 3",
    );
    expect(planned.diagnostics).toEqual([]);
    expect(edges(planned)).toEqual(['a:scan>default_catalog.default_database.b']);
    expect(JSON.stringify(planned.inserts[0]?.plan)).toContain('batch-exec');
  });

  it('takes the names of the built-in catalog and database', async () => {
    const planned = await planner.plan({ ...prepared(small), catalog: 'cat', database: 'db' });
    expect(edges(planned)).toEqual(['a:scan>cat.db.b']);
    expect(planned.builtIn).toEqual({ catalog: 'cat', database: 'db' });
  });

  it('points errors at the stored text and hides secrets in them', async () => {
    const planned = await plan(
      `${orders}INSERT INTO wide SELECT id, nme, amount FROM orders;\nINSERT INTO wide SELECT 's3cr3t' FROM users WHERE s3cr3t = 1`,
      variables,
    );
    expect(planned.inserts.map(({ text }) => text?.inputs.map(({ path }) => path[2]))).toEqual([['orders'], ['users']]);
    expect(planned.diagnostics.map((d) => [d.code, d.severity, d.line])).toEqual([
      ['PLAN_PARSE', 'warning', 5],
      ['PLAN_PARSE', 'warning', 6],
    ]);
    expect(planned.diagnostics[0]).toMatchObject({
      column: 29,
      message: "Column 'nme' not found in any table; its tables were taken from the text alone",
    });
    expect(JSON.stringify(planned.diagnostics)).not.toContain('s3cr3t');
  });

  it('answers nonsense with diagnostics', async () => {
    const nonsense = [
      '',
      ';;;',
      'x',
      '\u0000\u0001',
      '订单 öä',
      '((((((',
      'INSERT INTO',
      'CREATE TABLE',
      "INSERT INTO a SELECT 'x",
      `${'('.repeat(5000)}`,
      '😀; \uD800',
      "SET table.x = \u2028 y'",
      'CREATE VIEW v AS SELECT * FROM v',
      'INSERT INTO a.b.c.d VALUES (1)',
    ];
    for (const sql of nonsense) {
      const planned = await plan(sql);
      expect(planned.inserts, sql).toEqual([]);
      expect(planned.diagnostics.length, sql).toBeGreaterThan(0);
    }
  });

  it('plans scripts of 2 MB', async () => {
    const columns = Array.from({ length: 40 }, (_, i) => `some_long_column_name_${i} STRING COMMENT 'number ${i}, 订单'`).join(', ');
    const tables = Array.from(
      { length: 700 },
      (_, i) => `CREATE TABLE t${i} (${columns}) WITH ('connector' = 'kafka', 'topic' = 't${i}');\n`,
    ).join('');
    const inserts = 'INSERT INTO t1 SELECT * FROM t0;\nINSERT INTO t3 SELECT * FROM t699;';
    const sql = `/* ${'c'.repeat(limits.maxScriptBytes - Buffer.byteLength(tables + inserts) - 10)} */\n${tables}${inserts}`;
    expect(Buffer.byteLength(sql)).toBeGreaterThan(2_000_000);
    const planned = await plan(sql);
    expect(planned.diagnostics).toEqual([]);
    expect(edges(planned)).toEqual(['t0:scan>default_catalog.default_database.t1', 't699:scan>default_catalog.default_database.t3']);
    expect(planned.inserts.map((i) => i.line)).toEqual([702, 703]);
  });

  it('plans many scripts at once and keeps them apart', async () => {
    const names = Array.from({ length: 30 }, (_, i) => `sink_${i}`);
    const planned = await Promise.all(names.map((name) => plan(small.replaceAll(' b ', ` ${name} `))));
    expect(planned.map((p) => p.inserts[0]?.target[2])).toEqual(names);
  });
});

describe('a planner in trouble', () => {
  const open: Planner[] = [];
  const troubled = async (over: Partial<PlannerOptions> = {}) => {
    const made = started(over);
    open.push(made.planner);
    await ready(made.planner);
    return made;
  };
  afterEach(async () => {
    await Promise.all(open.splice(0).map((p) => p.stop()));
  });

  it('plans what was in flight again when the process is killed', async () => {
    const { planner } = await troubled();
    const pid = pidOf(planner);
    process.kill(pid, 'SIGSTOP');
    const outcomes = Promise.all([small, orders, small].map((sql) => planner.plan(prepared(sql, variables))));
    await sleep(50);
    process.kill(pid, 'SIGKILL');
    expect((await outcomes).map((p) => p.inserts.length)).toEqual([1, 0, 1]);
    expect(pidOf(planner)).not.toBe(pid);
    expect(isGone(pid)).toBe(true);
  });

  it('asks for the trees alone after a hang, and leaves the script beside whole', async () => {
    const { planner, events } = await troubled({ timeoutMs: 5_000 });
    process.kill(pidOf(planner), 'SIGSTOP');
    const hung = planner.plan(prepared(small));
    await sleep(200);
    const beside = planner.plan(prepared(small));
    expect((await hung).inserts[0]).toMatchObject({ plan: null, tree: { inputs: [{ role: 'scan' }] } });
    expect((await hung).diagnostics.map((d) => [d.code, d.severity])).toEqual([['PLAN_COMPILE', 'warning']]);
    expect((await beside).inserts[0]?.plan).not.toBeNull();
    expect(events.filter((e) => e.kind === 'restart')).toHaveLength(1);
  });

  it('only reads a script that stays too slow, and goes on with others', async () => {
    const branches = Array.from({ length: 1_500 }, (_, i) => `SELECT x + ${i} FROM a`).join(' UNION ALL ');
    const { planner } = await troubled({ timeoutMs: 1_000 });
    const planned = await planner.plan(prepared(small.replace('SELECT x FROM a', branches)));
    expect(planned.inserts).toMatchObject([{ plan: null, tree: null, text: { inputs: [{ role: 'scan' }] } }]);
    expect(planned.diagnostics.map((d) => [d.code, d.severity])).toEqual([['PLAN_TIMEOUT', 'warning']]);
    await ready(planner);
    expect(await codeOf(planner.plan(prepared(small)))).toBe('planned');
  });

  it('survives a script that eats all memory when compiled', async () => {
    const { planner, events } = await troubled();
    const sql = "CREATE TABLE b (x STRING) WITH ('connector' = 'doris'); INSERT INTO b VALUES (REPEAT('x', 1000000000))";
    const planned = await planner.plan(prepared(sql));
    expect(planned.inserts[0]).toMatchObject({ plan: null, tree: { inputs: [] } });
    expect(planned.diagnostics.map((d) => d.code)).toEqual(['PLAN_COMPILE']);
    expect(events.some((e) => e.kind === 'restart')).toBe(true);
  });

  it('works beside another planner', async () => {
    const [first, second] = await Promise.all([troubled(), troubled()]);
    const outcomes = await Promise.all([first, second, first, second].map(({ planner }) => codeOf(planner.plan(prepared(small)))));
    expect(new Set(outcomes)).toEqual(new Set(['planned']));
    expect(pidOf(first.planner)).not.toBe(pidOf(second.planner));
  });

  it('ends its process on stop, also in the middle of a script', async () => {
    const { planner } = await troubled();
    const pid = pidOf(planner);
    const waiting = codeOf(planner.plan(prepared(small)));
    await planner.stop();
    expect([await waiting, isGone(pid)]).toEqual(['PLANNER_UNAVAILABLE', true]);
  });

  it('leaves no process behind when the program is killed in the middle of a script', async () => {
    const program = `
      import { createPlanner, javaWorker, plannerLib, prepareText } from ${JSON.stringify(join(repositoryRoot, 'src/plan/plan.ts'))};
      const source = javaWorker({ java: undefined, heap: '256m', lib: plannerLib, env: process.env });
      const planner = createPlanner({ source, timeoutMs: 60_000, report: (event) => {
        if (event.kind !== 'state' || event.state.kind !== 'ready') return;
        const branches = Array.from({ length: 300 }, () => 'SELECT x FROM a').join(' UNION ALL ');
        const sql = "CREATE TABLE a (x INT) WITH ('connector' = 'x');INSERT INTO a " + branches;
        setTimeout(() => {
          planner.plan(prepareText({ sql, variables: [], engineVersion: null }, { maxScriptBytes: 1e6 }));
          console.log(event.state.pid);
        }, 10);
      } });
      planner.start();`;
    const parent = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
      cwd: repositoryRoot,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const pid = await new Promise<number>((resolve) => parent.stdout.once('data', (chunk: Buffer) => resolve(Number(chunk.toString()))));
    await sleep(300);
    expect(isGone(pid)).toBe(false);
    parent.kill('SIGKILL');
    await vi.waitFor(() => expect(isGone(pid)).toBe(true), { timeout: 5_000 });
  });
});
