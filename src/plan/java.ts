// How the worker is started: which Java, which jars, which flags, and the build id of what it is made of.
// The run that records the class-data archive stands here too: the JVM takes an archive only with the class path it was made with.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PlanError } from '../errors/errors.ts';
import { classPathOf, type FlinkFolder } from './distribution.ts';
import type { WorkerCommand } from './process.ts';
import { type WorkerSource, workerThreads } from './worker.ts';

export interface JavaOptions {
  /** `planner.java`; else JAVA_HOME/bin/java, else java of the PATH. */
  readonly java: string | undefined;
  /** `planner.heap`, such as 256m. */
  readonly heap: string;
  /** Folder of worker.jar and the bundled planner's jars. */
  readonly lib: string;
  /** The planner jars of another Flink version, in the place of the bundled ones. */
  readonly flink?: FlinkFolder;
  /** Whose planner it is; default flink. */
  readonly engine?: 'flink' | 'spark';
  /** Environment of this process: only PATH, JAVA_HOME and (on Windows) SystemRoot are read. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** `planner/lib` of this installation; the same from `src/plan` and from `dist/plan`. */
export const plannerLib = fileURLToPath(new URL('../../planner/lib', import.meta.url));

/** `planner/spark/lib` of this installation, which is there only where it was asked for. */
export const sparkLib = fileURLToPath(new URL('../../planner/spark/lib', import.meta.url));

/** Spark looks for the address of its host otherwise. */
const ownEnv = { flink: {}, spark: { SPARK_LOCAL_IP: '127.0.0.1' } } as const;

const mainClass = { flink: 'org.streampark.lineage.planner.Main', spark: 'org.streampark.lineage.planner.spark.Main' } as const;

/** The JVM worker. Its build id is a hash of worker.jar and the names of the jars beside it, so it is known without a JVM. */
export function javaWorker(options: JavaOptions): WorkerSource {
  let known: string | undefined;
  return {
    build: () => {
      known ??= buildId(options);
      return known ?? 'missing';
    },
    command: () => {
      // the jars may have been replaced since the last start
      known = undefined;
      return workerCommand(options);
    },
  };
}

function buildId(options: JavaOptions): string | undefined {
  const jar = join(options.lib, 'worker.jar');
  if (!existsSync(jar)) return undefined;
  const hash = createHash('sha256').update(readFileSync(jar));
  for (const path of classPath(options)) hash.update(`\n${basename(path)}`);
  return hash.digest('hex').slice(0, 16);
}

/** In a fixed order: that of a wildcard is the folder's, which differs from copy to copy. */
function classPath({ lib, flink }: JavaOptions): readonly string[] {
  const bundled = readdirSync(lib)
    .filter((name) => name.endsWith('.jar'))
    .sort()
    .map((name) => join(lib, name));
  if (flink === undefined) return bundled;
  const own = (names: RegExp) => bundled.filter((path) => names.test(basename(path)));
  // Scala and the like are not beside every planner; where they are, those come first
  return [...own(/^(?:worker|slf4j-nop-.*)\.jar$/), ...classPathOf(flink), ...own(/^(?!flink-|worker\.|slf4j-nop-)/)];
}

/** Where the class-data archive of a jars folder lies: the worker's classes as the JVM maps them, so that it starts in half the time. */
export const archiveOf = (lib: string): string => join(lib, 'worker.jsa');

/** An archive that is stale or of another Java is ignored by the JVM; a damaged one can be fatal, hence the fallback without it. */
function workerCommand(options: JavaOptions): WorkerCommand {
  const archive = archiveOf(options.lib);
  const isBundled = options.flink === undefined;
  const plain = javaCommand(options, ['-Xshare:auto'], String(workerThreads));
  if (!isBundled || !existsSync(archive)) return plain;
  return { ...javaCommand(options, ['-Xshare:auto', `-XX:SharedArchiveFile=${archive}`], String(workerThreads)), fallback: plain };
}

/** Loads what scripts usually load, writes the archive to `file` and ends. */
export function recordingCommand(options: JavaOptions, file: string): WorkerCommand {
  return javaCommand(options, [`-XX:ArchiveClassesAtExit=${file}`], 'warm');
}

function javaCommand(options: JavaOptions, archive: readonly string[], argument: string): WorkerCommand {
  const { java, heap, lib, env, engine = 'flink' } = options;
  if (!existsSync(join(lib, 'worker.jar'))) {
    const cure = engine === 'spark' ? '; `node scripts/planner.mjs --spark` makes it' : '';
    throw new PlanError('PLANNER_UNAVAILABLE', `${join(lib, 'worker.jar')} is missing${cure}`);
  }
  const home = env['JAVA_HOME'];
  return {
    file: java ?? (home ? join(home, 'bin', 'java') : 'java'),
    args: [
      `-Xmx${heap}`,
      // a larger young generation is touched as a whole and makes nothing quicker
      '-XX:MaxNewSize=32m',
      // deeply nested expressions overflow the usual stack
      '-Xss32m',
      '-XX:+UseSerialGC',
      '-XX:TieredStopAtLevel=1',
      '-XX:+ExitOnOutOfMemoryError',
      // no dumps: memory holds scripts with passwords
      '-XX:-HeapDumpOnOutOfMemoryError',
      '-XX:-CreateCoredumpOnCrash',
      `-XX:ErrorFile=${devNull}`,
      ...archive,
      // JVM warnings go to stdout by default, which is the protocol's
      '-Xlog:disable',
      '-Xlog:all=error:stderr',
      '-cp',
      classPath(options).join(delimiter),
      mainClass[engine],
      argument,
    ],
    env: Object.fromEntries(
      Object.entries({ PATH: env['PATH'], LANG: 'C.UTF-8', SystemRoot: env['SystemRoot'], ...ownEnv[engine] }).flatMap(([key, value]) =>
        value === undefined ? [] : [[key, value]],
      ),
    ),
  };
}
