// How the worker is started: which Java, which jars, which flags, and the build id of what it is made of.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PlanError } from '../errors/errors.ts';
import type { WorkerCommand } from './process.ts';
import { type WorkerSource, workerThreads } from './worker.ts';

export interface JavaOptions {
  /** `planner.java`; else JAVA_HOME/bin/java, else java of the PATH. */
  readonly java: string | undefined;
  /** `planner.heap`, such as 256m. */
  readonly heap: string;
  /** Folder of worker.jar and Flink's planner jars. */
  readonly lib: string;
  /** Environment of this process: only PATH, JAVA_HOME and (on Windows) SystemRoot are read. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** `planner/lib` of this installation; the same from `src/plan` and from `dist/plan`. */
export const plannerLib = fileURLToPath(new URL('../../planner/lib', import.meta.url));

const mainClass = 'org.streampark.lineage.planner.Main';

/** The JVM worker. Its build id is a hash of worker.jar and the names of the jars beside it, so it is known without a JVM. */
export function javaWorker(options: JavaOptions): WorkerSource {
  let known: string | undefined;
  return {
    build: () => {
      known ??= buildId(options.lib);
      return known ?? 'missing';
    },
    command: () => {
      // the jars may have been replaced since the last start
      known = undefined;
      return javaCommand(options);
    },
  };
}

function buildId(lib: string): string | undefined {
  const jar = join(lib, 'worker.jar');
  if (!existsSync(jar)) return undefined;
  const hash = createHash('sha256').update(readFileSync(jar));
  for (const name of jarNames(lib)) hash.update(`\n${name}`);
  return hash.digest('hex').slice(0, 16);
}

function jarNames(lib: string): string[] {
  return readdirSync(lib)
    .filter((name) => name.endsWith('.jar'))
    .sort();
}

function javaCommand({ java, heap, lib, env }: JavaOptions): WorkerCommand {
  if (!existsSync(join(lib, 'worker.jar'))) throw new PlanError('PLANNER_UNAVAILABLE', `${join(lib, 'worker.jar')} is missing`);
  const archive = join(lib, 'worker.jsa');
  const home = env['JAVA_HOME'];
  return {
    file: java ?? (home ? join(home, 'bin', 'java') : 'java'),
    args: [
      `-Xmx${heap}`,
      // deeply nested expressions overflow the usual stack
      '-Xss32m',
      '-XX:+UseSerialGC',
      '-XX:TieredStopAtLevel=1',
      '-XX:+ExitOnOutOfMemoryError',
      // no dumps: memory holds scripts with passwords
      '-XX:-HeapDumpOnOutOfMemoryError',
      '-XX:-CreateCoredumpOnCrash',
      '-Xshare:auto',
      ...(existsSync(archive) ? [`-XX:SharedArchiveFile=${archive}`] : []),
      // JVM warnings go to stdout by default, which is the protocol's
      '-Xlog:disable',
      '-Xlog:all=error:stderr',
      '-cp',
      join(lib, '*'),
      mainClass,
      String(workerThreads),
    ],
    env: Object.fromEntries(
      Object.entries({ PATH: env['PATH'], LANG: 'C.UTF-8', SystemRoot: env['SystemRoot'] }).flatMap(([key, value]) =>
        value === undefined ? [] : [[key, value]],
      ),
    ),
  };
}
