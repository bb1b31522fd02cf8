// Our schemas against the specification's own files: the same verdict on its samples, on our events and on mutations of both.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { freezeRun, runEvents } from '../../src/openlineage/openlineage.ts';
import { eventOptions, ordersRun, startedAt } from '../openlineage/orders.ts';
import { sharedDir } from '../support/shared.ts';
import { jsonFiles, ownSchemas } from './files.ts';
import { mutations } from './mutations.ts';
import { rareEvents, rareFacets } from './rare.ts';

interface SchemaFile {
  $id: string;
  $defs: Record<string, unknown>;
}

const own = Object.values(ownSchemas()) as SchemaFile[];
const core = 'https://openlineage.io/spec/2-0-2/OpenLineage.json';
const ours = (schema: SchemaFile) => !schema.$id.startsWith('https://openlineage.io/');

function compiler(schemas: readonly object[], strict: boolean): (ref: string) => ValidateFunction {
  const ajv = new Ajv2020({ strict, ...(strict && { strictRequired: true, strictTypes: true, logger: refusing }) });
  formats.default(ajv);
  for (const schema of schemas) ajv.addSchema(schema);
  return (ref) => ajv.compile({ $ref: ref });
}

const refuse = (...words: unknown[]): never => {
  throw new Error(words.join(' '));
};
const refusing = { log: refuse, warn: refuse, error: refuse };

/** Our own events of every kind, with all facets that can stand on them. */
function ownEvents(): unknown[] {
  const script = freezeRun({ ...ordersRun, sourceUrl: 'https://console:10000/#/flink/app/detail?appId=100042' });
  const project = { url: 'https://git.example.org/shop/jobs.git', branch: 'main', module: 'orders' };
  const context = { ...ordersRun.context, project };
  const batch = freezeRun({ ...ordersRun, context, processing: 'BATCH', sql: null, code: { language: 'YAML', text: 'source: {}' } });
  const moments = (['START', 'RUNNING', 'COMPLETE', 'FAIL', 'ABORT'] as const).map((type) => ({ type, at: startedAt }));
  const events = [
    ...moments.flatMap((moment) => runEvents(script, moment, eventOptions)),
    ...runEvents(batch, { type: 'START', at: startedAt }, { ...eventOptions, lineageFacet: true }),
    ...runEvents(script, { type: 'START', at: startedAt }, { ...eventOptions, maxBytes: 4000 }).slice(-1),
  ];
  return events.map((event) => JSON.parse(event.json) as unknown);
}

/** Run facets of an event, `{}` for job events. */
const facetsOf = (event: unknown): Record<string, object> => (event as { run?: { facets: Record<string, object> } }).run?.facets ?? {};

const strictly = compiler(own, true);

