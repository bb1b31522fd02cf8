// Team variables: ${name} -> value, as StreamPark's VariableServiceImpl.replaceVariable does it, with the way back:
// every offset of the replaced text knows where it came from in the stored text.
import { PlanError } from '../errors/errors.ts';
import type { StoredVariable } from '../watch/watch.ts';
import { lastAtMost, lineStarts, type Position, positionAt } from './positions.ts';
import { substituteRepeatedly } from './rescan.ts';

/** A run of the replaced text: from offset `at` on it was copied from offset `stored`, or it stands for the placeholder there. */
export interface Origin {
  readonly at: number;
  readonly stored: number;
  readonly copied: boolean;
}

/** A replaced text and its runs. */
export interface Substituted {
  readonly text: string;
  readonly origins: readonly Origin[];
}

export interface Replaced extends Substituted {
  /** Placeholders left as they are, each name once, where it first stands in the stored text. */
  readonly unknown: readonly (Position & { readonly name: string; readonly ambiguous: boolean })[];
  /** Values of desensitized variables that were put in. */
  readonly secrets: readonly string[];
}

/** One placeholder of the original text that has a value. */
export interface Use {
  readonly placeholder: string;
  readonly at: number;
  readonly value: string;
}

/** One letter, then one or more of letters, digits, dot, underscore, hyphen. No default syntax, no nesting, no escape. */
const placeholders = /\$\{([A-Za-z][A-Za-z0-9._-]+)\}/g;

/**
 * Replaces the variables of a text. The placeholders of the *original* text are taken in order, and each replaces all its
 * occurrences in the result so far; so a placeholder inside a value is replaced only if it also stands later in the
 * original. Names are case-sensitive, a blank value counts as missing, comments and literals are no exception.
 * Of two variables with one name and different values neither is taken.
 * @param maxLength largest result in UTF-16 units
 * @throws PlanError SQL_TOO_LARGE
 */
export function replaceVariables(text: string, variables: readonly StoredVariable[], maxLength: number): Replaced {
  const known = byName(variables);
  const starts = lineStarts(text);
  const unknown = new Map<string, Replaced['unknown'][number]>();
  const secrets = new Set<string>();
  const uses: Use[] = [];
  for (const { 0: placeholder, 1: name = '', index } of text.matchAll(placeholders)) {
    const found = known.get(name);
    if (found === undefined || found.ambiguous) {
      if (!unknown.has(name)) unknown.set(name, { name, ambiguous: found !== undefined, ...positionAt(starts, index) });
      continue;
    }
    uses.push({ placeholder, at: index, value: found.value });
    if (found.secret) secrets.add(found.value);
  }
  const substitute = mayFormPlaceholders(text, uses) ? substituteRepeatedly : substituteOnce;
  const result = substitute(text, uses, maxLength);
  if (result === undefined)
    throw new PlanError('SQL_TOO_LARGE', 'replacing the variables makes the script larger than the planner accepts');
  return { ...result, unknown: [...unknown.values()], secrets: [...secrets] };
}

/** Stored offset of an offset of the replaced text. */
export function storedOffset(origins: readonly Origin[], offset: number): number {
  const run = origins[lastAtMost(origins.length, (i) => origins[i]?.at ?? 0, offset)];
  if (run === undefined) return offset;
  return run.copied ? run.stored + offset - run.at : run.stored;
}

interface Known {
  readonly value: string;
  readonly secret: boolean;
  readonly ambiguous: boolean;
}

function byName(variables: readonly StoredVariable[]): ReadonlyMap<string, Known> {
  const known = new Map<string, Known>();
  for (const { code, value, secret } of variables) {
    if (value.trim() === '') continue;
    const other = known.get(code);
    known.set(code, {
      value,
      secret: secret || other?.secret === true,
      ambiguous: other !== undefined && (other.ambiguous || other.value !== value),
    });
  }
  return known;
}

/** Whether replacing one placeholder can make another: from a value, or from `${a${bb}}`. Hardly ever so. */
function mayFormPlaceholders(text: string, uses: readonly Use[]): boolean {
  return /\$\{[A-Za-z0-9._-]*\$\{/.test(text) || uses.some(({ value }) => /[${}]/.test(value));
}

/** Each placeholder by itself, in one pass. Undefined when the result would be too long. */
function substituteOnce(text: string, uses: readonly Use[], maxLength: number): Substituted | undefined {
  const parts: string[] = [];
  const origins: Origin[] = [];
  let length = 0;
  const add = (part: string, stored: number, copied: boolean) => {
    if (part === '') return;
    origins.push({ at: length, stored, copied });
    parts.push(part);
    length += part.length;
  };
  let read = 0;
  for (const { placeholder, at, value } of uses) {
    add(text.slice(read, at), read, true);
    add(value, at, false);
    read = at + placeholder.length;
    if (length > maxLength) return undefined;
  }
  add(text.slice(read), read, true);
  return length > maxLength ? undefined : { text: parts.join(''), origins };
}
