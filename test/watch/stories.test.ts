// Stories that random histories (test/simulator) were cut down to. In each of them a run was once reported twice, with a
// wrong end, or not at all.
import { describe, expect, test } from 'vitest';
import { at, History, job, line } from '../support/history.ts';

const lines = (history: History) => history.changes.map(line);

/** A remote application with one run that is RUNNING since second 20. */
function running(): History {
  const h = new History();
  h.look(0);
  h.start(10)
    .submitted(20, { jobId: job('a') }, 10)
    .write({ state: 5 })
    .look(25);
  return h;
}
const run = ['#1 submitted flink-job:a @20', '#1 running'];

describe('a start that follows a run which nobody saw', () => {
  test('YARN: a refused one does not take the job id of that run, and the row tells how that run ended', () => {
    const h = new History({ deployMode: 4 });
    h.start(1).look(2);
    h.submitted(10, { clusterId: 'application_1' }, 1, { clusterId: 'application_1' });
    h.write({ state: 10, jobId: job('a'), startTime: at(9), endTime: at(30) });
    h.start(40).log('start', 40, { success: false, exception: 'boom' }).write({ state: 7 }).look(50);
    expect(lines(h)).toEqual([
      '#1 missed flink-job:a @9 abort REPLACED reconstructed @30',
      '#2 submissionFailed flink-log:2025-12-31 00:00:00:100001 @40',
    ]);
  });
  test('YARN: one that the user gave up leaves that run alone', () => {
    const h = new History({ deployMode: 4 });
    h.start(1).submitted(10, { clusterId: 'application_1' }, 1, { clusterId: 'application_1' }).look(11);
    h.write({ state: 7, jobId: job('a'), endTime: at(30) });
    h.start(40)
      .log('start', 40, { success: false, exception: 'java.util.concurrent.CancellationException' })
      .write({ state: 9, optionTime: at(45) })
      .look(50);
    h.look(55);
    expect(lines(h)).toEqual(['#1 missed flink-job:a @10 abort REPLACED reconstructed @30']);
  });
  test('YARN: its success write leaves the job id of that run in the row', () => {
    const h = new History({ deployMode: 4 });
    h.start(1).submitted(10, { clusterId: 'application_1' }, 1, { clusterId: 'application_1' }).look(11);
    h.write({ state: 7, jobId: job('a'), endTime: at(30) });
    h.start(40).submitted(50, { clusterId: 'application_2' }, 40, { clusterId: 'application_2' }).look(51);
    h.write({ state: 5, jobId: job('b'), startTime: at(49) }).look(55);
    expect(lines(h)).toEqual([
      '#1 missed flink-job:a @1 abort REPLACED reconstructed @40',
      '#2 starting',
      '#2 submitted flink-job:b @49',
      '#2 running',
    ]);
  });
  test('YARN: first seen after its success write, with the job id of that run still in the row', () => {
    const h = new History({ deployMode: 4, state: 3, jobId: job('a'), clusterId: 'application_2', startTime: at(50), optionTime: at(40) });
    h.log('start', 40, { clusterId: 'application_2' }).look(51);
    expect(lines(h)).toEqual([]);
    h.write({ state: 5, jobId: job('b'), startTime: at(49) }).look(55);
    expect(lines(h)).toEqual(['#1 submitted flink-job:b @49', '#1 running']);
  });
  test('its log row does not prove a start that never happened', () => {
    for (const engine of ['flink', 'spark'] as const) {
      const h = new History({ engine, deployMode: engine === 'flink' ? 1 : 2 });
      h.look(0);
      h.start(10).look(10);
      h.write({ state: engine === 'flink' ? 13 : 9, endTime: at(20) });
      const columns = engine === 'flink' ? { jobId: job('a') } : { clusterId: 'application_1' };
      h.start(30)
        .submitted(40, columns, 30, engine === 'flink' ? {} : columns)
        .look(41);
      const name = engine === 'flink' ? 'flink-job:a' : 'spark-app:application_1';
      expect(lines(h)).toEqual(['#1 starting', '#1 discarded', '#2 starting', `#2 submitted ${name} @40`]);
    }
  });
  test('Spark: whose log row is missing, while the one of that run is there', () => {
    const h = new History({ engine: 'spark', deployMode: 2 });
    h.look(0);
    h.start(10)
      .submitted(20, { clusterId: 'application_1' }, 10, { clusterId: 'application_1' })
      .write({ state: 7, endTime: at(30) });
    h.start(40)
      .write({ clusterId: 'application_2', startTime: at(50), endTime: null, state: 6 })
      .look(60);
    expect(h.look(65).changes).toEqual([]);
    expect(lines(h)).toEqual([
      '#1 missed spark-app:application_1 @10 abort REPLACED reconstructed @60',
      '#2 submitted spark-app:application_2 @50',
      '#2 running',
    ]);
  });
  test('in the same second: its log row is not one more of that run', () => {
    const h = new History();
    h.look(0);
    h.start(10)
      .write({ jobId: job('a'), startTime: at(12) })
      .look(12);
    h.log('start', 10).write({ state: 7, endTime: at(12) });
    h.start(12, 1)
      .submitted(20, { jobId: job('b') }, 12)
      .write({ state: 5 })
      .look(25);
    expect(lines(h)).toEqual([
      '#1 starting',
      '#1 submitted flink-job:a @12',
      '#1 ended fail RESTARTED @12',
      '#2 submitted flink-job:b @20',
      '#2 running',
    ]);
  });
  test('automatic starts that never happened do not make sure that it failed', () => {
    const h = running();
    h.write({ state: 10, endTime: at(30) });
    h.start(40)
      .submitted(50, { jobId: job('b') }, 40)
      .write({ state: 7, endTime: at(60) });
    h.start(61, 1).write({ state: 7 }).start(70, 2).look(80);
    expect(lines(h).slice(2)).toEqual([
      '#1 ended fail RESTARTED reconstructed @40',
      '#2 missed flink-job:b @50 fail RESTARTED @60',
      '#3 starting',
    ]);
  });
});

