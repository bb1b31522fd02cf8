import { describe, expect, test } from 'vitest';
import { deadline, hasOpenRun } from '../../src/watch/watch.ts';
import { at, context, History, job, line, midnight } from '../support/history.ts';

const lines = (history: History) => history.changes.map(line);

/** A remote application with one run that is RUNNING since second 20. */
function runningRemote(): History {
  const h = new History();
  h.look(0);
  h.start(10).look(10);
  h.submitted(20, { jobId: job('a') }, 10).look(20);
  h.write({ state: 5 }).look(25);
  return h;
}
const firstRun = ['#1 starting', '#1 submitted flink-job:a @20', '#1 running'];

describe('a run of a remote application', () => {
  test('starts, runs and finishes', () => {
    const h = runningRemote();
    h.write({ state: 10, endTime: at(60) }).look(65);
    expect(lines(h)).toEqual([...firstRun, '#1 ended complete FINISHED @60']);
  });
  test('is proven by the job id before its log row is there', () => {
    const h = new History();
    h.look(0);
    h.start(10).look(10);
    h.write({ jobId: job('a'), startTime: at(20), endTime: null }).look(20);
    h.log('start', 10).look(21);
    h.write({ state: 5 }).look(25);
    expect(lines(h)).toEqual(firstRun);
  });
  test.each([
    [7, 'fail FAILED'],
    [9, 'abort CANCELED'],
    [10, 'complete FINISHED'],
    [18, 'abort TERMINATED'],
    [20, 'complete SUCCEEDED'],
    [-9, 'abort KILLED'],
  ])('state %i ends it: %s', (state, how) => {
    const h = runningRemote();
    h.write({ state, endTime: at(60) }).look(65);
    expect(lines(h).at(-1)).toBe(`#1 ended ${how} @60`);
  });
  test.each([0, 1, 2, 4, 6, 11, 12, 15, 16, 17, 19, 99])('state %i is no end', (state) => {
    const h = runningRemote();
    h.write({ state }).look(65);
    expect(lines(h)).toEqual(firstRun);
    expect(h.tracker !== null && hasOpenRun(h.tracker)).toBe(true);
  });
  test('an end_time of NULL, of 1970 or before the start is replaced by the time of the poll', () => {
    for (const endTime of [null, '1970-01-01 08:00:00', at(5)]) {
      const h = runningRemote();
      h.write({ state: 9, endTime }).look(65);
      expect(lines(h).at(-1)).toBe('#1 ended abort CANCELED @65');
    }
  });
  test('an end_time ahead of the clock is the clock', () => {
    const h = runningRemote();
    h.write({ state: 10, endTime: at(9000) }).look(65);
    expect(lines(h).at(-1)).toBe('#1 ended complete FINISHED @65');
  });
  test('start_time that the watcher corrects is no new run', () => {
    const h = runningRemote();
    h.write({ startTime: at(19) }).look(30);
    expect(lines(h)).toEqual(firstRun);
  });
  test('RUNNING beside an end_time has ended; the terminal state says how', () => {
    const h = runningRemote();
    h.write({ state: 8, optionState: 4, optionTime: at(40) }).look(40);
    h.write({ state: 5, optionState: 0, endTime: at(47) }).look(48);
    expect(lines(h)).toEqual(firstRun);
    h.write({ state: 10 }).look(49);
    expect(lines(h).at(-1)).toBe('#1 ended complete FINISHED @47');
  });
  test('and is ended after the grace when a stop was asked for and no terminal state follows', () => {
    const h = runningRemote();
    h.log('cancel', 40);
    h.write({ optionTime: at(40), endTime: at(47) }).look(48);
    expect(h.tracker && deadline(h.tracker, context)).toBe(midnight + 648_000);
    h.look(647);
    expect(lines(h)).toEqual(firstRun);
    h.look(648);
    expect(lines(h).at(-1)).toBe('#1 ended abort CANCELED reconstructed @47');
  });
  test('and goes on when none was asked for: it was lost and found again between two looks', () => {
    const h = runningRemote();
    h.write({ endTime: at(47) }).look(48);
    h.look(648);
    h.look(649);
    expect(lines(h)).toEqual(firstRun);
    expect(h.tracker && deadline(h.tracker, context)).toBeNull();
    h.write({ state: 10, endTime: at(900) }).look(901);
    expect(lines(h).slice(3)).toEqual(['#1 ended complete FINISHED @900']);
  });
  test('a savepoint stop of 2.1.7 passes RUNNING and leaves end_time NULL', () => {
    const h = runningRemote();
    h.write({ state: 8, optionState: 4, optionTime: at(40) }).look(40);
    h.log('cancel', 40).look(44);
    h.write({ state: 5, optionState: 0 }).look(45);
    h.write({ state: 9 }).look(46);
    expect(lines(h)).toEqual([...firstRun, '#1 ended abort CANCELED @46']);
  });
  test('a triggered savepoint changes nothing', () => {
    const h = runningRemote();
    h.write({ optionState: 4, optionTime: at(40) }).look(40);
    h.log('savepoint', 40).write({ optionState: 0 }).look(50);
    expect(lines(h)).toEqual(firstRun);
  });
});

