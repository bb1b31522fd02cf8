// CDC connectors take regular expressions where most people write a name. A text without metacharacters is a name.

const metacharacter = /[.^$*+?()[\]{}|,]/;

/**
 * The one name a pattern stands for: escaped punctuation is literal (`my\.db`), anything else that could match more than
 * itself gives undefined. `dots`: unescaped dots are part of the name (`dbo.orders`).
 */
export function literalName(pattern: string, dots = false): string | undefined {
  let name = '';
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern.charAt(at);
    if (character === '\\') {
      const escaped = pattern.charAt(++at);
      if (!/^[^A-Za-z0-9\\\s]$/.test(escaped)) return undefined;
      name += escaped;
    } else if (metacharacter.test(character) && !(dots && character === '.')) return undefined;
    else name += character;
  }
  return name === '' ? undefined : name;
}

/** The expressions of a list: separated by commas, an escaped comma (`\\,`) is none; blanks around them are not theirs. */
export function splitList(list: string): string[] {
  const parts: string[] = [];
  let part = '';
  for (let at = 0; at < list.length; at++) {
    const character = list.charAt(at);
    if (character === ',') {
      parts.push(part);
      part = '';
    } else if (character === '\\') {
      const escaped = list.charAt(++at);
      part += escaped === ',' ? ',' : `\\${escaped}`;
    } else part += character;
  }
  return [...parts, part].map((each) => each.trim()).filter((each) => each !== '');
}
