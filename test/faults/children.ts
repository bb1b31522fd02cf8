// Child processes of these tests. A program is bundled once per test file: a bundle starts several times faster than its sources.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'vite';
import { repositoryRoot } from '../support/shared.ts';

export interface ChildProgram {
  /** Starts one; `say` writes a line to its stdin, `onLine` gets each line of its stdout. */
  start(onLine: (line: string) => void): Child;
  /** Kills what still runs, and removes the bundle. */
  close(): Promise<void>;
}

export interface Child {
  say(line: string): void;
  signal(signal: NodeJS.Signals): void;
  /** The signal that ended it, or undefined when it ended by itself. */
  readonly ended: Promise<NodeJS.Signals | undefined>;
}

/** Bundles `test/faults/<name>.ts`. */
export async function childProgram(name: string): Promise<ChildProgram> {
  // As deep as the sources are: they find their files relative to themselves.
  mkdirSync(join(repositoryRoot, 'build'), { recursive: true });
  const folder = mkdtempSync(join(repositoryRoot, 'build', 'test-'));
  await build({
    root: repositoryRoot,
    configFile: false,
    logLevel: 'error',
    build: { ssr: join(repositoryRoot, 'test/faults', `${name}.ts`), outDir: folder, target: 'node20', minify: false },
  });
  const running = new Set<ChildProcess>();
  return {
    start(onLine) {
      const child = spawn(process.execPath, [join(folder, `${name}.js`)], { stdio: ['pipe', 'pipe', 'inherit'] });
      running.add(child);
      const ended = once(child, 'exit').then(() => {
        running.delete(child);
        return child.signalCode ?? undefined;
      });
      child.stdin?.on('error', () => undefined);
      createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', onLine);
      return {
        say: (line) => void child.stdin?.write(`${line}\n`),
        signal: (signal) => void child.kill(signal),
        ended,
      };
    },
    async close() {
      const ends = [...running].map((child) => once(child, 'exit'));
      for (const child of running) child.kill('SIGKILL');
      await Promise.all(ends);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
