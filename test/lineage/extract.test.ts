// The walk over compiled plans: exactly the sources that reach a sink, wherever Flink hides them.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extractLineage, type Pipeline, parseIdentifier } from '../../src/lineage/lineage.ts';
import { calc, facts, identifier, insert, path, plan, scan, script, sink, table } from './plans.ts';

const inputs = (pipeline: Pipeline | undefined): string[] =>
  pipeline?.inputs.map(({ role, facts: { path: at } }) => `${role} ${at[2]}`) ?? [];
const only = (compiled: unknown) => extractLineage(script([insert(compiled)])).pipelines;

describe('identifiers', () => {
  it('have doubled back-ticks', () => {
    expect(parseIdentifier('`a``.b`.`c`.`d.e`')).toEqual(['a`.b', 'c', 'd.e']);
    for (const text of ['a.b.c', '`a`.`b`', '`a`.`b`.`c`.`d`', '`a`b`.`c`.`d`', '']) expect(parseIdentifier(text)).toBeUndefined();
  });

  it('survive any name', () => {
    fc.assert(
      fc.property(fc.tuple(fc.string(), fc.string(), fc.string({ unit: fc.constantFrom('`', '.', 'a', '\n') })), (names) => {
        expect(parseIdentifier(identifier(names))).toEqual(names);
      }),
    );
  });
});

describe('a compiled plan', () => {
  it('gives the sources of the sink in plan order, self joins once', () => {
    const compiled = plan(
      [scan(4, 'a'), scan(5, 'b'), calc(6), scan(7, 'a'), sink(8, 'out')],
      [
        [4, 6],
        [5, 6],
        [7, 6],
        [6, 8],
      ],
    );
    expect(only(compiled).map((pipeline) => [pipeline.tier, pipeline.sink.facts.path[2], ...inputs(pipeline)])).toEqual([
      ['plan', 'out', 'scan a', 'scan b'],
    ]);
  });

  it('tells the static partition that a sink writes, as its abilities have it', () => {
    const [node, other] = [sink(2, 'out'), sink(2, 'out')].map((one, i) => ({
      ...one,
      dynamicTableSink: {
        ...one.dynamicTableSink,
        abilities: [
          { type: 'Overwrite', overwrite: true },
          { type: 'Partitioning', partition: i === 0 ? { dt: '2026-01-01', h: '7' } : {} },
        ],
      },
    }));
    const written = (compiled: unknown) => only(compiled)[0]?.sink.partition;
    expect(written(plan([scan(1, 'a'), node], [[1, 2]]))).toEqual({ dt: '2026-01-01', h: '7' });
    expect(written(plan([scan(1, 'a'), other], [[1, 2]]))).toBeUndefined();
    expect(written(plan([scan(1, 'a'), sink(2, 'out')], [[1, 2]]))).toBeUndefined();
  });

  it('finds tables inside lookup, delta and vector search joins, and models', () => {
    const lookup = { id: 2, type: 'stream-exec-lookup-join_1', temporalTable: { lookupTableSource: table('dim'), outputType: 'ROW<>' } };
    const delta = {
      id: 4,
      type: 'stream-exec-delta-join_2',
      allBinaryInputTables: [{ lookupTableSource: table('l') }, { lookupTableSource: table('r') }],
      left2RightLookupChain: { nodes: [{ deltaJoinSpec: { lookupTable: { lookupTableSource: table('r') } } }] },
    };
    const search = {
      id: 5,
      type: 'stream-exec-vector-search-table-function_1',
      tableSourceSpec: { vectorSearchTableSource: table('vectors') },
    };
    const predict = {
      id: 6,
      type: 'stream-exec-ml-predict-table-function_1',
      modelSpec: { model: { identifier: identifier(path('m')), resolvedModel: {} } },
    };
    const unknown = { id: 7, type: 'stream-exec-of-tomorrow_9', some: [{ thing: { deep: table('hidden') } }] };
    const nodes = [scan(1, 'fact'), lookup, scan(3, 'l'), delta, search, predict, unknown, sink(8, 'out')];
    const [pipeline] = only(
      plan(nodes, [
        [1, 2],
        [2, 4],
        [3, 4],
        [4, 5],
        [5, 6],
        [6, 7],
        [7, 8],
      ]),
    );
    expect(inputs(pipeline)).toEqual(['scan fact', 'lookup dim', 'scan l', 'scan r', 'lookup vectors', 'model m', 'scan hidden']);
  });

  it('keeps several sinks of one plan apart', () => {
    const nodes = [scan(1, 'a'), scan(2, 'b'), sink(3, 'x'), sink(4, 'y')];
    const found = only(
      plan(nodes, [
        [1, 3],
        [1, 4],
        [2, 4],
      ]),
    );
    expect(found.map((pipeline) => [pipeline.sink.facts.path[2], ...inputs(pipeline)])).toEqual([
      ['x', 'scan a'],
      ['y', 'scan a', 'scan b'],
    ]);
  });

  it('of VALUES has a sink without inputs', () => {
    expect(inputs(only(plan([{ id: 1, type: 'stream-exec-values_1', tuples: [] }, sink(2, 'out')], [[1, 2]]))[0])).toEqual([]);
  });

  it('is read over nodes that feed each other', () => {
    expect(
      inputs(
        only(
          plan(
            [scan(1, 'a'), calc(2), calc(3), sink(4, 'out')],
            [
              [1, 2],
              [2, 3],
              [3, 2],
              [3, 4],
            ],
          ),
        )[0],
      ),
    ).toEqual(['scan a']);
  });

  it('is walked in linear time and without recursion', () => {
    const size = 20_000;
    const chain = Array.from({ length: size }, (_, id) => (id % 2 === 0 ? scan(id, `t${id}`) : calc(id)));
    const edges = Array.from({ length: size }, (_, id): [number, number] => [id, id + 1]);
    let deep: unknown = table('bottom');
    for (let level = 0; level < 50_000; level++) deep = [deep];
    const [pipeline] = only(plan([...chain, { id: size, type: 'x', deep }, sink(size + 1, 'out')], [...edges, [size, size + 1]]));
    expect(pipeline?.inputs).toHaveLength(size / 2 + 1);
  });
});