describe('our schemas', () => {
  test('compile in strict mode without a warning', () => {
    for (const schema of own) expect(strictly(schema.$id)).toBeTypeOf('function');
  });

  test('describe every facet at the version that events are stamped with', () => {
    const stamps = new Set<string>();
    JSON.stringify(ownEvents(), (key, value: unknown) => {
      if (key === '_schemaURL' || key === 'schemaURL') stamps.add(String(value));
      return value;
    });
    const definitions = own.flatMap((schema) => Object.keys(schema.$defs).map((name) => `${schema.$id}#/$defs/${name}`));
    for (const stamp of stamps) expect(definitions).toContain(stamp);
    expect(new Set([...stamps].map((stamp) => stamp.replace(/#.*/, ''))).size).toBe(own.length);
  });

  test('the facets of our own accept what we send and refuse the rest', () => {
    const idOf = (name: string) => own.filter(ours).find(({ $id }) => $id.endsWith(`/${name}.json`))?.$id;
    const cut = strictly(`${idOf('StreamparkCutJobFacet')}#/$defs/StreamparkCutJobFacet`);
    const [mark] = ownEvents().flatMap(
      (event) => (event as { job: { facets: Record<string, object> } }).job.facets['streampark_cut'] ?? [],
    );
    expect(cut(mark)).toBe(true);
    expect(cut({ ...mark, cuts: [] })).toBe(false);
    expect(cut({ ...mark, cuts: [{ facet: 'sql', of: 'nobody', kept: 0, total: 1 }] })).toBe(false);
    const check = strictly(`${idOf('StreamparkAppRunFacet')}#/$defs/StreamparkAppRunFacet`);
    const [facet] = ownEvents().map((event) => facetsOf(event)['streampark_app']);
    expect(check(facet)).toBe(true);
    expect(check({ ...facet, tier: 'guess' })).toBe(false);
    expect(check({ ...facet, attempt: 0 })).toBe(true);
    expect(check({ ...facet, attempt: 1.5 })).toBe(false);
    expect(check({ ...facet, notes: [] })).toBe(false);
    expect(check({ ...facet, _producer: undefined })).toBe(false);
  });
});

const shared = sharedDir();

const title = shared === undefined ? 'NOT TESTED, no ../shared: equal to the specification' : 'equal to the specification';

describe.skipIf(shared === undefined)(title, { timeout: 60_000 }, () => {
  const dir = join(shared ?? '', 'fixtures/openlineage-spec');
  const published = shared === undefined ? [] : Object.values(jsonFiles(join(dir, 'published')));
  const samples = shared === undefined ? {} : jsonFiles(join(dir, 'samples'));
  const theirs = compiler(published as object[], false);

  /** Compares on each document and its mutations; returns how many were accepted and refused. */
  function compare(ref: string, documents: readonly unknown[]): { accepted: number; refused: number } {
    const [a, b] = [strictly(ref), theirs(ref)];
    const count = { accepted: 0, refused: 0 };
    const one = (document: unknown): void => {
      const verdict = a(document);
      if (verdict !== b(document)) {
        const errors = (verdict ? b : a).errors?.map((error) => `${error.instancePath} ${error.message}`).join('; ');
        throw new Error(`${ref}: ${verdict ? 'ours accepts' : 'ours refuses'}: ${errors}\n${JSON.stringify(document)}`);
      }
      count[verdict ? 'accepted' : 'refused'] += 1;
    };
    for (const document of documents) {
      one(document);
      for (const changed of mutations(document)) one(changed);
    }
    return count;
  }

  /** Documents that hold facets: `{key: facet}` as the specification's facet files describe, from events and samples. */
  const facetMaps = (): unknown[] => {
    const found: unknown[] = [];
    const walk = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const [key, inner] of Object.entries(value)) {
        if (key === 'facets' || key === 'inputFacets' || key === 'outputFacets') found.push(inner);
        walk(inner);
      }
    };
    walk(ownEvents());
    return [...found, ...rareFacets, ...Object.values(samples)];
  };

  test('the samples are all there', () => {
    expect(readdirSync(join(dir, 'samples')).length).toBeGreaterThan(30);
  });

  test.each([core, ...['RunEvent', 'JobEvent', 'DatasetEvent'].map((kind) => `${core}#/$defs/${kind}`)])('%s', (ref) => {
    const datasetEvents = ownEvents().flatMap((event) => {
      const { eventTime, producer, outputs } = event as { eventTime: string; producer: string; outputs: unknown[] };
      return outputs.slice(0, 1).map((dataset) => ({ eventTime, producer, schemaURL: `${core}#/$defs/DatasetEvent`, dataset }));
    });
    const kinds = new Map(ownEvents().map((event) => [Object.keys(facetsOf(event)).join(), event]));
    const events = [...kinds.values(), ...datasetEvents.slice(0, 1), ...rareEvents, ...Object.values(samples)];
    const { accepted, refused } = compare(ref, events);
    expect(accepted).toBeGreaterThan(500);
    expect(refused).toBeGreaterThan(500);
  });

  test.each(Object.keys(own.find((schema) => schema.$id === core)?.$defs ?? {}))('core definition %s', (name) => {
    const parts = ownEvents().flatMap((event) => {
      const { run, job, inputs, outputs } = event as { run: unknown; job: unknown; inputs: unknown[]; outputs: unknown[] };
      return [run, job, ...inputs, ...outputs];
    });
    const facets = facetMaps().flatMap((map) => Object.values(map as object));
    const seen = new Map([...parts, ...facets].map((part) => [JSON.stringify(part), part]));
    compare(`${core}#/$defs/${name}`, [...seen.values()]);
  });

  test.each(own.filter((schema) => schema.$id !== core && !ours(schema)).map((schema) => schema.$id))('%s', (ref) => {
    const key = Object.keys((own.find((schema) => schema.$id === ref) as unknown as { properties: object }).properties)[0] ?? '';
    const maps = new Map(
      facetMaps()
        .filter((map) => key in (map as object))
        .map((map) => [JSON.stringify(map), { [key]: (map as Record<string, unknown>)[key] }]),
    );
    expect(maps.size).toBeGreaterThan(0);
    const { accepted, refused } = compare(ref, [...maps.values()]);
    expect(accepted).toBeGreaterThan(20);
    expect(refused).toBeGreaterThan(50);
  });
});
