import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { appRowOf, filled, flag, logRowOf, number, sameRow, time } from '../../src/watch/normalise.ts';
import { clusterIsLost, meaningOf } from '../../src/watch/watch.ts';

describe('values of either driver', () => {
  test('flags', () => {
    for (const yes of [true, 1, 1n, '1', 'true', 't', Buffer.from([1])]) expect(flag(yes)).toBe(true);
    for (const no of [false, 0, 0n, '0', 'false', null, undefined, '', Buffer.from([0])]) expect(flag(no)).toBe(false);
  });
  test('numbers, texts and times', () => {
    expect([number(5), number(5n), number('5'), number(' -9 '), number(''), number(null), number('x')]).toEqual([
      5,
      5,
      5,
      -9,
      null,
      null,
      null,
    ]);
    expect([filled(' a '), filled('  '), filled(null), filled(0)]).toEqual(['a', null, null, '0']);
    expect([time('2026-11-30T22:04:44.383'), time('0000-00-00 00:00:00'), time(null)]).toEqual(['2026-11-30 22:04:44.383', null, null]);
  });
  test('rows of both databases come out the same', () => {
    const mysql = {
      id: 10,
      create_time: '2026-01-01 10:00:00',
      name: 'a',
      job_type: 2,
      deploy_mode: 4,
      state: 5,
      cluster_id: '',
      job_id: '',
      team_id: 1,
    };
    const postgres = {
      id: 10n,
      create_time: '2026-01-01T10:00:00',
      name: 'a',
      job_type: '2',
      deploy_mode: '4',
      state: '5',
      job_id: null,
      team_id: 1n,
    };
    const [a, b] = [appRowOf('flink', mysql, true), appRowOf('flink', postgres, true)];
    expect(a).toEqual(b);
    expect(sameRow(a, b)).toBe(true);
    expect(sameRow(a, { ...b, state: 6 })).toBe(false);
    expect(a).toMatchObject({ id: '10', jobType: 'sql', teamId: '1', jobId: null, clusterId: null, restartCount: null });
  });
  test('a bigint id beyond 2^53 keeps its digits', () => {
    expect(appRowOf('flink', { id: 9_007_199_254_740_993n }, false).id).toBe('9007199254740993');
  });
  test('nothing a column may hold makes it throw', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom('id', 'state', 'name', 'job_id', 'create_time', 'option_name', 'success'),
          fc.anything({ withBigInt: true, maxDepth: 0 }),
        ),
        (raw) => {
          expect(appRowOf('spark', raw, true).optIn).toBe(true);
          expect(typeof logRowOf(raw).id).toBe('string');
        },
      ),
    );
  });
});

describe('log rows', () => {
  test.each([
    [1, 0, 'flink', 'release'],
    [null, 0, 'flink', 'release'],
    [1, 1, 'flink', 'start'],
    [1, 2, 'flink', 'savepoint'],
    [1, 3, 'flink', 'cancel'],
    [2, 1, 'spark', 'start'],
    [2, 2, 'spark', 'cancel'],
    [2, 3, 'spark', 'unknown'],
    [1, null, 'flink', 'unknown'],
  ])('job_type %s, option %s is %s %s', (job_type, option_name, engine, operation) => {
    expect(logRowOf({ id: 1, app_id: 2, job_type, option_name, success: 1 })).toMatchObject({ engine, operation });
  });
  test('only a failed START carries its exception, cut', () => {
    const exception = 'x'.repeat(9000);
    expect(logRowOf({ id: 1, app_id: 2, option_name: 1, success: 0, exception }).exception).toHaveLength(4000);
    expect(logRowOf({ id: 1, app_id: 2, option_name: 1, success: 1, exception }).exception).toBeNull();
    expect(logRowOf({ id: 1, app_id: 2, option_name: 3, success: 0, exception }).exception).toBeNull();
  });
});

test('the same code means different things in the two engines', () => {
  expect(meaningOf('flink', 5)).toEqual({ kind: 'live', running: true, stopping: false });
  expect(meaningOf('spark', 5)).toEqual({ kind: 'live', running: false, stopping: false });
  expect(meaningOf('spark', 6)).toEqual({ kind: 'live', running: true, stopping: false });
  expect(meaningOf('flink', 7)).toEqual({ kind: 'ended', how: 'fail', reason: 'FAILED' });
  expect(meaningOf('spark', 7)).toEqual({ kind: 'ended', how: 'complete', reason: 'FINISHED' });
  expect(meaningOf('flink', 15)).toEqual({ kind: 'unknown' });
  expect([0, 1, 2, 3, 4, 5, 6, 7, 8].filter(clusterIsLost)).toEqual([2, 3, 7, 8]);
});