describe('facts', () => {
  const compiled = plan([scan(1, 'a', { connector: 'kafka', topic: 'plan' }), sink(2, 'out', { connector: 'print' })], [[1, 2]]);

  it('come from the plan where the script has none', () => {
    const [pipeline] = only(compiled);
    expect(pipeline?.inputs[0]?.facts).toMatchObject({
      options: { topic: 'plan' },
      columns: [{ name: 'id', type: 'BIGINT', kind: 'physical' }],
    });
    expect(pipeline?.sink.facts.options).toEqual({ connector: 'print' });
  });

  it('come from the script where it has them', () => {
    const tables = [
      { ...facts('a', { connector: 'kafka', topic: 'hinted' }), role: 'source' as const },
      { ...facts('out', { connector: 'blackhole' }), role: 'sink' as const },
    ];
    const [pipeline] = extractLineage(script([insert(compiled, { tables })])).pipelines;
    expect([pipeline?.inputs[0]?.facts.options['topic'], pipeline?.sink.facts.options['connector']]).toEqual(['hinted', 'blackhole']);
  });

  it('of one path with different hints are two uses, told apart by the options in the plan', () => {
    const tables = ['x', 'y'].map((topic) => ({ ...facts('a', { topic }), role: 'source' as const }));
    const topics = (nodes: readonly unknown[], flinkVersion = '2.3.0') =>
      extractLineage(
        script(
          [
            insert(
              plan(
                [...nodes, sink(9, 'out')],
                [
                  [1, 9],
                  [2, 9],
                ],
              ),
              { tables },
            ),
          ],
          { flinkVersion },
        ),
      ).pipelines[0]?.inputs.map((input) => input.facts.options['topic']);
    expect(topics([scan(1, 'a'), scan(2, 'a')])).toEqual(['x', 'y']);
    expect(topics([scan(1, 'a', { topic: 'y' })])).toEqual(['y']);
    expect(topics([scan(1, 'a', { topic: 'y' }), scan(2, 'a', { topic: 'x' })])).toEqual(['y', 'x']);
    // before 2.0 all scans have the options without hints
    expect(topics([scan(1, 'a', { topic: 'y' }), scan(2, 'a', { topic: 'y' })], '1.20.1')).toEqual(['x', 'y']);
    const described = (hint: string, id = 1) => ({
      ...scan(id, 'a', { topic: 'y' }),
      description: `TableSourceScan(table=[[a]], fields=[id]${hint === '' ? '' : `, hints=[[[OPTIONS options:{${hint}}]]]`})`,
    });
    expect(topics([described('')], '1.20.1')).toEqual(['y']);
    expect(topics([described('topic=x')], '1.20.1')).toEqual(['x']);
    expect(topics([described('topic=x'), described('', 2)], '1.20.1')).toEqual(['x', 'y']);
    expect(topics([described('topic=z')], '1.20.1')).toEqual(['x', 'y']);
  });

  it('carry the catalog of the script, none for the built-in one', () => {
    const paimon = { table: { identifier: '`lake`.`db`.`t`' } };
    const catalogs = { lake: { type: 'paimon', options: { type: 'paimon' } }, default_catalog: { type: 'x', options: {} } };
    const nodes = [{ id: 1, type: 's', scanTableSource: paimon }, scan(2, 'a'), sink(3, 'out')];
    const [pipeline] = extractLineage(
      script(
        [
          insert(
            plan(nodes, [
              [1, 3],
              [2, 3],
            ]),
          ),
        ],
        { catalogs },
      ),
    ).pipelines;
    expect(pipeline?.inputs.map(({ catalog }) => catalog?.type)).toEqual(['paimon', undefined]);
    expect(pipeline?.sink.catalog).toBeNull();
  });
});

