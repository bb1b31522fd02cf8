// Where tools take regular expressions of table names, most people write names. What stands for known names is taken apart here;
// what only the database could answer gives undefined. Nothing is run as a regular expression, so no input is slow.

const name = /^[\p{L}\p{N}_$@#-]+(?: [\p{L}\p{N}_$@#-]+)*$/u;

/** Alternatives that are looked at; nobody lists more by hand. */
const most = 2_000;

/** Alternatives of `a|b` or `(a|b)`; undefined where they are too many. */
function alternatives(pattern: string): string[] | undefined {
  const inner = /^\((.*)\)$/s.exec(pattern.trim())?.[1] ?? pattern.trim();
  const parts = [...new Set(inner.split('|').map((part) => part.trim()))];
  return parts.length > most ? undefined : parts;
}

/** The names in `a`, `a|b` or `(a|b)`; undefined for a pattern that may match others. */
export function literalNames(pattern: string): string[] | undefined {
  const names = alternatives(pattern)?.map((part) => ({ plain: part.replace(/\\[._$-]/g, '_'), name: part.replace(/\\([._$-])/g, '$1') }));
  if (names === undefined || !names.every(({ plain }) => name.test(plain))) return undefined;
  return names.map((found) => found.name);
}

/**
 * Whether a name matches a pattern as a whole, where the pattern is made of names, of `.*` and `.+` around one, and of `|`;
 * undefined for any other.
 */
export function matches(pattern: string, table: string): boolean | undefined {
  const parts = alternatives(pattern);
  let undecided = parts === undefined;
  for (const part of parts ?? []) {
    const [, before, middle, after] = /^(\.[*+])?((?:\\[._$-]|[\p{L}\p{N}_$@#-])*)(\.[*+])?$/u.exec(part) ?? [];
    if (middle === undefined) undecided = true;
    else if (isMatch(table, middle.replace(/\\(.)/g, '$1'), before, after)) return true;
  }
  return undecided ? undefined : false;
}

function isMatch(table: string, middle: string, before: string | undefined, after: string | undefined): boolean {
  const least = (end: string | undefined) => (end === '.+' ? 1 : 0);
  if (before === undefined && after === undefined) return table === middle;
  if (middle === '') return table.length >= least(before) + least(after);
  if (before === undefined) return table.startsWith(middle) && table.length - middle.length >= least(after);
  if (after === undefined) return table.endsWith(middle) && table.length - middle.length >= least(before);
  const at = table.indexOf(middle, least(before));
  return at >= 0 && table.length - at - middle.length >= least(after);
}

/** Parts of a table id of Flink CDC: a dot parts them, an escaped dot belongs to the pattern. */
export function tableIdParts(text: string): string[] {
  return text
    .trim()
    .split(/(?<!\\)\./)
    .map((part) => part.trim().replaceAll('\\.', '.'));
}

/** Splits a list at commas outside of brackets. */
export function splitList(text: string): string[] {
  const parts: string[] = [];
  let level = 0;
  let start = 0;
  for (let i = 0; i < text.length; i += 1) {
    if ('([{'.includes(text[i] ?? '')) level += 1;
    else if (')]}'.includes(text[i] ?? '')) level = Math.max(0, level - 1);
    else if (text[i] === ',' && level === 0) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  return [...parts, text.slice(start)].map((part) => part.trim()).filter((part) => part !== '');
}
