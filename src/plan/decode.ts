// Stored text -> text. StreamPark keeps scripts and configs as base64 of a zlib stream; a console fault stored some of
// them encoded twice, and old rows are plain text. Nothing is encrypted.
import { inflateSync } from 'node:zlib';
import { PlanError } from '../errors/errors.ts';

const maxLevels = 3;
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** Shorter runs of the base64 alphabet that do not inflate are words, not damaged streams. */
const shortestDamaged = 32;

type Level =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'plain' }
  | { readonly kind: 'damaged'; readonly cause: unknown }
  | { readonly kind: 'tooLarge' };

/**
 * Decodes one stored value: base64 + zlib once, twice or three times, or plain text. A byte order mark is dropped.
 * @param maxBytes largest decoded text in bytes of UTF-8; also bounds what is inflated on the way
 * @throws PlanError SQL_CORRUPT for a damaged stream, SQL_TOO_LARGE beyond maxBytes
 */
export function decodeStored(value: string, maxBytes: number): string {
  const bound = 3 * maxBytes + 1024;
  if (value.length > bound) throw tooLarge(maxBytes);
  let text = value;
  for (let level = 0; level < maxLevels; level += 1) {
    const next = inflateLevel(text.trim(), bound);
    if (next.kind === 'tooLarge') throw tooLarge(maxBytes);
    if (next.kind === 'damaged' && level === 0) {
      throw new PlanError('SQL_CORRUPT', 'the stored text is base64, but its zlib stream is damaged or cut off', { cause: next.cause });
    }
    if (next.kind !== 'text') break;
    text = next.text;
  }
  if (Buffer.byteLength(text, 'utf8') > maxBytes) throw tooLarge(maxBytes);
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

function inflateLevel(value: string, bound: number): Level {
  if (!base64.test(value)) return { kind: 'plain' };
  const bytes = Buffer.from(value, 'base64');
  if (!hasZlibHeader(bytes)) return { kind: 'plain' };
  try {
    return { kind: 'text', text: inflateSync(bytes, { maxOutputLength: bound }).toString('utf8') };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return { kind: 'tooLarge' };
    return value.length < shortestDamaged ? { kind: 'plain' } : { kind: 'damaged', cause };
  }
}

/** RFC 1950: method 8, window up to 32 KiB, and a check that makes the first two bytes a multiple of 31. */
function hasZlibHeader(bytes: Buffer): boolean {
  const [first, second] = bytes;
  if (first === undefined || second === undefined) return false;
  return (first & 0x0f) === 8 && first >> 4 <= 7 && ((first << 8) | second) % 31 === 0;
}

function tooLarge(maxBytes: number): PlanError {
  return new PlanError('SQL_TOO_LARGE', `the stored text is larger than ${maxBytes} bytes`);
}