describe('starts without proof', () => {
  test.each([7, 9, 10, 13, 16])('STARTING then %i with the old job id is no run', (state) => {
    const h = runningRemote();
    h.write({ state: 10, endTime: at(60) }).look(65);
    h.start(100).look(100);
    h.write({ state, endTime: state === 13 ? at(110) : at(60) }).look(115);
    expect(lines(h).slice(4)).toEqual(['#2 starting', '#2 discarded']);
  });
  test('the phantom restarts of the development version give nothing', () => {
    const h = runningRemote();
    h.write({ state: 7, endTime: at(30) })
      .start(30, 1)
      .look(35);
    for (const [n, second] of [
      [2, 100],
      [3, 200],
    ] as const) {
      h.write({ state: 13, endTime: at(second) }).look(second);
      h.write({ state: 7, endTime: at(30) })
        .start(second + 20, n)
        .look(second + 20);
    }
    expect(lines(h).slice(3)).toEqual([
      '#1 ended fail FAILED @30',
      '#2 starting',
      '#2 discarded',
      '#3 starting',
      '#3 discarded',
      '#4 starting',
    ]);
  });
  test('a refused submission is one failed run of the application', () => {
    const h = new History();
    h.look(0);
    h.start(10).look(10);
    h.log('start', 10, { success: false, exception: 'java.util.concurrent.CompletionException: boom' }).look(12);
    expect(lines(h)).toEqual(['#1 starting']);
    h.write({ state: 7 }).look(13);
    expect(lines(h)).toEqual(['#1 starting', '#1 submissionFailed flink-log:2025-12-31 00:00:00:100000 @10']);
    expect(h.changes.at(-1)).toMatchObject({ message: 'java.util.concurrent.CompletionException: boom', at: midnight + 13_000 });
  });
  test('seen only afterwards it is the same', () => {
    const h = new History();
    h.look(0);
    h.start(10).write({ state: 7 }).log('start', 10, { success: false, exception: 'boom' }).look(15);
    expect(lines(h)).toEqual(['#1 submissionFailed flink-log:2025-12-31 00:00:00:100000 @10']);
  });
  test.each([
    ['by its exception', 'java.util.concurrent.CancellationException\n at x', 7],
    ['by its state', 'boom', 9],
  ])('an abort is none: %s', (_, exception, state) => {
    const h = new History();
    h.look(0);
    h.start(10).look(10);
    h.log('start', 10, { success: false, exception })
      .write({ state, optionTime: at(12) })
      .look(15);
    expect(lines(h)).toEqual(['#1 starting', '#1 discarded']);
  });
  test('the next start settles a refused one that stayed in STARTING', () => {
    const h = new History();
    h.look(0);
    h.start(10).look(10);
    h.log('start', 10, { success: false, exception: 'boom' }).look(12);
    h.start(30).look(30);
    expect(lines(h)).toEqual(['#1 starting', '#1 submissionFailed flink-log:2025-12-31 00:00:00:100000 @10', '#2 starting']);
  });
  test('STARTING for ever is said once', () => {
    const h = new History();
    h.look(0);
    h.start(10).look(10);
    expect(h.tracker && deadline(h.tracker, context)).toBe(midnight + 1_810_000);
    h.look(1809);
    expect(h.codes).toEqual([]);
    h.look(1810);
    h.look(4000);
    expect(h.codes).toEqual(['STARTING_STUCK']);
    expect(h.tracker && deadline(h.tracker, context)).toBeNull();
  });
  test('a YARN job that the console does not find stands in STARTING, proven but without its id', () => {
    const h = new History({ deployMode: 4 });
    h.look(0);
    h.start(10).look(10);
    h.submitted(20, { clusterId: 'application_2' }, 10, { clusterId: 'application_2' }).look(20);
    h.look(1900);
    h.look(1905);
    expect(h.codes).toEqual(['STARTING_STUCK']);
    expect(lines(h)).toEqual(['#1 starting']);
    h.start(2000).look(2000);
    expect(lines(h).slice(1)).toEqual(['#1 missed flink-app:application_2 @10 abort REPLACED reconstructed @2000', '#2 starting']);
  });
  test('a log row proves a start after that too', () => {
    const h = new History();
    h.look(0);
    h.start(10).look(10);
    h.look(4000);
    h.submitted(4100, { jobId: job('b') }, 10).look(4100);
    expect(lines(h)).toEqual(['#1 starting', '#1 submitted flink-job:b @4100']);
  });
});

