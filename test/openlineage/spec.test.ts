// One change, rendered for consumers of several versions of the specification, held against the specification's own files.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { facetSchemas } from '../../src/openlineage/facets.ts';
import { atVersions, freezeRun, type Pins, runEvents } from '../../src/openlineage/openlineage.ts';
import { effectiveSettings, facetVersions, knownReleases, readSettings } from '../../src/settings/settings.ts';
import { createTransport } from '../../src/transports/transports.ts';
import { versionedCheck } from '../../src/validation/validation.ts';
import { jsonFiles } from '../schemas/files.ts';
import { destinationOf } from '../support/destination.ts';
import { sharedDir } from '../support/shared.ts';
import { eventOptions, ordersRun, startedAt } from './orders.ts';

const made = runEvents(freezeRun(ordersRun), { type: 'START', at: startedAt }, { ...eventOptions, lineageFacet: true }).map(
  ({ json }) => json,
);
interface Named {
  readonly namespace: string;
  readonly name: string;
}
interface Event {
  readonly schemaURL: string;
  readonly run?: { readonly facets: Record<string, object> };
  readonly job: { readonly facets: Record<string, object> };
  readonly inputs: readonly Named[];
  readonly outputs: readonly Named[];
}
const names = (event: Event | undefined) =>
  [...(event?.inputs ?? []), ...(event?.outputs ?? [])].map(({ namespace, name }) => `${namespace} ${name}`);
const at = (pins: Pins) => made.flatMap((event) => atVersions(event, pins) ?? []).map((text) => JSON.parse(text) as Event);

/** `_schemaURL` of every facet of the specification, by key. */
function stamps(events: readonly object[]): Map<string, string> {
  const found = new Map<string, string>();
  JSON.stringify(events, (key, value: unknown) => {
    const url = (value as { _schemaURL?: unknown } | null)?._schemaURL;
    if (typeof url === 'string' && url.startsWith('https://openlineage.io/spec/facets/')) found.set(key, url.split('/')[5] as string);
    return value;
  });
  return found;
}

const oldest: Pins = {
  core: '1-0-5',
  facets: { ...Object.fromEntries(Object.entries(facetVersions).map(([key, [first]]) => [key, first])), lineage: 'none' },
};

describe('an event at versions', () => {
  it('as we emit it is the same', () => {
    for (const event of made) expect(JSON.parse(atVersions(event, { core: '2-0-2', facets: {} }) ?? '')).toEqual(JSON.parse(event));
  });

  it('of 1.29 has what that model has, and the same datasets', () => {
    const events = at(knownReleases['1.29']);
    expect(events).toHaveLength(made.length);
    expect(stamps(events).get('parent')).toBe('1-0-1');
    expect(stamps(events).get('sql')).toBe('1-0-1');
    for (const gone of ['catalog', 'subset', 'lineage']) expect(stamps(events).has(gone)).toBe(false);
    const [, job, , child] = events;
    expect(Object.keys(child?.run?.facets['parent'] ?? {}).sort()).toEqual(['_producer', '_schemaURL', 'job', 'run']);
    expect(Object.keys(job?.job.facets['sql'] ?? {}).sort()).toEqual(['_producer', '_schemaURL', 'query']);
    expect(events.map(names)).toEqual(made.map((text) => names(JSON.parse(text) as Event)));
    expect(names(child).length).toBeGreaterThan(1);
  });

  it('of the oldest core has no job events, flat schemas and direct columns only', () => {
    const events = at(oldest);
    const kept = [...stamps(made.map((text) => JSON.parse(text)))].filter(([key]) => key !== 'lineage');
    expect(events).toHaveLength(made.filter((text) => 'run' in JSON.parse(text)).length);
    expect(new Set(events.map(({ schemaURL }) => schemaURL))).toEqual(
      new Set(['https://openlineage.io/spec/1-0-5/OpenLineage.json#/$defs/RunEvent']),
    );
    expect(JSON.stringify(events)).not.toMatch(/"transformations"|INDIRECT/);
    expect(JSON.stringify(events)).toContain('"inputFields":[{"namespace"');
    expect([...stamps(events)].sort()).toEqual(kept.map(([key]) => [key, facetVersions[key as keyof typeof facetVersions][0]]).sort());
  });

  it('never makes anything newer', () => {
    const old = JSON.stringify({
      run: {
        runId: 'r',
        facets: {
          parent: { _schemaURL: 'https://openlineage.io/spec/facets/1-0-0/ParentRunFacet.json#/$defs/ParentRunFacet', root: 1 },
          other_x: {},
        },
      },
      schemaURL: 'https://openlineage.io/spec/1-0-5/OpenLineage.json#/$defs/RunEvent',
    });
    expect(atVersions(old, knownReleases['1.29'])).toBe(old);
    const custom = JSON.stringify({ run: { runId: 'r', facets: { parent: { _schemaURL: 'https://example.org/parent.json', root: 1 } } } });
    expect(atVersions(custom, knownReleases['1.29'])).toBe(custom);
  });

  it('knows every facet of ours up to the version that we emit', () => {
    const emitted = Object.entries(facetSchemas).filter(
      ([key, url]) => url.startsWith('https://openlineage.io/') && key !== 'datasetDocumentation',
    );
    expect(emitted.map(([key, url]) => [key, url.split('/')[5]]).sort()).toEqual(
      Object.entries(facetVersions)
        .map(([key, all]) => [key, all.at(-1)])
        .sort(),
    );
  });
});

