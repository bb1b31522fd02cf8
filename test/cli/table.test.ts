import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alignedLines, printable, widthOf } from '../../src/cli/table.ts';

describe('tables for terminals', () => {
  it('align columns, wide characters too', () => {
    expect(
      alignedLines([
        ['flink:1', '订单/öä', 'x'],
        ['flink:100001', 'b', ''],
      ]),
    ).toEqual(['flink:1       订单/öä  x', 'flink:100001  b']);
    expect(alignedLines([])).toEqual([]);
    expect(alignedLines([['a'], ['bb', 'c']])).toEqual(['a', 'bb  c']);
  });

  it('let no name command the terminal', () => {
    expect(printable('tab\tname\u001b[31m\u202e')).toBe('tab\\tname\\u001b[31m\\u202e');
  });

  it('keep each row one line, and its columns in place', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string({ unit: 'binary' }), fc.string()), { maxLength: 8 }), (rows) => {
        const lines = alignedLines(rows);
        expect(lines).toHaveLength(rows.length);
        for (const line of lines) expect(line).not.toMatch(/[\p{Cc}]/u);
        const left = Math.max(0, ...rows.map(([cell]) => widthOf(printable(cell))));
        rows.forEach(([cell, second], i) => {
          const rest = printable(second).trimEnd();
          if (rest !== '') expect(lines[i]).toBe(`${printable(cell)}${' '.repeat(left - widthOf(printable(cell)))}  ${rest}`);
        });
      }),
    );
  });
});
