// Actions around the end of a run: by itself, by the user, by YARN, lost from sight and back.
import type { EndKind } from '../../src/watch/watch.ts';
import type { Console, SimApp } from './console.ts';
import type { Random } from './random.ts';
import { type Action, alive, ask, free, onSession, reaction } from './starting.ts';

/** The final write of the watcher. `endTime` null = the column stays as it is. */
function ended(console: Console, app: SimApp, code: number, how: EndKind, endTime: number | null): void {
  const { run } = app;
  if (run === null) return;
  console.over(app, how);
  app.showsEnd = true;
  run.ends.push({ how, at: endTime, shownAt: console.now });
  console.set(app, {
    state: code,
    tracking: 0,
    option_state: 0,
    ...(endTime === null ? {} : { end_time: console.time(endTime) }),
    ...(run.jobId === null ? {} : { job_id: run.jobId }),
  });
}

/** The job is followed: submitted, not asked to stop. */
const going = (console: Console, app: SimApp): boolean => {
  const { starting, early, running } = app.codes;
  const states: unknown[] = [starting, running, ...early];
  return free(console, app) && !app.phantom && alive(app) && states.includes(app.row?.['state']) && console.clusterState === 1;
};

const runs = (console: Console, app: SimApp): boolean =>
  going(console, app) && app.row?.['state'] === app.codes.running && console.now - app.askedAt >= reaction;

const text = (app: SimApp): string => `${app.plan.engine}:${app.id}: `;

/** A stop was asked for: state CANCELLING at once, the log row when the request is through. */
function askStop(console: Console, app: SimApp, random: Random, optionState: number): number {
  const asked = console.now;
  if (app.run !== null) app.run.stopAskedAt = asked;
  console.set(app, { state: app.codes.stopping, option_state: optionState, option_time: console.time() });
  const through = random.between(1000, 6000);
  console.later(app, through, 'the CANCEL log row', () => void console.log(app, 'cancel', true, asked));
  return through;
}

