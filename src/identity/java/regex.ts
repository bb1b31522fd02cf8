// Regular expressions of Java, as connectors and OpenLineage's namespace resolvers take them, for JavaScript. What the two
// languages read differently is translated or refused: a pattern that means something else is worse than none.

const lineEnds = '\\n\\r\\u0085\\u2028\\u2029';
const blanks = ' \\t\\n\\x0B\\f\\r';
const token = /\\Q([\s\S]*?)(?:\\E|$)|\\(x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|[\s\S])|\[\^?|\(\?(?:<(?=[A-Za-z])|<?[=!]|:)?|&&|[\s\S]/g;

/** The same expression for JavaScript, global and not anchored; undefined where it has no certain translation. */
export function javaPattern(source: string, ignoreCase = false): RegExp | undefined {
  const inline = source.startsWith('(?i)');
  const translated = translate(inline ? source.slice(4) : source);
  if (translated === undefined) return undefined;
  try {
    return new RegExp(translated, ignoreCase || inline ? 'gi' : 'g');
  } catch {
    return undefined;
  }
}

/** `Matcher.matches()`: the whole text or nothing. */
export const wholeMatch = ({ source, flags }: RegExp): RegExp => new RegExp(`^(?:${source})$`, flags.replace('g', ''));

function translate(source: string): string | undefined {
  let out = '';
  let inClass = false;
  for (const match of source.matchAll(token)) {
    const [text, quoted, escaped] = match;
    const next = source.charAt(match.index + text.length);
    let piece: string | undefined = text;
    if (quoted !== undefined) piece = quoted.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
    else if (escaped !== undefined) piece = escapeOf(escaped, inClass);
    // A class in a class, `&&` and a leading `]` exist in Java only.
    else if (text.startsWith('[')) piece = inClass || next === ']' ? undefined : text;
    else if (text === '&&' && inClass) piece = undefined;
    else if ((text === '(?' && !inClass) || text === '\\') piece = undefined;
    else if (text === '.' && !inClass) piece = `[^${lineEnds}]`;
    if (piece === undefined) return undefined;
    if (escaped === undefined && quoted === undefined) {
      if (text.startsWith('[')) inClass = true;
      else if (text === ']') inClass = false;
    }
    out += piece;
  }
  return inClass ? undefined : out;
}

/** What stands behind a backslash; most letters mean something else in the other language, or nothing. */
function escapeOf(escaped: string, inClass: boolean): string | undefined {
  if (escaped === 's') return inClass ? blanks : `[${blanks}]`;
  if (!inClass) {
    if (escaped === 'S') return `[^${blanks}]`;
    if (escaped === 'A') return '^';
    if (escaped === 'z') return '$';
    if (/^[bB]$/.test(escaped)) return `\\${escaped}`;
  }
  if (/^(?:[dDwWtnrf]|[xu].+)$/.test(escaped)) return `\\${escaped}`;
  return /^[^A-Za-z0-9\s]$/.test(escaped) ? `\\${escaped}` : undefined;
}

/**
 * `Matcher.replaceAll`: `$1` and `${name}` are groups, a backslash makes the next character literal. Undefined where Java throws:
 * a group that is not there, a `$` or backslash with nothing behind it.
 */
export function javaReplaceAll(text: string, pattern: RegExp, replacement: string): string | undefined {
  let failed = false;
  const replaced = text.replace(pattern, (...found: unknown[]) => {
    const named = typeof found.at(-1) === 'object' ? (found.at(-1) as Record<string, string | undefined>) : {};
    const groups = found.slice(
      0,
      found.findIndex((each) => typeof each === 'number'),
    ) as (string | undefined)[];
    const made = fill(replacement, groups, named);
    if (made === undefined) failed = true;
    return made ?? '';
  });
  return failed ? undefined : replaced;
}

function fill(
  replacement: string,
  groups: readonly (string | undefined)[],
  named: Readonly<Record<string, string | undefined>>,
): string | undefined {
  let out = '';
  for (let at = 0; at < replacement.length; at++) {
    const character = replacement.charAt(at);
    if (character === '\\') {
      if (++at >= replacement.length) return undefined;
      out += replacement.charAt(at);
    } else if (character === '$') {
      const rest = replacement.slice(at + 1);
      const name = /^\{([A-Za-z][A-Za-z0-9]*)\}/.exec(rest)?.[1];
      if (name !== undefined) {
        if (!Object.hasOwn(named, name)) return undefined;
        out += named[name] ?? '';
        at += name.length + 2;
        continue;
      }
      // As many digits as still make a group.
      const digits = /^\d+/.exec(rest)?.[0] ?? '';
      let length = Math.min(1, digits.length);
      while (length < digits.length && Number(digits.slice(0, length + 1)) < groups.length) length++;
      if (length === 0 || Number(digits.slice(0, length)) >= groups.length) return undefined;
      out += groups[Number(digits.slice(0, length))] ?? '';
      at += length;
    } else out += character;
  }
  return out;
}
