// Asks the catalogs of the settings for tables, within limits, and keeps the answers for a while. A catalog that does not
// answer is left alone for a minute, so that it does not hold up one script after the other.
import type { CatalogFacts, TablePath } from '../plan/plan.ts';
import type { CatalogSettings } from '../settings/settings.ts';
import { openCatalog } from './open.ts';
import { type CatalogReader, type CatalogTable, Unreadable } from './table.ts';

/** A table with the catalog it is to be found in. */
export interface Wanted {
  readonly path: TablePath;
  readonly entry: CatalogSettings;
}

/** `table` is undefined where the catalog has none; `problem` says why it could not be asked. */
export interface Answered extends Wanted {
  readonly table?: CatalogTable | undefined;
  readonly problem?: string;
  /** When the answer ceases to be taken for true, in ms since the epoch. */
  readonly until: number;
}

export interface Finder {
  /** Answers for all, in their order. Rejects with the signal's reason only. */
  find(
    wanted: readonly Wanted[],
    definitions: Readonly<Record<string, CatalogFacts>>,
    signal: AbortSignal | undefined,
  ): Promise<readonly Answered[]>;
}

/** Questions to one catalog at a time. */
const concurrency = 4;
/** Longest time for one script, whatever it asks for. */
const longestMs = 30_000;
/** How long an absence, or a catalog that does not answer, is taken for granted. */
const holdOffMs = 60_000;
const maxKept = 10_000;

interface Kept {
  readonly tables: Map<string, { readonly table: CatalogTable | undefined; readonly until: number }>;
  down: { readonly problem: string; readonly until: number } | undefined;
}

export function createFinder(now: () => number): Finder {
  const kept = new Map<CatalogSettings, Map<string, Kept>>();

  /** What is known of a catalog; apart for each definition, where the script tells the address. */
  const keptOf = (entry: CatalogSettings, definition: CatalogFacts | undefined): Kept => {
    const key = JSON.stringify(definition?.options ?? null);
    const ofEntry = kept.get(entry) ?? new Map<string, Kept>();
    kept.set(entry, ofEntry);
    const found = ofEntry.get(key) ?? { tables: new Map(), down: undefined };
    ofEntry.delete(key);
    ofEntry.set(key, found);
    dropOldest(ofEntry);
    return found;
  };

  const findIn = async (entry: CatalogSettings, paths: readonly TablePath[], definition: CatalogFacts | undefined, stop: AbortSignal) => {
    const known = keptOf(entry, definition);
    let reader: CatalogReader | undefined;
    const read = async (path: TablePath): Promise<Omit<Answered, 'path' | 'entry'>> => {
      const key = JSON.stringify(path.slice(1));
      const before = known.tables.get(key);
      if (before !== undefined && now() < before.until) return before;
      if (known.down !== undefined && now() < known.down.until) return known.down;
      const timeout = AbortSignal.timeout(entry.timeout);
      try {
        reader ??= openCatalog(entry, definition);
        const table = await reader.read(path, AbortSignal.any([stop, timeout]));
        const until = now() + (table === undefined ? Math.min(holdOffMs, entry.maxAge) : entry.maxAge);
        known.tables.set(key, { table, until });
        dropOldest(known.tables);
        return { table, until };
      } catch (error) {
        const problem = problemOf(error, timeout.aborted ? `no answer within ${entry.timeout} ms` : 'it takes too long');
        const failed = { problem, until: now() + holdOffMs };
        if (!(error instanceof Unreadable) || error.concerns === 'catalog') known.down = failed;
        return failed;
      }
    };
    try {
      return await inTurn(paths, async (path) => ({ path, entry, ...(await read(path)) }));
    } finally {
      reader?.close();
    }
  };

  return {
    async find(wanted, definitions, signal) {
      const overall = AbortSignal.timeout(longestMs);
      const stop = signal === undefined ? overall : AbortSignal.any([signal, overall]);
      const entries = [...new Set(wanted.map(({ entry }) => entry))];
      const answers = await Promise.all(
        entries.map((entry) => {
          const paths = wanted.filter((each) => each.entry === entry).map(({ path }) => path);
          return findIn(entry, paths, definitions[entry.catalog], stop);
        }),
      );
      signal?.throwIfAborted();
      const byPath = new Map(answers.flat().map((answer) => [JSON.stringify(answer.path), answer]));
      return wanted.flatMap(({ path }) => byPath.get(JSON.stringify(path)) ?? []);
    },
  };
}

function problemOf(error: unknown, late: string): string {
  if (error instanceof Unreadable) return error.message;
  const name = (error as { readonly name?: unknown } | null)?.name;
  return name === 'TimeoutError' || name === 'AbortError' ? late : 'it cannot be read';
}

function dropOldest(map: Map<unknown, unknown>): void {
  if (map.size > maxKept) map.delete(map.keys().next().value);
}

/** A few at a time, in order. */
async function inTurn<T, U>(items: readonly T[], work: (item: T) => Promise<U>): Promise<U[]> {
  const results: U[] = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const at = next++;
      results[at] = await work(items[at] as T);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
  return results;
}
