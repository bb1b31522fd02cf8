// Byte equality with official producers: every sample, except the listed ones, has exactly their namespace and name.
import { describe, expect, it } from 'vitest';
import type { Identification } from '../../src/identity/identity.ts';
import { deviations, linkDeviations } from './deviations.ts';
import { type Answer, identifySample, readSamples, type Sample } from './samples.ts';

const all = readSamples();
const samples = all?.filter(({ connector }) => !connector.startsWith('#')) ?? [];

const names = (found: Identification): string[] =>
  'reason' in found ? [found.reason] : found.datasets.map(({ namespace, name }) => `${namespace} ${name}`);

/** What the official producer says, by the two general rules: a topic list is one dataset each, Paimon is its location. */
function official({ connector, expect: answer, also }: Sample): string[] | undefined {
  const said: Answer | undefined =
    connector === 'paimon' ? also?.find(({ p }) => p === 'spark/PathUtils.fromPath(location)+trim') : (answer ?? undefined);
  if (said === undefined || said.error !== undefined) return undefined;
  if (connector.endsWith('kafka')) {
    return said.name ? said.name.split(';').map((topic) => `${said.ns} ${topic}`) : ['PATTERN_UNRESOLVED'];
  }
  return [`${said.ns} ${said.name}`];
}

describe.skipIf(all === undefined)('samples of official producers (skipped: the shared fixtures are missing)', () => {
  it('are there', () => expect(samples.length).toBeGreaterThan(500));

  it.each(samples.filter(({ id }) => deviations[id] === undefined))('$id $connector $options', (sample) => {
    const expected = official(sample);
    const found = names(identifySample(sample));
    if (expected === undefined) {
      expect(sample.expect, 'a throwing official rule needs an entry in deviations.ts').toBeNull();
      expect(found[0]).toMatch(/:\/\//);
    } else expect(found).toEqual(expected);
  });

  it.each(Object.entries(deviations))('%s deviates: $why', (id, { ours }) => {
    const sample = samples.find((each) => each.id === id) as Sample;
    expect(names(identifySample(sample))).toEqual(ours);
    expect(ours, 'no longer a deviation').not.toEqual(official(sample));
  });

  it.each(samples.filter(({ connector }) => connector === 'hive' || connector === 'iceberg'))('$id has the official symlink', (sample) => {
    const found = identifySample(sample);
    const links = 'reason' in found ? [] : (found.datasets[0]?.symlinks.map(({ namespace, name, type }) => [namespace, name, type]) ?? []);
    if (linkDeviations[sample.id] === undefined) expect(links.filter(([, , type]) => type === 'TABLE')).toEqual(sample.expect?.sym ?? []);
    else expect(links[0]?.[0]).toMatch(/^hive:\/\/[^,]+$/);
  });

  it('never copies the catalog name of a Kafka or Kinesis table', () => {
    for (const sample of samples.filter(({ connector }) => /kafka|kinesis/.test(connector))) {
      const found = identifySample(sample);
      const links = 'reason' in found ? [] : found.datasets.flatMap(({ symlinks }) => symlinks);
      expect(links.filter(({ name }) => name === sample.table)).toEqual([]);
    }
  });
});
