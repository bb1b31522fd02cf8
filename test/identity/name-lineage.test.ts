// Pipelines by dataset: what is united, what is told apart, what is left out.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DistilledPipeline, type IdentityFacts, nameLineage } from '../../src/identity/identity.ts';
import { settings } from './samples.ts';

const facts = (table: string, options: Record<string, string>): IdentityFacts => ({
  path: ['c', 'd', table],
  connector: options['connector'] ?? null,
  options,
  catalog: null,
  location: null,
  columns: [{ name: table, type: 'INT', kind: 'physical' }],
});

const kafka = (topic: string, table = topic) => facts(table, { connector: 'kafka', 'properties.bootstrap.servers': 'b', topic });
const print = (table = 'p') => facts(table, { connector: 'print' });
const input = (source: IdentityFacts, role: 'scan' | 'lookup' | 'model' = 'scan') => ({ ...source, role });
const insert = (sink: IdentityFacts, ...inputs: DistilledPipeline['inputs']): DistilledPipeline => ({
  tier: 'plan',
  line: 1,
  sink,
  inputs,
  columns: null,
});

const shape = (pipelines: readonly DistilledPipeline[]) => {
  const named = nameLineage(pipelines, settings);
  return {
    pipelines: named.pipelines.map(({ sink, inputs }) => [
      sink.dataset.name,
      ...inputs.map(({ role, dataset }) => `${role} ${dataset.name}`),
    ]),
    skipped: named.skipped.map(({ table, role, reason }) => `${role} ${table[2]} ${reason}`),
  };
};

describe('nameLineage', () => {
  it('tells partitions only where every INSERT into the dataset names one', () => {
    const into = (partition?: Record<string, string>) => ({ ...kafka('out'), traits: partition === undefined ? {} : { partition } });
    const partitions = (...sinks: IdentityFacts[]) =>
      nameLineage(
        sinks.map((sink) => insert(sink, input(kafka('a')))),
        settings,
      ).pipelines.map((pipeline) => pipeline.partitions);
    expect(partitions(into({ dt: '1' }), into({ dt: '2' }))).toEqual([[{ dt: '1' }, { dt: '2' }]]);
    expect(partitions(into({ dt: '1' }), into())).toEqual([undefined]);
    expect(partitions(into(), into({ dt: '1' }))).toEqual([undefined]);
  });

  it('unites INSERTs into one dataset, inputs in order of appearance', () => {
    const pipelines = [
      insert(kafka('out', 'out1'), input(kafka('b'))),
      insert(kafka('x'), input(kafka('c'))),
      insert(kafka('out', 'out2'), input(kafka('a')), input(kafka('b'))),
    ];
    expect(shape(pipelines)).toEqual({
      pipelines: [
        ['out', 'scan b', 'scan a'],
        ['x', 'scan c'],
      ],
      skipped: [],
    });
    expect(nameLineage(pipelines, settings).pipelines[0]?.sink).toMatchObject({ table: ['c', 'd', 'out1'], columns: [{ name: 'out1' }] });
  });

  it('leaves out a table with an undefined variable in its name', () => {
    expect(shape([insert(kafka('x'), input(kafka('${topic}', 't')), input(kafka('a')))])).toEqual({
      pipelines: [['x', 'scan a']],
      skipped: ['scan t PLACEHOLDER_UNRESOLVED'],
    });
    expect(shape([insert(kafka('${topic}', 't'), input(kafka('a')))])).toEqual({
      pipelines: [],
      skipped: ['sink t PLACEHOLDER_UNRESOLVED'],
    });
  });

  it('gives a sink of several topics one pipeline each, a source several inputs', () => {
    expect(shape([insert(kafka('x;y'), input(kafka('a;b')))]).pipelines).toEqual([
      ['x', 'scan a', 'scan b'],
      ['y', 'scan a', 'scan b'],
    ]);
  });

  it('lists a dataset once per role, whatever table reads it', () => {
    expect(shape([insert(kafka('x'), input(kafka('a')), input(kafka('a', 'again')), input(kafka('a'), 'lookup'))]).pipelines).toEqual([
      ['x', 'scan a', 'lookup a'],
    ]);
  });

  it('keeps a sink without inputs, and one whose inputs have no identity', () => {
    expect(shape([insert(kafka('x')), insert(kafka('y'), input(print()))])).toEqual({
      pipelines: [['x'], ['y']],
      skipped: ['scan p NO_IDENTITY'],
    });
  });

  it('leaves out a sink without identity, and says so once', () => {
    expect(shape([insert(print(), input(kafka('a'))), insert(print(), input(print('q'))), insert(print('q'))])).toEqual({
      pipelines: [],
      skipped: ['sink p NO_IDENTITY', 'scan q NO_IDENTITY', 'sink q NO_IDENTITY'],
    });
  });

  it('leaves out models', () => {
    expect(shape([insert(kafka('x'), input(kafka('m'), 'model'))])).toEqual({
      pipelines: [['x']],
      skipped: ['model m CONNECTOR_UNKNOWN'],
    });
  });

  it('has an edge for exactly the pairs of one INSERT', () => {
    const topic = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
    fc.assert(
      fc.property(fc.array(fc.tuple(topic, fc.array(topic, { maxLength: 4 })), { maxLength: 8 }), (inserts) => {
        const named = nameLineage(
          inserts.map(([sink, sources]) => insert(kafka(sink), ...sources.map((source) => input(kafka(source))))),
          settings,
        );
        const edges = named.pipelines.flatMap(({ sink, inputs }) => inputs.map(({ dataset }) => `${dataset.name}>${sink.dataset.name}`));
        expect([...edges].sort()).toEqual(
          [...new Set(inserts.flatMap(([sink, sources]) => sources.map((source) => `${source}>${sink}`)))].sort(),
        );
        expect(named.pipelines.map(({ sink }) => sink.dataset.name)).toEqual([...new Set(inserts.map(([sink]) => sink))]);
      }),
    );
  });
});
