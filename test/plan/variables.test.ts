import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replaceVariables, storedPositions } from '../../src/plan/plan.ts';
import { substituteRepeatedly } from '../../src/plan/rescan.ts';
import type { StoredVariable } from '../../src/watch/watch.ts';

const limit = 1024 * 1024;
const variable = (code: string, value: string, secret = false): StoredVariable => ({ code, value, secret });

describe('replaceVariables', () => {
  it('replaces names of two and more characters that begin with a letter, everywhere', () => {
    const { text, unknown } = replaceVariables(
      "a ${ab} '${ab}' -- ${ab}\n${a.b-c_1}",
      [variable('ab', 'X'), variable('a.b-c_1', '')],
      limit,
    );
    expect(text).toBe("a X 'X' -- X\n${a.b-c_1}");
    expect(unknown).toEqual([{ name: 'a.b-c_1', ambiguous: false, line: 2, column: 1 }]);
  });

  it('leaves what is no placeholder', () => {
    const odd = '${a} ${1ab} ${_ab} ${ ab} ${ab:-y} ${ab $ab {ab} $${';
    const { text, unknown } = replaceVariables(odd, [variable('a', '1'), variable('1ab', '2'), variable('ab', '3')], limit);
    expect([text, unknown]).toEqual([odd, []]);
  });

  it('is case-sensitive and takes a blank value for missing', () => {
    const { text, unknown } = replaceVariables('${Ab} ${ab} ${cd}', [variable('ab', 'x'), variable('cd', ' \t')], limit);
    expect(text).toBe('${Ab} x ${cd}');
    expect(unknown.map((u) => u.name)).toEqual(['Ab', 'cd']);
  });

  it('expands a placeholder inside a value only when it also stands later in the text', () => {
    const variables = [variable('aa', '<${bb}>'), variable('bb', 'B')];
    expect(replaceVariables('${aa}', variables, limit).text).toBe('<${bb}>');
    expect(replaceVariables('${aa} ${bb}', variables, limit).text).toBe('<B> B');
    expect(replaceVariables('${bb} ${aa}', variables, limit).text).toBe('B <${bb}>');
  });

  it('takes values literally', () => {
    expect(replaceVariables('${aa}', [variable('aa', "$& $1 $$ $' \\")], limit).text).toBe("$& $1 $$ $' \\");
  });

  it('takes neither of two different values, and either of two equal ones', () => {
    const { text, unknown } = replaceVariables(
      '${aa}${bb}',
      [variable('aa', '1'), variable('aa', '2'), variable('bb', '3'), variable('bb', '3')],
      limit,
    );
    expect(text).toBe('${aa}3');
    expect(unknown).toEqual([{ name: 'aa', ambiguous: true, line: 1, column: 1 }]);
  });

  it('names the secrets it put in, and only those', () => {
    const variables = [variable('pw', 'p4ss', true), variable('unused', 'other', true), variable('host', 'h')];
    expect(replaceVariables('${pw}@${host}', variables, limit).secrets).toEqual(['p4ss']);
  });

  it('refuses values that multiply', () => {
    const names = Array.from({ length: 30 }, (_, i) => `v${i + 10}`);
    const variables = names.map((name, i) => variable(name, `\${${names[i + 1]}}\${${names[i + 1]}}`));
    expect(() => replaceVariables(names.map((n) => `\${${n}}`).join(''), variables, limit)).toThrow(/larger than the planner accepts/);
  });

  it('refuses results that are too long, in one pass as well', () => {
    expect(() => replaceVariables('${aa}${aa}', [variable('aa', 'x'.repeat(600))], 1000)).toThrow(/larger than the planner accepts/);
    expect(replaceVariables('${aa}', [variable('aa', 'x'.repeat(1000))], 1000).text).toHaveLength(1000);
  });

  it('replaces many variables in a large script', () => {
    const variables = Array.from({ length: 300 }, (_, i) => variable(`v${i}`, `value ${i}`));
    const text = Array.from({ length: 20_000 }, (_, i) => `\${v${i % 300}} and some more text`).join('\n');
    expect(replaceVariables(text, variables, limit).text).toBe(text.replace(/\$\{v(\d+)\}/g, 'value $1'));
  });

  it('bounds the work on values that name each other for ever', () => {
    const text = '${aa}${bb}'.repeat(50_000);
    expect(() => replaceVariables(text, [variable('aa', '${bb}'), variable('bb', '${aa}')], 2 * limit)).toThrow(/larger/);
  });

  it('leads positions back to the stored text', () => {
    const storedText = 'a\n  ${long} b ${long} c\r\nd ${x1} e';
    const replaced = replaceVariables(storedText, [variable('long', '1\n2\n3'), variable('x1', '')], limit);
    const locate = storedPositions({ storedText, ...replaced });
    const at = (needle: string) => {
      const before = replaced.text.slice(0, replaced.text.indexOf(needle)).split('\n');
      return locate({ line: before.length, column: (before.at(-1) as string).length + 1 });
    };
    expect(at('a')).toEqual({ line: 1, column: 1 });
    expect(at('3 b')).toEqual({ line: 2, column: 3 });
    expect(at('b')).toEqual({ line: 2, column: 11 });
    expect(at('c')).toEqual({ line: 2, column: 21 });
    expect(at('d')).toEqual({ line: 3, column: 1 });
    expect(at('e')).toEqual({ line: 3, column: 9 });
    expect(locate({ line: 99, column: 99 })).toEqual({ line: 3, column: 10 });
    expect(locate({ line: 0, column: 0 })).toEqual({ line: 1, column: 1 });
  });

  it('does what the naive loop does', () => {
    const piece = fc.constantFrom('${aa}', '${bb}', '${cc}', '$', '{', '}', 'aa', '${', '${dd}', ' ', '\n');
    const text = fc.array(piece, { maxLength: 20 }).map((p) => p.join(''));
    fc.assert(
      fc.property(text, fc.dictionary(fc.constantFrom('aa', 'bb', 'cc'), text, { noNullPrototype: true }), (stored, values) => {
        let expected = stored;
        for (const [placeholder, name] of stored.matchAll(/\$\{([A-Za-z]+[A-Za-z0-9._-]+)\}/g)) {
          const value = values[name as string];
          if (value !== undefined && value.trim() !== '' && expected.length < 10_000)
            expected = expected.replaceAll(placeholder, () => value);
        }
        fc.pre(expected.length < 10_000);
        const variables = Object.entries(values).map(([code, value]) => variable(code, value));
        expect(replaceVariables(stored, variables, limit).text).toBe(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it('does the same in one pass and in many', () => {
    const piece = fc.constantFrom('${aa}', '${bb}', '$', '{', '}', 'x', ' ', '${', '\n');
    const plain = fc.string({ unit: fc.constantFrom('x', '1', ' ', '\n'), minLength: 1, maxLength: 3 }).filter((v) => v.trim() !== '');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), plain, plain, (pieces, aa, bb) => {
        const stored = pieces.join('');
        fc.pre(!/\$\{[A-Za-z0-9._-]*\$\{/.test(stored));
        const values = new Map([
          ['${aa}', aa],
          ['${bb}', bb],
        ]);
        const uses = [...stored.matchAll(/\$\{(?:aa|bb)\}/g)].map(({ 0: placeholder, index }) => ({
          placeholder,
          at: index,
          value: values.get(placeholder) as string,
        }));
        const { text, origins } = replaceVariables(stored, [variable('aa', aa), variable('bb', bb)], limit);
        expect({ text, origins }).toEqual(substituteRepeatedly(stored, uses, limit));
      }),
      { numRuns: 500 },
    );
  });

  it('maps each copied character to itself', () => {
    const piece = fc.constantFrom('${aa}', '${bb}', 'x', 'y', '\n', '\r\n', '${');
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 30 }),
        fc.string({ unit: fc.constantFrom('1', '2', '\n'), maxLength: 6 }),
        (pieces, value) => {
          const storedText = pieces.join('');
          const replaced = replaceVariables(storedText, [variable('aa', value), variable('bb', '3')], limit);
          for (const { at, stored, copied } of replaced.origins) {
            if (copied) expect(replaced.text[at]).toBe(storedText[stored]);
            else expect(storedText.startsWith('${', stored)).toBe(true);
          }
        },
      ),
    );
  });
});
