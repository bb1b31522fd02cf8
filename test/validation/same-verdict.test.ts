// Our schemas and the specification's own files give the same verdict on the corpus, on every sample, and on thousands of
// damaged events.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FacetKey, facetSchemas } from '../../src/openlineage/facets.ts';
import { ownCheck, versionedCheck } from '../../src/validation/validation.ts';
import { jsonFiles, ownSchemas } from '../schemas/files.ts';
import { mutations } from '../schemas/mutations.ts';
import { sharedDir } from '../support/shared.ts';
import { corpusEvents } from './corpus.ts';

const shared = sharedDir();
if (shared === undefined) process.stderr.write("not tested: the verdict of the specification's files (../shared is missing)\n");

describe.skipIf(shared === undefined)('the same verdict', () => {
  const folder = join(shared ?? '', 'fixtures/openlineage-spec');
  const schemas = shared === undefined ? {} : { ...jsonFiles(join(folder, 'published')), ...jsonFiles(join(folder, 'current')) };
  const own = ownSchemas();
  const ours = ownCheck(own);
  // The facets that are ours are not among the specification's.
  const ofOurs = Object.fromEntries(Object.entries(own).filter(([name]) => name.startsWith('Streampark')));
  const theirs = versionedCheck({ ...schemas, ...ofOurs });
  /** Our facets by key, which the specification's files cannot know. */
  const known = new Set(Object.values(own).flatMap((schema) => Object.keys((schema as { properties?: object }).properties ?? {})));

  const verdicts = async (event: Record<string, unknown>) => {
    const [a, b] = [await ours(event), await theirs(event)];
    return { ours: a.filter(({ level }) => level === 'error'), theirs: b.filter(({ level }) => level === 'error') };
  };
  const agree = async (event: Record<string, unknown>): Promise<boolean> => {
    const { ours, theirs } = await verdicts(event);
    if (ours.length > 0 !== theirs.length > 0) throw new Error(JSON.stringify({ ours, theirs, event }));
    return ours.length === 0;
  };

  it('on every event of the corpus: valid', async () => {
    for (const event of corpusEvents()) expect((await verdicts(event)).theirs).toEqual([]);
    for (const event of corpusEvents()) expect(await agree(event)).toBe(true);
  });

  it('on every sample of the specification', async () => {
    const samples = jsonFiles(join(folder, 'samples'));
    const base = corpusEvents()[0] as Record<string, object>;
    let judged = 0;
    for (const [name, sample] of Object.entries(samples)) {
      // Held against the version of ours, whatever version the sample was written for.
      const facets = Object.fromEntries(
        Object.entries(sample as Record<string, object>).flatMap(([key, facet]) =>
          known.has(key) ? [[key, { ...facet, _schemaURL: facetSchemas[key as FacetKey] }] as const] : [],
        ),
      );
      const owner = /^\w+?(InputDataset|OutputDataset|Dataset|Job|Run)Facet\//.exec(name)?.[1];
      const isEvent = typeof sample === 'object' && sample !== null && 'eventTime' in sample;
      const holder = (key: string) => ({ ...base, [key]: { ...base[key], facets } });
      const event = isEvent
        ? (sample as Record<string, unknown>)
        : owner === 'Run' || owner === 'Job'
          ? holder(owner.toLowerCase())
          : { ...base, inputs: [{ namespace: 'kafka://b:9092', name: 'topic', facets }] };
      // Facets that we do not emit are judged by their files alone.
      if (!isEvent && Object.keys(facets).length === 0) continue;
      await agree(event);
      judged += 1;
    }
    expect(judged).toBeGreaterThan(10);
  });

  it('on thousands of damaged events', async () => {
    const count = { valid: 0, invalid: 0 };
    const kinds = new Map(corpusEvents().map((event) => [`${String(event['eventType'])} ${'run' in event} ${facetKeys(event)}`, event]));
    const damaged = new Set<string>();
    for (const event of kinds.values()) {
      for (const one of mutations(event)) {
        // Damage that leaves no object leaves no event.
        const text = JSON.stringify(one) ?? '';
        if (text.startsWith('{')) damaged.add(text);
      }
    }
    // Spread over all of them: every place of every kind is damaged in some way.
    const step = Math.ceil(damaged.size / 3_000);
    let n = 0;
    for (const text of damaged) {
      if (n++ % step === 0) count[(await agree(JSON.parse(text) as Record<string, unknown>)) ? 'valid' : 'invalid'] += 1;
    }
    expect(count.valid).toBeGreaterThan(300);
    expect(count.invalid).toBeGreaterThan(300);
    expect(count.valid + count.invalid).toBeGreaterThan(2_000);
  }, 90_000);
});

const facetKeys = (event: Record<string, unknown>): string =>
  [event['run'], event['job'], ...((event['inputs'] ?? []) as unknown[]), ...((event['outputs'] ?? []) as unknown[])]
    .map((one) => Object.keys((one as { facets?: object } | undefined)?.facets ?? {}).join('+'))
    .join('|');
