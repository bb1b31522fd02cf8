// Scripts in, plans out: a queue in front of one worker process, at most two scripts in flight, and a verdict on who was to
// blame when the process died.
import { PlanError } from '../errors/errors.ts';
import { readAnswer } from './answer.ts';
import type { PlannedScript, PreparedScript } from './script.ts';
import { type KeptWorkerOptions, keepWorker, type PlannerState, workerThreads } from './worker.ts';

export interface PlannerOptions extends Pick<KeptWorkerOptions, 'source' | 'report'> {
  /** Longest time for one script in a warm worker (`planner.timeout`). */
  readonly timeoutMs: number;
  /** Longest time from the start of the process until it is warm; default 2 minutes. */
  readonly startTimeoutMs?: number;
  /** Pauses between restarts; default 0.5 s, doubled up to 30 s. */
  readonly backOff?: KeptWorkerOptions['backOff'];
  /** A process is replaced after this many scripts; default 5,000. */
  readonly recycleAfter?: number;
  /** … or when it has more resident memory than this, in bytes. */
  readonly recycleAbove?: number;
  readonly random?: () => number;
}

export interface Planner {
  /** Starts the worker in the background and warms it. */
  start(): void;
  /**
   * Plans one script. Waits while the worker starts.
   * @throws PlanError PLANNER_UNAVAILABLE at once when there is no worker (try again later), PLAN_TIMEOUT, PLAN_CRASH,
   *   PLAN_INTERNAL; the signal's reason when it is aborted
   */
  plan(prepared: PreparedScript, signal?: AbortSignal): Promise<PlannedScript>;
  state(): PlannerState;
  /** Names the worker that plans such scripts, and its settings; part of `planKey`. Known without a running process. */
  build(script: Pick<PreparedScript, 'engine' | 'engineVersion'>): string;
  /** The planners of other versions that were started and not stopped since. */
  others(): readonly VersionState[];
  /** Ends the process, gracefully first. Waiting scripts are refused with PLANNER_UNAVAILABLE. */
  stop(): Promise<void>;
}

/** The planner of a version that the settings name. */
export interface VersionState {
  readonly version: string;
  readonly state: PlannerState;
}

/** All; the validated trees, the cheap part; no more than the text tells. */
type Depth = 'plan' | 'tree' | 'text';

const lesserDepth: Readonly<Record<Depth, Depth | undefined>> = { plan: 'tree', tree: 'text', text: undefined };

interface Job {
  readonly prepared: PreparedScript;
  /** Settles the caller's promise; later calls do nothing. */
  readonly settle: (outcome: PlannedScript | PlanError) => void;
  /** The caller has its answer or no longer wants one. */
  isSettled: boolean;
  /** Suspect, or victim of another script: is planned with nothing beside it. */
  isAlone: boolean;
  /** Whether the process died with it before. */
  hasCrashed: boolean;
  /** How much is asked of the worker: less after each time that the script brought a process down. */
  depth: Depth;
  /** Why less is asked. */
  verdict: PlanError | undefined;
  timer: NodeJS.Timeout | undefined;
}

/** A process that is large from the start is not replaced over and over. */
const fewestBeforeRecycling = 100;

