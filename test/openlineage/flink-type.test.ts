// Flink's printed types -> nested fields, against answers written by hand.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nestedFields } from '../../src/openlineage/flink-type.ts';

describe('nested fields', () => {
  test('of a row, with names in backticks, NOT NULL and comments', () => {
    expect(nestedFields("ROW<`id` BIGINT NOT NULL, `a``b, c` DECIMAL(10, 2) 'price, it''s net'> NOT NULL")).toEqual([
      { name: 'id', type: 'BIGINT NOT NULL' },
      { name: 'a`b, c', type: 'DECIMAL(10, 2)', description: "price, it's net" },
    ]);
  });

  test('of rows in arrays in maps, at every level', () => {
    expect(nestedFields('MAP<VARCHAR(20) NOT NULL, ARRAY<ROW<`x` INT, `y` ROW<`z` TIMESTAMP(3)>>>>')).toEqual([
      { name: 'key', type: 'VARCHAR(20) NOT NULL' },
      {
        name: 'value',
        type: 'ARRAY<ROW<`x` INT, `y` ROW<`z` TIMESTAMP(3)>>>',
        fields: [
          {
            name: '_element',
            type: 'ROW<`x` INT, `y` ROW<`z` TIMESTAMP(3)>>',
            fields: [
              { name: 'x', type: 'INT' },
              { name: 'y', type: 'ROW<`z` TIMESTAMP(3)>', fields: [{ name: 'z', type: 'TIMESTAMP(3)' }] },
            ],
          },
        ],
      },
    ]);
  });

  test('of a multiset and of the form with round brackets', () => {
    expect(nestedFields('MULTISET<STRING>')).toEqual([{ name: '_element', type: 'STRING' }]);
    expect(nestedFields('ROW(a INT, b STRING)')).toEqual([
      { name: 'a', type: 'INT' },
      { name: 'b', type: 'STRING' },
    ]);
  });

  test.each([
    'BIGINT',
    'DECIMAL(10, 2)',
    'TIMESTAMP_LTZ(3) *ROWTIME*',
    "RAW('java.lang.Object', 'AB>,<C')",
    'ROW<>',
    'MAP<INT>',
    'ARRAY<INT, INT>',
    'ROW<`a>',
    '',
  ])('%s has none', (type) => {
    expect(nestedFields(type)).toEqual([]);
  });

  test('any text is taken, and deep nesting ends', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => Array.isArray(nestedFields(`ROW<${text}>`))));
    const deep = `${'ARRAY<'.repeat(5_000)}INT${'>'.repeat(5_000)}`;
    let level = 0;
    for (let fields = nestedFields(deep); fields.length > 0; fields = fields[0]?.fields ?? []) level += 1;
    expect(level).toBe(16);
  });
});
