// One worker process: JSON lines to its stdin, JSON lines from its stdout, log lines from its stderr. It knows nothing of
// scripts. When this program dies, whatever kills it, the pipe to stdin closes, and on that the worker ends.
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { frameReader } from './frames.ts';

/** How to start a worker. `env` is all that the process sees of the environment. */
export interface WorkerCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** What to start at once when this one ends before it is ready. */
  readonly fallback?: WorkerCommand;
}

export interface WorkerHandlers {
  /** A line of stdout that is JSON. */
  readonly message: (message: unknown) => void;
  /** A line of stderr, or one of stdout that is not JSON. */
  readonly log: (line: string) => void;
  /** The process ended or never began; called once, after the last message. */
  readonly exit: (reason: string) => void;
}

export interface WorkerProcess {
  readonly pid: number | undefined;
  send(message: unknown): void;
  /** Asks the process to end, kills it after `graceMs`, resolves when it is gone. */
  quit(graceMs: number): Promise<void>;
  /** SIGKILL; `reason` is then the reason of the exit. */
  kill(reason: string): void;
  /** Resolves when the process is gone. */
  readonly exited: Promise<void>;
}

/** Longest answer: the plan of a very large script is some 10 MB. */
export const maxFrameBytes = 64 * 1024 * 1024;
const maxLogLine = 2000;

/** Starts a worker process. A file that cannot be started is an exit, not an exception. */
export function spawnWorker(command: WorkerCommand, on: WorkerHandlers): WorkerProcess {
  const child = spawn(command.file, [...command.args], { env: { ...command.env }, stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true });
  let killedFor: string | undefined;
  const kill = (reason: string) => {
    killedFor ??= reason;
    child.kill('SIGKILL');
  };
  const exited = new Promise<void>((resolve) => {
    let isOver = false;
    const end = (reason: string) => {
      if (isOver) return;
      isOver = true;
      on.exit(killedFor ?? reason);
      resolve();
    };
    child.on('error', (error: NodeJS.ErrnoException) => {
      if (child.pid === undefined) end(`${command.file} cannot be started (${error.code ?? error.message})`);
    });
    child.on('close', (code, signal) => end(signal === null ? `it ended with exit code ${code}` : `it was killed by ${signal}`));
  });
  const parse = (line: string) => {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      on.log(line.slice(0, maxLogLine));
      return;
    }
    on.message(message);
  };
  child.stdout.on(
    'data',
    frameReader(maxFrameBytes, parse, () => kill(`its answer is longer than ${maxFrameBytes} bytes`)),
  );
  child.stderr.on('data', lines(on.log));
  // a process that is going away breaks its pipe; its exit says so
  child.stdin.on('error', () => {});
  return {
    pid: child.pid,
    send: (message) => {
      child.stdin.write(`${JSON.stringify(message)}\n`);
    },
    kill,
    exited,
    quit: async (graceMs) => {
      child.stdin.end(`${JSON.stringify({ cmd: 'quit' })}\n`);
      await Promise.race([exited, sleep(graceMs, undefined, { ref: false })]);
      kill('it did not end when asked to');
      await exited;
    },
  };
}

/** Lines of a log stream, each cut to a bearable length, so that a flood costs no memory. */
function lines(onLine: (line: string) => void): (chunk: Buffer) => void {
  let rest = '';
  return (chunk) => {
    const parts = `${rest}${chunk.toString('utf8')}`.split(/\r?\n/);
    rest = (parts.pop() ?? '').slice(0, maxLogLine);
    for (const line of parts) if (line.trim() !== '') onLine(line.slice(0, maxLogLine));
  };
}