describe('runs that began or ended between two looks', () => {
  test('a bounded job', () => {
    const h = new History();
    h.look(0);
    h.start(10)
      .submitted(12, { jobId: job('a') }, 10)
      .write({ state: 10, endTime: at(14) })
      .look(15);
    expect(lines(h)).toEqual(['#1 missed flink-job:a @12 complete FINISHED @14']);
    h.look(20);
    expect(h.changes).toHaveLength(1);
  });
  test('its log row, when it comes later, opens nothing', () => {
    const h = new History();
    h.look(0);
    h.start(10)
      .write({ jobId: job('a'), startTime: at(12), endTime: at(14), state: 10 })
      .look(15);
    h.log('start', 10).look(16);
    expect(lines(h)).toEqual(['#1 missed flink-job:a @12 complete FINISHED @14']);
  });
  test('an automatic restart of 2.1.7: the old run failed, the new one runs', () => {
    const h = runningRemote();
    h.write({ state: 7, endTime: at(40) })
      .start(40, 1)
      .submitted(45, { jobId: job('b') }, 40)
      .write({ state: 5 })
      .look(50);
    expect(lines(h).slice(3)).toEqual(['#1 ended fail RESTARTED @40', '#2 submitted flink-job:b @45', '#2 running']);
  });
  test('two automatic restarts: the one between is known from its log row only', () => {
    const h = runningRemote();
    h.start(40, 1).submitted(45, { jobId: job('b') }, 40);
    h.start(50, 2)
      .submitted(55, { jobId: job('c') }, 50)
      .write({ state: 5 })
      .look(60);
    expect(lines(h).slice(3)).toEqual([
      '#1 ended fail RESTARTED @40',
      '#2 missed flink-log:2025-12-31 00:00:00:100001 @40 fail RESTARTED @50',
      '#3 submitted flink-job:c @55',
      '#3 running',
    ]);
  });
  test('a stop and a new start: a CANCEL log row tells a stop, nothing tells that the kind is inferred', () => {
    for (const [stopped, expected] of [
      [true, '#1 ended abort CANCELED @50'],
      [false, '#1 ended abort REPLACED reconstructed @50'],
    ] as const) {
      const h = runningRemote();
      if (stopped) h.log('cancel', 40);
      h.start(50)
        .submitted(55, { jobId: job('b') }, 50)
        .write({ state: 5 })
        .look(60);
      expect(lines(h).slice(3)).toEqual([expected, '#2 submitted flink-job:b @55', '#2 running']);
    }
  });
  test('RUNNING to STARTING with the old job id: failed when restarted automatically, else stopped or unknown', () => {
    for (const [restartCount, cancel, expected] of [
      [1, false, '#1 ended fail FAILED @40'],
      [0, true, '#1 ended abort CANCELED @40'],
      [0, false, '#1 ended abort REPLACED reconstructed @40'],
    ] as const) {
      const h = runningRemote();
      if (cancel) h.log('cancel', 38);
      h.write({ endTime: at(40) })
        .start(45, restartCount)
        .look(50);
      expect(lines(h).slice(3)).toEqual([expected, '#2 starting']);
    }
  });
  test('a run that ended before a refused start', () => {
    const h = runningRemote();
    h.log('cancel', 38)
      .write({ endTime: at(40) })
      .start(45)
      .log('start', 45, { success: false, exception: 'boom' })
      .write({ state: 7 })
      .look(50);
    expect(lines(h).slice(3)).toEqual(['#1 ended abort CANCELED @40', '#2 submissionFailed flink-log:2025-12-31 00:00:00:100002 @45']);
  });
  test('a whole run while the daemon was down, its job id overwritten by the next', () => {
    const h = runningRemote();
    h.log('cancel', 38)
      .start(100)
      .submitted(110, { jobId: job('b') }, 100)
      .log('cancel', 200);
    h.start(300)
      .submitted(310, { jobId: job('c') }, 300)
      .write({ state: 9, endTime: at(400), optionTime: at(399) })
      .log('cancel', 399)
      .look(1000);
    expect(lines(h).slice(3)).toEqual([
      '#1 ended abort CANCELED @100',
      '#2 missed flink-log:2025-12-31 00:00:00:100002 @100 abort CANCELED @300',
      '#3 missed flink-job:c @310 abort CANCELED @400',
    ]);
  });
  test('the same observation twice yields nothing more, and old log rows are known', () => {
    const h = runningRemote();
    const before = JSON.stringify(h.tracker);
    for (let i = 0; i < 3; i++) expect(h.look(25).changes).toEqual([]);
    expect(JSON.stringify(h.tracker)).toBe(before);
  });
});

