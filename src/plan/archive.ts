// Records the class-data archive beside the jars: with the Java that will use it and where it will be used, because it is bound
// to the build of Java and to the paths and time stamps of the jars.
import { rmSync } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { PlanError } from '../errors/errors.ts';
import { archiveOf, type JavaOptions, recordingCommand } from './java.ts';
import { spawnWorker } from './process.ts';

const limitMs = 120_000;

/** The archive that was made: its file and its size in bytes. */
export interface RecordedArchive {
  readonly file: string;
  readonly bytes: number;
}

/**
 * Makes the archive of `options.lib`, in place of one that is there; takes some seconds. A worker never sees half of one.
 * @throws PlanError PLANNER_UNAVAILABLE when the worker does not start, or the folder cannot be written
 */
export async function recordArchive(options: JavaOptions): Promise<RecordedArchive> {
  const file = archiveOf(options.lib);
  const fresh = `${file}.new`;
  rmSync(fresh, { force: true });
  const said: string[] = [];
  let reason = '';
  const worker = spawnWorker(recordingCommand(options, fresh), {
    message: () => {},
    log: (line) => said.push(line),
    exit: (why) => {
      reason = why;
    },
  });
  // a JVM that records does not end while its stdin is open
  await worker.quit(limitMs);
  try {
    const { size } = await stat(fresh);
    if (!reason.endsWith('exit code 0')) throw new Error(reason);
    await rename(fresh, file);
    return { file, bytes: size };
  } catch (cause) {
    await rm(fresh, { force: true });
    throw new PlanError('PLANNER_UNAVAILABLE', `no class-data archive was made: ${[reason, ...said.slice(0, 3)].join('; ')}`, { cause });
  }
}
