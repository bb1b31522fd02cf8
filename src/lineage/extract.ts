// PlannedScript -> one pipeline per INSERT. The compiled plan decides which sources reach the sink; where Flink could
// not compile one, the validated tree does; where the statement does not even validate, its text. A source that only the tree has was pruned by the planner: it feeds nothing.
import type { Diagnostic } from '../errors/errors.ts';
import type { InputRole, PlannedInsert, PlannedScript, TableFacts, TablePath } from '../plan/plan.ts';
import { pipelineColumns } from './columns.ts';
import { compareTiers } from './compare.ts';
import { type PlanTable, reaching, readPlan } from './compiled-plan.ts';
import type { Pipeline, ScriptLineage, TableUse } from './lineage.ts';
import { resolvedFacts, writtenOptions } from './resolved-table.ts';
import { tableKey } from './table-key.ts';

/**
 * The pipelines of a script in the order of its INSERTs; an INSERT with neither plan, tree nor text has none (its diagnostic
 * says why). Inputs stand in plan order, each once per table, role and options. Linear in the size of the plan.
 */
export function extractLineage(planned: PlannedScript): ScriptLineage {
  const read = planned.inserts.map((insert) => readInsert(insert, planned));
  return {
    pipelines: read.flatMap(({ pipelines }) => pipelines),
    diagnostics: [...planned.diagnostics, ...read.flatMap(({ diagnostics }) => diagnostics)].sort(
      (a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
    ),
  };
}

function readInsert(insert: PlannedInsert, planned: PlannedScript): { readonly pipelines: Pipeline[]; readonly diagnostics: Diagnostic[] } {
  const graph = readPlan(insert.plan);
  // One INSERT compiles to one sink node; a plan of several keeps them apart.
  const sinks =
    graph?.nodes.flatMap((node) => node.tables.filter((table) => table.role === 'sink').map((table) => ({ node, table }))) ?? [];
  if (graph !== undefined && sinks.length > 0) {
    const found = sinks.map(({ node, table }) => {
      const visited = reaching(graph, node.id);
      return { sink: table, inputs: graph.nodes.filter(({ id }) => visited.has(id)).flatMap(({ tables }) => tables) };
    });
    const read = found.flatMap(({ inputs }) => inputs);
    return {
      pipelines: found.map(({ sink, inputs }) => pipeline('plan', insert, sink, inputs, planned)),
      diagnostics: compareTiers(insert, read),
    };
  }
  const [tier, read] = insert.tree === null ? (['text', insert.text] as const) : (['tree', insert.tree] as const);
  if (read === null) return { pipelines: [], diagnostics: [] };
  const inputs = read.inputs.map(({ path, role }): PlanTable => ({ path, role, resolved: undefined }));
  const sink: PlanTable = { path: insert.target, role: 'sink', resolved: undefined };
  return { pipelines: [pipeline(tier, insert, sink, inputs, planned)], diagnostics: [] };
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
    for (const facts of factsOf(table, anonymous(planned), sources, planned)) {
      const key = `${role} ${tableKey(facts)}`;
      if (!inputs.has(key)) inputs.set(key, { ...use(facts), role });
    }
  }
  const [sinkFacts = resolvedFacts(insert.target, undefined)] = factsOf(sink, insert.target, byPath(insert, 'sink'), planned);
  const reached = [...inputs.values()];
  const written = { ...use(sinkFacts), ...(sink.partition !== undefined && { partition: sink.partition }) };
  return { tier, line: insert.line, sink: written, inputs: reached, columns: pipelineColumns(insert, reached) };
}

/**
 * The script's facts of a table (they carry its hints), else what the plan says. One path may be used with different
 * hints: the options written in the plan or the hint of the scan tell which use it is; where neither does, all of them.
 */
function factsOf(
  table: PlanTable,
  unnamed: TablePath,
  script: ReadonlyMap<string, readonly TableFacts[]>,
  { flinkVersion }: PlannedScript,
): readonly TableFacts[] {
  const path = table.path ?? unnamed;
  const uses = script.get(JSON.stringify(path));
  if (uses === undefined) return [resolvedFacts(path, table.resolved)];
  // Flink 1 writes the options as the table has them, whatever the hint
  const written = flinkVersion.startsWith('1.') && table.hint !== '' ? undefined : writtenOptions(table.resolved);
  const exact = written === undefined ? undefined : uses.find((facts) => sameOptions(facts.options, written));
  const told = exact === undefined ? uses.filter(({ options }) => hasAll(options, table.hint ?? '')) : [exact];
  return told.length > 0 ? told : uses;
}

/** Whether the options hold all of a hint, which is written without quotes: keys and values may hold its separators. */
function hasAll(options: Readonly<Record<string, string>>, hint: string): boolean {
  const pairs = Object.entries(options).map(([key, value]) => `${key}=${value}`);
  let rest = `${hint}, `;
  while (rest !== '') {
    const held = pairs.filter((pair) => rest.startsWith(`${pair}, `)).sort((a, b) => b.length - a.length)[0];
    if (held === undefined) return false;
    rest = rest.slice(held.length + 2);
  }
  return true;
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
