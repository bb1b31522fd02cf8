// The past of applications from what their rows and log rows still tell: found, named and ended as a poll would have done.
import { describe, expect, test } from 'vitest';
import { type Change, earlierRuns, lifeOf, type Past } from '../../src/watch/watch.ts';
import { at, context, History, job, line, midnight } from '../support/history.ts';

const pastOf = (h: History, second: number): Past => {
  if (h.row === null) throw new Error('no row');
  return { row: h.row, logs: h.logs, clusterLost: h.clusterLost, now: midnight + second * 1000 };
};
const life = (h: History, second: number): string[] => lifeOf(pastOf(h, second), context).changes.map(line);
const lines = (changes: readonly Change[]): string[] => changes.map(line);

/** Three runs: stopped, failed and restarted by the console, running. */
function threeRuns(columns: ConstructorParameters<typeof History>[0] = {}): History {
  const h = new History(columns);
  h.start(10).submitted(20, { jobId: job('a') }, 10);
  h.write({ state: 8, optionTime: at(100) })
    .log('cancel', 100)
    .write({ state: 9, endTime: at(105) });
  h.start(1000).submitted(1010, { jobId: job('b') }, 1000);
  h.write({ state: 7, endTime: at(2000) }).write({ restartCount: 1 });
  h.write({ state: 3, optionTime: at(2001) }).submitted(2010, { jobId: job('c') }, 2001);
  return h.write({ state: 5 });
}

describe('the life of an application that was never watched', () => {
  test('has its earlier runs from the log, oldest first, and the current one last', () => {
    expect(life(threeRuns(), 90_000)).toEqual([
      '#1 missed flink-log:2025-12-31 00:00:00:100000 @10 abort CANCELED @100',
      '#2 missed flink-log:2025-12-31 00:00:00:100002 @1000 fail RESTARTED @2001',
      '#3 submitted flink-job:c @2010',
      '#3 running',
    ]);
  });
  test('goes on from its tracker: what follows is reported once', () => {
    const h = threeRuns();
    h.tracker = lifeOf(pastOf(h, 90_000), context).tracker;
    h.look(90_005);
    expect(h.changes).toEqual([]);
    h.write({ state: 10, endTime: at(90_010) }).look(90_015);
    h.start(90_020)
      .submitted(90_030, { jobId: job('d') }, 90_020)
      .write({ state: 5 })
      .look(90_035);
    expect(lines(h.changes)).toEqual(['#3 ended complete FINISHED @90010', '#4 submitted flink-job:d @90030', '#4 running']);
  });
  test('ends as the row tells', () => {
    const h = threeRuns().write({ state: 10, endTime: at(3000) });
    expect(life(h, 90_000).at(-1)).toBe('#3 missed flink-job:c @2010 complete FINISHED @3000');
  });
  test('is not longer than its last trace: an end without a time is not dated by the clock', () => {
    const h = threeRuns()
      .write({ state: 9, optionTime: at(3000) })
      .log('cancel', 3000);
    expect(life(h, 90_000).at(-1)).toBe('#3 missed flink-job:c @2010 abort CANCELED reconstructed @3000');
    const untold = threeRuns().write({ state: 9 });
    expect(life(untold, 90_000).at(-1)).toBe('#3 missed flink-job:c @2010 abort CANCELED reconstructed @2010');
  });
  test('is the row alone when the log was emptied', () => {
    const h = threeRuns();
    h.logs = [];
    expect(life(h, 90_000)).toEqual(['#1 submitted flink-job:c @2010', '#1 running']);
    h.write({ state: 10, endTime: at(3000) });
    expect(life(h, 90_000)).toEqual(['#1 missed flink-job:c @2010 complete FINISHED @3000']);
  });
  test('of a YARN application is named after its own YARN application', () => {
    const h = new History({ deployMode: 4 });
    h.start(10).submitted(20, { clusterId: 'application_1' }, 10, { clusterId: 'application_1' });
    h.write({ state: 10, jobId: job('a'), endTime: at(30) });
    h.start(40).submitted(50, { clusterId: 'application_2' }, 40, { clusterId: 'application_2' });
    h.write({ state: 5, jobId: job('b'), startTime: at(49) });
    expect(life(h, 90_000)).toEqual([
      '#1 missed flink-app:application_1 @10 abort REPLACED reconstructed @40',
      '#2 submitted flink-job:b @49',
      '#2 running',
    ]);
  });
  test('knows refused submissions, each at its time, and nothing of starts that were given up', () => {
    const h = new History();
    h.start(10).log('start', 10, { success: false, exception: 'boom' }).write({ state: 7 });
    h.start(20).log('start', 20, { success: false, exception: 'java.util.concurrent.CancellationException' }).write({ state: 9 });
    expect(life(h, 90_000)).toEqual(['#1 submissionFailed flink-log:2025-12-31 00:00:00:100000 @10']);
    expect(lifeOf(pastOf(h, 90_000), context).changes).toMatchObject([{ at: midnight + 10_000 }]);
  });
  test('a mapped job is alive without a script', () => {
    const h = new History({ state: 5, jobId: job('a'), startTime: at(10) });
    expect(life(h, 90_000)).toEqual(['#1 adopted mapped:a:100001 @10 parent only']);
  });
  test('lost long ago is failed at that time; lost just now is undecided', () => {
    const h = threeRuns().write({ state: 13, endTime: at(3000) });
    expect(life(h, 90_000).slice(2)).toEqual(['#3 submitted flink-job:c @2010', '#3 lost', '#3 ended fail LOST @3000']);
    expect(life(h, 3100).slice(2)).toEqual(['#3 submitted flink-job:c @2010', '#3 lost']);
  });
  test('is nothing when it never started', () => {
    expect(life(new History(), 90_000)).toEqual([]);
  });
  test('in STARTING: the runs before, and the start is announced only', () => {
    const h = threeRuns()
      .write({ state: 10, endTime: at(3000) })
      .start(5000);
    expect(life(h, 5001).slice(2)).toEqual(['#3 missed flink-job:c @2010 abort REPLACED reconstructed @3000', '#4 starting']);
  });
});

