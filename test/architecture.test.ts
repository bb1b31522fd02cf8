// Reads every import of src/ and keeps the direction of the stages: each knows earlier ones, through their faces only.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from './support/shared.ts';

const src = join(repositoryRoot, 'src');
const order = [
  'errors',
  'http',
  'database',
  'settings',
  'extension',
  'watch',
  'optin',
  'plan',
  'catalogs',
  'lineage',
  'actions',
  'identity',
  'names',
  'openlineage',
  'validation',
  'state',
  'outbox',
  'transports',
  'injection',
  'ops',
  'daemon',
  'relay',
  'cli',
] as const;
type Folder = (typeof order)[number];

/** Folders a stage may not import although they come earlier in the list. */
const forbidden: Partial<Record<Folder, readonly Folder[]>> = {
  optin: ['plan'],
  catalogs: ['watch', 'optin'],
  lineage: ['database', 'settings', 'extension', 'watch', 'optin', 'catalogs'],
  actions: ['database', 'settings', 'extension', 'optin', 'catalogs'],
  identity: ['database', 'settings', 'extension', 'optin', 'catalogs', 'actions'],
  names: ['watch', 'optin', 'plan', 'catalogs', 'lineage', 'actions'],
  openlineage: ['database', 'settings', 'extension', 'optin', 'plan', 'catalogs', 'actions', 'names'],
  validation: ['database', 'settings', 'extension', 'watch', 'optin', 'plan', 'catalogs', 'lineage', 'actions', 'identity', 'names'],
  state: ['watch', 'optin', 'plan', 'catalogs', 'lineage', 'actions', 'identity', 'names'],
  outbox: ['watch', 'optin', 'plan', 'catalogs', 'lineage', 'actions', 'identity', 'names'],
  transports: ['database', 'watch', 'optin', 'plan', 'catalogs', 'lineage', 'actions', 'identity', 'names', 'state'],
  ops: [
    'database',
    'settings',
    'watch',
    'optin',
    'plan',
    'catalogs',
    'lineage',
    'actions',
    'identity',
    'names',
    'openlineage',
    'state',
    'outbox',
    'transports',
  ],
};
/** The pure stages import no module of Node but crypto, and no package but those that compute only; the schema validator loads late. */
const pure: readonly Folder[] = ['lineage', 'actions', 'identity', 'openlineage'];
const allowed = new Set(['node:crypto', 'yaml', 'ajv/dist/2020.js', 'ajv-formats']);

interface Import {
  readonly file: string;
  readonly folder: Folder;
  readonly specifier: string;
  readonly typeOnly: boolean;
}

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((f) => f.endsWith('.ts'));
const imports: Import[] = files.flatMap((file) => {
  const text = readFileSync(join(src, file), 'utf8');
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\s+(type\s)?[^;'"]*?from\s+'([^']+)'|import\('([^']+)'\)|(?:^|\n)import\s+'([^']+)'/g,
  );
  return [...found].map((m) => ({
    file,
    folder: file.split('/')[0] as Folder,
    specifier: m[2] ?? m[3] ?? m[4] ?? '',
    typeOnly: m[1] !== undefined,
  }));
});

const target = (i: Import): string => relative(src, resolve(dirname(join(src, i.file)), i.specifier));

describe('imports', () => {
  it('are found', () => {
    expect(imports.length).toBeGreaterThan(100);
  });

  it('name only known folders', () => {
    const folders = new Set(files.filter((f) => f.includes('/')).map((f) => f.split('/')[0]));
    expect([...folders].filter((f) => !order.includes(f as Folder))).toEqual([]);
  });

  it('go from later to earlier stages only, through the face of the folder', () => {
    const wrong = imports
      .filter((i) => i.specifier.startsWith('.') && i.folder !== ('main.ts' as Folder))
      .flatMap((i) => {
        const [folder, ...rest] = target(i).split('/') as [Folder, ...string[]];
        if (folder === i.folder) return [];
        const mine = order.indexOf(i.folder);
        const theirs = order.indexOf(folder);
        if (theirs > mine) return [`${i.file} imports the later stage ${folder}`];
        if (forbidden[i.folder]?.includes(folder)) return [`${i.file} must not know ${folder}`];
        if (rest.join('/') !== `${folder}.ts`) return [`${i.file} imports ${folder}/${rest.join('/')} instead of its face`];
        return [];
      });
    expect(wrong).toEqual([]);
  });

  it('keep the pure stages pure', () => {
    const wrong = imports
      .filter((i) => pure.includes(i.folder) && !i.specifier.startsWith('.') && !allowed.has(i.specifier))
      .map((i) => `${i.file} imports ${i.specifier}`);
    expect(wrong).toEqual([]);
  });
});

describe('files', () => {
  it('stay under 400 lines', () => {
    const long = files.filter((f) => readFileSync(join(src, f), 'utf8').split('\n').length > 400);
    expect(long).toEqual([]);
  });
});
