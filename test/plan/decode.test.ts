import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PlanError } from '../../src/errors/errors.ts';
import { decodeStored } from '../../src/plan/plan.ts';

const encode = (text: string) => deflateSync(Buffer.from(text, 'utf8'), { level: 9 }).toString('base64');
const limit = 1024 * 1024;
const codeOf = (run: () => unknown) => {
  try {
    run();
  } catch (error) {
    if (error instanceof PlanError) return error.code;
    throw error;
  }
  return 'none';
};

const statement = 'INSERT INTO sink_t SELECT id, name FROM src_t';

describe('decodeStored', () => {
  it('decodes what a console stored', () => {
    expect(decodeStored('eNrz9At2DQpR8PQL8VcozszLji9RCHb1cXUOUchM0VHIS8xNVXAL8vdVKC5Kji8BADyUDiE=', limit)).toBe(statement);
  });

  it('decodes what a console stored twice', () => {
    const doubled = 'eNpL9SuqsnQsMXIJLAiyCAj0sQhLzq8qrvLJyrQMcvZIMkyOCPUPTc7wNQjz8Ay2qPALi3D0sShLCfN2NvXOyrRwcnSpDHXJdLUFAGw3F38=';
    expect(decodeStored(doubled, limit)).toBe(statement);
    expect(decodeStored(encode(doubled), limit)).toBe(statement);
  });

  it('keeps plain text, blank text and words of the base64 alphabet', () => {
    for (const text of [
      '',
      ' \n ',
      statement,
      'SELECT',
      'abcd',
      'eNor',
      'eNormous',
      'eJwords+and/more==',
      'INSERTINTOxSELECTyFROMzWHEREtrue1',
    ]) {
      expect(decodeStored(text, limit)).toBe(text);
    }
  });

  it('keeps umlauts, CJK and blanks at the ends, and drops a byte order mark', () => {
    expect(decodeStored(encode(' -- öä 订单\r\n'), limit)).toBe(' -- öä 订单\r\n');
    expect(decodeStored(encode('\uFEFFSET a = b'), limit)).toBe('SET a = b');
    expect(decodeStored(` ${encode('x y')}\n`, limit)).toBe('x y');
  });

  it('names damaged and cut-off values', () => {
    const whole = encode(`${statement};${'x'.repeat(40)}${Math.PI}`);
    expect(codeOf(() => decodeStored(whole.slice(0, -9), limit))).toBe('SQL_CORRUPT');
    expect(codeOf(() => decodeStored(`${whole.slice(0, 20)}AAAA${whole.slice(24)}`, limit))).toBe('SQL_CORRUPT');
  });

  it('refuses what is too large without inflating it', () => {
    expect(codeOf(() => decodeStored('x '.repeat(600), 1000))).toBe('SQL_TOO_LARGE');
    expect(codeOf(() => decodeStored(encode('x '.repeat(600)), 1000))).toBe('SQL_TOO_LARGE');
    expect(codeOf(() => decodeStored(encode('ö '.repeat(400)), 1000))).toBe('SQL_TOO_LARGE');
    const bomb = deflateSync(Buffer.alloc(50 * 1024 * 1024), { level: 9 }).toString('base64');
    expect(codeOf(() => decodeStored(bomb, 64 * 1024))).toBe('SQL_TOO_LARGE');
    expect(decodeStored(encode('x '.repeat(500)), 1000)).toHaveLength(1000);
  });

  it('gives any text back at one, two and three levels', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 3 }), (text, levels) => {
        let stored = text;
        for (let i = 0; i < levels; i += 1) stored = encode(stored);
        const expected = Buffer.from(text)
          .toString()
          .replace(/^\uFEFF/, '');
        fc.pre(decodeStored(text, limit) === expected);
        expect(decodeStored(stored, limit)).toBe(expected);
      }),
    );
  });

  it('throws nothing but PlanError', () => {
    const base64ish = fc.string({ unit: fc.constantFrom(...'ABCeNJwx78+/01ab='), maxLength: 200 });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          base64ish,
          base64ish.map((s) => `eN${s}`),
        ),
        (text) => void codeOf(() => decodeStored(text, 100)),
      ),
    );
  });
});