/** Creates a planner; `start` begins. */
export function createPlanner(options: PlannerOptions): Planner {
  const { timeoutMs, recycleAfter = 5_000, recycleAbove = Number.POSITIVE_INFINITY } = options;
  const queue: Job[] = [];
  const inFlight = new Map<number, Job>();
  let lastId = 0;
  let planned = 0;
  let resident = 0;

  const worker = keepWorker({
    source: options.source,
    startTimeoutMs: options.startTimeoutMs ?? 120_000,
    backOff: options.backOff ?? { firstMs: 500, maxMs: 30_000 },
    random: options.random ?? Math.random,
    report: options.report,
    ready: () => {
      planned = 0;
      resident = 0;
      pump();
    },
    message: (message) => answered(message),
    lost: (reason) => crashed(reason),
    unavailable: (detail) => refuseAll(detail),
  });

  const pump = () => {
    if (worker.state().kind !== 'ready') return;
    if (isUsedUp()) {
      if (inFlight.size === 0) worker.recycle();
      return;
    }
    for (let next = queue[0]; next !== undefined && fits(next); next = queue[0]) {
      queue.shift();
      if (!next.isSettled) send(next);
    }
  };

  const isUsedUp = () => planned >= recycleAfter || (planned >= fewestBeforeRecycling && resident > recycleAbove);

  const fits = (job: Job) =>
    !isUsedUp() && inFlight.size < (job.isAlone ? 1 : workerThreads) && ![...inFlight.values()].some((running) => running.isAlone);

  const send = (job: Job) => {
    lastId += 1;
    planned += 1;
    const id = lastId;
    inFlight.set(id, job);
    // an answer that already lies in the pipe counts: it is read before setImmediate runs
    job.timer = setTimeout(() => setImmediate(() => inFlight.get(id) === job && timedOut(job)), timeoutMs);
    const { mode, catalog, database, options: tableOptions, prelude, statements, functions, inferColumns: infer } = job.prepared;
    const depth = { compile: job.depth === 'plan', validate: job.depth !== 'text' };
    const found = prelude.map(({ text }) => ({ text, line: 1, column: 1 }));
    worker.send({
      id,
      cmd: 'plan',
      mode,
      catalog,
      database,
      options: tableOptions,
      prelude: found,
      statements,
      functions,
      infer,
      ...depth,
    });
  };

  const answered = (message: unknown) => {
    const { id, rss } = (message ?? {}) as { readonly id?: unknown; readonly rss?: unknown };
    const job = typeof id === 'number' ? inFlight.get(id) : undefined;
    if (job === undefined) return;
    inFlight.delete(id as number);
    resident = typeof rss === 'number' ? rss : resident;
    clearTimeout(job.timer);
    worker.proven();
    job.settle(outcomeOf(() => readAnswer(message, requestOf(job), versionOf(worker.state()))));
    pump();
  };

  /** The process is busy for good, so it is killed; the script beside the slow one is planned again, alone. */
  const timedOut = (job: Job) => {
    convict(job, new PlanError('PLAN_TIMEOUT', `the script was not planned within ${timeoutMs} ms`));
    takeBack();
    worker.restart('a script took too long');
  };

  /** Who was to blame is not known, and it may have come from outside: each script gets a second chance, alone. */
  const crashed = (reason: string) => {
    for (const job of inFlight.values()) {
      if (job.hasCrashed) convict(job, new PlanError('PLAN_CRASH', `the planner process died again with this script: ${reason}`));
      job.hasCrashed = true;
    }
    takeBack();
  };

  /** A script that brings the process down is tried without compiling, which is where scripts explode; then only read. */
  const convict = (job: Job, verdict: PlanError) => {
    const depth = job.prepared.engine === 'spark' ? undefined : lesserDepth[job.depth];
    if (depth === undefined) job.settle(verdict);
    else Object.assign(job, { depth, verdict } satisfies Partial<Job>);
  };

  const takeBack = () => {
    const jobs = [...inFlight.values()].filter((job) => !job.isSettled);
    for (const job of inFlight.values()) clearTimeout(job.timer);
    inFlight.clear();
    for (const job of jobs) job.isAlone = true;
    queue.unshift(...jobs);
  };

  const refuseAll = (detail: string) => {
    takeBack();
    for (const job of queue.splice(0)) job.settle(unavailable(detail));
  };

  return {
    start: () => worker.start(),
    state: () => worker.state(),
    build: () => options.source.build(),
    others: () => [],
    plan: (prepared, signal) =>
      new Promise((resolve, reject) => {
        const state = worker.state();
        if (state.kind === 'unavailable') throw unavailable(state.detail);
        signal?.throwIfAborted();
        const abandon = () => {
          job.isSettled = true;
          reject(signal?.reason);
        };
        const job: Job = {
          prepared,
          settle: (outcome) => {
            if (job.isSettled) return;
            job.isSettled = true;
            signal?.removeEventListener('abort', abandon);
            if (outcome instanceof PlanError) reject(outcome);
            else resolve(outcome);
          },
          isSettled: false,
          isAlone: false,
          hasCrashed: false,
          depth: 'plan',
          verdict: undefined,
          timer: undefined,
        };
        signal?.addEventListener('abort', abandon, { once: true });
        queue.push(job);
        pump();
      }),
    stop: async () => {
      refuseAll('the planner was stopped');
      await worker.stop();
    },
  };
}

const versionOf = ({ flink, spark }: PlannerState): string => (spark === undefined ? (flink ?? '') : `Spark ${spark}`);

const requestOf = ({ prepared, depth, verdict }: Job) => ({
  prepared,
  compile: depth === 'plan',
  verdict: depth === 'text' ? verdict : undefined,
});

function outcomeOf(read: () => PlannedScript): PlannedScript | PlanError {
  try {
    return read();
  } catch (cause) {
    return cause instanceof PlanError ? cause : new PlanError('PLAN_INTERNAL', String(cause), { cause });
  }
}

function unavailable(detail: string): PlanError {
  return new PlanError('PLANNER_UNAVAILABLE', detail);
}
