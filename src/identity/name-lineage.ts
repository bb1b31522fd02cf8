// Distilled pipelines -> named lineage: one pipeline per sink dataset with exactly its inputs.
import type { TablePath } from '../plan/plan.ts';
import { type NamedColumns, nameColumns, uniteColumns } from './columns.ts';
import { identify, namesVariable } from './identify.ts';
import type {
  DistilledPipeline,
  IdentityFacts,
  IdentitySettings,
  NamedLineage,
  NamedPipeline,
  NamedTable,
  SkippedTable,
  Unresolved,
} from './identity.ts';

type NamedInput = NamedPipeline['inputs'][number];

interface Growing {
  readonly first: DistilledPipeline;
  readonly sink: NamedTable;
  readonly inputs: Map<string, NamedInput>;
  columns: NamedColumns | null;
  /** Null once an INSERT writes without a PARTITION clause. */
  partitions: Readonly<Record<string, string>>[] | null;
}

/**
 * Names the tables of a script. INSERTs into one dataset are united (the first gives tier and table), a sink with several
 * topics is one pipeline each, an input is listed once per (dataset, role) in order of first appearance; what has no
 * identity stands in `skipped` only, once per (table, role, reason), and its columns nowhere.
 */
export function nameLineage(pipelines: readonly DistilledPipeline[], settings: IdentitySettings): NamedLineage {
  const bySink = new Map<string, Growing>();
  const skipped = new Map<string, SkippedTable>();
  for (const pipeline of pipelines) {
    const sinks = tables(pipeline.sink, settings);
    if ('reason' in sinks) skip(skipped, pipeline.sink, 'sink', sinks);
    const inputs = pipeline.inputs.map((input) => {
      const found = input.role === 'model' ? noModels : tables(input, settings);
      if (!('reason' in found)) return found.map((table) => ({ ...table, role: input.role }));
      skip(skipped, input, input.role, found);
      return [];
    });
    if ('reason' in sinks) continue;
    const datasets = inputs.map((named) => named.map(({ dataset }) => dataset));
    const columns = pipeline.columns === null ? null : nameColumns(pipeline.columns, datasets);
    for (const sink of sinks) unite(bySink, pipeline, sink, inputs.flat(), columns);
  }
  return {
    pipelines: [...bySink.values()].map(({ first, sink, inputs, columns, partitions }) => ({
      tier: first.tier,
      sink,
      inputs: [...inputs.values()],
      ...(partitions !== null && { partitions }),
      ...(columns ?? unknownColumns),
    })),
    skipped: [...skipped.values()],
  };
}

/** A model is no dataset, whatever catalog it lives in. */
const noModels: Unresolved = { reason: 'CONNECTOR_UNKNOWN', message: 'no naming rule for models', silent: false };

const unknownColumns: NamedColumns = { columns: {}, influences: [] };

const variableLeft: Unresolved = { reason: 'PLACEHOLDER_UNRESOLVED', message: 'an undefined variable is left in the name', silent: false };

function unite(
  bySink: Map<string, Growing>,
  pipeline: DistilledPipeline,
  sink: NamedTable,
  inputs: readonly NamedInput[],
  columns: NamedColumns | null,
): void {
  const key = JSON.stringify([sink.dataset.namespace, sink.dataset.name]);
  const growing = bySink.get(key) ?? { first: pipeline, sink, inputs: new Map<string, NamedInput>(), columns: null, partitions: [] };
  bySink.set(key, growing);
  const partition = sink.traits?.partition;
  if (partition === undefined) growing.partitions = null;
  else growing.partitions?.push(partition);
  if (columns !== null) growing.columns = growing.columns === null ? columns : uniteColumns(growing.columns, columns);
  for (const input of inputs) {
    const inputKey = JSON.stringify([input.dataset.namespace, input.dataset.name, input.role]);
    if (!growing.inputs.has(inputKey)) growing.inputs.set(inputKey, input);
  }
}

function tables(facts: IdentityFacts, settings: IdentitySettings): NamedTable[] | Unresolved {
  const found = identify(facts, settings);
  if ('reason' in found) return found;
  if (found.datasets.some(namesVariable)) return variableLeft;
  const { path: table, connector, columns, traits } = facts;
  return found.datasets.map((dataset) => ({ table, connector, dataset, columns, ...(traits !== undefined && { traits }) }));
}

function skip(skipped: Map<string, SkippedTable>, facts: IdentityFacts, role: SkippedTable['role'], why: Unresolved): void {
  const table: TablePath = facts.path;
  const key = JSON.stringify([table, role, why.reason, why.message]);
  if (!skipped.has(key)) skipped.set(key, { table, connector: facts.connector, role, ...why });
}