describe('the runs before the first one that was reported', () => {
  const first = (of: Partial<Parameters<typeof earlierRuns>[1] & object> = {}) => ({
    jobId: job('c'),
    logId: null,
    startedAt: midnight + 2_010_000,
    mapped: false,
    ...of,
  });
  const earlier = (h: History, of: Parameters<typeof earlierRuns>[1], now = 90_000): string[] => {
    if (h.row === null) throw new Error('no row');
    return lines(earlierRuns(pastOf(h, now), of, h.row, context));
  };
  const two = [
    '#1 missed flink-log:2025-12-31 00:00:00:100000 @10 abort CANCELED @100',
    '#2 missed flink-log:2025-12-31 00:00:00:100002 @1000 fail RESTARTED @2001',
  ];
  test('are those whose log rows are older than its own', () => {
    expect(earlier(threeRuns(), first())).toEqual(two);
    expect(earlier(threeRuns(), first({ logId: '100003' }))).toEqual(two);
  });
  test('are found however far the application has gone on since', () => {
    const h = threeRuns().write({ state: 10, endTime: at(3000) });
    h.start(4000)
      .submitted(4010, { jobId: job('d') }, 4000)
      .write({ state: 5, restartCount: 0 });
    expect(earlier(h, first())).toEqual([
      two[0],
      '#2 missed flink-log:2025-12-31 00:00:00:100002 @1000 abort REPLACED reconstructed @2001',
    ]);
  });
  test('a job that was bound by hand has no log row: the last start before it is a run of its own', () => {
    const h = threeRuns();
    expect(earlier(h, first({ jobId: job('e'), mapped: true, startedAt: midnight + 5_000_000 })).at(-1)).toBe(
      '#3 missed flink-log:2025-12-31 00:00:00:100003 @2001 abort REPLACED reconstructed @5000',
    );
  });
  test('are none before the very first', () => {
    expect(earlier(threeRuns(), first({ jobId: job('a'), startedAt: midnight + 20_000 }))).toEqual([]);
  });
  test('of an application that was only seen ended: all up to that, and nothing the daemon is about to find', () => {
    const h = threeRuns().write({ state: 10, endTime: at(3000) });
    const seen = h.row;
    if (seen === null) throw new Error('no row');
    h.start(4000)
      .submitted(4010, { jobId: job('d') }, 4000)
      .write({ state: 5 });
    expect(lines(earlierRuns(pastOf(h, 4020), undefined, seen, context))).toEqual([
      ...two,
      '#3 missed flink-job:c @2010 complete FINISHED @3000',
    ]);
  });
});
