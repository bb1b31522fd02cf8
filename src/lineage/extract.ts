// PlannedScript -> one pipeline per INSERT. The compiled plan decides which sources reach the sink; where Flink could
// not compile one, the validated tree does. A source that only the tree has was pruned by the planner: it feeds nothing.
import type { InputRole, PlannedInsert, PlannedScript, TableFacts, TablePath } from '../plan/plan.ts';
import { type PlanTable, reaching, readPlan } from './compiled-plan.ts';
import type { Pipeline, ScriptLineage, TableUse } from './lineage.ts';
import { resolvedFacts, writtenOptions } from './resolved-table.ts';

/**
 * The pipelines of a script in the order of its INSERTs; an INSERT with neither plan nor tree has none (its diagnostic
 * says why). Inputs stand in plan order, each once per table, role and options. Linear in the size of the plan.
 */
export function extractLineage(planned: PlannedScript): ScriptLineage {
  return { pipelines: planned.inserts.flatMap((insert) => pipelinesOf(insert, planned)), diagnostics: planned.diagnostics };
}

function pipelinesOf(insert: PlannedInsert, planned: PlannedScript): Pipeline[] {
  const graph = readPlan(insert.plan);
  // One INSERT compiles to one sink node; a plan of several keeps them apart.
  const sinks =
    graph?.nodes.flatMap((node) => node.tables.filter((table) => table.role === 'sink').map((table) => ({ node, table }))) ?? [];
  if (graph !== undefined && sinks.length > 0) {
    return sinks.map(({ node, table }) => {
      const visited = reaching(graph, node.id);
      const inputs = graph.nodes.filter(({ id }) => visited.has(id)).flatMap(({ tables }) => tables);
      return pipeline('plan', insert, table, inputs, planned);
    });
  }
  if (insert.tree === null) return [];
  const inputs = insert.tree.inputs.map(({ path, role }): PlanTable => ({ path, role, resolved: undefined }));
  return [pipeline('tree', insert, { path: insert.target, role: 'sink', resolved: undefined }, inputs, planned)];
}

function pipeline(
  tier: Pipeline['tier'],
  insert: PlannedInsert,
  sink: PlanTable,
  found: readonly PlanTable[],
  planned: PlannedScript,
): Pipeline {
  const use = (facts: TableFacts): TableUse => ({ facts, catalog: catalogOf(facts.path, planned) });
  const sources = byPath(insert, 'source');
  const inputs = new Map<string, Pipeline['inputs'][number]>();
  for (const table of found) {
    if (table.role === 'sink') continue;
    const role: InputRole = table.role;
    for (const facts of factsOf(table, anonymous(planned), sources)) {
      const key = JSON.stringify([facts.path, role, Object.entries(facts.options).sort()]);
      if (!inputs.has(key)) inputs.set(key, { ...use(facts), role });
    }
  }
  const [sinkFacts = resolvedFacts(insert.target, undefined)] = factsOf(sink, insert.target, byPath(insert, 'sink'));
  return { tier, line: insert.line, sink: use(sinkFacts), inputs: [...inputs.values()] };
}

/**
 * The script's facts of a table (they carry its hints), else what the plan says. One path may be used with different
 * hints: the options written in the plan tell which use it is; where none are, all of them.
 */
function factsOf(table: PlanTable, unnamed: TablePath, script: ReadonlyMap<string, readonly TableFacts[]>): readonly TableFacts[] {
  const path = table.path ?? unnamed;
  const uses = script.get(JSON.stringify(path));
  if (uses === undefined) return [resolvedFacts(path, table.resolved)];
  const written = writtenOptions(table.resolved);
  const exact = written === undefined ? undefined : uses.find((facts) => sameOptions(facts.options, written));
  return exact === undefined ? uses : [exact];
}

/** The script's facts of the tables of one INSERT, in their order. */
function byPath(insert: PlannedInsert, role: 'sink' | 'source'): ReadonlyMap<string, readonly TableFacts[]> {
  const found = new Map<string, TableFacts[]>();
  for (const { role: each, ...facts } of insert.tables) {
    const key = JSON.stringify(facts.path);
    if (each === role) found.set(key, [...(found.get(key) ?? []), facts]);
  }
  return found;
}

function sameOptions(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && a[key] === b[key]);
}

/** An inline table has options but no name. */
const anonymous = ({ builtIn }: PlannedScript): TablePath => [builtIn.catalog, builtIn.database, '*anonymous*'];

const catalogOf = (path: TablePath, { builtIn, catalogs }: PlannedScript): TableUse['catalog'] =>
  path[0] !== builtIn.catalog && Object.hasOwn(catalogs, path[0]) ? (catalogs[path[0]] ?? null) : null;
