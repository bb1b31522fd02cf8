// Column lineage by dataset: what is united, what is left out, and what touches which column.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnLineage, type DistilledPipeline, type IdentityFacts, nameLineage } from '../../src/identity/identity.ts';
import type { ColumnLineage, SourceColumn } from '../../src/plan/plan.ts';
import { settings } from './samples.ts';

const kafka = (topic: string): IdentityFacts => ({
  path: ['c', 'd', topic],
  connector: 'kafka',
  options: { connector: 'kafka', 'properties.bootstrap.servers': 'b', topic },
  catalog: null,
  location: null,
  columns: [],
});
const print: IdentityFacts = { ...kafka('p'), connector: 'print', options: {} };
const identity = (source: number, field: string): SourceColumn => ({ source, field, type: 'DIRECT', subtype: 'IDENTITY' });
const filter = (source: number, field: string): SourceColumn => ({ source, field, type: 'INDIRECT', subtype: 'FILTER' });

const insert = (sink: string, inputs: readonly IdentityFacts[], columns: ColumnLineage | null): DistilledPipeline => ({
  tier: 'plan',
  line: 1,
  sink: kafka(sink),
  inputs: inputs.map((facts) => ({ ...facts, role: 'scan' })),
  columns,
});

const columnsOf = (...pipelines: DistilledPipeline[]) =>
  nameLineage(pipelines, settings).pipelines.map((pipeline) =>
    Object.fromEntries(
      Object.entries(columnLineage(pipeline)).map(([column, origins]) => [
        column,
        origins.map(({ name, field, subtype }) => `${name}.${field}${subtype === 'IDENTITY' ? '' : ` ${subtype}`}`),
      ]),
    ),
  );

describe('named columns', () => {
  it('have an entry for every dataset of a source and none for a source without', () => {
    const columns = { columns: { x: [identity(0, 'a'), identity(1, 'b')], y: [] }, influences: [filter(1, 'c')] };
    expect(columnsOf(insert('out', [kafka('t1;t2'), print], columns))).toEqual([{ x: ['t1.a', 't2.a'], y: [] }]);
  });

  it('are those of every dataset of the sink', () => {
    const columns = { columns: { x: [identity(0, 'a')] }, influences: [] };
    expect(columnsOf(insert('o1;o2', [kafka('t')], columns))).toEqual([{ x: ['t.a'] }, { x: ['t.a'] }]);
  });

  it('are united where INSERTs are, each entry once', () => {
    const first = { columns: { x: [identity(0, 'a')], y: [] }, influences: [filter(0, 'f')] };
    const second = { columns: { x: [identity(0, 'a')], y: [identity(1, 'b')] }, influences: [filter(1, 'g')] };
    expect(columnsOf(insert('o', [kafka('t')], first), insert('o', [kafka('t'), kafka('u')], second))).toEqual([
      { x: ['t.a', 't.f FILTER', 'u.g FILTER'], y: ['u.b', 't.f FILTER', 'u.g FILTER'] },
    ]);
  });

  it('are touched only by what belongs to an INSERT that writes them', () => {
    const first = { columns: { x: [identity(0, 'a')] }, influences: [filter(0, 'f')] };
    const second = { columns: { x: [], z: [identity(0, 'b')] }, influences: [filter(0, 'g')] };
    expect(columnsOf(insert('o', [kafka('t')], first), insert('o', [kafka('t')], second))).toEqual([
      { x: ['t.a', 't.f FILTER', 't.g FILTER'], z: ['t.b', 't.g FILTER'] },
    ]);
  });

  it('stay known where another INSERT is not', () => {
    const columns = { columns: { x: [identity(0, 'a')] }, influences: [filter(0, 'f')] };
    const known = insert('o', [kafka('t')], columns);
    const unknown = insert('o', [kafka('t')], null);
    expect(columnsOf(known, unknown)).toEqual([{ x: ['t.a', 't.f FILTER'] }]);
    expect(columnsOf(unknown, known)).toEqual(columnsOf(known, unknown));
    expect(columnsOf(unknown)).toEqual([{}]);
  });

  it('keep influences apart until they are asked for, also through the plan cache', () => {
    const columns = { columns: { ['__proto__']: [identity(0, 'a')], x: [] }, influences: [filter(0, 'f')] };
    const cached = JSON.parse(JSON.stringify(insert('o', [kafka('t')], columns))) as DistilledPipeline;
    const [pipeline] = nameLineage([cached], settings).pipelines;
    expect(Object.entries(pipeline?.columns ?? {}).map(([column, origins]) => [column, origins.length])).toEqual([
      ['__proto__', 1],
      ['x', 0],
    ]);
    expect(pipeline?.influences).toHaveLength(1);
    expect(Object.entries(pipeline === undefined ? {} : columnLineage(pipeline)).map(([, origins]) => origins.length)).toEqual([2, 1]);
  });

  it('only mention inputs of their pipeline, in whatever order INSERTs come', () => {
    const source = fc.constantFrom(kafka('a'), kafka('b;c'), print, kafka('${x}'));
    const origin = fc
      .tuple(fc.nat({ max: 4 }), fc.constantFrom('f', 'g'))
      .chain(([at, field]) => fc.constantFrom(identity(at, field), filter(at, field)));
    const some = fc.record({
      columns: fc.dictionary(fc.constantFrom('x', 'y', 'z'), fc.array(origin, { maxLength: 4 })),
      influences: fc.array(
        fc.tuple(fc.nat({ max: 4 }), fc.constantFrom('f', 'h')).map(([at, field]) => filter(at, field)),
        { maxLength: 3 },
      ),
    });
    const one = fc
      .tuple(fc.constantFrom('o', 'p'), fc.array(source, { maxLength: 3 }), fc.option(some, { nil: null }))
      .map(([sink, inputs, columns]) => insert(sink, inputs, columns));
    const sorted = (inserts: readonly DistilledPipeline[]) =>
      nameLineage(inserts, settings)
        .pipelines.map((pipeline) => {
          const inputs = new Set(pipeline.inputs.map(({ dataset }) => dataset.name));
          const columns = Object.entries(columnLineage(pipeline)).map(([column, origins]) => {
            for (const { name } of origins) expect(inputs).toContain(name);
            expect(new Set(origins.map((each) => JSON.stringify(each))).size).toBe(origins.length);
            return [column, origins.map((each) => JSON.stringify(each)).sort()] as const;
          });
          return [pipeline.sink.dataset.name, columns.sort(([a], [b]) => (a < b ? -1 : 1))] as const;
        })
        .sort(([a], [b]) => (a < b ? -1 : 1));
    fc.assert(
      fc.property(fc.array(one, { maxLength: 4 }), (inserts) => {
        expect(sorted([...inserts].reverse())).toEqual(sorted(inserts));
      }),
    );
  });
});
