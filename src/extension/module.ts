// A module of the user's in a thread of its own. A call has a time limit; a thread that does not even answer a ping is ended and
// started anew for the next call, so that code that computes for ever costs no more than its own calls.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

/** Which function: its place in the exports, or a method of the transport that `instance` makes once per key. */
export interface Target {
  readonly path: readonly (string | number)[];
  readonly instance?: { readonly key: string; readonly args: readonly unknown[] };
}

/** What became of a call. `threw` is the class or code of an error, never its text; `unloadable` is said of the module. */
export type Outcome =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'threw'; readonly threw: string }
  | { readonly kind: 'late' }
  | { readonly kind: 'unloadable'; readonly reason: string };

export interface UserModule {
  /** The exports with `{function: true}` for functions; loads the module where that was not done. */
  shape(): Promise<{ readonly shape: Readonly<Record<string, unknown>> } | { readonly reason: string }>;
  /** Calls a function with copies of the arguments. Never rejects. */
  call(target: Target, args: readonly unknown[], limitMs: number): Promise<Outcome>;
  close(): Promise<void>;
}

/** Longest time for loading a module. */
const loadLimitMs = 10_000;
/** A thread that is alive answers a ping within this. */
const pingLimitMs = 1_000;
const memoryMb = 256;

type Reply = { readonly value?: unknown; readonly threw?: string } | undefined;

interface Thread {
  readonly loaded: Promise<{ readonly shape: Readonly<Record<string, unknown>> } | { readonly reason: string }>;
  /** Undefined: no reply in time, or the thread ended. */
  ask(request: object, limitMs: number): Promise<Reply>;
  end(): Promise<void>;
}

/** Nothing is loaded before the first use; a module that cannot be loaded is tried again with the next one. */
export function openModule(path: string): UserModule {
  let thread: Thread | undefined;

  const running = async (): Promise<
    { readonly thread: Thread; readonly shape: Readonly<Record<string, unknown>> } | { reason: string }
  > => {
    thread ??= startThread(path);
    const mine = thread;
    const loaded = await mine.loaded;
    if ('shape' in loaded) return { thread: mine, shape: loaded.shape };
    await discard(mine);
    return loaded;
  };
  const discard = async (old: Thread) => {
    if (thread === old) thread = undefined;
    await old.end();
  };

  return {
    async shape() {
      const loaded = await running();
      return 'shape' in loaded ? { shape: loaded.shape } : loaded;
    },
    async call(target, args, limitMs) {
      const loaded = await running();
      if ('reason' in loaded) return { kind: 'unloadable', reason: loaded.reason };
      const reply = await loaded.thread.ask({ ...target, args }, limitMs);
      if (reply === undefined) {
        if ((await loaded.thread.ask({ ping: true }, pingLimitMs)) === undefined) await discard(loaded.thread);
        return { kind: 'late' };
      }
      return reply.threw === undefined ? { kind: 'value', value: reply.value } : { kind: 'threw', threw: reply.threw };
    },
    async close() {
      if (thread !== undefined) await discard(thread);
    },
  };
}

function startThread(path: string): Thread {
  const worker = new Worker(new URL('./thread.mjs', import.meta.url), {
    workerData: { url: pathToFileURL(resolve(path)).href },
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    // standard output is for data
    stdout: true,
    stderr: true,
  });
  worker.unref();
  for (const output of [worker.stdout, worker.stderr]) output.on('data', (chunk: Buffer) => void process.stderr.write(chunk));

  const waiting = new Map<number, (reply: Reply) => void>();
  let asked = 0;
  let ended = false;
  let tell: (loaded: Awaited<Thread['loaded']>) => void = () => undefined;
  const loaded = new Promise<Awaited<Thread['loaded']>>((done) => {
    const timer = setTimeout(() => done({ reason: `${path} was not loaded within ${loadLimitMs / 1000} s` }), loadLimitMs);
    tell = (how) => {
      clearTimeout(timer);
      done(how);
    };
  });
  const over = (how: string) => {
    ended = true;
    tell({ reason: `${path} cannot be loaded (${how})` });
    for (const settle of [...waiting.values()]) settle(undefined);
  };
  worker.on('message', (message: { id?: number; shape?: Record<string, unknown>; unloadable?: string }) => {
    if (message.shape !== undefined) tell({ shape: message.shape });
    else if (message.unloadable !== undefined) tell({ reason: `${path} cannot be loaded (${message.unloadable})` });
    else if (message.id !== undefined) waiting.get(message.id)?.(message as Reply);
  });
  worker.on('error', (error: NodeJS.ErrnoException) => over(error.code ?? error.name));
  worker.on('exit', () => over('its thread ended'));

  return {
    loaded,
    ask: (request, limitMs) =>
      new Promise((done) => {
        if (ended) return done(undefined);
        asked += 1;
        const id = asked;
        const settle = (reply: Reply) => {
          clearTimeout(timer);
          waiting.delete(id);
          done(reply);
        };
        const timer = setTimeout(() => settle(undefined), limitMs);
        waiting.set(id, settle);
        worker.postMessage({ ...request, id });
      }),
    end: async () => {
      await worker.terminate();
    },
  };
}
