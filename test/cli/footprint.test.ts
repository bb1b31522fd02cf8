// What the daemon loads: the embedded database and the schema validator cost memory that `run` must not pay for.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../support/shared.ts';

/** Packages that a file loads when it is imported, by way of other files too; types and late imports do not count. */
function packagesOf(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return new Set();
  seen.add(file);
  const found = new Set<string>();
  for (const match of readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?!type )(?:[^;']*? from )?'([^']+)';/gm)) {
    const specifier = match[1] as string;
    if (specifier.startsWith('.')) for (const name of packagesOf(join(dirname(file), specifier), seen)) found.add(name);
    else if (!specifier.startsWith('node:')) found.add(specifier);
  }
  return found;
}

describe('the daemon', () => {
  it('loads what it needs and nothing of the demo', () => {
    const packages = packagesOf(join(repositoryRoot, 'src', 'cli', 'run.ts'));
    for (const needed of ['kysely', 'mysql2', 'pg', 'pino', 'undici']) expect(packages).toContain(needed);
    expect([...packages].filter((name) => name.startsWith('@electric-sql') || name.startsWith('ajv'))).toEqual([]);
  });
});
