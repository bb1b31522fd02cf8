import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { frameReader } from '../../src/plan/frames.ts';

function read(chunks: readonly Buffer[], maxBytes = 1000) {
  const lines: string[] = [];
  let tooLong = 0;
  const take = frameReader(
    maxBytes,
    (line) => lines.push(line),
    () => {
      tooLong += 1;
    },
  );
  for (const chunk of chunks) take(chunk);
  return { lines, tooLong };
}

describe('frameReader', () => {
  it('gives the same lines however they are cut into chunks', () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'ö', '订', '😀', '\r', '\u2028', ' '), maxLength: 8 });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (lines, sizes) => {
        const bytes = Buffer.from(lines.map((l) => `${l}\n`).join(''));
        const chunks: Buffer[] = [];
        for (let at = 0, i = 0; at < bytes.length; i += 1) {
          const size = sizes[i % sizes.length] as number;
          chunks.push(bytes.subarray(at, at + size));
          at += size;
        }
        expect(read(chunks)).toEqual({ lines, tooLong: 0 });
      }),
    );
  });

  it('keeps what has no end yet, and stops at a line that is too long', () => {
    expect(read([Buffer.from('a\nb')])).toEqual({ lines: ['a'], tooLong: 0 });
    expect(read([Buffer.from('ok\n'), Buffer.alloc(600), Buffer.alloc(600), Buffer.from('\nb\n')])).toEqual({ lines: ['ok'], tooLong: 1 });
  });
});
