// The two property texts, read as StreamPark reads them. The Spark rows are those of its own regular expressions, executed.
import { describe, expect, test } from 'vitest';
import { flinkFormat, type PropertyFormat, sparkFormat } from '../../src/watch/watch.ts';

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
    ['blanks after -D and around the =', `-D a = 'x'\n-D b = 2`, { a: 'x', b: '2' }],
    ['a tab between items', '-Da=1\t-Db=2', { a: '1', b: '2' }],
    ['-D inside a value ends it', '-Da=x-Db=2', { a: 'x', b: '2' }],
    ['a quote on one side stays', `-Da="x`, { a: '"x' }],
    ['the later wins', '-Da=1 -Da=2', { a: '2' }],
    ['a quoted one wins over a later bare one', `-Da="1"\n-Da=2`, { a: '1' }],
    ['no items', 'hello', {}],
  ])('%s', (_, text, pairs) => {
    expect(read(flinkFormat, text)).toEqual(pairs);
  });
});
