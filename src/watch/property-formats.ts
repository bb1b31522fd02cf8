// Text in which StreamPark keeps properties of an application: one column per engine, each with rules of its own. A format reads a text
// exactly as the console does, so that what is written here can be checked before it is stored.

/** What the console makes of a text. */
export interface ParsedProperties {
  readonly pairs: ReadonlyMap<string, string>;
  /** Pieces that the console drops without a word: such a text is not touched. */
  readonly dropped: readonly string[];
}

export interface PropertyFormat {
  readonly column: 'app_properties' | 'dynamic_properties';
  parse(text: string): ParsedProperties;
  /** One property as it is appended, on a line of its own. */
  item(key: string, value: string): string;
}

/** White space of Java's `\s`, which is less than that of JavaScript. */
const space = '[ \\t\\n\\x0B\\f\\r]';

/** Java's `String.trim`: everything up to U+0020. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are trimmed
const trim = (text: string): string => text.replace(/^[\u0000-\u0020]+|[\u0000-\u0020]+$/g, '');

/** Any character but the line ends of Java's `.`. */
const dot = '[^\\n\\r\\u0085\\u2028\\u2029]';

const sparkSplit = new RegExp(`${space}*(?:--conf|-c)${space}+`);
const sparkPair = new RegExp(`^["']?(${dot}*?)=(${dot}*?)["']?$`);

/** t_spark_app.app_properties: `--conf key=value` items (SparkConfigurationUtils of StreamPark). */
export const sparkFormat: PropertyFormat = {
  column: 'app_properties',
  parse(text) {
    const pairs = new Map<string, string>();
    const dropped: string[] = [];
    for (const piece of text.split(sparkSplit)) {
      if (piece === '') continue;
      const [, key, value] = sparkPair.exec(piece) ?? [];
      if (key === undefined || value === undefined) dropped.push(piece);
      else pairs.set(trim(key), trim(value));
    }
    return { pairs, dropped };
  },
  item: (key, value) => `--conf ${key}=${value}`,
};

const flinkQuoted = new RegExp(`-D(${dot}*?)${space}*=${space}*["|'](${dot}*)["|']`, 'g');
const flinkSplit = new RegExp(`${space}?-D`);
const flinkPair = new RegExp(`^(${dot}*?)=(${dot}*)$`);

/**
 * t_flink_app.dynamic_properties: `-Dkey=value` items (FlinkConfigurationUtils of StreamPark). Items with a quoted value are taken out first, and the
 * quote that ends one is the last of its line: two of them on a line run together, here as there.
 */
export const flinkFormat: PropertyFormat = {
  column: 'dynamic_properties',
  parse(text) {
    const pairs = new Map<string, string>();
    const dropped: string[] = [];
    for (const piece of text.replace(flinkQuoted, '').split(flinkSplit)) {
      if (piece === '') continue;
      const [, key, value] = flinkPair.exec(trim(piece)) ?? [];
      if (key !== undefined && value !== undefined) pairs.set(trim(key), trim(value));
      else if (trim(piece) !== '') dropped.push(piece);
    }
    for (const [item] of text.matchAll(flinkQuoted)) {
      const at = item.indexOf('=');
      pairs.set(trim(item.slice(2, at)), trim(item.slice(at + 1)).replace(/^["|']|["|']$/g, ''));
    }
    return { pairs, dropped };
  },
  item: (key, value) => `-D${key}=${value}`,
};
