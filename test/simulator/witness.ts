// What the polls of a history could have told: which runs left evidence that must be reported, and which ends were plain to see.
import type { EndKind } from '../../src/watch/watch.ts';
import { type Console, keyText, type SimApp } from './console.ts';
import { logsOf } from './sampled.ts';
import { instanceOf, isOver, type TrueRun } from './truth.ts';

export class Witness {
  /** Runs that must be reported. */
  readonly due = new Set<TrueRun>();
  /** Runs whose job id stood in the row at a poll, after their start. */
  readonly settled = new Set<TrueRun>();
  /** Mapped runs that were read in state MAPPING, or before anything else was asked for. */
  readonly plainlyMapped = new Set<TrueRun>();
  /** The end that stood in the row when it was read first. */
  readonly seenEnds = new Map<TrueRun, { readonly how: EndKind; readonly now: number }>();
  /** Since when an application was read at each poll and was opted in. */
  readonly #since = new Map<string, number>();
  readonly #overlaid = new Set<TrueRun>();
  /** Mapped runs that were read once. */
  readonly #met = new Set<TrueRun>();
  /** The poll before, and the state that it read. */
  readonly #before = new Map<SimApp, { readonly now: number; readonly state: unknown }>();

  /** `columnGone`: the polls know of no opt-in column. */
  poll(console: Console, columnGone: boolean): void {
    for (const app of console.apps) {
      if (app.row === null) continue;
      const instance = instanceOf({ app: keyText(app), createTime: String(app.row['create_time']) });
      const since = this.#since.get(instance);
      const optedIn = columnGone ? since !== undefined : app.optIn === true;
      if (!optedIn) {
        this.#since.delete(instance);
      } else if (since === undefined) {
        this.#since.set(instance, console.now);
        this.#firstSight(app);
      } else {
        this.#read(console, app, since);
      }
      // In the YARN modes STARTING still shows the job before.
      const old = app.run?.yarnId != null && app.plan.engine === 'flink' && app.row['state'] === app.codes.starting;
      if (app.run !== null && app.asked === null && !old && showsKey(app, app.run)) this.settled.add(app.run);
      this.#noteMapping(console, app);
      this.#noteEnd(console, app);
    }
  }

  #firstSight(app: SimApp): void {
    const { run, codes } = app;
    if (run !== null && run.kind !== 'refused' && app.row?.['state'] === codes.running && app.row['end_time'] === null) {
      // A job id that every run has does not tell this one from one that was reported before.
      if (!run.sharedKey && showsKey(app, run)) this.due.add(run);
    }
  }

  #read(console: Console, app: SimApp, since: number): void {
    const logs = new Set(logsOf(console, app).map((log) => log.id));
    for (const run of console.runs) {
      if (run.app !== keyText(app) || run.createTime !== app.row?.['create_time'] || run.visibleAt <= since) continue;
      const logged = run.logId !== null && logs.has(run.logId) && tellsEnough(this.settled, app, run);
      const live = app.row['state'] === app.codes.running && app.row['end_time'] === null;
      // A later submission without a log row takes the log row of this one for its own.
      const unlogged = console.runs.some(
        (r) => r.visibleAt > run.visibleAt && instanceOf(r) === instanceOf(run) && !logs.has(r.logId ?? ''),
      );
      const gap = this.#before.get(app)?.now ?? 0;
      const crowded =
        !logs.has(run.logId ?? '') && console.runs.some((r) => r !== run && instanceOf(r) === instanceOf(run) && r.visibleAt > gap);
      if (!this.due.has(run) && (crowded || unlogged || this.#isOverlaid(app, run))) this.#overlaid.add(run);
      if (this.#overlaid.has(run)) continue;
      const shown =
        run === app.run &&
        run.replacedAt === null &&
        run.kind !== 'refused' &&
        !run.sharedKey &&
        !app.plan.fixedJobId &&
        app.asked === null &&
        app.row['state'] !== app.codes.revoked &&
        showsKey(app, run);
      if (logged || (shown && (run.kind === 'started' || live))) this.due.add(run);
    }
  }

  /** Another job was bound to the row before the run was ever read: its log row seems to be of that one. */
  #isOverlaid(app: SimApp, run: TrueRun): boolean {
    return (
      !this.due.has(run) &&
      app.run !== run &&
      app.run?.kind === 'mapped' &&
      !this.#met.has(app.run) &&
      app.row?.['state'] !== app.codes.mapping
    );
  }

  /** A mapping that is not overlaid: read in its own state, or nothing else was asked for since the poll before. */
  #noteMapping(console: Console, app: SimApp): void {
    const { run } = app;
    const before = this.#before.get(app);
    this.#before.set(app, { now: console.now, state: app.row?.['state'] });
    if (run?.kind !== 'mapped' || before === undefined || this.#met.has(run)) return;
    this.#met.add(run);
    const alone =
      !console.runs.some((r) => r !== run && instanceOf(r) === instanceOf(run) && r.askedAt > before.now) &&
      before.state !== app.codes.starting;
    const asked = run.stopAskedAt !== null || run.savepointAt !== null || app.askedAt > before.now;
    if (app.row?.['state'] === app.codes.mapping || (alone && !asked)) this.plainlyMapped.add(run);
  }

  #noteEnd(console: Console, app: SimApp): void {
    const { run } = app;
    const end = run?.ends.at(-1);
    if (run === null || end === undefined || !app.showsEnd) return;
    const { failed, canceled, finished, killed, succeeded } = app.codes;
    const states: unknown[] = [failed, canceled, finished, killed, succeeded];
    if (states.includes(app.row?.['state']) && !this.seenEnds.has(run)) this.seenEnds.set(run, { how: end.how, now: console.now });
  }
}

const showsKey = (app: SimApp, run: TrueRun): boolean =>
  app.plan.engine === 'flink' ? app.row?.['job_id'] === run.jobId : app.row?.['cluster_id'] === run.yarnId;

/** A refused submission is told by the state after its log row; a run on YARN by its job id or its end. */
function tellsEnough(settled: ReadonlySet<TrueRun>, app: SimApp, run: TrueRun): boolean {
  if (run.kind === 'refused') return run.ends.length > 0 && app.row?.['state'] === app.codes.failed;
  return run.jobId === null || run.yarnId === null || settled.has(run) || (isOver(run) && !run.overtaken);
}
