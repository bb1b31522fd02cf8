import { describe, expect, it } from 'vitest';
import { PlanError } from '../../src/errors/errors.ts';
import { Conditions, createLog } from '../../src/ops/ops.ts';

function capture() {
  const lines: Record<string, unknown>[] = [];
  return { lines, stream: { write: (line: string) => void lines.push(JSON.parse(line)) } };
}

describe('createLog', () => {
  it('never writes the text of a foreign error or its cause', () => {
    const { lines, stream } = capture();
    const log = createLog('info', stream);
    const foreign = Object.assign(new Error('mysql://root:hunter2@db failed', { cause: new Error('hunter2') }), {
      code: 'ECONNREFUSED',
      password: 'hunter2',
    });
    log.error({ err: foreign, password: 'hunter2', a: { token: 'hunter2' } }, 'lost');
    expect(JSON.stringify(lines)).not.toContain('hunter2');
    expect(lines[0]).toMatchObject({ level: 'error', msg: 'lost', err: { type: 'Error', code: 'ECONNREFUSED' } });
  });

  it('writes our own errors with code and message', () => {
    const { lines, stream } = capture();
    createLog('info', stream).warn({ err: new PlanError('SQL_GONE', 'gone') }, 'x');
    expect(lines[0]?.['err']).toEqual({ type: 'PlanError', code: 'SQL_GONE', message: 'gone' });
  });
});

describe('a coded line', () => {
  it('tells the cure from warnings on, also in a child, and keeps one that it has', () => {
    const { lines, stream } = capture();
    const log = createLog('info', stream).child({ stage: 'plan' });
    log.warn({ code: 'SQL_CORRUPT' }, 'a');
    log.error({ code: 'SQL_CORRUPT', cure: 'mine' }, 'b');
    log.info({ code: 'SQL_CORRUPT' }, 'c');
    log.warn({ code: 'ECONNREFUSED' }, 'd');
    log.warn('e');
    expect(lines.map(({ msg, stage, cure }) => [msg, stage, cure])).toEqual([
      ['a', 'plan', 'Open and save the script again in the console.'],
      ['b', 'plan', 'mine'],
      ['c', 'plan', undefined],
      ['d', 'plan', undefined],
      ['e', 'plan', undefined],
    ]);
  });
});

describe('Conditions', () => {
  it('writes one line when it begins, reminders, and one when it ends', () => {
    const { lines, stream } = capture();
    let now = 0;
    const raised: string[] = [];
    const conditions = new Conditions(
      createLog('info', stream),
      () => now,
      (code) => raised.push(code),
      60_000,
    );
    for (now = 0; now < 120_000; now += 5_000) conditions.raise('SOURCE_UNREACHABLE', 'source', 'no answer');
    expect(lines.map((l) => l['msg'])).toEqual(['no answer', 'still: no answer']);
    expect(lines[0]?.['cure']).toContain('source.url');
    expect(conditions.list()).toEqual([{ code: 'SOURCE_UNREACHABLE', message: 'no answer', sinceMs: 0 }]);
    conditions.clear('SOURCE_UNREACHABLE', 'source');
    conditions.clear('SOURCE_UNREACHABLE', 'source');
    expect(lines.map((l) => l['msg'])).toEqual(['no answer', 'still: no answer', 'over: no answer']);
    expect(raised.length).toBe(24);
    expect(conditions.list()).toEqual([]);
  });
});
