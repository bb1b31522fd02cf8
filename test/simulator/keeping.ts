// Actions around the applications: edits, builds, opting in and out, deleting, the console and its database as a whole.
import { type Console, keyText, type SimApp } from './console.ts';
import { type Action, alive, free, resting } from './starting.ts';

const quiet = (console: Console, app: SimApp): boolean => free(console, app) && app.asked === null;

function forget(console: Console, app: SimApp, after: string): void {
  console.say(`${keyText(app)}: ${after}`);
  console.drop(app);
  console.removeLogs(app);
  app.asked = null;
}

export const keeping: Readonly<Record<string, Action>> = {
  edit: {
    weight: 4,
    possible: quiet,
    act(console, app) {
      app.script = { ...app.script, newest: app.script.newest + 1, candidate: app.script.newest + 1 };
      console.say(`${keyText(app)}: version ${app.script.newest} of the script is saved`);
      console.set(app, { release: 1 });
    },
  },

  build: {
    weight: 3,
    possible: quiet,
    act(console, app) {
      const running = app.row?.['state'] === app.codes.running;
      const { candidate } = app.script;
      console.say(`${keyText(app)}: it is built${running ? ' while it runs' : ''}`);
      if (!running && candidate !== null) {
        console.promote(app, candidate);
        app.script.candidate = null;
      }
      console.set(app, { release: running ? 3 : 0 });
      console.log(app, 'release', true, console.now);
    },
  },

  /** An older version is built: it is in force at once, whatever runs. */
  rollBack: {
    weight: 2,
    possible: (console, app) => quiet(console, app) && app.script.newest > 1,
    act(console, app, random) {
      const version = random.between(1, app.script.newest);
      console.say(`${keyText(app)}: rolled back to version ${version}`);
      console.promote(app, version);
      app.script.candidate = null;
      console.set(app, { release: app.row?.['state'] === app.codes.running ? 3 : 0 });
    },
  },

  revoke: {
    weight: 1,
    possible: (console, app) => resting(console, app),
    act(console, app) {
      console.say(`${keyText(app)}: its release is revoked`);
      if (app.run?.real === null) app.run.ends.push({ how: 'abort', at: null, shownAt: console.now });
      console.over(app, 'abort');
      app.phantom = false;
      app.showsEnd = false;
      console.set(app, { state: app.codes.revoked, release: -1 });
    },
  },

  optOut: {
    weight: 1,
    possible: (console, app) => app.row !== null && app.optIn === true && !console.columnGone,
    act(console, app) {
      console.say(`${keyText(app)}: opted out`);
      console.optIn(app, false);
    },
  },

  optIn: {
    weight: 4,
    possible: (console, app) => app.row !== null && app.optIn !== true && !console.columnGone,
    act(console, app) {
      console.say(`${keyText(app)}: opted in`);
      console.optIn(app, true);
    },
  },

  remove: {
    weight: 1,
    possible: (console, app) => console.up && app.row !== null,
    act(console, app, random) {
      forget(console, app, 'the user deletes it');
      console.later(app, random.between(100, 600), 'its row is gone', () => console.remove(app));
    },
  },

  create: {
    weight: 8,
    possible: (console, app) => console.up && app.row === null,
    act(console, app) {
      console.insert(app, null, console.columnGone ? null : true);
      console.say(`${keyText(app)}: created`);
    },
  },

  clearLogs: {
    weight: 1,
    possible: (console, app) => free(console, app),
    act(console, app) {
      console.say(`${keyText(app)}: the user deletes its log rows`);
      console.removeLogs(app);
    },
  },

  killConsole: {
    weight: 1,
    possible: (console) => console.up,
    act(console) {
      console.say('the console is killed');
      console.die();
    },
  },

  bootConsole: {
    weight: 25,
    possible: (console) => !console.up,
    act(console) {
      console.say('the console starts: option_state 0 in all rows');
      console.up = true;
      for (const app of console.apps) console.set(app, { option_state: 0 });
    },
  },

  loseCluster: {
    weight: 1,
    possible: (console) => console.up && console.clusterState === 1,
    act(console) {
      console.say('the session cluster is lost');
      console.cluster(3);
      for (const app of console.apps) if (app.row?.['flink_cluster_id'] != null && alive(app)) app.run?.lostAt.push(console.now);
    },
  },

  returnCluster: {
    weight: 20,
    possible: (console) => console.up && console.clusterState !== 1,
    act(console) {
      console.say('the session cluster is back');
      console.cluster(1);
    },
  },

  dropColumn: {
    weight: 1,
    possible: (console) => !console.columnGone,
    act(console) {
      console.say('the opt-in column is dropped');
      console.columnGone = true;
      console.onWrite({ table: 'column', engine: 'flink', id: 'lineage_enable', columns: null, isNew: false });
    },
  },

  addColumn: {
    weight: 15,
    possible: (console) => console.columnGone,
    act(console) {
      console.say('the opt-in column is added, and those are opted in that were');
      console.columnGone = false;
      console.onWrite({ table: 'column', engine: 'flink', id: 'lineage_enable', columns: {}, isNew: true });
      for (const app of console.apps) if (app.row !== null) console.optIn(app, app.optIn);
    },
  },

  /** An operator runs StreamPark's schema script again: all is new, ids begin again. */
  remakeSchema: {
    weight: 1,
    possible: (console) => console.up && console.now > Date.UTC(2026, 0, 1) + 60_000,
    act(console) {
      console.say('the schema is made anew');
      for (const app of console.apps) {
        if (app.row === null) continue;
        const { id } = app;
        forget(console, app, 'gone');
        console.remove(app);
        console.insert(app, id, null);
      }
      console.restartIds();
      if (console.columnGone) return;
      console.columnGone = true;
      console.onWrite({ table: 'column', engine: 'flink', id: 'lineage_enable', columns: null, isNew: false });
    },
  },
};
