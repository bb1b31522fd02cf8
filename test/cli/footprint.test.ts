// What the daemon loads: the embedded database, the schema validator and the driver of a database that it does not open cost memory
// that `run` must not pay for.
import { execFileSync } from 'node:child_process';
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
    for (const needed of ['kysely', 'pino', 'undici']) expect(packages).toContain(needed);
    expect([...packages].filter((name) => name.startsWith('@electric-sql') || /^(ajv|mysql2|pg|kafkajs)\b/.test(name))).toEqual([]);
  });

  it.each([
    ['mysql://u@127.0.0.1/d', 'mysql2'],
    ['postgresql://u@127.0.0.1/d', 'pg'],
  ])('loads the driver of the family that it opens: %s', (url, driver) => {
    const file = join(repositoryRoot, 'src', 'database', 'database.ts');
    const script = `
      const { openDatabase } = await import(${JSON.stringify(file)});
      const database = openDatabase(${JSON.stringify(url)}, { statementTimeoutMs: 1, connectTimeoutMs: 1, poolSize: 1, onIdleError() {} });
      const { createRequire } = await import('node:module');
      const loaded = Object.keys(createRequire(${JSON.stringify(file)}).cache).join();
      console.log(['mysql2', 'pg'].filter((name) => loaded.includes(\`/node_modules/\${name}/\`)).join());
      await database.close();`;
    const output = execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      cwd: repositoryRoot,
      encoding: 'utf8',
    });
    expect(output.trim()).toBe(driver);
  });

  it('keeps its heap small before it loads the rest', () => {
    const packages = packagesOf(join(repositoryRoot, 'src', 'main.ts'));
    expect([...packages]).toEqual([]);
  });
});
