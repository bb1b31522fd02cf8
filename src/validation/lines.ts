// Lines of a stream, one at a time, however large the whole is. Split at line feeds; a carriage return before one is white space.

/** A line, or why it is none; `number` is 1-based. */
export type Line = { readonly number: number; readonly text: string } | { readonly number: number; readonly problem: string };

const feed = 0x0a;

/**
 * Reads lines that are not blank.
 * @param longest bytes of a line that are kept; a longer one is a problem and skipped
 */
export async function* linesOf(stream: AsyncIterable<Uint8Array>, longest: number): AsyncGenerator<Line> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let pieces: Uint8Array[] = [];
  let size = 0;
  let number = 1;
  const add = (piece: Uint8Array): void => {
    size += piece.length;
    if (size <= longest) pieces.push(piece);
    else pieces = [];
  };
  const ended = (): Line | undefined => {
    const bytes = Buffer.concat(pieces);
    const long = size > longest;
    pieces = [];
    size = 0;
    const here = number++;
    if (long) return { number: here, problem: `longer than ${longest} bytes` };
    try {
      // The decoder drops a byte order mark.
      const text = decoder.decode(bytes);
      return text.trim() === '' ? undefined : { number: here, text };
    } catch {
      return { number: here, problem: 'not UTF-8' };
    }
  };
  for await (const chunk of stream) {
    let from = 0;
    for (let at = chunk.indexOf(feed); at >= 0; at = chunk.indexOf(feed, from)) {
      add(chunk.subarray(from, at));
      from = at + 1;
      const line = ended();
      if (line !== undefined) yield line;
    }
    // Kept until its end comes: the stream may use its memory again.
    if (from < chunk.length) add(Uint8Array.prototype.slice.call(chunk, from));
  }
  const line = size > 0 ? ended() : undefined;
  if (line !== undefined) yield line;
}
