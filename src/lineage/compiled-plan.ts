// Reads the CompiledPlan JSON of Flink 1.15 to 2.x without knowing its node types: a table is any object with a `table`
// child that has an identifier or a resolved table, wherever it hides (lookup, delta and vector search joins have it
// deep inside a node and no edge of its own). The plan is foreign input: nothing is taken for granted, nothing recurses.
import type { InputRole, TablePath } from '../plan/plan.ts';
import { parseIdentifier } from './identifier.ts';

/** A table (or model) as it stands in a node. `path` is undefined for an inline table without a name. */
export interface PlanTable {
  readonly role: 'sink' | InputRole;
  readonly path: TablePath | undefined;
  /** `resolvedTable` or `resolvedModel` as written. */
  readonly resolved: unknown;
  /** What OPTIONS hints the read was planned with, as `a=1, b=2`; empty for none, undefined where the node does not tell. */
  readonly hint?: string;
  /** Values of the PARTITION clause of a sink. */
  readonly partition?: Readonly<Record<string, string>>;
}

export interface PlanNode {
  readonly id: PlanNodeId;
  readonly tables: readonly PlanTable[];
}

export type PlanNodeId = number | string;

/** Nodes in plan order (inputs before their consumers) and, by node, the nodes that feed it. */
export interface PlanGraph {
  readonly nodes: readonly PlanNode[];
  readonly inputsOf: ReadonlyMap<PlanNodeId, readonly PlanNodeId[]>;
}

/** The graph of a plan; undefined when the value is no plan at all. */
export function readPlan(plan: unknown): PlanGraph | undefined {
  if (!isObject(plan) || !Array.isArray(plan['nodes']) || !Array.isArray(plan['edges'])) return undefined;
  const nodes = plan['nodes'].flatMap((node: unknown): PlanNode[] =>
    isObject(node) && isId(node['id']) ? [{ id: node['id'], tables: tablesIn(node) }] : [],
  );
  const inputsOf = new Map<PlanNodeId, PlanNodeId[]>();
  for (const edge of plan['edges'] as unknown[]) {
    if (!isObject(edge) || !isId(edge['source']) || !isId(edge['target'])) continue;
    const inputs = inputsOf.get(edge['target']);
    if (inputs === undefined) inputsOf.set(edge['target'], [edge['source']]);
    else inputs.push(edge['source']);
  }
  return { nodes, inputsOf };
}

/** All nodes from which data reaches `start`, itself included. */
export function reaching(graph: PlanGraph, start: PlanNodeId): ReadonlySet<PlanNodeId> {
  const seen = new Set([start]);
  const open = [start];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const input of graph.inputsOf.get(id) ?? []) {
      if (seen.has(input)) continue;
      seen.add(input);
      open.push(input);
    }
  }
  return seen;
}

/** What the keys on the way to a table say about it; the last one wins. */
const roleOfKey: Readonly<Record<string, PlanTable['role']>> = {
  dynamicTableSink: 'sink',
  scanTableSource: 'scan',
  lookupTableSource: 'lookup',
  vectorSearchTableSource: 'lookup',
};

function tablesIn(node: Readonly<Record<string, unknown>>): PlanTable[] {
  // The sides of a delta join are scanned too, by edges; they are no other use of the table.
  const isDeltaJoin = typeof node['type'] === 'string' && node['type'].includes('delta-join');
  const found: PlanTable[] = [];
  const open: { readonly value: unknown; readonly role: PlanTable['role'] }[] = [{ value: node, role: 'scan' }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, role } = next;
    if (Array.isArray(value)) {
      for (let at = value.length - 1; at >= 0; at--) open.push({ value: value[at], role });
    } else if (isObject(value)) {
      const table = named(value['table'], 'resolvedTable', isDeltaJoin && role === 'lookup' ? 'scan' : role);
      const model = named(value['model'], 'resolvedModel', 'model');
      if (table !== undefined)
        found.push({ ...table, ...hintOf(table.role, node['description']), ...partitionOf(table.role, value['abilities']) });
      if (model !== undefined) found.push(model);
      for (const key of Object.keys(value).reverse()) {
        if ((key === 'table' && table !== undefined) || (key === 'model' && model !== undefined)) continue;
        open.push({ value: value[key], role: Object.hasOwn(roleOfKey, key) ? (roleOfKey[key] ?? role) : role });
      }
    }
  }
  return found;
}

/** A scan's description ends with its hints; that of a node with a table deep inside does not have them. */
function hintOf(role: PlanTable['role'], description: unknown): Pick<PlanTable, 'hint'> {
  if (role !== 'scan' || typeof description !== 'string' || !description.startsWith('TableSourceScan(')) return {};
  const at = description.lastIndexOf(', hints=[');
  if (at < 0) return { hint: '' };
  const hint = /\[OPTIONS options:\{(.*)\}\]/.exec(description.slice(at))?.[1];
  return hint === undefined ? {} : { hint };
}

/** The `Partitioning` ability of a sink holds its static partition. */
function partitionOf(role: PlanTable['role'], abilities: unknown): Pick<PlanTable, 'partition'> {
  if (role !== 'sink' || !Array.isArray(abilities)) return {};
  const written = (abilities as unknown[]).flatMap((ability) =>
    isObject(ability) && isObject(ability['partition']) ? [ability['partition']] : [],
  );
  const values = written
    .flatMap((partition) => Object.entries(partition))
    .filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return values.length === 0 ? {} : { partition: Object.fromEntries(values) };
}

function named(value: unknown, resolvedKey: string, role: PlanTable['role']): PlanTable | undefined {
  if (!isObject(value)) return undefined;
  const { identifier, [resolvedKey]: resolved } = value;
  const path = typeof identifier === 'string' ? parseIdentifier(identifier) : undefined;
  return path === undefined && !isObject(resolved) ? undefined : { role, path, resolved };
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isId = (value: unknown): value is PlanNodeId => typeof value === 'number' || typeof value === 'string';
