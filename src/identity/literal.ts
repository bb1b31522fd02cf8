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