describe('job ids that say little', () => {
  test('states of a closed job id are ignored, the first terminal wins', () => {
    const h = runningRemote();
    h.write({ state: 7, endTime: at(40) }).look(45);
    for (const state of [13, 7, 5, 10, 9]) h.write({ state }).look(50);
    expect(lines(h)).toEqual([...firstRun, '#1 ended fail FAILED @40']);
  });
  test('a START log row opens a new attempt even with an equal job id (fixed ids of HA applications)', () => {
    const h = new History({ deployMode: 4 });
    h.look(0);
    for (const second of [10, 100]) {
      h.start(second).look(second);
      h.submitted(second + 10, { clusterId: `application_${second}` }, second, { clusterId: `application_${second}` }).look(second + 10);
      h.write({ state: 5, jobId: job('0'), startTime: at(second + 12) }).look(second + 15);
      h.write({ state: 9, endTime: at(second + 50) }).look(second + 51);
    }
    expect(lines(h)).toEqual([
      '#1 starting',
      '#1 submitted flink-job:0 @22',
      '#1 running',
      '#1 ended abort CANCELED @60',
      '#2 starting',
      '#2 submitted flink-job:0 @112',
      '#2 running',
      '#2 ended abort CANCELED @150',
    ]);
  });
  test('YARN: the old job id stays until the watcher writes', () => {
    for (const deployMode of [2, 4]) {
      const h = new History({ deployMode, state: 9, jobId: job('a'), clusterId: 'application_1', startTime: at(1), endTime: at(2) });
      h.look(5);
      h.start(10).look(10);
      h.submitted(20, { clusterId: 'application_2' }, 10, { clusterId: 'application_2' }).look(20);
      expect(lines(h)).toEqual(['#1 starting']);
      h.write({ state: 5, jobId: job('b'), startTime: at(22) }).look(25);
      expect(lines(h).slice(1)).toEqual(['#1 submitted flink-job:b @22', '#1 running']);
      expect(h.changes[1]).toMatchObject({ evidence: { jobId: job('b'), yarnId: 'application_2', logId: '100000' } });
    }
  });
  test('YARN: a submission that ends without a job id is known by its application', () => {
    const h = new History({ deployMode: 4 });
    h.look(0);
    h.start(10).look(10);
    h.submitted(20, { clusterId: 'application_2' }, 10, { clusterId: 'application_2' }).look(20);
    h.write({ state: 7, endTime: at(40) }).look(41);
    expect(lines(h)).toEqual(['#1 starting', '#1 missed flink-app:application_2 @10 fail FAILED @40']);
  });
  test('YARN: a second ApplicationMaster gives a new run of the same application', () => {
    const h = new History({ deployMode: 4 });
    h.look(0);
    h.start(10)
      .submitted(20, { clusterId: 'application_2' }, 10)
      .write({ state: 5, jobId: job('a') })
      .look(25);
    h.write({ jobId: job('b'), startTime: at(60) }).look(65);
    expect(lines(h)).toEqual([
      '#1 submitted flink-job:a @20',
      '#1 running',
      '#1 ended abort REPLACED reconstructed @60',
      '#2 submitted flink-job:b @60',
      '#2 running',
    ]);
  });
  test.each([0, 1, 3, 5, 6])('mode %i settles at the success write', (deployMode) => {
    const h = new History({ deployMode, clusterId: 'shared' });
    h.look(0);
    h.start(10).look(10);
    h.submitted(20, { jobId: job('a') }, 10, { clusterId: 'shared' }).look(20);
    expect(lines(h)).toEqual(['#1 starting', '#1 submitted flink-job:a @20']);
  });
  test('K8s: a STARTING of the cluster watcher is no new start', () => {
    const h = new History({ deployMode: 6 });
    h.look(0);
    h.start(10)
      .submitted(20, { jobId: job('a') }, 10)
      .write({ state: 5 })
      .look(25);
    for (const state of [3, 17, 5]) h.write({ state }).look(30);
    expect(lines(h)).toEqual(['#1 submitted flink-job:a @20', '#1 running']);
  });
  test('K8s: start_time of 1970 is not a time', () => {
    const h = new History({ deployMode: 6 });
    h.look(0);
    h.start(10).look(10);
    h.write({ state: 7, startTime: '1970-01-01 08:00:00' }).look(30);
    expect(lines(h)).toEqual(['#1 starting', '#1 discarded']);
  });
});

