// The worker's protocol, on the real process: hello, frames, bad input, limits, two threads, the end of stdin.
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { edgesOf, errorsOf, type SpokenWorker, startWorker } from '../support/planner-worker.ts';

const tables = `CREATE TABLE k (id BIGINT, v STRING, p AS PROCTIME()) WITH ('connector' = 'kafka', 'topic' = 'orders');
CREATE TABLE t (id BIGINT, v STRING) WITH ('connector' = 'doris');
`;
const small = `${tables}INSERT INTO t SELECT id, v FROM k`;

let worker: SpokenWorker;
beforeAll(async () => {
  worker = startWorker(2);
  await worker.hello;
});
afterAll(() => worker.child.stdin.end());

describe('hello', () => {
  it('tells protocol, versions and build', async () => {
    expect(await worker.hello).toEqual({
      ready: true,
      protocol: 1,
      flink: '2.3.0',
      java: expect.stringMatching(/^\d+/),
      build: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
  });
});

describe('requests', () => {
  it('answers ping and stats', async () => {
    expect(await worker.ask({ cmd: 'ping' })).toMatchObject({ ok: true });
    const before = await worker.ask({ cmd: 'stats' });
    await worker.plan(small);
    const after = await worker.ask({ cmd: 'stats' });
    expect(after.scripts).toBe(before.scripts + 1);
    expect(after).toMatchObject({ heapUsed: expect.any(Number), heapMax: expect.any(Number) });
  });

  it('answers garbage with ok:false and lives on', async () => {
    for (const [line, kind] of [
      ['nonsense', 'BadRequest'],
      ['[1]', 'BadRequest'],
      ['', 'BadRequest'],
      ['{"cmd":"plan"', 'BadRequest'],
      [`${'['.repeat(5_000)}`, 'BadRequest'],
      [Buffer.from([0xff, 0xfe, 0x7b, 0x7d]), 'BadRequest'],
      [`{"x":"${'y'.repeat(17 * 1024 * 1024)}"}`, 'FrameTooLarge'],
    ] as const) {
      worker.write(line);
      worker.write('\n');
      expect(await worker.unclaimed()).toMatchObject({ id: null, ok: false, error: { class: kind, message: expect.any(String) } });
    }
    expect(edgesOf(await worker.plan(small))).toEqual(['k:scan > default_catalog.default_database.t']);
  });

  it('refuses requests of another shape, with their id', async () => {
    const good = { cmd: 'plan', mode: 'streaming', catalog: 'c', database: 'd', statements: [] };
    for (const bad of [
      { cmd: 'dance' },
      { ...good, mode: 'both' },
      { ...good, catalog: ' ' },
      { ...good, database: 7 },
      { ...good, statements: 'INSERT' },
      { ...good, statements: [{ text: 1 }] },
      { ...good, statements: [{ text: 'x', line: 2_000_000_000 }] },
      { ...good, options: { a: 1 } },
      { ...good, functions: { f: { kind: 'magic' } } },
    ]) {
      const answer = await worker.ask(bad);
      expect(answer).toMatchObject({ ok: false, error: { class: 'BadRequest' } });
    }
    expect(await worker.ask(good)).toMatchObject({ ok: true, statements: [], catalogs: {}, inserts: [] });
  });

  it('keeps ids of any plain kind', async () => {
    worker.write('{"id":"a\\u2028b","cmd":"ping"}\n{"id":[1],"cmd":"ping"}\r\n');
    expect(await worker.unclaimed()).toEqual({ id: 'a\u2028b', ok: true });
    expect(await worker.unclaimed()).toEqual({ id: null, ok: true });
  });

  it('plans two scripts side by side and answers ping meanwhile', async () => {
    const wide = `${tables}INSERT INTO t SELECT id, v FROM k WHERE ${Array.from({ length: 1_500 }, (_, i) => `id = ${i}`).join(' OR ')}`;
    const order: string[] = [];
    await Promise.all([
      worker.plan(wide).then(() => order.push('wide')),
      worker.plan(small).then(() => order.push('small')),
      worker.ask({ cmd: 'ping' }).then(() => order.push('ping')),
    ]);
    expect(order.at(-1)).toBe('wide');
    expect(order).toHaveLength(3);
  });
});

describe('text', () => {
  it('carries any character both ways, in ASCII frames', async () => {
    const odd = 'größe\u2028日本\u0085\u{1f600}';
    const answer = await worker.plan([
      { text: `CREATE TABLE k (\`${odd}\` BIGINT COMMENT '${odd}') WITH ('connector' = 'kafka', 'topic' = '${odd}')`, line: 1, column: 1 },
      { text: `CREATE TABLE \`${odd}\` (id BIGINT) COMMENT '${odd}' WITH ('connector' = 'print')`, line: 2, column: 1 },
      { text: `INSERT INTO \`${odd}\` SELECT \`${odd}\` FROM k`, line: 3, column: 1 },
      { text: `INSERT INTO k SELECT '\ud800' || nothing FROM k`, line: 4, column: 1 },
    ]);
    const insert = answer.inserts[0];
    expect(insert?.target[2]).toBe(odd);
    expect(insert?.tables[0]?.comment).toBe(odd);
    expect(insert?.tables[1]).toMatchObject({ options: { topic: odd }, columns: [{ name: odd, type: 'BIGINT', comment: odd }] });
    expect(answer.statements[3]?.status).toBe('error');
    expect([...worker.bytes()].filter((byte) => byte > 126 || (byte < 32 && byte !== 10))).toEqual([]);
  });

  it('gives positions in the script, behind repaired words too', async () => {
    const answer = await worker.plan([
      { text: `CREATE TABLE k (hash BIGINT, datetime STRING, r ROW<variant STRING>) WITH ('connector' = 'kafka')`, line: 1, column: 1 },
      { text: `CREATE TABLE t (hash BIGINT, v STRING) WITH ('connector' = 'doris')`, line: 2, column: 1 },
      { text: 'INSERT INTO t (hash, v) SELECT k.hash, datetime FROM k WHERE hash > 1 AND k.r.variant = nosuch', line: 7, column: 5 },
      { text: 'INSERT INTO t\nSELECT hash,\n  datetime || missing(datetime) ) FROM k', line: 20, column: 9 },
      { text: 'INSERT INTO t (hash, v) SELECT hash, datetime FROM k', line: 30, column: 1 },
    ]);
    expect(answer.statements.map((s) => s.error).filter(Boolean)).toEqual([
      { class: 'ValidationException', message: "Column 'nosuch' not found in any table", line: 7, column: 93, endLine: 7, endColumn: 98 },
      { class: 'SqlParserException', message: 'Encountered ")".', line: 22, column: 33, endLine: 22, endColumn: 33 },
    ]);
    expect(edgesOf(answer)).toEqual(['k:scan ~> default_catalog.default_database.t', 'k:scan > default_catalog.default_database.t']);
  });
});

describe('limits', () => {
  it('refuses tokens over 64 KiB, not comments', async () => {
    const answer = await worker.plan(`${tables}INSERT INTO t SELECT id, '${'x'.repeat(70_000)}' FROM k;
INSERT INTO t SELECT id, v FROM k /* ${'c'.repeat(200_000)} */`);
    expect(errorsOf(answer)).toEqual(['3:26 TokenTooLarge: a token of 70002 characters is over the limit of 65536']);
    expect(answer.inserts).toHaveLength(1);
  });

  it('plans deep expressions and says when they are too deep', async () => {
    const or = Array.from({ length: 5_000 }, (_, i) => `id = ${i}`).join(' OR ');
    const deep = await worker.plan(`${tables}INSERT INTO t SELECT id, v FROM k WHERE ${or}`);
    expect(edgesOf(deep)).toEqual(['k:scan > default_catalog.default_database.t']);
    const tooDeep = await worker.plan(`${tables}INSERT INTO t SELECT ${'('.repeat(80_000)}id${')'.repeat(80_000)}, v FROM k`);
    expect(errorsOf(tooDeep)).toEqual(['3:1 TooDeeplyNested: the statement is too deeply nested to be planned']);
    const unwritable = await worker.plan(`${tables}INSERT INTO t SELECT id, ${Array(600).fill('v').join(' || ')} FROM k`);
    expect(edgesOf(unwritable)).toEqual(['k:scan -> default_catalog.default_database.t']);
    expect(unwritable.inserts[0]?.planError?.message).toMatch(/nesting depth/);
  });

  it('gives trees alone when asked to', async () => {
    const answer = await worker.plan(`${tables}INSERT INTO t SELECT id, REPEAT('x', 1000000000) FROM k`, { compile: false });
    expect(edgesOf(answer)).toEqual(['k:scan -> default_catalog.default_database.t']);
    expect(answer.inserts[0]?.planError).toBeUndefined();
  });
});

describe('the end', () => {
  it('ends with stdin, also in the middle of a script', async () => {
    const other = startWorker();
    await other.hello;
    const or = Array.from({ length: 5_000 }, (_, i) => `id = ${i}`).join(' OR ');
    other.plan(`${tables}INSERT INTO t SELECT id, v FROM k WHERE ${or}`).catch(() => {});
    await other.ask({ cmd: 'ping' });
    other.child.stdin.end();
    expect(await other.exitCode).toBe(0);
  });

  it('ends at quit, and out of memory ends it without a dump', async () => {
    const other = startWorker();
    await other.hello;
    const answer = other.plan(`${tables}INSERT INTO t SELECT id, REPEAT('x', 1000000000) FROM k`);
    await expect(answer).rejects.toThrow('ended with 3');
    const third = startWorker();
    await third.hello;
    third.write('{"cmd":"quit"}\n');
    expect(await third.exitCode).toBe(0);
    expect(spawnSync('ls', ['-1'], { encoding: 'utf8' }).stdout).not.toMatch(/hs_err|\.hprof/);
  });
});