describe('a job that was mapped', () => {
  test('onto an application whose own run nobody saw', () => {
    const h = new History();
    h.look(0);
    h.start(10)
      .submitted(20, { jobId: job('a') }, 10)
      .write({ state: 10, endTime: at(30) });
    h.write({ state: 14, jobId: job('m'), endTime: null }).look(40);
    h.write({ state: 5, startTime: at(5) }).look(45);
    expect(lines(h)).toEqual([
      '#1 missed flink-log:2025-12-31 00:00:00:100000 @10 abort REPLACED reconstructed @40',
      '#2 adopted mapped:m:100001 @5 parent only',
    ]);
  });
  test('after a refused submission', () => {
    const h = new History();
    h.look(0);
    h.start(10).log('start', 10, { success: false, exception: 'boom' });
    h.write({ state: 5, jobId: job('m'), startTime: at(2) }).look(40);
    expect(lines(h)).toEqual(['#1 submissionFailed flink-log:2025-12-31 00:00:00:100000 @10', '#2 adopted mapped:m:100001 @2 parent only']);
  });
});

describe('opting and deleting in the middle', () => {
  test('opted out before the proof was read: no run begins', () => {
    const h = new History();
    h.look(0);
    h.start(10).look(10);
    h.submitted(20, { jobId: job('a') }, 10).write({ state: 7, endTime: at(30), optIn: false });
    h.start(40).look(41);
    expect(lines(h)).toEqual(['#1 starting', '#1 discarded', '#1 optedOut']);
  });
  test('a run that was reported as lost is not adopted again when it is opted in again', () => {
    const h = running();
    h.clusterLost = true;
    h.look(100);
    h.write({ optIn: false }).look(700);
    h.write({ optIn: true }).look(800);
    expect(h.look(801).changes).toEqual([]);
    h.clusterLost = false;
    h.look(900);
    expect(lines(h).slice(2)).toEqual([
      '#1 lost',
      '#1 ended fail LOST @700',
      '#1 optedOut',
      '#2 submitted flink-job:a @900 continuation 1',
      '#2 running',
    ]);
  });
  test('YARN: a run whose job id was not known yet is deleted', () => {
    const h = new History({ deployMode: 4 });
    h.look(0);
    h.start(10).submitted(20, { clusterId: 'application_1' }, 10, { clusterId: 'application_1' }).look(21);
    h.row = null;
    h.look(30);
    expect(lines(h)).toEqual(['#1 starting', '#1 missed flink-app:application_1 @10 abort DELETED @30', '#1 vanished']);
  });
  test('first seen between the log row of a start that was given up and its state', () => {
    const h = new History({ state: 3, optionTime: at(10) });
    h.log('start', 10, { success: false, exception: 'java.util.concurrent.CancellationException' }).look(12);
    h.write({ state: 9, optionTime: at(13) });
    h.start(20).look(21);
    expect(lines(h)).toEqual(['#2 starting']);
  });
});

describe('lost and found', () => {
  test('lost when it is seen for the first time', () => {
    const h = new History();
    h.look(0);
    h.start(10)
      .write({ jobId: job('a'), startTime: at(20), state: 13, endTime: at(30) })
      .look(40);
    h.look(700);
    expect(lines(h)).toEqual(['#1 submitted flink-job:a @20', '#1 lost', '#1 ended fail LOST @30']);
  });
  test('found again after it was reported as failed, and a savepoint triggered in the same moment', () => {
    const h = running();
    h.write({ state: 13, endTime: at(100) }).look(101);
    h.look(800);
    h.write({ state: 5, optionTime: at(899) }).look(900);
    expect(h.look(901).changes).toEqual([]);
    expect(lines(h).slice(4)).toEqual(['#2 submitted flink-job:a @900 continuation 1', '#2 running']);
  });
  test('lost and asked to stop before it was seen again: the old end_time is not the end', () => {
    const h = running();
    h.write({ state: 13, endTime: at(100) })
      .write({ state: 8, optionTime: at(110) })
      .look(120);
    h.write({ state: 5 }).look(130);
    h.look(1000);
    expect(lines(h)).toEqual(run);
    h.write({ state: 9, endTime: at(1100) }).look(1101);
    expect(lines(h).at(-1)).toBe('#1 ended abort CANCELED @1100');
  });
});
