// The names of every connector value, fork and catalog type, one file per family. Names are a public contract: whoever changes
// one adds an entry under "Identity" in CHANGELOG.md that carries the new fingerprint of the files.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connectorCatalogue, distill, identify, type Symlink } from '../../src/identity/identity.ts';
import type { CatalogFacts, TablePath } from '../../src/plan/plan.ts';
import { repositoryRoot } from '../support/shared.ts';
import { settings } from './samples.ts';

interface GoldenCase {
  readonly options: Readonly<Record<string, string>>;
  readonly catalog?: CatalogFacts;
  readonly table?: TablePath;
  readonly location?: string;
  readonly unresolved?: string;
  readonly datasets?: readonly { readonly namespace: string; readonly name: string; readonly symlinks?: readonly Symlink[] }[];
}

const folder = join(repositoryRoot, 'test/identity/golden');
const files = readdirSync(folder).sort();
const goldens = files.map((file) => [file, JSON.parse(readFileSync(join(folder, file), 'utf8')) as readonly GoldenCase[]] as const);

function nameOf({ options, catalog, table, location }: GoldenCase): Pick<GoldenCase, 'datasets' | 'unresolved'> {
  const path = table ?? (['c', 'sales', 'orders'] as const);
  const facts = { path, temporary: false, options, columns: [], primaryKey: [], partitionKeys: [] };
  const found = identify(distill({ facts, catalog: catalog ?? null }, location ?? null), settings);
  if ('reason' in found) return { unresolved: found.reason };
  return {
    datasets: found.datasets.map(({ namespace, name, symlinks }) => ({ namespace, name, ...(symlinks.length > 0 ? { symlinks } : {}) })),
  };
}

describe.each(goldens)('%s', (_, cases) => {
  it.each(cases.map((each) => [JSON.stringify(each.catalog ?? each.options), each] as const))('%s', (_title, golden) => {
    const { unresolved, datasets } = golden;
    expect(nameOf(golden)).toEqual({
      ...(unresolved === undefined ? {} : { unresolved }),
      ...(datasets === undefined ? {} : { datasets }),
    });
  });
});

describe('golden names', () => {
  it('are there for every connector value, fork and catalog type', () => {
    const cases = goldens.flatMap(([, each]) => each).filter(({ datasets }) => datasets !== undefined);
    const covered = new Set(cases.flatMap(({ options, catalog }) => [options['connector'], catalog?.type?.toLowerCase()]));
    const known = connectorCatalogue().flatMap(({ connectors, forks, catalogs }) => [...connectors, ...forks, ...catalogs]);
    expect(known.filter((name) => !covered.has(name))).toEqual([]);
    expect(known.length).toBeGreaterThan(100);
  });

  it('have the fingerprint that the newest entry under "Identity" in CHANGELOG.md says', () => {
    const hash = createHash('sha256');
    for (const [file, cases] of goldens) hash.update(`${file}\n${JSON.stringify(cases)}\n`);
    const fingerprint = hash.digest('hex').slice(0, 12);
    const [, section = ''] = readFileSync(join(repositoryRoot, 'CHANGELOG.md'), 'utf8').split(/^### Identity$/m);
    const [newest] = /`[0-9a-f]{12}`/.exec(section) ?? [];
    expect(newest, 'a golden changed: add an entry at the top of the list under "Identity" that says which names and why').toBe(
      `\`${fingerprint}\``,
    );
  });
});
