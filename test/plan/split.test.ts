import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineStarts, offsetAt, positionAt } from '../../src/plan/positions.ts';
import { maxTokenLength, splitScript } from '../../src/plan/split.ts';

const texts = (script: string) => splitScript(script).pieces.map((piece) => piece.text);

const part = fc.constantFrom("'", '"', '`', ';', '--', '/*', '*/', '/*+', '\n', '\r\n', '\r', ' ', 'a', 'SELECT', '\uFEFF', 'ö', '订');
const script = fc.array(part, { maxLength: 60 }).map((parts) => parts.join(''));

describe('splitScript', () => {
  it('splits at semicolons and gives each piece its place', () => {
    expect(splitScript('SET a = b;\n\n  INSERT INTO t\nSELECT 1;;  ;x').pieces).toEqual([
      { text: 'SET a = b', line: 1, column: 1 },
      { text: 'INSERT INTO t\nSELECT 1', line: 3, column: 3 },
      { text: 'x', line: 4, column: 14 },
    ]);
  });

  it('keeps semicolons and comment signs inside quotes', () => {
    const pieces = ["a = 'x;--y'", 'b = "p;/*q"', 'c = `r;s`', "d = 'it''s;'", "e = '\"'", "f = 'back\\'"];
    expect(texts(pieces.join(';'))).toEqual(pieces);
  });

  it('blanks comments and keeps hints', () => {
    expect(texts("a -- x;y'\nb /* ;\n' */ c; d /*+ OPTIONS('k'=';--') */ e")).toEqual([
      'a        \nb     \n     c',
      "d /*+ OPTIONS('k'=';--') */ e",
    ]);
    expect(texts('a # b; c // d')).toEqual(['a # b', 'c // d']);
    expect(texts('-- only\n/* comments; */')).toEqual([]);
  });

  it('counts CRLF and lone CR as one line end each', () => {
    expect(splitScript('a;\r\nb;\rc;\n\rd').pieces.map((p) => [p.text, p.line, p.column])).toEqual([
      ['a', 1, 1],
      ['b', 2, 1],
      ['c', 3, 1],
      ['d', 5, 1],
    ]);
  });

  it('says where a quote or comment begins that never ends, and keeps the pieces before it', () => {
    expect(splitScript("a;\nb 'c; d")).toMatchObject({ pieces: [{ text: 'a' }], unclosed: { what: "quote '", line: 2, column: 3 } });
    expect(splitScript('a;b /* c;')).toMatchObject({ pieces: [{ text: 'a' }], unclosed: { what: 'comment', line: 1, column: 5 } });
    expect(splitScript('a -- c;').unclosed).toBeNull();
  });

  it('refuses tokens that would stall the parser, and only tokens', () => {
    const long = 'x'.repeat(maxTokenLength + 1);
    expect(() => splitScript(`a;\n b '${long}'`)).toThrow('the token at line 2, column 4 is longer than 65536 characters');
    expect(() => splitScript(`a;\n ${long}`)).toThrow(/line 2, column 2/);
    expect(() => splitScript(`'${"''".repeat(maxTokenLength)}'`)).toThrow(/line 1, column 1/);
    expect(texts(`a /* ${long} */`)).toEqual(['a'.padEnd(1)]);
    expect(texts('a, '.repeat(maxTokenLength))).toHaveLength(1);
  });

  it('is linear on nonsense', () => {
    for (const part of ["'", '"', '`', '/*', '--', ';', "''", '*/', '/'])
      expect(splitScript(part.repeat(30_000)).pieces.length).toBeLessThan(2);
  });

  it('gives pieces that stand in the blanked text where they say', () => {
    fc.assert(
      fc.property(script, (text) => {
        const { pieces, blanked } = splitScript(text);
        const starts = lineStarts(text);
        expect(blanked).toHaveLength(text.length);
        expect(lineStarts(blanked)).toEqual(starts);
        for (const piece of pieces) {
          const offset = offsetAt(starts, text.length, piece);
          expect(blanked.slice(offset, offset + piece.text.length)).toBe(piece.text);
          expect(piece.text.trim()).toBe(piece.text);
          expect(text[offset]).toBe(piece.text[0]);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('cuts quoted values, comments and blanks back into the pieces they were joined from', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', '(', ')', ',', '='), minLength: 1, maxLength: 4 });
    const literal = fc.string({ unit: fc.constantFrom('x', ';', '"', '-', '/', '*', '\n'), maxLength: 6 }).map((s) => `'${s}'`);
    const noise = fc.constantFrom(' ', '\n', '\t ');
    const piece = fc.array(fc.oneof(word, literal), { minLength: 1, maxLength: 5 }).map((p) => p.join(' '));
    const comment = fc.constantFrom('', '-- x;\n', '/* ; \n */', ' \r\n');
    fc.assert(
      fc.property(fc.array(fc.tuple(comment, piece, noise), { minLength: 1, maxLength: 6 }), (parts) => {
        expect(texts(parts.map((p) => p.join('')).join(';'))).toEqual(parts.map(([, text]) => text));
      }),
    );
  });
});

describe('positions', () => {
  it('lead from offsets to positions and back', () => {
    fc.assert(
      fc.property(script, (text) => {
        const starts = lineStarts(text);
        for (let offset = 0; offset <= text.length; offset += 1) {
          expect(offsetAt(starts, text.length, positionAt(starts, offset))).toBe(offset);
        }
      }),
    );
  });
});
