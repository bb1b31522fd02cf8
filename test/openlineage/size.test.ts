import { describe, expect, test } from 'vitest';
import { freezeRun, runEvents } from '../../src/openlineage/openlineage.ts';
import { eventOptions, ordersRun, startedAt } from './orders.ts';

interface InputField {
  transformations: { type: string }[];
}

interface Body {
  job: { facets: { sql: { query: string }; streampark_cut?: { cuts: object[] } } };
  inputs: { name: string; facets: { schema?: { fields: object[] } } }[];
  outputs: {
    name: string;
    facets: { schema?: { fields: object[] }; columnLineage?: { fields: Record<string, { inputFields: InputField[] }> } };
  }[];
}

function child(sql: string, maxBytes: number): { body: Body; bytes: number } {
  const options = { ...eventOptions, maxBytes, maxFacetBytes: 1 << 30 };
  const [, , , event] = runEvents(freezeRun({ ...ordersRun, sql }), { type: 'START', at: startedAt }, options);
  const json = event?.json ?? '';
  return { body: JSON.parse(json) as Body, bytes: Buffer.byteLength(json) };
}

const facetKeys = (body: Body) => [...body.inputs, ...body.outputs].map((dataset) => Object.keys(dataset.facets).join(' '));
const described = 'dataSource storage documentation';
const all = [`schema ${described}`, 'schema dataSource', 'schema dataSource columnLineage'];
const base = child('', 1 << 30).bytes;

describe('the size cap', () => {
  test('leaves an event alone that fits to the byte', () => {
    const { bytes } = child('SELECT 1', 1 << 30);
    expect(child('SELECT 1', bytes).body.job.facets.sql.query).toBe('SELECT 1');
  });

  test.each([
    ['plain', 'x'.repeat(400_000)],
    ['escaped', '"\n\\'.repeat(100_000)],
    ['of four bytes a character', '😀'.repeat(100_000)],
  ])('cuts a script that is %s to use the room there is, with a visible mark', (_, sql) => {
    const { body, bytes } = child(sql, 262_144);
    expect(bytes).toBeLessThanOrEqual(262_144);
    expect(bytes).toBeGreaterThan(262_144 - 300);
    expect(body.job.facets.sql.query).toMatch(/\n-- cut here: the text has \d+ characters$/);
    expect(body.job.facets.sql.query).not.toMatch(/\p{Surrogate}/u);
    expect(facetKeys(body)).toEqual(all);
    const kept = body.job.facets.sql.query.length;
    expect(body.job.facets.streampark_cut?.cuts).toEqual([{ facet: 'sql', of: 'job', kept, total: sql.length }]);
  });

  test('then drops column lineage, then schemas, inputs first, and never a dataset', () => {
    const sql = 'x'.repeat(10_000);
    const seen = new Set<string>();
    for (let maxBytes = base + 900; maxBytes > 0; maxBytes -= 100) {
      const { body, bytes } = child(sql, maxBytes);
      seen.add(facetKeys(body).join('|'));
      expect(body.inputs.map((d) => d.name)).toEqual(['orders', 'crm.customers']);
      expect(body.outputs.map((d) => d.name)).toEqual(['dw.orders_wide']);
      if (facetKeys(body).join('') !== '') expect(bytes).toBeLessThanOrEqual(maxBytes);
    }
    expect([...seen]).toEqual([
      all.join('|'),
      `schema ${described}|schema dataSource|schema dataSource`,
      `${described}|dataSource|schema dataSource`,
      `${described}|dataSource|dataSource`,
      '||',
    ]);
  });

  test('drops what only decides about columns before what they are made of', () => {
    const kinds = ({ outputs }: Body) =>
      Object.values(outputs[0]?.facets.columnLineage?.fields ?? {}).map(({ inputFields }) =>
        inputFields.flatMap(({ transformations }) => transformations.map(({ type }) => type)).join(' '),
      );
    const seen = new Set<string>();
    for (let maxBytes = base + 900; maxBytes > 0; maxBytes -= 100) seen.add(kinds(child('x'.repeat(10_000), maxBytes).body).join('|'));
    const whole = 'DIRECT INDIRECT INDIRECT';
    expect([...seen]).toEqual([[whole, whole, whole].join('|'), 'DIRECT|DIRECT|DIRECT', '']);
  });

  test('leaves out influences that no event has room for', () => {
    const [pipeline] = ordersRun.lineage?.pipelines ?? [];
    if (pipeline === undefined) throw new Error('no pipeline');
    const [first] = pipeline.influences;
    if (first === undefined) throw new Error('no influence');
    const columns = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`c${i}`, pipeline.columns['order_id'] ?? []]));
    const influences = Array.from({ length: 300 }, (_, i) => ({ ...first, field: `f${i}` }));
    const lineage = { pipelines: [{ ...pipeline, columns, influences }], skipped: [] };
    const events = runEvents(
      freezeRun({ ...ordersRun, lineage }),
      { type: 'START', at: startedAt },
      { ...eventOptions, maxBytes: 1 << 30, maxFacetBytes: 1 << 30 },
    );
    const body = JSON.parse(events.at(-1)?.json ?? '') as Body;
    expect(Object.values(body.outputs[0]?.facets.columnLineage?.fields ?? {}).map(({ inputFields }) => inputFields.length)).toEqual(
      Array.from({ length: 300 }, () => 1),
    );
  });

  test('names all that it left out, once for each side', () => {
    const { body } = child('x'.repeat(10_000), 2_000);
    expect(body.job.facets.streampark_cut?.cuts).toEqual([
      { facet: 'sql', of: 'job', kept: body.job.facets.sql.query.length, total: 10_000 },
      { facet: 'columnLineage INDIRECT', of: 'outputs', kept: 0, total: 3 },
      { facet: 'columnLineage', of: 'outputs', kept: 0, total: 3 },
      { facet: 'schema', of: 'inputs', kept: 0, total: 6 },
      { facet: 'schema', of: 'outputs', kept: 0, total: 3 },
      { facet: 'documentation', of: 'inputs', kept: 0, total: 1 },
      { facet: 'storage', of: 'inputs', kept: 0, total: 1 },
      { facet: 'dataSource', of: 'inputs', kept: 0, total: 2 },
      { facet: 'dataSource', of: 'outputs', kept: 0, total: 1 },
    ]);
  });

  test('an event that fits has no mark', () => {
    expect(child('SELECT 1', 1 << 30).body.job.facets.streampark_cut).toBeUndefined();
  });

  test('a script of many megabytes is cut like any other', () => {
    const { bytes } = child('é"'.repeat(2_000_000), 262_144);
    expect(bytes).toBeLessThanOrEqual(262_144);
  });
});

