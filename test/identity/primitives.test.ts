// java.net.URI, Hadoop Path, FilesystemDatasetUtils, partition trimmers: the rows of the fixtures, and robustness.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameLocation, nameWithin } from '../../src/identity/filesystem.ts';
import { parseHadoopPath } from '../../src/identity/hadoop-path.ts';
import { javaSplit } from '../../src/identity/java/text.ts';
import { parseJavaUri } from '../../src/identity/java/uri.ts';
import { nameJdbc } from '../../src/identity/jdbc/jdbc.ts';
import { trimPartitions } from '../../src/identity/trimmers.ts';
import { readSamples } from './samples.ts';

const all = readSamples();
const rows = (connector: string) => all?.filter((sample) => sample.connector === connector) ?? [];

describe.skipIf(all === undefined)('fixture rows (skipped: the shared fixtures are missing)', () => {
  it.each(rows('#uri'))('$id java.net.URI $options.uri', ({ options, expect: answer }) => {
    const uri = parseJavaUri(options['uri'] ?? '');
    if (answer?.error !== undefined) expect(uri).toBeUndefined();
    else {
      const { p: _, ...facts } = answer ?? {};
      expect(uri).toEqual(facts);
    }
  });

  it.each(rows('#hadoop-path'))('$id Hadoop Path $options.path', ({ options, expect: answer }) => {
    const { scheme, authority, path } = parseHadoopPath(options['path'] ?? '') ?? {};
    expect([scheme, authority, path]).toEqual([answer?.['scheme'], answer?.['authority'], answer?.['path']]);
  });

  it.each(rows('#trim'))('$id trim $options.name', ({ options, expect: answer }) => {
    expect(trimPartitions(options['name'] ?? '')).toBe(answer?.name);
  });

  it.each(rows('#location-and-name'))('$id $options.location $options.name', ({ options, expect: answer }) => {
    expect(nameWithin(options['location'] ?? '', options['name'] ?? '')).toEqual({ namespace: answer?.ns, name: answer?.name });
  });
});

// Each verdict was taken from JDK 17.
describe('java.net.URI', () => {
  it.each([
    ['x://h_1:1/p', null, -1],
    ['x://1.2.3.256:1/p', null, -1],
    ['x://h.1:1/p', null, -1],
    ['x://123:1/p', '123', 1],
    ['x://a.b.:1/p', 'a.b.', 1],
    ['x://h:/p', 'h', -1],
    ['x://h-/p', null, -1],
    ['x://u:p@q@h:1/p', null, -1],
    ['x://[::1]:1/p', '[::1]', 1],
    ['x://[fe80::1%25eth0]:1/p', '[fe80::1%25eth0]', 1],
    ['x://[::1.2.3.4]/p', '[::1.2.3.4]', -1],
    ['x://h:99999999999/p', null, -1],
    ['x://主机:1/p', null, -1],
    ['x:///p', null, -1],
    ['x:p', null, -1],
  ])('%s has host %s and port %i', (text, host, port) => {
    expect(parseJavaUri(text)).toMatchObject({ host, port });
  });

  it.each([
    'x://',
    'x:',
    ':',
    '1a://h',
    'a_b://h',
    'x://h:1/p?a=b c',
    'x://h:1/p[1]',
    'x://h/p#a#b',
    'x://[::1/p',
    'x://[1:2]/p',
    'x://h\\i',
    'x://h/%zz',
  ])('%s is no URI', (text) => expect(parseJavaUri(text)).toBeUndefined());

  it('decodes escapes as UTF-8 and replaces bad bytes', () => {
    expect(parseJavaUri('x://h/%E5%95%86%ff+')?.path).toBe('/商\ufffd+');
  });
});

describe('locations', () => {
  it.each([
    ['s3a://b//k//x/', 's3://b', 'k/x'],
    ['hdfs:///w//t', 'hdfs', '/w/t'],
    ['S3A://b/k', 'S3A://b', '/k'],
    ['file:/w/t#x', 'file', '/w/t#x'],
    ['tmp/t', 'file', 'tmp/t'],
    ['wasb://c@a.blob.core.windows.net', 'wasbs://c@a.blob.core.windows.net', '/'],
  ])('%s is %s %s', (text, namespace, name) => {
    const place = parseHadoopPath(text);
    expect(place && nameLocation(place)).toEqual({ namespace, name });
  });

  it.each(['', 's3a:', 'x:y', 'jar:file:/x'])('"%s" is no location', (text) => expect(parseHadoopPath(text)).toBeUndefined());
});

describe('properties', () => {
  const odd = fc.string({ unit: fc.constantFrom(...'ab1:/?#@.-_%[]{}(),;=&\\"\'|~ é\n\u00a0'), maxLength: 40 });
  it('no text makes a parser throw, and trimming is stable', () => {
    fc.assert(
      fc.property(fc.oneof(odd, fc.string({ maxLength: 60 })), odd, (a, b) => {
        parseJavaUri(a);
        parseHadoopPath(a);
        nameWithin(a, b);
        const trimmed = trimPartitions(a);
        expect(trimPartitions(trimmed)).toBe(trimmed);
        nameJdbc(`jdbc:${a}`, b, '1.53');
        nameJdbc(`jdbc:oracle:thin:@${a}`, b, '1.54');
      }),
      { numRuns: 2_000 },
    );
  });
  it('splits as Java does', () => {
    expect([javaSplit('', '.'), javaSplit('.', '.'), javaSplit('a..', '.'), javaSplit('.a', '.')]).toEqual([[''], [], ['a'], ['', 'a']]);
  });
});
