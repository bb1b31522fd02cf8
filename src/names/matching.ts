// Which names a pattern of a script matches. Patterns are written by anybody and may backtrack for ever, so they run under a
// time limit: the daemon must not stand still for one.
import { createContext, Script } from 'node:vm';
import { javaPattern, type Pattern, wholeMatch } from '../identity/identity.ts';

/** A table or topic by its parts. */
export type FoundName = readonly string[];

const longestMs = 500;

// Only data of this program's own making crosses into the context, as JSON. The last level is that of the whole name.
const script = new Script(`
  const [names, levels] = JSON.parse(input);
  const expressions = levels.map((level) => level.map(([source, flags]) => new RegExp(source, flags)));
  const matches = (name) => expressions.every((level, depth) => {
    const text = depth === expressions.length - 1 ? name.join('.') : name[depth];
    return level.some((expression) => expression.test(text));
  });
  JSON.stringify(names.flatMap((name, i) => (matches(name.slice(-expressions.length)) ? [i] : [])));
`);

/** The names that every level of the pattern matches, in their order; a problem where the pattern cannot be followed. */
export function matchNames(
  names: readonly FoundName[],
  { levels, ignoreCase }: Pattern,
): { readonly names: readonly FoundName[] } | { readonly problem: string } {
  const expressions = levels.map((level) => level.map((source) => javaPattern(source, ignoreCase)));
  if (expressions.some((level) => level.length === 0 || level.includes(undefined))) {
    return { problem: 'this program cannot follow the expression' };
  }
  const sources = expressions.map((level) =>
    level.flatMap((pattern) => (pattern === undefined ? [] : [wholeMatch(pattern)])).map(({ source, flags }) => [source, flags]),
  );
  try {
    const context = createContext({ input: JSON.stringify([names, sources]) });
    const found = JSON.parse(script.runInContext(context, { timeout: longestMs }) as string) as number[];
    return { names: found.map((i) => names[i] ?? []) };
  } catch {
    return { problem: 'the expression takes too long' };
  }
}