describe('the cap of one facet', () => {
  const wide = (columns: number) => {
    const [pipeline] = ordersRun.lineage?.pipelines ?? [];
    if (pipeline === undefined) throw new Error('no pipeline');
    const names = Array.from({ length: columns }, (_, i) => `column_${i}`);
    const origins = pipeline.columns['order_id'] ?? [];
    const sink = { ...pipeline.sink, columns: names.map((name) => ({ name, type: 'STRING', kind: 'physical' as const })) };
    return { pipelines: [{ ...pipeline, sink, columns: Object.fromEntries(names.map((name) => [name, origins])) }], skipped: [] };
  };
  const cut = (columns: number, maxFacetBytes: number) => {
    const run = freezeRun({ ...ordersRun, lineage: wide(columns) });
    const events = runEvents(run, { type: 'START', at: startedAt }, { ...eventOptions, maxBytes: 1 << 30, maxFacetBytes });
    return JSON.parse(events.at(-1)?.json ?? '') as Body;
  };
  const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

  test('keeps the first fields of a schema and the first columns of a lineage, and says how many there were', () => {
    const body = cut(1_000, 16_384);
    const { schema, columnLineage } = body.outputs[0]?.facets ?? {};
    expect(bytes(schema)).toBeLessThanOrEqual(16_384);
    expect(bytes(schema)).toBeGreaterThan(15_000);
    expect(bytes(columnLineage)).toBeLessThanOrEqual(16_384);
    expect(bytes(columnLineage)).toBeGreaterThan(15_000);
    expect(schema?.fields[0]).toEqual({ name: 'column_0', type: 'STRING' });
    expect(body.job.facets.streampark_cut?.cuts).toEqual([
      { facet: 'schema', of: 'outputs', kept: schema?.fields.length, total: 1_000 },
      { facet: 'columnLineage INDIRECT', of: 'outputs', kept: 0, total: 1_000 },
      { facet: 'columnLineage', of: 'outputs', kept: Object.keys(columnLineage?.fields ?? {}).length, total: 1_000 },
    ]);
  });

  test('cuts a script to it though the event has room', () => {
    const run = freezeRun({ ...ordersRun, sql: 'x'.repeat(100_000) });
    const event = runEvents(run, { type: 'START', at: startedAt }, { ...eventOptions, maxFacetBytes: 1_000 }).at(-1);
    const body = JSON.parse(event?.json ?? '') as Body;
    expect([999, 1_000]).toContain(body.job.facets.sql.query.length);
    expect(body.job.facets.sql.query).toMatch(/x\n-- cut here: the text has 100000 characters$/);
  });
});
