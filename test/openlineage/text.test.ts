import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanText, cutText, jsonTextBytes } from '../../src/openlineage/text.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', '\u0000', '\ud83d', '\ude00', '😀', 'é', '数') }),
);

test('jsonTextBytes counts what JSON.stringify writes', () => {
  fc.assert(fc.property(anyText, (text) => jsonTextBytes(text) === Buffer.byteLength(JSON.stringify(text), 'utf8') - 2));
});

test('cleanText leaves nothing that a consumer cannot store, and everything else', () => {
  expect(cleanText('a\u0000b\ud800c😀\tz')).toBe('a\ufffdb\ufffdc😀\tz');
  fc.assert(fc.property(anyText, (text) => !/[\0\p{Surrogate}]/u.test(cleanText(text)) && cleanText(text).length === text.length));
});

describe('cutText', () => {
  test('keeps a text that fits, to the byte', () => {
    expect(cutText('abcdef', 6, '…')).toBe('abcdef');
    expect(cutText('abcdef', 5, '…')).toBe('ab…');
    expect(cutText('a😀b', 6, '')).toBe('a😀b');
    expect(cutText('a😀b', 5, '')).toBe('a😀');
    expect(cutText('a😀b', 4, '')).toBe('a');
    expect(cutText('abc', 0, '--')).toBe('--');
  });

  test('never exceeds the limit, never tears a pair, and cuts no more than it must', () => {
    fc.assert(
      fc.property(anyText.map(cleanText), fc.integer({ min: 3, max: 500 }), (text, limit) => {
        const cut = cutText(text, limit, '…');
        if (jsonTextBytes(text) <= limit) {
          expect(cut).toBe(text);
          return;
        }
        expect(jsonTextBytes(cut)).toBeLessThanOrEqual(limit);
        expect(cut).not.toMatch(/\p{Surrogate}/u);
        expect(cut.endsWith('…')).toBe(true);
        const kept = cut.slice(0, -1);
        expect(text.startsWith(kept)).toBe(true);
        const next = String.fromCodePoint(text.codePointAt(kept.length) ?? 0);
        expect(jsonTextBytes(`${kept}${next}…`)).toBeGreaterThan(limit);
      }),
    );
  });
});
