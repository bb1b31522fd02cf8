// OpenLineage's configuration as one tree: the file, and below it the variables OPENLINEAGE__A__B. Names are compared without
// case and underscores, for the Java client writes apiKey what the Python client writes api_key.

export type Tree = { [key: string]: unknown };

export const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A name as it is compared. */
export const folded = (name: string): string => name.replace(/[_-]/g, '').toLowerCase();

const prefix = 'OPENLINEAGE__';

/**
 * The tree of the variables: `__` nests, and a value that is JSON is read as JSON. A variable for a whole section wins over those
 * for parts of it, as in the clients.
 */
export function environmentTree(env: Readonly<Record<string, string | undefined>>): Tree {
  const tree: Tree = {};
  const given = Object.entries(env).filter(([name, value]) => name.startsWith(prefix) && value !== undefined && value !== '');
  // Longer names first, so that a section replaces its parts.
  for (const [name, value] of given.sort(([a], [b]) => (a < b ? 1 : -1))) {
    const keys = name.slice(prefix.length).toLowerCase().split('__');
    let at = tree;
    for (const key of keys.slice(0, -1)) {
      const inner = at[key];
      const next: Tree = isTree(inner) ? inner : {};
      at[key] = next;
      at = next;
    }
    at[keys.at(-1) ?? ''] = readValue(value ?? '');
  }
  return tree;
}

/** Numbers stay texts: an API key of digits must not lose any. */
function readValue(text: string): unknown {
  if (!/^\s*(?:[[{"]|true\s*$|false\s*$|null\s*$)/.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Joins two trees key by key; `upper` wins. */
export function merged(upper: Tree, lower: Tree): Tree {
  const result: Tree = { ...upper };
  for (const [key, value] of Object.entries(lower)) {
    const same = Object.keys(upper).find((name) => folded(name) === folded(key));
    if (same === undefined) result[key] = value;
    else if (isTree(upper[same]) && isTree(value)) result[same] = merged(upper[same], value);
  }
  return result;
}

/** Takes options out of a section; what is left over was not understood. */
export interface Section {
  /** The value of the first of the names that is there. */
  take(...names: string[]): unknown;
  /** The value as text; undefined when it is neither text nor number. */
  text(...names: string[]): string | undefined;
  /** A path for a message. */
  at(name: string): string;
  /** Paths of what was not taken. */
  rest(): string[];
}

export function section(tree: Tree, path: string): Section {
  const left = new Map(Object.entries(tree).map(([key, value]) => [folded(key), { key, value }]));
  const at = (name: string) => (path === '' ? name : `${path}.${name}`);
  const take = (...names: string[]): unknown => {
    const name = names.map(folded).find((one) => left.has(one));
    const value = name === undefined ? undefined : left.get(name)?.value;
    for (const one of names) left.delete(folded(one));
    return value ?? undefined;
  };
  return {
    take,
    text: (...names) => {
      const value = take(...names);
      return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
    },
    at,
    rest: () => [...left.values()].filter(({ value }) => value !== undefined && value !== null).map(({ key }) => at(key)),
  };
}