describe('a job that was mapped', () => {
  test('is a run of its own, parent only', () => {
    const h = new History();
    h.look(0);
    h.write({ state: 14, jobId: job('m'), tracking: 1 }).look(10);
    expect(lines(h)).toEqual([]);
    h.write({ state: 5, startTime: at(2) }).look(11);
    h.write({ state: 9, endTime: at(50) }).look(51);
    expect(lines(h)).toEqual(['#1 adopted mapped:m:100001 @2 parent only', '#1 ended abort CANCELED @50']);
  });
  test('also when state 14 was not seen, or nothing was seen before', () => {
    const h = new History();
    h.look(0);
    h.write({ state: 5, jobId: job('m'), startTime: at(2) }).look(11);
    const first = new History({ state: 5, jobId: job('m'), startTime: at(2) });
    first.look(11);
    for (const one of [h, first]) expect(lines(one)).toEqual(['#1 adopted mapped:m:100001 @2 parent only']);
  });
  test('a mapping onto a closed job of the same application counts', () => {
    const h = runningRemote();
    h.write({ state: 7, endTime: at(40) }).look(41);
    h.write({ state: 14, endTime: null }).look(50);
    h.write({ state: 5 }).look(51);
    expect(lines(h).at(-1)).toBe('#2 adopted mapped:a:100001 @20 parent only');
  });
});

