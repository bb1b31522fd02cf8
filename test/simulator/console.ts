// A simulated console: its tables, its clock, and the writes that are on their way. The actions that fill it stand beside.
import { type AppKey, appKey, type EndKind, type Engine } from '../../src/watch/watch.ts';
import type { RowValues } from '../support/sqltext.ts';
import { type Codes, codes } from './codes.ts';
import type { TrueRun } from './truth.ts';

export interface AppPlan {
  readonly engine: Engine;
  readonly deployMode: number;
  /** Automatic restarts after a failure. */
  readonly restartSize: number;
  /** High availability on YARN: every run has the same job id. */
  readonly fixedJobId: boolean;
}

export interface World {
  readonly release: '2.1.7' | 'dev';
  /** What a time column keeps: MySQL rounds to seconds, MariaDB cuts, PostgreSQL keeps milliseconds. */
  readonly times: 'rounded' | 'cut' | 'milliseconds';
  /** Clock of the console minus clock of the database, ms. */
  readonly skew: number;
  readonly apps: readonly AppPlan[];
}

/** One row written, as it is written: with the aliases of the columns. `columns` null = deleted. */
export interface Write {
  readonly table: 'app' | 'log' | 'cluster' | 'script' | 'column';
  readonly engine: Engine;
  readonly id: string;
  readonly columns: RowValues | null;
  readonly isNew: boolean;
}

export interface SimApp {
  readonly plan: AppPlan;
  readonly codes: Codes;
  id: string;
  /** null = deleted. */
  row: RowValues | null;
  optIn: boolean | null;
  /** The run that the row is about. */
  run: TrueRun | null;
  /** A submission on its way. */
  asked: { readonly at: number } | null;
  /** STARTING, and nothing was submitted. */
  phantom: boolean;
  /** Newest version of the script, the one that the next start takes, and the one in force. */
  script: { newest: number; candidate: number | null; effective: number | null };
  runs: number;
  /** The state of the row is the end of its run, not of something after it. */
  showsEnd: boolean;
  /** When option_time was moved last. */
  askedAt: number;
}

interface Pending {
  readonly at: number;
  readonly app: SimApp;
  readonly say: string;
  readonly write: () => void;
}

/** Only zeros behind the point go: a second that ends in 0 stays. */
const fraction = (zeros: string, offset: number): string => (offset > 19 || zeros.startsWith('.') ? '' : zeros);

const t0 = Date.UTC(2026, 0, 1);
export const sessionCluster = '7';

export class Console {
  readonly world: World;
  readonly apps: SimApp[];
  readonly runs: TrueRun[] = [];
  readonly logs = new Map<string, RowValues>();
  /** What was done and written, in words. */
  readonly story: string[] = [];
  now = t0;
  up = true;
  clusterState = 1;
  columnGone = false;
  /** Jobs that no application follows any more but that run on. */
  readonly orphans: string[] = [];
  readonly onWrite: (write: Write) => void;
  #pending: Pending[] = [];
  #logIds = 1000;
  #ids = 100_001;
  #jobs = 0;

  constructor(world: World, onWrite: (write: Write) => void = () => undefined) {
    this.world = world;
    this.onWrite = onWrite;
    this.apps = world.apps.map((plan) => ({
      plan,
      codes: codes[plan.engine],
      id: '',
      row: null,
      optIn: null,
      run: null,
      asked: null,
      phantom: false,
      script: { newest: 0, candidate: null, effective: null },
      runs: 0,
      showsEnd: false,
      askedAt: 0,
    }));
    this.onWrite({ table: 'cluster', engine: 'flink', id: sessionCluster, columns: { cluster_state: 1 }, isNew: true });
    // The first applications of the two engines have the same id.
    for (const engine of ['flink', 'spark'] as const) {
      this.apps.filter((app) => app.plan.engine === engine).forEach((app, n) => void this.insert(app, String(100_001 + n), true));
    }
    this.#ids += this.apps.length;
  }

