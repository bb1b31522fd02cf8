// Changes of the two property texts.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { appendProperties, takeBack } from '../../src/injection/injection.ts';
import { flinkFormat, type PropertyFormat, sparkFormat } from '../../src/watch/watch.ts';

const read = (format: PropertyFormat, text: string) => Object.fromEntries(format.parse(text).pairs);

describe.each([
  ['app_properties', sparkFormat],
  ['dynamic_properties', flinkFormat],
] as const)('changes of %s', (_, format) => {
  const ours = new Map([
    ['spark.openlineage.transport.url', 'http://gravitino:8090'],
    ['spark.openlineage.namespace', 'streampark'],
  ]);

  test('appends to an empty column and gives it back empty', () => {
    const added = appendProperties(format, null, ours);
    expect(added).toEqual({ text: [...ours].map(([k, v]) => format.item(k, v)).join('\n') });
    expect(takeBack(format, (added as { text: string }).text, ours)).toEqual({ text: '' });
  });

  test('refuses a text of which the console drops a piece', () => {
    expect(appendProperties(format, `${format.item('a', '1')}\n${format === sparkFormat ? '\n' : '-Dnonsense'}`, ours)).toHaveProperty(
      'problem',
    );
  });

  test('refuses values that the text cannot hold', () => {
    for (const value of ['', 'a b', 'a\nb', '"a', "a'"]) {
      expect(appendProperties(format, '', new Map([['k', value]])), value).toHaveProperty('problem');
    }
  });

  test('leaves what was changed since, and takes out the rest', () => {
    const text = [
      format.item('a', '1'),
      format.item('spark.openlineage.namespace', 'mine'),
      format.item('spark.openlineage.transport.url', 'http://gravitino:8090'),
    ];
    expect(takeBack(format, text.join(' '), ours)).toEqual({ text: `${text[0]} ${text[1]}` });
  });

  test('joins a value by overriding it, and gives the old one back', () => {
    const old = format.item('spark.extraListeners', 'com.example.Mine');
    const joined = new Map([['spark.extraListeners', 'com.example.Mine,io.openlineage.spark.agent.OpenLineageSparkListener']]);
    const added = appendProperties(format, old, joined) as { text: string };
    expect(read(format, added.text)).toEqual(Object.fromEntries(joined));
    expect(takeBack(format, added.text, joined)).toEqual({ text: old });
  });

  test('any text: either it is left alone, or every other property reads as before and the way back restores it', () => {
    const piece = fc.oneof(
      fc.stringMatching(/^[a-z.]{1,8}$/),
      fc.constantFrom(
        '--conf',
        '-c',
        '-D',
        '=',
        ' ',
        '\n',
        '"',
        "'",
        '\\',
        '-Dx=1',
        '--conf k=v',
        '-Dq="a b"',
        'spark.openlineage.namespace=mine',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        const before = format.parse(text).pairs;
        const missing = new Map([...ours].filter(([key]) => !before.has(key)));
        const added = appendProperties(format, text, missing);
        if ('problem' in added) return;
        const after = format.parse(added.text).pairs;
        for (const [key, value] of before) expect(after.get(key)).toBe(value);
        expect(after.size).toBe(before.size + missing.size);
        const back = takeBack(format, added.text, missing);
        if ('problem' in back) return;
        expect(Object.fromEntries(format.parse(back.text).pairs)).toEqual(Object.fromEntries(before));
        expect(back.text).toBe(text.replace(/\s+$/, ''));
      }),
      { numRuns: 2_000 },
    );
  });
});