describe('lost from sight', () => {
  test('fails after the grace, at the time of the loss', () => {
    const h = runningRemote();
    h.write({ state: 13, endTime: at(100) }).look(101);
    expect(h.tracker && deadline(h.tracker, context)).toBe(midnight + 701_000);
    h.look(700);
    h.look(701);
    expect(lines(h).slice(3)).toEqual(['#1 lost', '#1 ended fail LOST @100']);
  });
  test('comes back within the grace with its old end_time, and ends as it ends', () => {
    const h = runningRemote();
    h.write({ state: 13, endTime: at(100) }).look(101);
    h.write({ state: 5 }).look(200);
    h.look(900);
    h.write({ state: 10, endTime: at(950) }).look(951);
    expect(lines(h).slice(3)).toEqual(['#1 lost', '#1 revived', '#1 ended complete FINISHED @950']);
  });
  test('comes back after it was reported as failed: a continuation', () => {
    const h = runningRemote();
    h.write({ state: 13, endTime: at(100) }).look(101);
    h.look(800);
    h.write({ state: 5 }).look(900);
    h.write({ state: 13, endTime: at(1000) }).look(1001);
    h.look(1700);
    h.write({ state: 5 }).look(1800);
    expect(lines(h).slice(3)).toEqual([
      '#1 lost',
      '#1 ended fail LOST @100',
      '#2 submitted flink-job:a @900 continuation 1',
      '#2 running',
      '#2 lost',
      '#2 ended fail LOST @1000',
      '#3 submitted flink-job:a @1800 continuation 2',
      '#3 running',
    ]);
  });
  test('is cancelled while lost', () => {
    const h = runningRemote();
    h.write({ state: 13, endTime: at(100) }).look(101);
    h.write({ state: 8, optionState: 2, optionTime: at(150) }).look(151);
    h.write({ state: 9, optionState: 0, endTime: at(220) }).look(221);
    expect(lines(h).slice(3)).toEqual(['#1 lost', '#1 ended abort CANCELED @220']);
  });
  test('a dead cluster makes the run suspect before its row does', () => {
    const h = runningRemote();
    h.clusterLost = true;
    h.look(100);
    h.clusterLost = false;
    h.look(150);
    h.clusterLost = true;
    h.look(200);
    h.write({ state: 13, endTime: at(300) }).look(301);
    h.look(801);
    expect(lines(h).slice(3)).toEqual(['#1 lost', '#1 revived', '#1 lost', '#1 ended fail LOST @300']);
  });
  test('a run that failed with its cluster goes on when the cluster is back', () => {
    const h = runningRemote();
    h.clusterLost = true;
    h.look(100);
    h.look(700);
    h.look(705);
    h.clusterLost = false;
    h.look(900);
    expect(lines(h).slice(3)).toEqual(['#1 lost', '#1 ended fail LOST @700', '#2 submitted flink-job:a @900 continuation 1', '#2 running']);
  });
});

describe('first sight, opting and deleting', () => {
  test('a running application is adopted with its start_time', () => {
    const h = new History({ state: 5, jobId: job('a'), startTime: at(5), optionTime: at(1) }).log('start', 1);
    h.look(100);
    h.write({ state: 10, endTime: at(150) }).look(151);
    expect(lines(h)).toEqual(['#1 adopted flink-job:a @5', '#1 ended complete FINISHED @150']);
    expect(h.changes[0]).toMatchObject({ planScript: true, evidence: { logId: '100000' } });
  });
  test.each([0, 7, 9, 10, 13, 16, 18, 20, -9])('state %i is nothing', (state) => {
    const h = new History({ state, jobId: job('a'), startTime: at(5), endTime: at(9), optionTime: at(1) }).log('start', 1);
    h.look(100);
    h.look(105);
    expect(lines(h)).toEqual([]);
  });
  test('STARTING before the success write', () => {
    const h = new History({ state: 3, jobId: job('a'), startTime: at(5), endTime: at(9), optionTime: at(90) });
    h.look(100);
    h.submitted(110, { jobId: job('b') }, 90).look(110);
    expect(lines(h)).toEqual(['#1 submitted flink-job:b @110']);
  });
  test('STARTING after the success write', () => {
    const h = new History({ state: 3, jobId: job('b'), startTime: at(95), endTime: null, optionTime: at(90) }).log('start', 90);
    h.look(100);
    h.write({ state: 5 }).look(105);
    expect(lines(h)).toEqual(['#1 submitted flink-job:b @95', '#1 running']);
  });
  test('a lost one that comes back is adopted', () => {
    const h = new History({ state: 13, jobId: job('a'), startTime: at(5), endTime: at(50), optionTime: at(1) });
    h.look(100);
    h.write({ state: 5 }).look(200);
    h.look(800);
    expect(lines(h)).toEqual(['#1 adopted flink-job:a @5']);
    h.write({ state: 10, endTime: at(900) }).look(901);
    expect(lines(h).at(-1)).toBe('#1 ended complete FINISHED @900');
  });
  test('opted out: the run is followed to its end, no new one begins', () => {
    const h = runningRemote();
    h.write({ optIn: false }).look(30);
    h.write({ state: 9, endTime: at(40) }).look(41);
    h.start(50).look(50);
    h.submitted(60, { jobId: job('b') }, 50)
      .write({ state: 5 })
      .look(65);
    expect(lines(h).slice(3)).toEqual(['#1 optedOut', '#1 ended abort CANCELED @40']);
    h.write({ optIn: true }).look(70);
    expect(lines(h).at(-1)).toBe('#2 adopted flink-job:b @60');
  });
  test('opted out while STARTING', () => {
    const h = new History();
    h.look(0);
    h.start(10).look(10);
    h.write({ optIn: false }).look(12);
    h.submitted(20, { jobId: job('a') }, 10)
      .write({ state: 5 })
      .look(25);
    expect(lines(h)).toEqual(['#1 starting', '#1 discarded', '#1 optedOut']);
  });
  test('opted out and its job replaced: the old run ends, no new one begins', () => {
    const h = runningRemote();
    h.write({ optIn: false }).look(30);
    h.log('cancel', 40)
      .start(50)
      .submitted(55, { jobId: job('b') }, 50)
      .write({ state: 5 })
      .look(60);
    expect(lines(h).slice(3)).toEqual(['#1 optedOut', '#1 ended abort CANCELED @50']);
  });
  test('deleted while running', () => {
    const h = runningRemote();
    h.row = null;
    h.look(50);
    h.look(55);
    expect(lines(h).slice(3)).toEqual(['#1 ended abort DELETED @50', '#1 vanished']);
    expect(h.tracker).toBeNull();
  });
  test('deleted while STARTING', () => {
    const h = new History();
    h.look(0);
    h.start(10).look(10);
    h.row = null;
    h.look(12);
    expect(lines(h)).toEqual(['#1 starting', '#1 discarded', '#1 vanished']);
  });
  test('an id that was given again is another application', () => {
    const h = runningRemote();
    h.write({ createTime: '2026-01-01 00:00:40', state: 5, jobId: job('b'), startTime: at(45), optionTime: at(41) }).look(50);
    expect(lines(h).slice(3)).toEqual(['#1 ended abort DELETED @50', '#1 vanished', '#1 adopted flink-job:b @45']);
  });
});

