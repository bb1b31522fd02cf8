// The replacement of variables for texts in which one replacement can make or break another placeholder: pass after pass over
// the result so far, as StreamPark does it. Rare, and its work is bounded, because values may name each other for ever.
import type { Origin, Substituted, Use } from './variables.ts';

/** Characters passed, where one occurrence costs as much as `occurrenceCost` of them; some tenths of a second. */
const maxWork = 2 ** 26;
const occurrenceCost = 128;

/** Text with, for each of its UTF-16 units, the stored offset it was copied from, or the complement (`~`) of the placeholder's. */
interface Traced {
  readonly text: string;
  readonly from: Int32Array;
}

/**
 * Replaces, for each use in order, all occurrences of its placeholder in the result so far. Undefined when the result would be
 * longer than `maxLength` or takes too much work.
 */
export function substituteRepeatedly(text: string, uses: readonly Use[], maxLength: number): Substituted | undefined {
  let current: Traced = { text, from: Int32Array.from({ length: text.length }, (_, i) => i) };
  let work = 0;
  let version = 0;
  /** Versions of the text that are known not to hold a placeholder. */
  const absentIn = new Map<string, number>();
  for (const { placeholder, value } of uses) {
    if (absentIn.get(placeholder) === version) continue;
    const parts = current.text.split(placeholder);
    work += current.text.length + occurrenceCost * (parts.length - 1);
    const next = join(current, parts, placeholder.length, value, maxLength);
    if (next === undefined || work > maxWork) return undefined;
    if (next !== current) version += 1;
    if (!next.text.includes(placeholder)) absentIn.set(placeholder, version);
    current = next;
  }
  return { text: current.text, origins: runs(current) };
}

/**
 * The parts joined by `value`, where a placeholder of length `gap` stood between them: `current` itself when there is one part,
 * undefined when the result would be too long.
 */
function join(current: Traced, parts: readonly string[], gap: number, value: string, maxLength: number): Traced | undefined {
  if (parts.length === 1) return current;
  const length = current.text.length + (parts.length - 1) * (value.length - gap);
  if (length > maxLength) return undefined;
  const from = new Int32Array(length);
  let read = 0;
  let write = 0;
  parts.forEach((part, i) => {
    if (i > 0) {
      const at = current.from[read] ?? 0;
      from.fill(at < 0 ? at : ~at, write, write + value.length);
      read += gap;
      write += value.length;
    }
    from.set(current.from.subarray(read, read + part.length), write);
    read += part.length;
    write += part.length;
  });
  return { text: parts.join(value), from };
}

function runs({ from }: Traced): Origin[] {
  const found: Origin[] = [];
  from.forEach((value, at) => {
    const last = found.at(-1);
    const copied = value >= 0;
    const continues = last !== undefined && last.copied === copied && value === (copied ? last.stored + at - last.at : ~last.stored);
    if (!continues) found.push({ at, stored: copied ? value : ~value, copied });
  });
  return found;
}