export const ending: Readonly<Record<string, Action>> = {
  finish: {
    weight: 8,
    possible: going,
    act(console, app, random) {
      console.say(`${text(app)}run ${app.run?.number} finishes`);
      const code = app.plan.engine === 'spark' && random.chance(50) ? app.codes.succeeded : app.codes.finished;
      ended(console, app, code, 'complete', console.now);
    },
  },

  fail: {
    weight: 8,
    possible: going,
    act(console, app, random) {
      console.say(`${text(app)}run ${app.run?.number} fails`);
      ended(console, app, app.codes.failed, 'fail', console.now);
      const { restartSize } = app.plan;
      if (restartSize > 0 && Number(app.row?.['restart_count'] ?? 0) <= restartSize)
        console.later(app, random.between(8, 220), 'an automatic start', () => ask(console, app, true));
    },
  },

  cancel: {
    weight: 8,
    possible: runs,
    act(console, app, random) {
      console.say(`${text(app)}the user stops run ${app.run?.number}`);
      const through = askStop(console, app, random, 2);
      const how = app.plan.engine === 'flink' || random.chance(90) ? 'abort' : 'complete';
      const code = how === 'abort' ? app.codes.canceled : app.codes.finished;
      console.later(app, through + random.between(100, 800), 'the job is gone', () => ended(console, app, code, how, console.now));
    },
  },

  stopWithSavepoint: {
    weight: 5,
    possible: (console, app) => runs(console, app) && app.plan.engine === 'flink',
    act(console, app, random) {
      console.say(`${text(app)}the user stops run ${app.run?.number} with a savepoint`);
      const through = askStop(console, app, random, 4);
      const dev = console.world.release === 'dev';
      const how: EndKind = dev ? 'complete' : 'abort';
      console.later(app, through + 300, dev ? 'RUNNING with its end_time' : 'RUNNING once more', () => {
        console.over(app, how);
        console.set(app, { state: app.codes.running, option_state: 0, ...(dev ? { end_time: console.time() } : {}) });
        const at = dev ? console.now : null;
        console.later(app, random.between(17, 46), `state ${dev ? 10 : 9}`, () =>
          ended(console, app, dev ? app.codes.finished : app.codes.canceled, how, at),
        );
      });
    },
  },

  /** After the console died in the middle of a stop, its watcher writes what it finds. */
  settleStop: {
    weight: 20,
    possible: (console, app) => {
      const states: unknown[] = [app.codes.stopping, ...(app.run?.real == null ? [] : [app.codes.running])];
      return free(console, app) && !app.phantom && app.run !== null && app.run.ends.length === 0 && states.includes(app.row?.['state']);
    },
    act(console, app, random) {
      const { real } = app.run ?? {};
      if (real != null) {
        console.say(`${text(app)}the watcher finds the job over`);
        ended(
          console,
          app,
          { complete: app.codes.finished, fail: app.codes.failed, abort: app.codes.canceled }[real.how],
          real.how,
          real.at,
        );
      } else if (random.chance(50)) {
        console.say(`${text(app)}the watcher finds the job canceled`);
        ended(console, app, app.codes.canceled, 'abort', console.now);
      } else {
        console.say(`${text(app)}the watcher finds the job alive`);
        console.set(app, { state: app.codes.running, option_state: 0 });
      }
    },
  },

  /** The request to stop fails: the row says FAILED, the job lives on unwatched. */
  stopFails: {
    weight: 1,
    possible: (console, app) => runs(console, app) && app.plan.engine === 'flink',
    act(console, app, random) {
      console.say(`${text(app)}a stop of run ${app.run?.number} is asked for and fails`);
      if (app.run !== null) app.run.stopAskedAt = console.now;
      const asked = console.now;
      console.set(app, { state: app.codes.stopping, option_state: 2, option_time: console.time() });
      console.later(app, random.between(500, 3000), 'the CANCEL log row with success 0, FAILED', () => {
        console.log(app, 'cancel', false, asked);
        ended(console, app, app.codes.failed, 'fail', null);
      });
    },
  },

  savepoint: {
    weight: 4,
    possible: (console, app) => runs(console, app) && app.plan.engine === 'flink',
    act(console, app, random) {
      console.say(`${text(app)}a savepoint is triggered`);
      if (app.run !== null) app.run.savepointAt = console.now;
      const asked = console.now;
      console.set(app, { option_state: 4, option_time: console.time() });
      console.later(app, random.between(500, 3000), 'the savepoint is there', () => {
        console.log(app, 'savepoint', true, asked);
        console.set(app, { option_state: 0 });
      });
    },
  },

  stopOutside: {
    weight: 3,
    possible: runs,
    act(console, app) {
      console.say(`${text(app)}run ${app.run?.number} is stopped outside of the console`);
      ended(console, app, app.codes.canceled, 'abort', console.now);
    },
  },

  kill: {
    weight: 2,
    possible: (console, app) => runs(console, app) && !onSession(app),
    act(console, app) {
      console.say(`${text(app)}YARN says KILLED of run ${app.run?.number}`);
      app.run?.ends.push({ how: 'abort', at: console.now, shownAt: console.now });
      app.showsEnd = true;
      console.set(app, { state: app.codes.killed, end_time: console.time(), option_state: 0 });
    },
  },

  lose: {
    weight: 4,
    possible: (console, app) => {
      const states: unknown[] = [app.codes.running, ...app.codes.early];
      return free(console, app) && !app.phantom && alive(app) && states.includes(app.row?.['state']) && app.plan.engine === 'flink';
    },
    act(console, app) {
      console.say(`${text(app)}the console loses sight of run ${app.run?.number}`);
      app.run?.lostAt.push(console.now);
      console.set(app, { state: app.codes.lost, end_time: console.time() });
    },
  },

  /** A row that was LOST or KILLED is watched again and its job is found. */
  comeBack: {
    weight: 6,
    possible: (console, app) => {
      const states: unknown[] = [app.codes.lost, app.codes.killed];
      return free(console, app) && !app.phantom && alive(app) && states.includes(app.row?.['state']) && console.clusterState === 1;
    },
    act(console, app) {
      console.say(`${text(app)}run ${app.run?.number} is found again`);
      if (app.run !== null) app.run.backAt = console.now;
      app.showsEnd = false;
      console.set(app, { state: app.codes.running, tracking: 1 });
    },
  },

  stopLost: {
    weight: 3,
    possible: (console, app) => free(console, app) && !app.phantom && alive(app) && app.row?.['state'] === app.codes.lost,
    act(console, app, random) {
      console.say(`${text(app)}the user stops the lost run ${app.run?.number}`);
      if (app.run !== null) app.run.stopAskedAt = console.now;
      console.set(app, { state: app.codes.stopping, option_state: 2, option_time: console.time() });
      console.later(app, random.between(2000, 80_000), 'CANCELED', () => ended(console, app, app.codes.canceled, 'abort', console.now));
    },
  },

  /** YARN starts a second ApplicationMaster: another job of the same application, and nobody asked. */
  secondMaster: {
    weight: 2,
    possible: (console, app) => runs(console, app) && app.plan.engine === 'flink' && app.plan.deployMode === 4 && !app.plan.fixedJobId,
    act(console, app) {
      const { run } = app;
      if (run === null) return;
      run.replacedAt = console.now;
      run.overtaken = true;
      console.over(app, 'fail');
      const next = console.begin(app, 'second', { jobId: console.newJobId(app), yarnId: run.yarnId, askedAt: console.now - 2000 });
      console.say(`${text(app)}a second ApplicationMaster: run ${next.number} (${next.jobId})`);
      console.set(app, { job_id: next.jobId, start_time: console.time() });
    },
  },
};
