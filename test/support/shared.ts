// Where the shared fixtures are: beside the checkout. In CI their absence is a failure, elsewhere a skip that says so.
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** Folder of the repository. */
export const repositoryRoot = root;

/** `<repository>/../shared`, or undefined where it does not exist outside CI. */
export function sharedDir(): string | undefined {
  const dir = join(root, '..', 'shared');
  if (existsSync(join(dir, 'fixtures'))) return dir;
  if (process.env['CI'] === 'true') throw new Error(`${dir} is missing; CI must have it`);
  return undefined;
}
