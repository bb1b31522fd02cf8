// The planner jars of other Flink versions, fetched through Maven once into a folder that git ignores.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from './shared.ts';

/** The folder with the planner jars of a version, such as 1.20.1. */
export async function flinkJars(version: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(repositoryRoot, 'scripts', 'planner.mjs'), '--flink', version]);
  return stdout.trim();
}