  /** Raw time by the console's clock. */
  time(at = this.now): string {
    const clock = at + this.world.skew;
    const { times } = this.world;
    // PostgreSQL prints no trailing zeros of a fraction.
    if (times === 'milliseconds')
      return new Date(clock)
        .toISOString()
        .slice(0, 23)
        .replace('T', ' ')
        .replace(/\.?0+$/, fraction);
    const seconds = times === 'rounded' ? Math.round(clock / 1000) : Math.floor(clock / 1000);
    return new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
  }

  say(text: string): void {
    this.story.push(`${((this.now - t0) / 1000).toFixed(3)} s  ${text}`);
  }

  /** Writes on their way for this application. */
  busy(app: SimApp): boolean {
    return this.#pending.some((p) => p.app === app);
  }

  /** Announces a write of the console's own. */
  later(app: SimApp, ms: number, say: string, write: () => void): void {
    this.#pending.push({ at: this.now + ms, app, say, write });
    this.#pending.sort((a, b) => a.at - b.at);
  }

  /** Lets time go on; what was on its way is written at its time. */
  advance(ms: number): void {
    const until = this.now + ms;
    for (let next = this.#pending[0]; next !== undefined && next.at <= until; next = this.#pending[0]) {
      this.#pending.shift();
      this.now = next.at;
      if (next.app.row === null) continue;
      this.say(`${keyText(next.app)}: ${next.say}`);
      next.write();
    }
    this.now = until;
  }

  /** The process is gone, and with it what it was about to write. */
  die(): void {
    this.#pending = [];
    this.up = false;
    for (const app of this.apps) {
      if (app.asked === null) continue;
      app.asked = null;
      app.phantom = true;
    }
  }

  drop(app: SimApp): void {
    this.#pending = this.#pending.filter((p) => p.app !== app);
  }

  set(app: SimApp, columns: RowValues): void {
    if (app.row === null) return;
    if ('option_time' in columns) app.askedAt = this.now;
    app.row = { ...app.row, ...columns };
    this.onWrite({ table: 'app', engine: app.plan.engine, id: app.id, columns, isNew: false });
  }

  optIn(app: SimApp, value: boolean | null): void {
    app.optIn = value;
    if (!this.columnGone)
      this.onWrite({ table: 'app', engine: app.plan.engine, id: app.id, columns: { lineage_enable: value }, isNew: false });
  }

