// Text for terminals: aligned columns, and nothing in them that a terminal would take as a command.

/** Ranges of characters that fill two cells: CJK, Hangul, kana, full-width forms, emoji. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;

/** Cells that a text fills. */
export function widthOf(text: string): number {
  let width = 0;
  for (const char of text) width += /\p{Mn}/u.test(char) ? 0 : wide.test(char) ? 2 : 1;
  return width;
}

/** A text in one line: control characters are written as `\t` or `\u001b`. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, (char) => {
    const known: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' };
    return known[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** Rows as lines with aligned columns, two blanks between them, none at the end. */
export function alignedLines(rows: readonly (readonly string[])[]): string[] {
  const safe = rows.map((row) => row.map(printable));
  const columns = safe.reduce((most, row) => Math.max(most, row.length), 0);
  const widths = Array.from({ length: columns }, (_, i) => safe.reduce((width, row) => Math.max(width, widthOf(row[i] ?? '')), 0));
  return safe.map((row) =>
    row
      .map((cell, i) => cell + ' '.repeat((widths[i] ?? 0) - widthOf(cell)))
      .join('  ')
      .trimEnd(),
  );
}

/** `1 application`, `2 applications`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
