// Small compiled plans, made by hand in the shape that Flink writes.
import type { PlannedInsert, PlannedScript, TableFacts, TablePath } from '../../src/plan/plan.ts';

export const path = (name: string): TablePath => ['default_catalog', 'default_database', name];

export const identifier = ([catalog, database, table]: TablePath): string =>
  [catalog, database, table].map((part) => `\`${part.replaceAll('`', '``')}\``).join('.');

export const table = (name: string, options?: Record<string, string>) => ({
  table: {
    identifier: identifier(path(name)),
    ...(options === undefined ? {} : { resolvedTable: { schema: { columns: [{ name: 'id', dataType: 'BIGINT' }] }, options } }),
  },
});

export const scan = (id: number, name: string, options?: Record<string, string>) => ({
  id,
  type: 'stream-exec-table-source-scan_1',
  scanTableSource: { ...table(name, options), abilities: [{ type: 'ProjectPushDown', projectedFields: [[0]] }] },
  outputType: 'ROW<`id` BIGINT>',
});

export const sink = (id: number, name: string, options?: Record<string, string>) => ({
  id,
  type: 'stream-exec-sink_1',
  dynamicTableSink: table(name, options),
});

export const calc = (id: number) => ({ id, type: 'stream-exec-calc_1', projection: [{ kind: 'INPUT_REF', inputIndex: 0 }] });

export const plan = (nodes: readonly unknown[], edges: readonly (readonly [number, number])[]) => ({
  flinkVersion: '1.20',
  nodes,
  edges: edges.map(([source, target]) => ({ source, target, shuffle: { type: 'FORWARD' }, shuffleMode: 'PIPELINED' })),
});

export const facts = (name: string, options: Record<string, string> = {}): TableFacts => ({
  path: path(name),
  temporary: false,
  options,
  columns: [],
  primaryKey: [],
  partitionKeys: [],
});

export const insert = (compiled: unknown, more: Partial<PlannedInsert> = {}): PlannedInsert => ({
  line: 1,
  column: 1,
  target: path('out'),
  plan: compiled,
  tree: null,
  text: null,
  tables: [],
  columns: null,
  ...more,
});

export const script = (inserts: readonly PlannedInsert[], more: Partial<PlannedScript> = {}): PlannedScript => ({
  flinkVersion: '2.3.0',
  inserts,
  catalogs: {},
  builtIn: { catalog: 'default_catalog', database: 'default_database' },
  undeclared: [],
  external: [],
  diagnostics: [],
  ...more,
});