  insert(app: SimApp, id: string | null, optIn: boolean | null): void {
    app.id = id ?? String(this.#ids++);
    const { engine, deployMode } = app.plan;
    const onCluster = engine === 'flink' && [1, 3, 5].includes(deployMode);
    const created = this.time();
    app.row = {
      id: app.id,
      create_time: created,
      team_id: '100000',
      user_id: '100000',
      name: `${engine}-${app.id}`,
      job_type: 2,
      deploy_mode: deployMode,
      state: app.codes.added,
      option_state: 0,
      tracking: 0,
      release: 1,
      ...(engine === 'flink' ? { job_id: null, flink_cluster_id: onCluster ? sessionCluster : null } : {}),
      cluster_id: deployMode === 3 && engine === 'flink' ? 'application_session' : deployMode >= 5 ? 'k8s' : null,
      start_time: null,
      end_time: null,
      option_time: null,
      restart_count: null,
    };
    app.optIn = optIn;
    app.run = null;
    app.asked = null;
    app.phantom = false;
    app.script = { newest: 1, candidate: 1, effective: null };
    app.runs = 0;
    app.showsEnd = false;
    const columns = this.columnGone ? app.row : { ...app.row, lineage_enable: optIn };
    this.onWrite({ table: 'app', engine, id: app.id, columns, isNew: true });
  }

  remove(app: SimApp): void {
    for (const run of this.runs) if (run.app === keyText(app) && run.createTime === app.row?.['create_time']) run.deletedAt ??= this.now;
    if (app.run?.jobId != null && app.run.real === null && !app.plan.fixedJobId) this.orphans.push(app.run.jobId);
    app.row = null;
    this.onWrite({ table: 'app', engine: app.plan.engine, id: app.id, columns: null, isNew: false });
  }

  log(app: SimApp, operation: 'start' | 'savepoint' | 'cancel' | 'release', success: boolean, at: number, more: RowValues = {}): string {
    const id = String(this.#logIds++);
    const number =
      app.plan.engine === 'spark' ? { release: 0, start: 1, cancel: 2, savepoint: 9 } : { release: 0, start: 1, savepoint: 2, cancel: 3 };
    const columns: RowValues = {
      id,
      app_id: app.id,
      job_type: operation === 'release' ? null : app.plan.engine === 'spark' ? 2 : 1,
      option_name: number[operation],
      success: success ? 1 : 0,
      cluster_id: null,
      create_time: this.time(at),
      exception: null,
      ...more,
    };
    this.logs.set(id, columns);
    this.onWrite({ table: 'log', engine: app.plan.engine, id, columns, isNew: true });
    return id;
  }

  removeLogs(app: SimApp): void {
    for (const run of this.runs) if (run.app === keyText(app)) run.unlogged = true;
    for (const [id, log] of this.logs) {
      if (log['app_id'] !== app.id || (log['job_type'] === 2) !== (app.plan.engine === 'spark')) continue;
      this.logs.delete(id);
      this.onWrite({ table: 'log', engine: app.plan.engine, id, columns: null, isNew: false });
    }
  }

  /** The schema is made anew: ids begin again. */
  restartIds(): void {
    this.#pending = [];
    for (const id of this.logs.keys()) this.onWrite({ table: 'log', engine: 'flink', id, columns: null, isNew: false });
    this.logs.clear();
    this.#logIds = 1000;
  }

  cluster(state: number): void {
    this.clusterState = state;
    this.onWrite({ table: 'cluster', engine: 'flink', id: sessionCluster, columns: { cluster_state: state }, isNew: false });
  }

  /** Puts a version of the script in force. */
  promote(app: SimApp, version: number): void {
    app.script.effective = version;
    this.onWrite({ table: 'script', engine: app.plan.engine, id: app.id, columns: { version }, isNew: false });
  }

  newJobId(app: SimApp): string {
    return app.plan.fixedJobId ? '0'.repeat(32) : (++this.#jobs).toString(16).padStart(32, 'a');
  }

  newYarnId(): string {
    return `application_1_${String(++this.#jobs).padStart(4, '0')}`;
  }

  begin(app: SimApp, kind: TrueRun['kind'], of: { jobId: string | null; yarnId: string | null; askedAt: number }): TrueRun {
    app.runs += 1;
    const script = kind === 'mapped' || kind === 'refused' ? null : app.script.effective;
    const sharedKey = this.runs.some((r) => r.jobId !== null && r.jobId === of.jobId) || app.plan.fixedJobId;
    const run: TrueRun = {
      app: appKey(app.plan.engine, app.id),
      createTime: String(app.row?.['create_time']),
      number: app.runs,
      kind,
      ...of,
      script,
      visibleAt: this.now,
      sharedKey,
      logId: null,
      real: null,
      stopAskedAt: null,
      savepointAt: null,
      backAt: null,
      ends: [],
      lostAt: [],
      replacedAt: null,
      deletedAt: null,
      overtaken: false,
      unlogged: false,
    };
    this.runs.push(run);
    if (kind !== 'refused') app.run = run;
    return run;
  }

  /** The job is over; the row may tell it later or never. */
  over(app: SimApp, how: EndKind): void {
    if (app.run !== null) app.run.real ??= { how, at: this.now };
  }
}

export const keyText = (app: SimApp): AppKey => appKey(app.plan.engine, app.id);
