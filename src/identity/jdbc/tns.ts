// Oracle Net descriptors: `(DESCRIPTION=(ADDRESS=(HOST=h)(PORT=1521))(CONNECT_DATA=(SERVICE_NAME=s)))`.

/** `(name=text)` or `(name=(…)(…))`; names are lower-cased. */
export interface TnsGroup {
  readonly name: string;
  readonly text: string;
  readonly groups: readonly TnsGroup[];
}

/** Reads one descriptor that fills the whole text; undefined where brackets or words stand wrong. */
export function parseTns(text: string): TnsGroup | undefined {
  const tokens =
    text
      .match(/"[^"]*"|[()=]|[^()="]+|"/g)
      ?.map((token) => token.trim())
      .filter((token) => token !== '') ?? [];
  let at = 0;

  function group(depth: number): TnsGroup | undefined {
    if (depth > 64 || tokens[at++] !== '(') return undefined;
    let name = '';
    while (at < tokens.length && !/^[()=]$/.test(tokens[at] ?? '')) name += tokens[at++];
    if (tokens[at] === '=') at++;
    const groups: TnsGroup[] = [];
    let value = '';
    while (at < tokens.length && tokens[at] !== ')') {
      if (tokens[at] === '(') {
        const inner = value === '' ? group(depth + 1) : undefined;
        if (inner === undefined) return undefined;
        groups.push(inner);
      } else if (groups.length > 0) return undefined;
      else value += tokens[at++];
    }
    return tokens[at++] === ')' ? { name: name.toLowerCase(), text: value, groups } : undefined;
  }

  const root = group(0);
  return at === tokens.length ? root : undefined;
}

/** All groups of that name, outer before inner, in the order written. */
export const groupsNamed = (group: TnsGroup, name: string): TnsGroup[] => [
  ...(group.name === name ? [group] : []),
  ...group.groups.flatMap((inner) => groupsNamed(inner, name)),
];

/** The first text directly inside `group` under that name; it may be empty. */
export const textOf = (group: TnsGroup | undefined, name: string): string | undefined =>
  group?.groups.find((inner) => inner.name === name)?.text;
