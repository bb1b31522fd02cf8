// Adds properties to a stored text and takes them out again. Every result is read back with the console's own rules before it is
// offered: if anything else would change, there is no result.
import type { PropertyFormat } from '../watch/watch.ts';

export type Properties = ReadonlyMap<string, string>;

export type Edited = { readonly text: string } | { readonly problem: string };

/**
 * Appends `added` to a text. A key that the text has already is overridden by the later item, so give one only to join its value.
 * @param text null for an empty column
 */
export function appendProperties(format: PropertyFormat, text: string | null, added: Properties): Edited {
  const old = text ?? '';
  const before = format.parse(old);
  if (before.dropped.length > 0) return { problem: 'the text has pieces that StreamPark ignores; correct them first' };
  const unfit = [...added].find(([key, value]) => !/^[\w.-]+$/.test(key) || /[\s"']/.test(value) || value === '');
  if (unfit !== undefined) return { problem: `${unfit[0]} has a value that this text cannot hold` };
  const lines = [...added].map(([key, value]) => format.item(key, value)).join('\n');
  const kept = old.replace(/\s+$/, '');
  const next = kept === '' ? lines : `${kept}\n${lines}`;
  return verified(format, next, new Map([...before.pairs, ...added]));
}

/**
 * Takes out what `appendProperties` put in: of `added`, the items that still stand there with our value. What somebody changed since is his.
 * @returns the text as it was where nothing else changed
 */
export function takeBack(format: PropertyFormat, text: string, added: Properties): Edited {
  const before = format.parse(text);
  const expected = new Map(before.pairs);
  let next = text;
  for (const [key, value] of added) {
    if (before.pairs.get(key) !== value) continue;
    const item = format.item(key, value).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const found = [...next.matchAll(new RegExp(`(^|\\s)${item}(?=\\s|$)`, 'g'))].at(-1);
    if (found === undefined) return { problem: `${key} stands there in another form; take it out by hand` };
    const [head, tail] = [next.slice(0, found.index), next.slice(found.index + found[0].length)];
    next = head === '' ? tail.replace(/^\s+/, '') : head + tail;
    const left = format.parse(next).pairs.get(key);
    if (left === undefined) expected.delete(key);
    else expected.set(key, left);
  }
  return verified(format, next, expected, before.dropped);
}

/** Whether `text` reads as exactly `expected`. */
function verified(format: PropertyFormat, text: string, expected: Properties, dropped: readonly string[] = []): Edited {
  const after = format.parse(text);
  const same =
    after.pairs.size === expected.size &&
    after.dropped.length <= dropped.length &&
    [...expected].every(([key, value]) => after.pairs.get(key) === value);
  return same ? { text } : { problem: 'StreamPark would read the changed text differently than meant' };
}
