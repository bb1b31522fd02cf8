// The `args` column as StreamPark (PropertiesUtils.extractArguments) and Flink (MultipleParameterTool) split it, quirks included.

/**
 * Words of a line. A word that begins with a quote runs to the next word that ends with the same quote, blanks between them
 * becoming one; `key='value'` loses its quotes; a quote anywhere else stays.
 */
export function splitArguments(args: string): string[] {
  const words = args.split(/[ \t\n\v\f\r]+/).filter((word) => word !== '');
  const found: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    let word = words[at] ?? '';
    const quote = word[0];
    if (quote === "'" || quote === '"') {
      while (!word.endsWith(quote) && at + 1 < words.length) {
        at += 1;
        word += ` ${words[at]}`;
      }
      found.push(word.slice(1, -1));
    } else {
      found.push(word.replace(/^(.*)=(['"])(.*)\2$/s, '$1=$3'));
    }
  }
  return found;
}

/** Values by key, in the order given; a key without a value has an empty list. */
export interface Parameters {
  /** The value of a key that has one; undefined where there is none, and where two of them differ. */
  one(key: string): string | undefined;
  has(key: string): boolean;
  /** `key=value` pairs of a key that may be repeated; the later wins, as in the tools. */
  pairs(key: string): Readonly<Record<string, string>>;
}

/**
 * `--key value` and `-key value`. What begins with a dash is a key unless it is a number, so a key may be without a value.
 * @param spelling brings keys to one form
 */
export function parametersOf(words: readonly string[], spelling: (key: string) => string = (key) => key): Parameters {
  const values = new Map<string, string[]>();
  for (let at = 0; at < words.length; at += 1) {
    const [, written] = /^--?(.+)$/s.exec(words[at] ?? '') ?? [];
    if (written === undefined) continue;
    const key = spelling(written);
    const list = values.get(key) ?? [];
    values.set(key, list);
    const next = words[at + 1];
    if (next !== undefined && (!next.startsWith('-') || /^-\d+(?:\.\d+)?$/.test(next))) {
      list.push(next);
      at += 1;
    }
  }
  return {
    one(key) {
      const distinct = new Set(values.get(key) ?? []);
      const [only] = distinct;
      return distinct.size === 1 ? only : undefined;
    },
    has: (key) => values.has(key),
    pairs(key) {
      const entries = (values.get(key) ?? []).flatMap((text): [string, string][] => {
        const equals = text.indexOf('=');
        return equals < 0 ? [] : [[text.slice(0, equals).trim(), text.slice(equals + 1).trim()]];
      });
      return Object.fromEntries(entries);
    },
  };
}
