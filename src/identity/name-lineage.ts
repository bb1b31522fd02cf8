// Distilled pipelines -> named lineage: one pipeline per sink dataset with exactly its inputs.
import type { TablePath } from '../plan/plan.ts';
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
}

/**
 * Names the tables of a script. INSERTs into one dataset are united (the first gives tier and table), a sink with several
 * topics is one pipeline each, an input is listed once per (dataset, role) in order of first appearance; what has no
 * identity stands in `skipped` only, once per (table, role, reason).
 */
export function nameLineage(pipelines: readonly DistilledPipeline[], settings: IdentitySettings): NamedLineage {
  const bySink = new Map<string, Growing>();
  const skipped = new Map<string, SkippedTable>();
  for (const pipeline of pipelines) {
    const sinks = tables(pipeline.sink, settings);
    if ('reason' in sinks) skip(skipped, pipeline.sink, 'sink', sinks);
    const inputs = pipeline.inputs.flatMap((input) => {
      const found = input.role === 'model' ? noModels : tables(input, settings);
      if (!('reason' in found)) return found.map((table) => ({ ...table, role: input.role }));
      skip(skipped, input, input.role, found);
      return [];
    });
    for (const sink of 'reason' in sinks ? [] : sinks) unite(bySink, pipeline, sink, inputs);
  }
  return {
    pipelines: [...bySink.values()].map(({ first, sink, inputs }) => ({
      tier: first.tier,
      sink,
      inputs: [...inputs.values()],
      columns: {},
    })),
    skipped: [...skipped.values()],
  };
}

/** A model is no dataset, whatever catalog it lives in. */
const noModels: Unresolved = { reason: 'CONNECTOR_UNKNOWN', message: 'no naming rule for models', silent: false };

const variableLeft: Unresolved = { reason: 'PLACEHOLDER_UNRESOLVED', message: 'an undefined variable is left in the name', silent: false };

function unite(bySink: Map<string, Growing>, pipeline: DistilledPipeline, sink: NamedTable, inputs: readonly NamedInput[]): void {
  const key = JSON.stringify([sink.dataset.namespace, sink.dataset.name]);
  const growing = bySink.get(key) ?? { first: pipeline, sink, inputs: new Map<string, NamedInput>() };
  bySink.set(key, growing);
  for (const input of inputs) {
    const inputKey = JSON.stringify([input.dataset.namespace, input.dataset.name, input.role]);
    if (!growing.inputs.has(inputKey)) growing.inputs.set(inputKey, input);
  }
}

function tables(facts: IdentityFacts, settings: IdentitySettings): NamedTable[] | Unresolved {
  const found = identify(facts, settings);
  if ('reason' in found) return found;
  if (found.datasets.some(namesVariable)) return variableLeft;
  return found.datasets.map((dataset) => ({ table: facts.path, connector: facts.connector, dataset, columns: facts.columns }));
}

function skip(skipped: Map<string, SkippedTable>, facts: IdentityFacts, role: SkippedTable['role'], why: Unresolved): void {
  const table: TablePath = facts.path;
  const key = JSON.stringify([table, role, why.reason, why.message]);
  if (!skipped.has(key)) skipped.set(key, { table, connector: facts.connector, role, ...why });
}