describe('Spark', () => {
  const spark = () => {
    const h = new History({ engine: 'spark', deployMode: 2 });
    h.look(0);
    h.start(10).look(10);
    h.submitted(20, { clusterId: 'application_1' }, 10, { clusterId: 'application_1' }).look(20);
    for (const state of [4, 5, 6]) h.write({ state }).look(20 + state);
    return h;
  };
  const begun = ['#1 starting', '#1 submitted spark-app:application_1 @20', '#1 running'];
  test.each([
    [7, 'complete FINISHED'],
    [8, 'fail FAILED'],
    [14, 'complete SUCCEEDED'],
    [-9, 'abort KILLED'],
  ])('state %i ends it: %s', (state, how) => {
    const h = spark();
    h.write({ state: 13, optionTime: at(50) }).look(50);
    h.write({ state, endTime: at(60) }).look(61);
    expect(lines(h)).toEqual([...begun, `#1 ended ${how} @60`]);
  });
  test('LOST fails after the grace', () => {
    const h = spark();
    h.write({ state: 9 }).look(100);
    h.look(700);
    expect(lines(h)).toEqual([...begun, '#1 lost', '#1 ended fail LOST @700']);
  });
  test('a missed run has its application id in the log row', () => {
    const h = spark();
    h.start(50, 1).submitted(55, { clusterId: 'application_2' }, 50, { clusterId: 'application_2' });
    h.start(60, 2).submitted(65, { clusterId: 'application_3' }, 60, { clusterId: 'application_3' }).look(70);
    expect(lines(h).slice(3)).toEqual([
      '#1 ended fail RESTARTED @50',
      '#2 missed spark-app:application_2 @50 fail RESTARTED @60',
      '#3 starting',
      '#3 submitted spark-app:application_3 @65',
    ]);
  });
  test('a refused submission', () => {
    const h = new History({ engine: 'spark', deployMode: 2, clusterId: 'application_0' });
    h.look(0);
    h.start(10).log('start', 10, { success: false, exception: 'boom' }).write({ state: 8 }).look(15);
    expect(lines(h)).toEqual(['#1 submissionFailed flink-log:2025-12-31 00:00:00:100000 @10']);
  });
});
