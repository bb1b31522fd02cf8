// Texts from a database on their way into JSON: characters that consumers cannot store, and cutting by bytes.

/** One replacement character for NUL (PostgreSQL's jsonb refuses it) and for halves of surrogate pairs (no UTF-8 exists for them). */
const unstorable = /[\0\p{Surrogate}]/gu;

/** The text with every character replaced that some consumer could not store. */
export const cleanText = (text: string): string => text.replace(unstorable, '\uFFFD');

/** Bytes that one code point takes inside a JSON string in UTF-8, as `JSON.stringify` writes it. */
export function jsonBytes(codePoint: number): number {
  if (codePoint < 0x20) return [8, 9, 10, 12, 13].includes(codePoint) ? 2 : 6;
  if (codePoint === 0x22 || codePoint === 0x5c) return 2;
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  if (codePoint >= 0xd800 && codePoint <= 0xdfff) return 6;
  return codePoint < 0x10000 ? 3 : 4;
}

/** Bytes of a text inside a JSON string, without the quotes. */
export function jsonTextBytes(text: string): number {
  let bytes = 0;
  for (const character of text) bytes += jsonBytes(character.codePointAt(0) ?? 0);
  return bytes;
}

/**
 * Cuts a text so that it takes at most `maxBytes` inside a JSON string, the mark included; never inside a surrogate pair.
 * A text that fits is returned as it is. When not even the mark fits, the mark alone is returned.
 */
export function cutText(text: string, maxBytes: number, mark: string): string {
  if (text.length * 6 <= maxBytes) return text;
  const room = maxBytes - jsonTextBytes(mark);
  let bytes = 0;
  let keep = 0;
  let position = 0;
  for (const character of text) {
    bytes += jsonBytes(character.codePointAt(0) ?? 0);
    position += character.length;
    if (bytes <= room) keep = position;
    else if (bytes > maxBytes) return text.slice(0, keep) + mark;
  }
  return text;
}
