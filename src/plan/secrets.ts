// Where secrets stand in a text: values of secret-like keys, in the forms such keys are written in (SQL options, SET, JSON,
// properties, -D, URL parameters). Works on any text, also on cut ones, and is linear: each run of key characters and each
// value is read once.

/** Offsets of a value, without its quotes. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const secretWord =
  /password|passwd|secret|token|api[._-]?key|auth-params|service-key|basic-auth|jaas\.config|http-headers|account\.key|credential|private[._-]?key|access[._-]?key/i;

/** Whether the value of an option of this name must not be shown. */
export function isSecretKey(key: string): boolean {
  return secretWord.test(key) || /(?:^|[._-])pwd$/i.test(key);
}

/** A value with the way its key is written: as an option (`'key' = …`, `SET key = …`) or loosely. */
export interface SecretSpan extends Span {
  readonly isOption: boolean;
}

/** What stands behind a secret-like key and is none: a placeholder, a switch. */
const noSecret = /^(?:\$\{[A-Za-z0-9._-]+\}|true|false)$/i;

/** Values of secret-like keys. */
export function secretSpans(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  let readTo = 0;
  for (const { 0: key, index } of text.matchAll(/[A-Za-z0-9_.-]+/g)) {
    if (index < readTo || !isSecretKey(key)) continue;
    const span = valueAfter(text, index, index + key.length);
    if (span === undefined || span.end <= span.start) continue;
    readTo = span.end;
    if (!noSecret.test(text.slice(span.start, span.end))) spans.push(span);
  }
  return spans;
}

/**
 * Literal values of secret-like options of a script, with doubled quotes undone; also the ones nested in them (`…jaas.config` holds
 * `password="…"`). A comparison such as `WHERE token = 'x'` is no option.
 */
export function findSecrets(text: string): string[] {
  const found = new Set<string>();
  for (const { start, end, isOption } of secretSpans(text)) {
    if (!isOption) continue;
    const value = text.slice(start, end).trim().replaceAll("''", "'");
    found.add(value);
    for (const inner of secretSpans(value)) found.add(value.slice(inner.start, inner.end));
  }
  return [...found];
}

const blanks = /\s{0,200}/y;
/** Ends of a value without quotes; in a SET the value runs to the end of the line or statement. */
const bareValue = /\$\{[A-Za-z0-9._-]+\}|[^\s'"`,;&)}\]]*/y;
const setValue = /[^\r\n;]*/y;

function valueAfter(text: string, keyStart: number, keyEnd: number): SecretSpan | undefined {
  const closing = quoteAt(text, keyEnd);
  const isQuoted = closing !== undefined && text.startsWith(closing, keyStart - closing.length);
  const afterKey = isQuoted ? keyEnd + closing.length : keyEnd;
  const separator = skip(blanks, text, afterKey);
  const sign = text[separator];
  if (sign !== '=' && sign !== ':')
    return isQuoted || !isTokenWord(text.slice(keyStart, keyEnd)) ? sparkOption(text, afterKey, separator) : undefined;
  const isSet = /\bSET\s+['"]?$/i.test(text.slice(Math.max(0, keyStart - 20), keyStart));
  const isOption = isSet || (isQuoted && closing === "'" && sign === '=');
  const start = skip(blanks, text, separator + 1);
  const opening = quoteAt(text, start);
  if (opening !== undefined) return { start: start + opening.length, end: quotedEnd(text, start + opening.length, opening), isOption };
  if (isSet) return { start, end: skip(setValue, text, start), isOption };
  // `a.token = b.token` compares columns and `Unexpected token: x` is prose, but `password=x` and `password: x` are values
  const isGlued = separator === afterKey && start === separator + 1;
  const isProse = sign === ':' && isTokenWord(text.slice(keyStart, keyEnd));
  return (sign === '=' ? isGlued : !isProse) ? { start, end: skip(bareValue, text, start), isOption } : undefined;
}

/** `OPTIONS (password 'x')`: Spark wants no sign between key and value. */
function sparkOption(text: string, afterKey: number, at: number): SecretSpan | undefined {
  const opening = at > afterKey ? quoteAt(text, at) : undefined;
  if (opening === undefined || opening === '`') return undefined;
  return { start: at + opening.length, end: quotedEnd(text, at + opening.length, opening), isOption: true };
}

/** A word of messages: `unexpected token 'x'`. */
const isTokenWord = (key: string): boolean => /^tokens?$/i.test(key);

function skip(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}

/** A quote character, or one escaped inside another literal (`\"`). */
function quoteAt(text: string, at: number): string | undefined {
  const end = text[at] === '\\' ? at + 1 : at;
  return /^['"`]$/.test(text[end] ?? '') ? text.slice(at, end + 1) : undefined;
}

/** End of a quoted value: the next same quote that is neither doubled nor escaped, or the end of the text. */
function quotedEnd(text: string, from: number, quote: string): number {
  let at = text.indexOf(quote, from);
  while (at >= 0) {
    const isEscaped = quote === '"' && text[at - 1] === '\\';
    const isDoubled = quote === "'" && text[at + 1] === "'";
    if (!isEscaped && !isDoubled) return at;
    at = text.indexOf(quote, at + (isDoubled ? 2 : 1));
  }
  return text.length;
}
