// Faults put into the stage lineage on purpose, each as one change of its source. A corpus that does not notice one is too weak.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { extractLineage } from '../../src/lineage/lineage.ts';
import { repositoryRoot } from './shared.ts';

export interface Mutant {
  readonly title: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const of = (title: string, file: string, from: string, to: string): Mutant => ({ title, file, from, to });

export const mutants: readonly Mutant[] = [
  of('a node keeps its first edge only', 'compiled-plan.ts', "else inputs.push(edge['source']);", ''),
  of(
    'a node keeps its last edge only',
    'compiled-plan.ts',
    "else inputs.push(edge['source']);",
    "else inputs.splice(0, inputs.length, edge['source']);",
  ),
  of(
    'edges are read the wrong way round',
    'compiled-plan.ts',
    "const inputs = inputsOf.get(edge['target']);",
    "const inputs = inputsOf.get(edge['source']);",
  ),
  of('one branch is followed back', 'compiled-plan.ts', 'graph.inputsOf.get(id) ?? []', '(graph.inputsOf.get(id) ?? []).slice(0, 1)'),
  of('the walk ends at the neighbours of the sink', 'compiled-plan.ts', 'open.push(input);', ''),
  of('lookups are skipped', 'compiled-plan.ts', 'found.push({ ...table,', "if (table.role !== 'lookup') found.push({ ...table,"),
  of('lookups are taken for scans', 'compiled-plan.ts', "lookupTableSource: 'lookup',", "lookupTableSource: 'scan',"),
  of('sinks are taken for sources', 'compiled-plan.ts', "dynamicTableSink: 'sink',", "dynamicTableSink: 'scan',"),
  of('the first table of a node is all', 'compiled-plan.ts', '  return found;\n', '  return found.slice(0, 0);\n'),
  of(
    'the first of two uses with different hints is taken for both',
    'extract.ts',
    'return told.length > 0 ? told : uses;',
    'return uses.slice(0, 1);',
  ),
  of('all uses of a table are taken for each', 'extract.ts', 'return told.length > 0 ? told : uses;', 'return uses;'),
  of('the facts of the script are not used', 'extract.ts', 'if (uses === undefined) return', 'return'),
  of('a table is either scanned or looked up', 'extract.ts', 'const key = `${role} ${tableKey(facts)}`;', 'const key = tableKey(facts);'),
  of('uses with different options are one', 'table-key.ts', 'Object.entries(options).sort()', '[]'),
  of('the sink is an input', 'extract.ts', "if (table.role === 'sink') continue;", ''),
  of('catalogs are forgotten', 'extract.ts', 'path[0] !== builtIn.catalog && Object.hasOwn(catalogs, path[0])', 'false'),
  of('the text of a statement is not used', 'extract.ts', 'if (read === null)', "if (read === null || tier === 'text')"),
  of('the tree of a statement is not used', 'extract.ts', 'if (read === null)', "if (read === null || tier === 'tree')"),
  of('one INSERT of a script is lost', 'extract.ts', 'const read = planned.inserts.map(', 'const read = planned.inserts.slice(0, 1).map('),
  of(
    'what the planner removed is not told',
    'compare.ts',
    'const pruned = without(insert.tree.inputs, plan)',
    'const pruned = without(plan, plan)',
  ),
  of('plan and tree are compared by role only', 'compare.ts', 'JSON.stringify([role, path])', 'JSON.stringify([role])'),
  of('conditions, keys and order are lost', 'columns.ts', 'influences: placed(influences),', 'influences: [],'),
  of(
    'columns of a source that was removed stay',
    'columns.ts',
    'return source === undefined ? [] :',
    'return source === undefined ? [{ ...origin, source: 0 }] :',
  ),
  of('columns are counted in the tables of the INSERT', 'columns.ts', '[{ ...origin, source }]', '[origin]'),
];

const folder = join(repositoryRoot, 'build', 'mutants');

/** The stage with the fault in it. Its other imports are types, so a copy of the folder is all it needs. */
export async function mutated({ title, file, from, to }: Mutant, at: number): Promise<typeof extractLineage> {
  const copy = join(folder, String(at), 'lineage');
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy, { recursive: true });
  cpSync(join(repositoryRoot, 'src', 'lineage'), copy, { recursive: true });
  const source = readFileSync(join(copy, file), 'utf8');
  if (!source.includes(from)) throw new Error(`${title}: ${file} no longer has what the mutant changes`);
  writeFileSync(
    join(copy, file),
    source.replaceAll(from, () => to),
  );
  const stage = (await import(pathToFileURL(join(copy, 'lineage.ts')).href)) as { readonly extractLineage: typeof extractLineage };
  return stage.extractLineage;
}
