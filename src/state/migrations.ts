// The numbered SQL files: which there are, what they say, which of them a database still lacks.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SqlFamily } from '../database/database.ts';
import { StateError } from '../errors/errors.ts';

/** `sql/` of the installation: two levels up from src/state as from dist/state. */
export const installedSqlFolder = resolve(dirname(fileURLToPath(import.meta.url)), '../../sql');

export interface Migration {
  readonly number: number;
  readonly name: string;
  /** SHA-256 (hex) of the text with LF line ends. */
  readonly checksum: string;
  /** The first line is `-- breaking`: an older program cannot read the tables afterwards. */
  readonly breaking: boolean;
  readonly statements: readonly string[];
}

/** A row of the table `migration`. `appliedAt` null: a start was killed in the middle of it (MySQL only). */
export interface AppliedMigration {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
  readonly breaking: boolean;
  readonly steps: number;
  readonly appliedAt: number | null;
}

/** The statements of one file: split at semicolons that end a line, comments cut. The files contain no text literal with either. */
export function statementsOf(text: string): string[] {
  return text
    .replace(/\r\n/g, '\n')
    .replace(/^\s*--.*$/gm, '')
    .split(/;[ \t]*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

/** One file as a migration. */
export function migrationOf(number: number, name: string, text: string): Migration {
  const normal = text.replace(/\r\n/g, '\n');
  return {
    number,
    name,
    checksum: createHash('sha256').update(normal, 'utf8').digest('hex'),
    breaking: /^-- breaking\b/.test(normal),
    statements: statementsOf(normal),
  };
}

/**
 * Reads the files of one family in order. Number 0 makes the table `migration` itself and is not recorded in it.
 * @throws StateError when the installation is incomplete
 */
export function readMigrations(
  sqlFolder: string,
  family: SqlFamily,
): { readonly bootstrap: Migration; readonly migrations: readonly Migration[] } {
  const folder = join(sqlFolder, family);
  let names: string[];
  try {
    names = readdirSync(folder).sort();
  } catch (cause) {
    throw new StateError('INTERNAL', `the installation is incomplete: ${folder} is missing`, { cause });
  }
  const all = names.flatMap((file) => {
    const match = /^(\d{6})_([a-z0-9_]+)\.sql$/.exec(file);
    return match === null ? [] : [migrationOf(Number(match[1]), match[2] as string, readFileSync(join(folder, file), 'utf8'))];
  });
  const [bootstrap, ...migrations] = all;
  if (bootstrap === undefined || all.some((migration, index) => migration.number !== index)) {
    throw new StateError('INTERNAL', `the installation is incomplete: the files in ${folder} are not numbered 0, 1, 2, …`);
  }
  return { bootstrap, migrations };
}

/**
 * What is left to do, in order; the first may be one that was interrupted.
 * @throws StateError STATE_NEWER when the database has a migration that this program does not know
 * @throws StateError STATE_CHECKSUM when a migration differs from the one that was applied
 */
export function pendingMigrations(known: readonly Migration[], applied: readonly AppliedMigration[]): Migration[] {
  const unknown = applied.filter((row) => row.number > known.length);
  if (unknown.length > 0) {
    const newest = Math.max(...unknown.map((row) => row.number));
    const breaking = unknown.some((row) => row.breaking) ? ' with a breaking change' : '';
    throw new StateError('STATE_NEWER', `the state tables are at version ${newest}${breaking}; this program knows version ${known.length}`);
  }
  for (const row of applied) {
    const file = known[row.number - 1];
    if (file !== undefined && file.checksum !== row.checksum) {
      throw new StateError('STATE_CHECKSUM', `migration ${row.number} (${row.name}) differs from the one that was applied`);
    }
  }
  const done = new Set(applied.filter((row) => row.appliedAt !== null).map((row) => row.number));
  return known.filter((migration) => !done.has(migration.number));
}
