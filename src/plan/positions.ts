// Offsets, lines and columns. Lines end with LF, CRLF or CR, as Flink's parser counts them; columns are UTF-16 units from 1.

/** 1-based. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Where each line of a text begins; the first entry is 0. */
export type LineStarts = readonly number[];

/** Offsets at which the lines of `text` begin. */
export function lineStarts(text: string): LineStarts {
  const starts = [0];
  for (const end of text.matchAll(/\r\n|\r|\n/g)) starts.push(end.index + end[0].length);
  return starts;
}

/** Position of an offset. */
export function positionAt(starts: LineStarts, offset: number): Position {
  const line = lastAtMost(starts.length, (i) => starts[i] ?? 0, offset);
  return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
}

/** Offset of a position; a line or column outside the text is moved to the nearest one inside. */
export function offsetAt(starts: LineStarts, length: number, position: Position): number {
  const line = Math.min(Math.max(position.line, 1), starts.length) - 1;
  const offset = (starts[line] ?? 0) + Math.max(position.column, 1) - 1;
  return Math.min(offset, starts[line + 1] ?? length, length);
}

/** Index of the last of `count` ascending values that is not above `limit`; 0 when there is none. */
export function lastAtMost(count: number, value: (index: number) => number, limit: number): number {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (value(middle) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}