const shared = sharedDir();
describe.skipIf(shared === undefined)("the specification's files", () => {
  const folder = join(shared ?? '', 'fixtures/openlineage-spec/published');
  const files = shared === undefined ? {} : jsonFiles(folder);

  it.each([
    ['as we emit it', { core: '2-0-2', facets: {} }],
    ['1.29', knownReleases['1.29']],
    ['the oldest', oldest],
    ['a mixture', { core: '2-0-0', facets: { schema: '1-1-0', columnLineage: '1-0-2', symlinks: 'none' } }],
  ] satisfies [string, Pins][])('find nothing wrong at the versions that events name: %s', async (_, pins) => {
    const check = versionedCheck(files);
    const events = at(pins);
    expect(events.length).toBeGreaterThan(2);
    for (const event of events) {
      const findings = await check({ ...event });
      expect(findings.filter(({ message }) => !message.includes('streampark-lineage/schemas'))).toEqual([]);
    }
    const ids = new Set(Object.values(files).map((file) => (file as { $id?: string }).$id));
    for (const [, url] of JSON.stringify(events).matchAll(/"(?:_schemaURL|schemaURL)":"(https:\/\/openlineage\.io[^"#]+)/g))
      expect(ids).toContain(url);
  });
});

describe('the settings', () => {
  const specOf = (yaml: string) => effectiveSettings(readSettings(yaml, {}), {}).destinations.map(({ spec }) => spec);
  it('pin for all destinations or for one', () => {
    const two =
      'destinations: [{name: a, type: console}, {name: b, type: console, spec: current}, {name: c, type: console, spec: {core: 2-0-0}}]';
    expect(specOf(two)).toEqual([null, null, { core: '2-0-0', facets: {} }]);
    expect(specOf(`events: {spec: "1.29"}\n${two}`)).toEqual([knownReleases['1.29'], null, { core: '2-0-0', facets: {} }]);
    expect(() => specOf('events: {spec: {facets: {parent: 1-2-0}}}')).toThrow('events.spec');
    expect(() => specOf('events: {spec: {facets: {parents: 1-0-1}}}')).toThrow('events.spec');
  });

  it('are obeyed by what is sent', async () => {
    const lines: string[] = [];
    const output = {
      write: (text: string, done?: (error?: Error | null) => void) => {
        lines.push(text);
        done?.();
        return true;
      },
    };
    const send = async (spec: unknown, event: string) => {
      const transport = createTransport(destinationOf({ type: 'console', spec }), { version: 'x', output: output as never });
      return transport.send(event, new AbortController().signal);
    };
    const [, job, , child] = made as [string, string, string, string];
    expect(await send('1.29', child)).toEqual({ kind: 'sent' });
    expect(JSON.parse(lines[0] ?? '')).toEqual(JSON.parse(atVersions(child, knownReleases['1.29']) ?? ''));
    expect(await send({ core: '1-0-5' }, job)).toEqual({ kind: 'sent' });
    expect(lines).toHaveLength(1);
  });
});
