// Our schema files, parsed; the validator itself reads no files.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../support/shared.ts';

/** Every JSON file of a folder tree, by its path below it. */
export function jsonFiles(dir: string): Record<string, unknown> {
  const names = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));
  return Object.fromEntries(names.sort().map((name) => [name, JSON.parse(readFileSync(join(dir, name), 'utf8'))]));
}

/** The files of `schemas/`. */
export const ownSchemas = (): Record<string, unknown> => jsonFiles(join(repositoryRoot, 'schemas'));
