// What a catalog tells about one of its tables, and the shape of those who ask.
import type { CatalogFacts, TablePath } from '../plan/plan.ts';

export interface CatalogColumn {
  readonly name: string;
  /** A Flink type that this program wrote: never a text of the catalog. */
  readonly type: string;
  readonly comment?: string | undefined;
}

export interface CatalogTable {
  readonly columns: readonly CatalogColumn[];
  readonly primaryKey: readonly string[];
  readonly partitionKeys: readonly string[];
  /** Options that its physical name is made of, such as its location; without secrets. */
  readonly options: Readonly<Record<string, string>>;
}

/** Asks one catalog for the tables of one script. */
export interface CatalogReader {
  /**
   * One table; undefined where the catalog has none of this name.
   * @throws Unreadable
   */
  read(path: TablePath, signal: AbortSignal): Promise<CatalogTable | undefined>;
  /** Asks for nothing in particular: whether the catalog answers. */
  probe(signal: AbortSignal): Promise<void>;
  close(): void;
}

/** Definition of the catalog in the script or a prelude, where there is one. */
export type Definition = CatalogFacts | undefined;

/** Why a catalog, or one of its tables, cannot be read. The message is one line without secrets. */
export class Unreadable extends Error {
  /** `catalog`: asking for other tables is of no use for now. */
  readonly concerns: 'catalog' | 'table';
  constructor(concerns: 'catalog' | 'table', message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.concerns = concerns;
  }
}

/** More than any table that somebody reads by hand; beyond it an answer is taken for nonsense. */
export const maxColumns = 5_000;
export const maxDepth = 32;

/** A name from a catalog as a Flink identifier. */
export const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``;

/** A name of a script as one part of a path. @throws Unreadable for names that would lead elsewhere */
export function pathPart(name: string): string {
  if (name === '' || name === '.' || name === '..') throw new Unreadable('table', 'the name is none of a table');
  return encodeURIComponent(name);
}
