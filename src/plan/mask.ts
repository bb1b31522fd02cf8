// Masking of outgoing texts: SQL, messages, diagnostics, logs. By value for the secrets that are known, by form for the rest.
import { type Span, secretSpans } from './secrets.ts';

const mask = '******';
/** Shorter secrets are replaced only where they stand alone: a password `a` must not eat every `a` of a text. */
const shortSecret = 4;
const maxInPattern = 200;
const valuesPerPattern = 1000;

/** User info of URLs, of bare hosts (`user:password@host`) and of Oracle's thin JDBC addresses, and HTTP credentials. */
const forms = [
  /:\/\/([^\s/?#'"`]+)@/dg,
  /(?<![\w.+-])[\w.+-]{1,64}:([^\s/?#'"`@:,;()]{1,256})@(?=[A-Za-z0-9[])/dg,
  /\bjdbc:oracle:\w{1,16}:([^\s@'"`:]+)@/dg,
  /\b(?:Bearer|Basic)\s([A-Za-z0-9._~+/=-]{8,})/dg,
];

/**
 * Replaces by `******`: the given secrets (as they are and as SQL, JSON or URLs write them), values of secret-like keys, and user
 * info in URLs. A value that is only a `${…}` placeholder stays.
 */
export function maskText(text: string, secrets: readonly string[]): string {
  const spans: Span[] = [...secretSpans(text), ...formSpans(text), ...valueSpans(text, [...new Set(secrets.flatMap(writings))])];
  if (spans.length === 0) return text;
  spans.sort((a, b) => a.start - b.start);
  const parts: string[] = [];
  let done = 0;
  for (const { start, end } of spans) {
    if (start >= done) parts.push(text.slice(done, start), mask);
    done = Math.max(done, end);
  }
  return parts.join('') + text.slice(done);
}

function formSpans(text: string): Span[] {
  return forms.flatMap((form) =>
    [...text.matchAll(form)].flatMap(({ indices }) => {
      const at = indices?.[1];
      return at === undefined ? [] : [{ start: at[0], end: at[1] }];
    }),
  );
}

function writings(secret: string): string[] {
  if (secret.trim() === '') return [];
  return [secret, secret.replaceAll("'", "''"), JSON.stringify(secret).slice(1, -1), encodeURIComponent(Buffer.from(secret).toString())];
}

/** Where the values stand. One pattern finds hundreds of them as fast as one; long values do not fit into it. */
function valueSpans(text: string, values: readonly string[]): Span[] {
  const spans = values.filter((value) => value.length > maxInPattern).flatMap((value) => occurrences(text, value));
  const short = values.filter((value) => value.length <= maxInPattern).sort((a, b) => b.length - a.length);
  for (let i = 0; i < short.length; i += valuesPerPattern) {
    const pattern = new RegExp(
      short
        .slice(i, i + valuesPerPattern)
        .map(literalPattern)
        .join('|'),
      'g',
    );
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      spans.push({ start: match.index, end: match.index + match[0].length });
      // the next value may begin inside this one
      pattern.lastIndex = match.index + 1;
    }
  }
  return spans;
}

function literalPattern(value: string): string {
  const literal = value.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return value.length < shortSecret ? `(?<!\\w)${literal}(?!\\w)` : literal;
}

function occurrences(text: string, value: string): Span[] {
  const spans: Span[] = [];
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length))
    spans.push({ start: at, end: at + value.length });
  return spans;
}