describe('without a plan', () => {
  const tree = {
    inputs: [
      { path: path('a'), role: 'scan' as const },
      { path: path('d'), role: 'lookup' as const },
    ],
  };

  it('the tree decides', () => {
    const tables = [{ ...facts('a', { topic: 'x' }), role: 'source' as const }];
    const [pipeline] = extractLineage(script([insert(null, { tree, tables, line: 7 })])).pipelines;
    expect([pipeline?.tier, pipeline?.line, ...inputs(pipeline)]).toEqual(['tree', 7, 'scan a', 'lookup d']);
    expect(pipeline?.inputs[0]?.facts.options).toEqual({ topic: 'x' });
  });

  it('with a plan the tree does not add what was pruned', () => {
    const [pipeline] = extractLineage(script([insert(plan([scan(1, 'a'), sink(2, 'out')], [[1, 2]]), { tree })])).pipelines;
    expect(inputs(pipeline)).toEqual(['scan a']);
  });

  it('and without a tree there is no pipeline', () => {
    expect(extractLineage(script([insert(null), insert({ nodes: 1 }), insert('nonsense')])).pipelines).toEqual([]);
  });
});

describe('properties', () => {
  it('a random graph gives exactly the reachable sources of each sink (never all pairs)', () => {
    const graph = fc.integer({ min: 3, max: 25 }).chain((size) =>
      fc.record({
        kinds: fc.array(fc.constantFrom('scan', 'calc', 'sink'), { minLength: size, maxLength: size }),
        edges: fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: 60 }),
      }),
    );
    fc.assert(
      fc.property(graph, ({ kinds, edges }) => {
        const forward = edges.filter(([source, target]) => source < target && kinds[source] !== 'sink');
        const nodes = kinds.map((kind, id) => (kind === 'scan' ? scan(id, `t${id}`) : kind === 'sink' ? sink(id, `s${id}`) : calc(id)));
        const reaches = (from: number, to: number): boolean =>
          from === to || forward.some(([source, target]) => source === from && reaches(target, to));
        const expected = kinds.flatMap((kind, id) =>
          kind === 'sink'
            ? [[`s${id}`, ...kinds.flatMap((other, source) => (other === 'scan' && reaches(source, id) ? [`scan t${source}`] : []))]]
            : [],
        );
        expect(only(plan(nodes, forward)).map((pipeline) => [pipeline.sink.facts.path[2], ...inputs(pipeline)])).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  it('no plan, however odd, makes it throw', () => {
    const key = fc.constantFrom(
      'nodes',
      'edges',
      'id',
      'type',
      'table',
      'identifier',
      'resolvedTable',
      'dynamicTableSink',
      'source',
      'target',
      'model',
      '__proto__',
      'schema',
      'columns',
      'options',
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 6 },
        fc.constantFrom(null, 1, 2, 'x', '`a`.`b`.`c`', true),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(key, tie('value'), { maxKeys: 5 }),
      ),
    }));
    fc.assert(
      fc.property(fc.array(value), fc.array(value), (nodes, edges) => {
        for (const compiled of [{ nodes, edges }, nodes, { nodes: [{ id: 1, dynamicTableSink: nodes[0] }, ...nodes], edges }])
          only(compiled);
      }),
    );
  });
});
