// What a script finds already defined in its cluster: DDL from the settings, and the catalogs of Flink's file catalog store.
// Only definitions and options are read; nothing is connected to.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Diagnostic, PlanError } from '../errors/errors.ts';
import type { CatalogSettings, Settings } from '../settings/settings.ts';
import { yamlProperties } from './config.ts';
import type { DeclaredFunction, PreludeStatement } from './script.ts';
import { findSecrets } from './secrets.ts';
import { splitScript } from './split.ts';
import { selectStatements } from './statements.ts';

/** DDL that is planned before scripts: those of one team (id or name) or of all, and those that name `catalog` or all. */
export interface Prelude {
  readonly catalog?: string | undefined;
  readonly team?: string | undefined;
  /** The DDL, or the file it stands in. */
  readonly sql?: string | undefined;
  readonly file?: string | undefined;
}

/** The files that may be looked into. Both throw where a file is not there. */
export interface FoundFiles {
  read(path: string): string;
  list(folder: string): readonly string[];
}

/** What the settings add to every script. */
export interface PlannerSurroundings {
  readonly preludes: readonly Prelude[];
  readonly functions: Readonly<Record<string, DeclaredFunction>>;
  readonly catalogs: readonly CatalogSettings[];
  readonly inferColumns: boolean;
  readonly files: FoundFiles;
}

/** The files of this machine. */
export const localFiles: FoundFiles = {
  read: (path) => readFileSync(path, 'utf8'),
  list: (folder) => readdirSync(folder),
};

/** A script of which nothing but itself is known. */
export const alone: PlannerSurroundings = { preludes: [], functions: {}, catalogs: [], inferColumns: true, files: localFiles };

/** What these settings add to every script. */
export function surroundingsOf({ planner, catalogs }: Pick<Settings, 'planner' | 'catalogs'>): PlannerSurroundings {
  return { preludes: planner.prelude, functions: planner.functions, catalogs, inferColumns: planner.inferColumns, files: localFiles };
}

export interface PreludeInput extends Omit<PlannerSurroundings, 'functions' | 'catalogs' | 'inferColumns'> {
  /** Text of the script without comments: what it does not name is left out. */
  readonly script: string;
  /** Id and name of the team. */
  readonly team: readonly string[];
  readonly catalog: string;
  readonly database: string;
  readonly catalogStore: string | undefined;
}

export interface FoundPrelude {
  readonly statements: readonly PreludeStatement[];
  readonly secrets: readonly string[];
  /** Without a place: they are not about the script's text. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The statements to plan before a script: first the catalogs of the catalog store, then the preludes in their order, which may
 * define them anew. What cannot be read is a warning.
 */
export function preludeOf(input: PreludeInput): FoundPrelude {
  const diagnostics: Diagnostic[] = [];
  const problem = (message: string) => diagnostics.push({ code: 'PRELUDE_INVALID', severity: 'warning', message });
  const texts: string[] = [];
  const statements: PreludeStatement[] = [];
  if (input.catalogStore !== undefined) statements.push(...storedCatalogs(input.catalogStore, input, problem));
  input.preludes.forEach((prelude, i) => {
    const { catalog, team } = prelude;
    if (team !== undefined && !input.team.includes(team)) return;
    if (catalog !== undefined && catalog !== input.catalog && !names(input.script, catalog)) return;
    const origin = prelude.file ?? `planner.prelude[${i}]`;
    try {
      const text = prelude.file === undefined ? (prelude.sql ?? '') : input.files.read(prelude.file);
      const home = [
        `USE CATALOG ${identifier(catalog ?? input.catalog)}`,
        ...(catalog === undefined ? [`USE ${identifier(input.database)}`] : []),
      ];
      texts.push(text);
      statements.push(...home.map((use) => ({ text: use, origin })), ...definitions(text, origin, problem));
    } catch (cause) {
      problem(`${origin}: ${cause instanceof PlanError ? cause.message : reasonOf(cause)}`);
    }
  });
  const secrets = [...texts, ...statements.map(({ text }) => text)].flatMap(findSecrets);
  return { statements, secrets: [...new Set(secrets)], diagnostics };
}

function definitions(text: string, origin: string, problem: (message: string) => void): PreludeStatement[] {
  const { pieces, unclosed } = splitScript(text);
  if (unclosed !== null) problem(`${origin}, line ${unclosed.line}: the ${unclosed.what} is never closed`);
  return selectStatements(pieces).statements.map((piece) => ({ text: piece.text, origin: `${origin}, line ${piece.line}` }));
}

/** Flink keeps one YAML file of options per catalog, named after it. */
function storedCatalogs(store: string, { script, files }: PreludeInput, problem: (message: string) => void): PreludeStatement[] {
  const folder = localFolder(store);
  if (folder === undefined) return [];
  let found: readonly string[];
  try {
    found = files.list(folder);
  } catch {
    // the daemon often runs on another machine than the cluster
    return [];
  }
  return found.flatMap((file) => {
    const catalog = /^(.+)\.ya?ml$/.exec(file)?.[1];
    if (catalog === undefined || !names(script, catalog)) return [];
    const origin = join(folder, file);
    try {
      const options = yamlProperties(files.read(origin)) ?? new Map<string, string>();
      if (!options.has('type')) return [];
      const list = [...options].map(([key, value]) => `${literal(key)} = ${literal(value)}`).join(', ');
      return [{ text: `CREATE CATALOG ${identifier(catalog)} WITH (${list})`, origin }];
    } catch (cause) {
      problem(`${origin}: ${reasonOf(cause)}`);
      return [];
    }
  });
}

function localFolder(path: string): string | undefined {
  if (path.startsWith('/')) return path;
  try {
    return fileURLToPath(path);
  } catch {
    return undefined;
  }
}

/** The catalogs that a script names, for its team: an entry of the team goes before one for all. */
export function catalogsOf(catalogs: readonly CatalogSettings[], script: string, team: readonly string[]): CatalogSettings[] {
  const named = catalogs.filter((entry) => (entry.team === undefined || team.includes(entry.team)) && names(script, entry.catalog));
  return named.filter((entry) => entry.team !== undefined || !named.some((other) => other !== entry && other.catalog === entry.catalog));
}

/** Whether a name stands in the script: a whole word, or part of a quoted one. */
function names(script: string, name: string): boolean {
  const isWordChar = (char: string | undefined) => char !== undefined && /[\p{L}\p{N}_$]/u.test(char);
  for (let at = script.indexOf(name); at >= 0; at = script.indexOf(name, at + 1)) {
    if (!isWordChar(script[at - 1]) && !isWordChar(script[at + name.length])) return true;
  }
  return false;
}

const identifier = (name: string) => `\`${name.replaceAll('`', '``')}\``;
const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;
const reasonOf = (cause: unknown) => (cause as NodeJS.ErrnoException | null)?.code ?? 'it cannot be read';
