// Keeps one worker process alive: start, hello, restart with back-off, recycling, stop. It hands messages through and
// says when a worker is there and when it is gone; which script was to blame is not its business.
import { z } from 'zod';
import { CodedError } from '../errors/errors.ts';
import { spawnWorker, type WorkerCommand, type WorkerProcess } from './process.ts';

/** What a worker is made of and how it is started. */
export interface WorkerSource {
  /** Names the worker with its engine's version; changes whenever its answers may. */
  build(): string;
  /** @throws PlanError PLANNER_UNAVAILABLE when something is missing that the message names */
  command(): WorkerCommand;
}

export interface PlannerState {
  readonly kind: 'starting' | 'ready' | 'unavailable';
  /** Why it is so, one line. */
  readonly detail: string;
  readonly flink?: string;
  /** Instead of `flink`: the reader of Spark SQL. */
  readonly spark?: string;
  readonly java?: string;
  readonly build?: string;
  /** Process id of the ready worker, for its memory. */
  readonly pid?: number;
}

/** What happens to a worker, for logs and metrics: the bundled one, or that of another `version`. `log` lines come from its stderr. */
export type PlannerEvent = { readonly version?: string } & WorkerEvent;

type WorkerEvent =
  | { readonly kind: 'state'; readonly state: PlannerState }
  | { readonly kind: 'restart'; readonly reason: string; readonly delayMs: number }
  | { readonly kind: 'log'; readonly line: string };

export interface KeptWorkerOptions {
  readonly source: WorkerSource;
  /** Longest time from the start to the hello; the worker has planned a script of its own by then, so it is warm. */
  readonly startTimeoutMs: number;
  readonly backOff: { readonly firstMs: number; readonly maxMs: number };
  readonly random: () => number;
  readonly report: (event: PlannerEvent) => void;
  readonly ready: () => void;
  readonly message: (message: unknown) => void;
  /** A ready worker is gone; another is being started. */
  readonly lost: (reason: string) => void;
  /** No worker could be started; it is tried again. */
  readonly unavailable: (detail: string) => void;
}

export interface KeptWorker {
  start(): void;
  state(): PlannerState;
  /** Sends to the ready worker. */
  send(message: unknown): void;
  /** The worker answered sensibly: the next restart is quick again. */
  proven(): void;
  /** Kills the ready worker and starts another; `lost` is not called. */
  restart(reason: string): void;
  /** Replaces the ready, idle worker by a fresh one. */
  recycle(): void;
  stop(): Promise<void>;
}

/** Scripts a worker plans at the same time. */
export const workerThreads = 2;

const protocol = 1;
const hello = z.object({
  ready: z.literal(true),
  protocol: z.number(),
  flink: z.string().optional(),
  spark: z.string().optional(),
  java: z.string(),
  build: z.string(),
});
const quitGraceMs = 2_000;

/** Creates the keeper; nothing is started yet. */
export function keepWorker(options: KeptWorkerOptions): KeptWorker {
  let current: WorkerProcess | undefined;
  let state: PlannerState = { kind: 'unavailable', detail: 'the planner was not started' };
  let failures = 0;
  let isStopped = false;
  let retry: NodeJS.Timeout | undefined;
  const ending = new Set<WorkerProcess>();

  const setState = (next: PlannerState) => {
    const isNews = next.kind !== state.kind || next.detail !== state.detail;
    state = next;
    if (isNews) options.report({ kind: 'state', state });
  };

  const later = (reason: string) => {
    if (isStopped) return;
    const { firstMs, maxMs } = options.backOff;
    const delayMs = Math.round(Math.min(maxMs, firstMs * 2 ** Math.min(failures, 16)) * (0.5 + options.random() / 2));
    failures += 1;
    options.report({ kind: 'restart', reason, delayMs });
    retry = setTimeout(begin, delayMs);
  };

  const giveUp = (detail: string) => {
    setState({ kind: 'unavailable', detail });
    options.unavailable(detail);
    later(detail);
  };

  const begin = () => {
    retry = undefined;
    let command: WorkerCommand;
    try {
      command = options.source.command();
    } catch (cause) {
      giveUp(cause instanceof CodedError ? cause.message : String(cause));
      return;
    }
    current = launch(command);
  };

  const launch = (command: WorkerCommand): WorkerProcess => {
    let isReady = false;
    let firstLog = '';
    const limit = setTimeout(() => worker.kill(`it was not ready within ${options.startTimeoutMs} ms`), options.startTimeoutMs);
    limit.unref();
    const worker = spawnWorker(command, {
      log: (line) => {
        firstLog ||= line;
        options.report({ kind: 'log', line });
      },
      message: (message) => {
        if (current !== worker) return;
        if (isReady) {
          options.message(message);
          return;
        }
        const greeting = hello.safeParse(message);
        if (!greeting.success || greeting.data.protocol !== protocol) {
          worker.kill(`it does not speak protocol ${protocol}`);
          return;
        }
        isReady = true;
        clearTimeout(limit);
        const { flink, spark, java, build } = greeting.data;
        setState({
          kind: 'ready',
          detail: `${spark === undefined ? `Flink ${flink}` : `Spark ${spark}`} on Java ${java}`,
          ...(spark === undefined ? { flink: flink ?? '' } : { spark }),
          java,
          build,
          ...(worker.pid === undefined ? {} : { pid: worker.pid }),
        });
        options.ready();
      },
      exit: (reason) => {
        clearTimeout(limit);
        if (current !== worker) return;
        current = undefined;
        const detail = `the planner process is gone: ${reason}`;
        if (!isReady && command.fallback !== undefined) {
          options.report({ kind: 'restart', reason: detail, delayMs: 0 });
          current = launch(command.fallback);
          return;
        }
        if (!isReady) {
          giveUp(firstLog === '' ? detail : `${detail}; ${firstLog}`);
          return;
        }
        setState({ kind: 'starting', detail });
        options.lost(reason);
        later(detail);
      },
    });
    return worker;
  };

  /** Lets go of the current worker; what it still says is not heard. */
  const release = (): WorkerProcess | undefined => {
    const old = current;
    current = undefined;
    if (old === undefined) return undefined;
    ending.add(old);
    void old.exited.then(() => ending.delete(old));
    return old;
  };

  return {
    start: () => {
      if (current !== undefined || retry !== undefined) return;
      isStopped = false;
      setState({ kind: 'starting', detail: 'the planner is starting' });
      begin();
    },
    state: () => state,
    send: (message) => current?.send(message),
    proven: () => {
      failures = 0;
    },
    restart: (reason) => {
      release()?.kill(reason);
      setState({ kind: 'starting', detail: reason });
      later(reason);
    },
    recycle: () => {
      void release()?.quit(quitGraceMs);
      setState({ kind: 'starting', detail: 'the planner process is replaced by a fresh one' });
      begin();
    },
    stop: async () => {
      isStopped = true;
      clearTimeout(retry);
      retry = undefined;
      void release()?.quit(quitGraceMs);
      setState({ kind: 'unavailable', detail: 'the planner was stopped' });
      await Promise.all([...ending].map((worker) => worker.exited));
    },
  };
}
