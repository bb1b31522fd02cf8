// Actions around a start: asked for, submitted, refused, given up, first seen by the console's watcher, never happening.
import type { RowValues } from '../support/sqltext.ts';
import { type Console, type SimApp, sessionCluster } from './console.ts';
import type { Random } from './random.ts';

export interface Action {
  /** How often it is chosen, against the others that are possible. */
  readonly weight: number;
  possible(console: Console, app: SimApp): boolean;
  act(console: Console, app: SimApp, random: Random): void;
}

const state = (app: SimApp): unknown => app.row?.['state'];

/** The console works and writes nothing for this application at the moment. */
export const free = (console: Console, app: SimApp): boolean => console.up && app.row !== null && !console.busy(app);

/** People and clients need a second between two requests, and a submission takes that long at least. */
export const reaction = 1000;

/** Nothing is on: a start or a mapping is allowed. */
export const resting = (console: Console, app: SimApp): boolean => {
  const { added, failed, canceled, finished, lost, revoked, killed, succeeded } = app.codes;
  const states: unknown[] = [added, failed, canceled, finished, lost, revoked, killed, succeeded];
  return free(console, app) && app.asked === null && states.includes(state(app)) && console.now - app.askedAt >= reaction;
};

/** The submission on its way can come to its end. */
const submitting = (console: Console, app: SimApp): boolean =>
  free(console, app) && app.asked !== null && console.now - app.asked.at >= reaction;

const ownYarn = (app: SimApp): boolean => app.plan.engine === 'spark' || app.plan.deployMode === 2 || app.plan.deployMode === 4;

export const onSession = (app: SimApp): boolean => app.row?.['flink_cluster_id'] === sessionCluster;

/** The job of the row lives, as far as the console knows, and its start is over. */
export const alive = (app: SimApp): boolean =>
  app.run !== null && app.run.kind !== 'refused' && app.run.real === null && app.asked === null;

/** STARTING is written; `automatic` = after a failure. */
export function ask(console: Console, app: SimApp, automatic: boolean): void {
  const count = automatic ? Number(app.row?.['restart_count'] ?? 0) + 1 : 0;
  const { run } = app;
  if (run !== null) run.replacedAt ??= console.now;
  app.showsEnd = false;
  if (console.world.release === '2.1.7') promote(console, app);
  console.set(app, { state: app.codes.starting, tracking: 1, option_time: console.time(), restart_count: count });
  // Automatic restarts of the development version end right here.
  if (automatic && console.world.release === 'dev') app.phantom = true;
  else app.asked = { at: console.now };
}

function promote(console: Console, app: SimApp): void {
  const { candidate } = app.script;
  if (candidate === null) return;
  console.promote(app, candidate);
  app.script.candidate = null;
}

