// The corpus of events, read from its files.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../support/shared.ts';

const folder = join(repositoryRoot, 'test/fixtures/events');

/** Path of each file. */
export const corpusFiles = (): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.ndjson'))
    .map((name) => join(folder, name));

/** Every event of the corpus, parsed. */
export const corpusEvents = (): Record<string, unknown>[] =>
  corpusFiles().flatMap((file) =>
    readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>),
  );
