// Where OpenLineage's own configuration file is looked for, as its clients do.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface FoundFile {
  readonly path: string;
  /** Undefined: it is there and cannot be read. */
  readonly text: string | undefined;
}

/** The first of $OPENLINEAGE_CONFIG, the working directory, and ~/.openlineage that has the file. */
export function findOpenLineageFile(
  env: Readonly<Record<string, string | undefined>>,
  workingDirectory: string,
  home: string | undefined,
): FoundFile | undefined {
  const named = env['OPENLINEAGE_CONFIG']?.trim() || undefined;
  const places = [
    named,
    join(workingDirectory, 'openlineage.yml'),
    home === undefined ? undefined : join(home, '.openlineage', 'openlineage.yml'),
  ];
  for (const path of places) {
    if (path === undefined) continue;
    try {
      return { path, text: readFileSync(path, 'utf8') };
    } catch (error) {
      // A file that was named and is missing is worth a word; at the other places there normally is none.
      const absent = ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
      if (path === named || !absent) return { path, text: undefined };
    }
  }
  return undefined;
}
