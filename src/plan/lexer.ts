// The least that must be known of SQL to split and to mask it: quoted runs, comments and semicolons, with their offsets.
// Hints (/*+ … */) are not comments; `//` begins none. A line that begins with `#` is taken for one, as its author meant it;
// StreamPark takes it for SQL and fails.

export interface Segment {
  readonly kind: 'quoted' | 'comment' | 'semicolon';
  readonly start: number;
  /** Offset after the last character. */
  readonly end: number;
  /** False where the text ends inside. */
  readonly closed: boolean;
}

/**
 * Quoted runs ('…', "…" and `…`, a doubled quote continues the run, a backslash escapes nothing), comments and semicolons,
 * in order. Linear in the length of the text.
 */
export function segments(text: string): Segment[] {
  const found: Segment[] = [];
  let at = 0;
  while (at < text.length) {
    const segment = segmentAt(text, at);
    if (segment === undefined) {
      at += 1;
      continue;
    }
    found.push(segment);
    at = segment.end;
  }
  return found;
}

function segmentAt(text: string, start: number): Segment | undefined {
  const char = text[start];
  const next = text[start + 1];
  if (char === '#' && beginsLine(text, start)) return { kind: 'comment', start, end: lineEnd(text, start), closed: true };
  if (char === "'" || char === '"' || char === '`') return quoted(text, start, char);
  if (char === ';') return { kind: 'semicolon', start, end: start + 1, closed: true };
  if (char === '-' && next === '-') return { kind: 'comment', start, end: lineEnd(text, start), closed: true };
  if (char === '/' && next === '*' && text[start + 2] !== '+') {
    const close = text.indexOf('*/', start + 2);
    return { kind: 'comment', start, end: close < 0 ? text.length : close + 2, closed: close >= 0 };
  }
  return undefined;
}

/** Whether only blanks stand before an offset on its line. */
function beginsLine(text: string, offset: number): boolean {
  let at = offset - 1;
  while (at >= 0 && (text[at] === ' ' || text[at] === '\t' || text[at] === '\ufeff')) at -= 1;
  return at < 0 || text[at] === '\n' || text[at] === '\r';
}

function quoted(text: string, start: number, quote: string): Segment {
  let close = text.indexOf(quote, start + 1);
  while (close >= 0 && text[close + 1] === quote) close = text.indexOf(quote, close + 2);
  return { kind: 'quoted', start, end: close < 0 ? text.length : close + 1, closed: close >= 0 };
}

function lineEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\n' || text[at] === '\r') return at;
  }
  return text.length;
}
