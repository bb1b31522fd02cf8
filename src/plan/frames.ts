// Frames of the worker's output: one JSON object a line, split at the byte 0x0A on raw buffers, because other line ends may
// stand inside a JSON string and a chunk may end inside a character.

/**
 * Collects chunks into lines. A line longer than `maxBytes` is reported once, and all that follows is dropped.
 * @returns what takes the next chunk
 */
export function frameReader(maxBytes: number, onLine: (line: string) => void, onTooLong: () => void): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let length = 0;
  let isBroken = false;
  return (chunk) => {
    let from = 0;
    while (!isBroken) {
      const end = chunk.indexOf(0x0a, from);
      const part = chunk.subarray(from, end < 0 ? chunk.length : end);
      parts.push(part);
      length += part.length;
      if (length > maxBytes) {
        isBroken = true;
        parts = [];
        onTooLong();
      } else if (end < 0) {
        return;
      } else {
        const line = Buffer.concat(parts).toString('utf8');
        parts = [];
        length = 0;
        from = end + 1;
        onLine(line);
      }
    }
  };
}
