// The two property texts, read as StreamPark reads them. The Spark rows are those of its own regular expressions, executed.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { appendProperties, flinkFormat, type PropertyFormat, sparkFormat, takeBack } from '../../src/injection/injection.ts';

const read = (format: PropertyFormat, text: string) => Object.fromEntries(format.parse(text).pairs);

describe('app_properties', () => {
  test.each([
    ['two items on a line', '--conf a=1 --conf b=2', { a: '1', b: '2' }, 0],
    ['two lines', '--conf a=1\n--conf b=2', { a: '1', b: '2' }, 0],
    ['a trailing newline loses the last item', '--conf a=1\n--conf b=2\n', { a: '1' }, 1],
    ['the first without --conf', 'a=1 --conf b=2', { a: '1', b: '2' }, 0],
    ['bare lines', 'a=1\nb=2', {}, 1],
    ['bare items on one line', 'a=1 b=2', { a: '1 b=2' }, 0],
    ['a quoted item', `--conf "k=v w"`, { k: 'v w' }, 0],
    ['an item in single quotes', `--conf 'k=v w'`, { k: 'v w' }, 0],
    ['a quoted value keeps its first quote', `--conf k="v w"`, { k: '"v w' }, 0],
    ['--conf=', '--conf=a=1', { '--conf': 'a=1' }, 0],
    ['a value with -c in it', '--conf a=x -c y=2', { a: 'x', y: '2' }, 0],
    ['the later wins', '--conf a=1 --conf a=2', { a: '2' }, 0],
    ['the first = separates', '-c spark.driver.extraJavaOptions=-Dx=1', { 'spark.driver.extraJavaOptions': '-Dx=1' }, 0],
    ['nothing', '', {}, 0],
  ])('%s', (_, text, pairs, dropped) => {
    expect(read(sparkFormat, text)).toEqual(pairs);
    expect(sparkFormat.parse(text).dropped).toHaveLength(dropped);
  });
});

describe('dynamic_properties', () => {
  test.each([
    ['items on a line', '-Da=1 -Db=2', { a: '1', b: '2' }],
    ['items on lines', '-Da=1\n-Db=2\n', { a: '1', b: '2' }],
    ['a quoted value', `-Denv.java.opts="-Xmx1g -Dx=1"\n-Db=2`, { 'env.java.opts': '-Xmx1g -Dx=1', b: '2' }],
    ['a quoted value in single quotes', `-Da='x y'`, { a: 'x y' }],
    ['two quoted values of one line run together', `-Da="1" -Db="2"`, { a: '1" -Db="2' }],
    ['no items', 'hello', {}],
  ])('%s', (_, text, pairs) => {
    expect(read(flinkFormat, text)).toEqual(pairs);
  });
});

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
