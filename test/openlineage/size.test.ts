import { describe, expect, test } from 'vitest';
import { freezeRun, runEvents } from '../../src/openlineage/openlineage.ts';
import { eventOptions, ordersRun, startedAt } from './orders.ts';

interface InputField {
  transformations: { type: string }[];
}

interface Body {
  job: { facets: { sql: { query: string } } };
  inputs: { name: string; facets: object }[];
  outputs: { name: string; facets: { columnLineage?: { fields: Record<string, { inputFields: InputField[] }> } } }[];
}

function child(sql: string, maxBytes: number): { body: Body; bytes: number } {
  const [, , , event] = runEvents(freezeRun({ ...ordersRun, sql }), { type: 'START', at: startedAt }, { ...eventOptions, maxBytes });
  const json = event?.json ?? '';
  return { body: JSON.parse(json) as Body, bytes: Buffer.byteLength(json) };
}

const facetKeys = (body: Body) => [...body.inputs, ...body.outputs].map((dataset) => Object.keys(dataset.facets).join(' '));
const all = ['schema', 'schema', 'schema columnLineage'];
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
    expect(bytes).toBeGreaterThan(262_144 - 8);
    expect(body.job.facets.sql.query).toMatch(/\n-- cut here: the script has \d+ characters$/);
    expect(body.job.facets.sql.query).not.toMatch(/\p{Surrogate}/u);
    expect(facetKeys(body)).toEqual(all);
  });

  test('then drops column lineage, then schemas, inputs first, and never a dataset', () => {
    const sql = 'x'.repeat(10_000);
    const seen = new Set<string>();
    for (let maxBytes = base + 400; maxBytes > 0; maxBytes -= 50) {
      const { body, bytes } = child(sql, maxBytes);
      seen.add(facetKeys(body).join('|'));
      expect(body.inputs.map((d) => d.name)).toEqual(['orders', 'crm.customers']);
      expect(body.outputs.map((d) => d.name)).toEqual(['dw.orders_wide']);
      if (facetKeys(body).join('') !== '') expect(bytes).toBeLessThanOrEqual(maxBytes);
    }
    expect([...seen]).toEqual([all.join('|'), 'schema|schema|schema', '||schema', '||']);
  });

  test('drops what only decides about columns before what they are made of', () => {
    const kinds = ({ outputs }: Body) =>
      Object.values(outputs[0]?.facets.columnLineage?.fields ?? {}).map(({ inputFields }) =>
        inputFields.flatMap(({ transformations }) => transformations.map(({ type }) => type)).join(' '),
      );
    const seen = new Set<string>();
    for (let maxBytes = base + 400; maxBytes > 0; maxBytes -= 50) seen.add(kinds(child('x'.repeat(10_000), maxBytes).body).join('|'));
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
      { ...eventOptions, maxBytes: 1 << 30 },
    );
    const body = JSON.parse(events.at(-1)?.json ?? '') as Body;
    expect(Object.values(body.outputs[0]?.facets.columnLineage?.fields ?? {}).map(({ inputFields }) => inputFields.length)).toEqual(
      Array.from({ length: 300 }, () => 1),
    );
  });

  test('a script of many megabytes is cut like any other', () => {
    const { bytes } = child('é"'.repeat(4_000_000), 262_144);
    expect(bytes).toBeLessThanOrEqual(262_144);
  });
});
