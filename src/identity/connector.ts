// The shape of one connector family: what it answers for, what it reads, and how it names. `registry.ts` lists them.
import type { ErrorCode } from '../errors/errors.ts';
import type { Dataset, IdentityFacts, IdentitySettings, Symlink, Unresolved } from './identity.ts';

export type Naming = { readonly datasets: readonly Dataset[] } | Unresolved;

/** What stands for many tables or topics, and where these can be listed. */
export interface Pattern {
  readonly kind: 'kafka' | 'mysql' | 'postgres';
  /** The server, as the names of its tables have it. */
  readonly namespace: string;
  /** PostgreSQL lists one database at a time. */
  readonly database: string | null;
  /**
   * Expressions of Java, of which one must match as a whole: for a topic its name; for a table first its database (MySQL) or
   * schema (PostgreSQL), then that with the table (`database.table`, `schema.table`).
   */
  readonly levels: readonly (readonly string[])[];
  readonly ignoreCase: boolean;
}

export interface Connector {
  /** Values of the `connector` option. */
  readonly names: readonly string[];
  /** Catalog types whose tables are of this kind when they have no `connector` option. */
  readonly catalogs: readonly string[];
  /** Table options the rule reads; nothing else of a table is kept. */
  readonly keys: readonly string[];
  /** Catalog options the rule reads. */
  readonly catalogKeys: readonly string[];
  /** Options that may hold credentials, with what takes them out. Applied to table and catalog options. */
  readonly clean: Readonly<Record<string, (value: string) => string>>;
  readonly name: (facts: IdentityFacts, settings: IdentitySettings) => Naming;
  /** Options with lists of servers of which the name takes the first. */
  readonly hostLists?: readonly string[];
  /** The pattern in a table's options, where its tables can be listed; undefined when there is none. */
  readonly pattern?: (facts: IdentityFacts) => Pattern | undefined;
  /** For the reference page: the rule in words, whose answer it is, what the symlinks are, one example. */
  readonly rule: { readonly namespace: string; readonly name: string };
  readonly authority: string;
  readonly alternates: string;
  readonly example: ConnectorExample;
}

export interface ConnectorExample {
  readonly options: Readonly<Record<string, string>>;
  readonly catalog?: { readonly type: string; readonly options: Readonly<Record<string, string>> };
  readonly namespace: string;
  readonly name: string;
}

/** A refusal: the code and one line that names the option, never its value. */
export const refuse = (reason: ErrorCode, message: string): Unresolved => ({ reason, message, silent: false });

export const missing = (key: string): Unresolved => refuse('OPTION_MISSING', `option '${key}' is missing`);

export const invalid = (key: string, why: string): Unresolved => refuse('OPTION_INVALID', `option '${key}' ${why}`);

/** A pattern that nobody looked up; the message shows it, for it names tables and is no secret. */
export const patternLeft = (key: string, pattern: string): Unresolved =>
  refuse('PATTERN_UNRESOLVED', `option '${key}' is a pattern: ${pattern.length > 120 ? `${pattern.slice(0, 120)}…` : pattern}`);

/** One dataset; symlinks equal to it or to each other are dropped. */
export function named(namespace: string, name: string, symlinks: readonly (Symlink | undefined)[] = [], assumed = false): Naming {
  return { datasets: [dataset(namespace, name, symlinks, assumed)] };
}

export function dataset(namespace: string, name: string, symlinks: readonly (Symlink | undefined)[], assumed = false): Dataset {
  const seen = new Set([JSON.stringify([namespace, name])]);
  const distinct = symlinks.filter((link): link is Symlink => {
    const key = link === undefined ? '' : JSON.stringify([link.namespace, link.name]);
    if (key === '' || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  return { namespace, name, symlinks: distinct, ...(assumed ? { assumed } : {}) };
}

export const tableLink = (namespace: string, name: string): Symlink => ({ namespace, name, type: 'TABLE' });

/** The values of options that must be there and not empty, or the refusal. */
export function need<K extends string>(
  options: Readonly<Record<string, string>>,
  ...keys: readonly K[]
): { readonly values: Readonly<Record<K, string>> } | { readonly refusal: Unresolved } {
  const values = {} as Record<K, string>;
  for (const key of keys) {
    const value = options[key];
    if (value === undefined) return { refusal: missing(key) };
    if (value.trim() === '') return { refusal: invalid(key, 'is empty') };
    values[key] = value;
  }
  return { values };
}
