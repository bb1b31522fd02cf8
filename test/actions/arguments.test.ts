// The line of arguments as StreamPark and Flink take it apart.
import { describe, expect, it, test } from 'vitest';
import { splitArguments } from '../../src/actions/actions.ts';
import { parametersOf } from '../../src/actions/arguments.ts';
import { literalNames, matches, splitList, tableIdParts } from '../../src/actions/patterns.ts';

describe('words', () => {
  test.each([
    ['a  b\n\tc', ['a', 'b', 'c']],
    ['  a ', ['a']],
    ['', []],
    ["'a b' c", ['a b', 'c']],
    ['"a   b"', ['a b']],
    ["k='v'", ['k=v']],
    ['k="v"', ['k=v']],
    ["a='b'='c'", ["a='b'=c"]],
    ["k='a b'", ["k='a", "b'"]],
    ["it's", ["it's"]],
    ["'open", ['ope']],
    ['--on "T.k = S.k" \'x\'', ['--on', 'T.k = S.k', 'x']],
  ])('%j', (line, words) => {
    expect(splitArguments(line)).toEqual(words);
  });
});

describe('parameters', () => {
  const given = parametersOf(splitArguments('--a 1 -b 2 --flag --a 1 --c x --c y --n -5 --conf k=v=w --conf k2 = --conf k3= stray'));

  it('have one value, or none that is certain', () => {
    expect(['a', 'b', 'c', 'n', 'flag', 'z'].map((key) => given.one(key))).toEqual(['1', '2', undefined, '-5', undefined, undefined]);
    expect(['flag', 'a', 'z'].map((key) => given.has(key))).toEqual([true, true, false]);
  });

  it('have pairs, cut at the first sign', () => {
    expect(given.pairs('conf')).toEqual({ k: 'v=w', k3: '' });
  });
});

describe('patterns', () => {
  test.each([
    ['a', ['a']],
    ['a|b|a', ['a', 'b']],
    ['(a|b_1)', ['a', 'b_1']],
    ['a\\.b', ['a.b']],
    ['订单', ['订单']],
    ['a.*', undefined],
    ['a[0-9]', undefined],
    ['(a|b)c', undefined],
    ['', undefined],
    ['a||b', undefined],
    ['a.b', undefined],
  ])('%s stands for %j', (pattern, names) => {
    expect(literalNames(pattern)).toEqual(names);
  });

  test.each([
    ['a', 'a', true],
    ['a', 'ab', false],
    ['a.*', 'ab', true],
    ['a.*', 'a', true],
    ['a.+', 'a', false],
    ['.*_tmp', 'x_tmp', true],
    ['.+_tmp', '_tmp', false],
    ['.*b.*', 'abc', true],
    ['.+a.+', 'aab', true],
    ['.*', 'x', true],
    ['.+', '', false],
    ['x|a.*', 'ab', true],
    ['(x|y)', 'y', true],
    ['[ab]', 'a', undefined],
    ['a|[ab]', 'a', true],
    ['z|[ab]', 'a', undefined],
  ])('%s on %s: %s', (pattern, table, expected) => {
    expect(matches(pattern, table)).toBe(expected);
  });

  it('are parted at dots and commas of their own', () => {
    expect(tableIdParts('adb.\\.*')).toEqual(['adb', '.*']);
    expect(tableIdParts(' a . b ')).toEqual(['a', 'b']);
    expect(splitList('a.b, c.[d,e]{1,2} ,, f')).toEqual(['a.b', 'c.[d,e]{1,2}', 'f']);
  });
});