export const starting: Readonly<Record<string, Action>> = {
  start: {
    weight: 12,
    possible: (console, app) => resting(console, app) && !(onSession(app) && console.clusterState !== 1),
    act(console, app, random) {
      console.say(`${app.plan.engine}:${app.id}: the user starts it`);
      app.phantom = false;
      ask(console, app, false);
      if (console.world.release === 'dev')
        console.later(app, random.between(100, 200), 'the script is put in force', () => promote(console, app));
    },
  },

  submit: {
    weight: 30,
    possible: (console, app) => submitting(console, app) && !(onSession(app) && console.clusterState !== 1),
    act(console, app, random) {
      const askedAt = app.asked?.at ?? console.now;
      const { plan } = app;
      const jobId = plan.engine === 'flink' ? console.newJobId(app) : null;
      const yarnId = ownYarn(app) ? console.newYarnId() : null;
      const run = console.begin(app, 'started', { jobId, yarnId, askedAt });
      app.asked = null;
      console.say(`${plan.engine}:${app.id}: run ${run.number} is submitted (${jobId ?? ''} ${yarnId ?? ''})`);
      console.set(app, {
        start_time: console.time(),
        end_time: null,
        ...(plan.engine === 'flink' && !ownYarn(app) ? { job_id: jobId } : {}),
        ...(yarnId === null ? {} : { cluster_id: yarnId }),
      });
      const clusterId = yarnId ?? (plan.deployMode === 3 ? 'application_session' : null);
      console.later(app, random.between(8, 200), `the log row of run ${run.number}`, () => {
        run.logId = console.log(app, 'start', true, askedAt + random.between(0, 100), { cluster_id: clusterId });
      });
    },
  },

  refuse: {
    weight: 4,
    possible: submitting,
    act(console, app, random) {
      const askedAt = app.asked?.at ?? console.now;
      const run = console.begin(app, 'refused', { jobId: null, yarnId: null, askedAt });
      app.asked = null;
      app.phantom = true;
      console.say(`${app.plan.engine}:${app.id}: the submission ${run.number} is refused`);
      run.logId = console.log(app, 'start', false, askedAt + random.between(0, 100), { exception: 'java.lang.RuntimeException: refused' });
      console.later(app, random.between(20, 80), 'FAILED', () => {
        app.phantom = false;
        run.ends.push({ how: 'fail', at: null, shownAt: console.now });
        console.set(app, { state: app.codes.failed, option_state: 0, tracking: 0 });
      });
    },
  },

  giveUp: {
    weight: 3,
    possible: (console, app) => submitting(console, app) && app.plan.engine === 'flink',
    act(console, app, random) {
      const askedAt = app.asked?.at ?? console.now;
      app.asked = null;
      app.phantom = true;
      console.say(`${app.plan.engine}:${app.id}: the user gives the start up`);
      console.log(app, 'start', false, askedAt, { exception: 'java.util.concurrent.CancellationException' });
      console.later(app, random.between(20, 80), 'CANCELED', () => {
        app.phantom = false;
        console.set(app, { state: app.codes.canceled, option_state: 0, option_time: console.time() });
      });
    },
  },

  /** The first look of the watcher at a submitted job, or the first after a while. */
  watch: {
    weight: 30,
    possible: (console, app) => {
      const { starting, early, mapping } = app.codes;
      const states: unknown[] = [starting, mapping, ...early];
      return free(console, app) && !app.phantom && alive(app) && states.includes(state(app)) && console.clusterState === 1;
    },
    act(console, app, random) {
      const { run } = app;
      if (run === null) return;
      const seen: RowValues = {
        ...(run.jobId === null ? {} : { job_id: run.jobId }),
        start_time: console.time(Math.max(run.askedAt, run.visibleAt - random.between(80, 700))),
        option_state: 0,
      };
      if (random.chance(30)) {
        const early = random.pick(app.codes.early);
        console.say(`${app.plan.engine}:${app.id}: seen in state ${early}`);
        console.set(app, { ...seen, state: early });
        console.later(app, 500, 'RUNNING', () => console.set(app, { state: app.codes.running }));
      } else {
        console.say(`${app.plan.engine}:${app.id}: RUNNING`);
        console.set(app, { ...seen, state: app.codes.running });
      }
    },
  },

  /** The watcher looks again at a row whose start never happened, and sees the job before it. */
  recheck: {
    weight: 8,
    possible: (console, app) => free(console, app) && app.phantom,
    act(console, app, random) {
      const last = app.run?.ends.at(-1);
      const { codes, plan } = app;
      if (last === undefined || random.chance(35)) {
        app.phantom = last !== undefined;
        const nowhere = plan.deployMode === 6 && last === undefined && random.chance(50);
        console.say(`${plan.engine}:${app.id}: the watcher finds no job${nowhere ? ', not even a time' : ''}`);
        if (app.run !== null) app.run.lostAt.push(console.now);
        if (nowhere) console.set(app, { state: codes.failed, tracking: 0, start_time: '1970-01-01 08:00:00' });
        else console.set(app, { state: codes.lost, end_time: console.time() });
        return;
      }
      app.phantom = false;
      const code = { complete: codes.finished, fail: codes.failed, abort: codes.canceled }[last.how];
      console.say(`${plan.engine}:${app.id}: the watcher sees the job before: state ${code}`);
      console.set(app, { state: code, tracking: 0, option_state: 0, ...(last.at === null ? {} : { end_time: console.time(last.at) }) });
      const count = Number(app.row?.['restart_count'] ?? 0);
      if (last.how === 'fail' && plan.restartSize > 0 && count > 0 && count <= plan.restartSize)
        console.later(app, random.between(60, 130), 'an automatic start that never happens', () => ask(console, app, true));
    },
  },

  map: {
    weight: 2,
    possible: (console, app) =>
      resting(console, app) && app.plan.engine === 'flink' && [1, 3].includes(app.plan.deployMode) && console.clusterState === 1,
    act(console, app, random) {
      const orphan = random.chance(50) ? console.orphans.shift() : undefined;
      const jobId = orphan ?? console.newJobId(app);
      if (app.run !== null) {
        app.run.replacedAt ??= console.now;
        app.run.overtaken = true;
      }
      app.phantom = false;
      app.showsEnd = false;
      const run = console.begin(app, 'mapped', { jobId, yarnId: null, askedAt: console.now - 10_000 });
      console.say(`${app.plan.engine}:${app.id}: mapped onto job ${jobId} (run ${run.number})`);
      console.set(app, { job_id: jobId, end_time: null, state: app.codes.mapping, tracking: 1 });
    },
  },
};
