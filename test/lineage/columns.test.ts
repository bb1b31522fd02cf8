// Columns and tiers of one INSERT without a planner: what happens to sources that the plan does not have.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extractLineage } from '../../src/lineage/lineage.ts';
import type { ColumnLineage, PlannedInsert, SourceColumn } from '../../src/plan/plan.ts';
import { facts, insert, path, plan, scan, script, sink } from './plans.ts';

const identity = (source: number, field: string): SourceColumn => ({ source, field, type: 'DIRECT', subtype: 'IDENTITY' });
const filter = (source: number, field: string): SourceColumn => ({ source, field, type: 'INDIRECT', subtype: 'FILTER' });
const tableOf = (name: string, options: Record<string, string> = {}) => ({ ...facts(name, options), role: 'source' as const });
const tables: PlannedInsert['tables'] = [{ ...facts('out'), role: 'sink' }, tableOf('a'), tableOf('b')];
const columns: ColumnLineage = {
  columns: { x: [identity(1, 'i'), identity(2, 'j')], y: [] },
  influences: [filter(1, 'i'), filter(2, 'j')],
};
const planOf = (...names: string[]) =>
  plan(
    [...names.map((name, i) => scan(i + 1, name)), sink(names.length + 1, 'out')],
    names.map((_, i) => [i + 1, names.length + 1] as const),
  );
const lineageOf = (compiled: unknown, more: Partial<PlannedInsert>) =>
  extractLineage(script([insert(compiled, { tables, columns, ...more })]));

describe('columns of a pipeline', () => {
  it('count sources among its inputs, in the order of the plan', () => {
    const [pipeline] = lineageOf(planOf('b', 'a'), {}).pipelines;
    expect(pipeline?.inputs.map(({ facts: { path: at } }) => at[2])).toEqual(['b', 'a']);
    expect(pipeline?.columns?.columns['x']).toEqual([identity(1, 'i'), identity(0, 'j')]);
    expect(pipeline?.columns?.influences).toEqual([filter(1, 'i'), filter(0, 'j')]);
  });

  it('lose a source that the plan does not read; the column stays known', () => {
    const [pipeline] = lineageOf(planOf('b'), {}).pipelines;
    expect(pipeline?.columns).toEqual({ columns: { x: [identity(0, 'j')], y: [] }, influences: [filter(0, 'j')] });
  });

  it('are unknown where the tree did not tell', () => {
    expect(lineageOf(planOf('a'), { columns: null }).pipelines[0]?.columns).toBeNull();
  });

  it('tell uses of one table with different options apart', () => {
    const uses = [tables[0] as PlannedInsert['tables'][number], tableOf('a', { topic: 'old' }), tableOf('a', { topic: 'new' })];
    const compiled = plan([scan(1, 'a', { topic: 'new' }), sink(2, 'out')], [[1, 2]]);
    expect(lineageOf(compiled, { tables: uses }).pipelines[0]?.columns?.columns['x']).toEqual([identity(0, 'j')]);
  });

  it('never name a source that is no input', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd');
    const origin = fc.tuple(fc.integer({ min: -1, max: 9 }), fc.string()).map(([source, field]) => identity(source, field));
    const lineage = fc.record({ columns: fc.dictionary(fc.string(), fc.array(origin)), influences: fc.array(origin) });
    fc.assert(
      fc.property(fc.uniqueArray(name), fc.uniqueArray(name), lineage, (inPlan, inTree, found) => {
        const known = [tables[0] as PlannedInsert['tables'][number], ...inTree.map((each) => tableOf(each))];
        const [pipeline] = lineageOf(planOf(...inPlan), { tables: known, columns: found }).pipelines;
        const all = [...Object.values(pipeline?.columns?.columns ?? {}).flat(), ...(pipeline?.columns?.influences ?? [])];
        for (const { source } of all) expect(inTree).toContain(pipeline?.inputs[source]?.facts.path[2]);
        expect(Object.keys(pipeline?.columns?.columns ?? {})).toEqual(Object.keys(found.columns));
      }),
    );
  });
});

describe('plan beside tree', () => {
  const treeOf = (...inputs: readonly (readonly [string, 'scan' | 'lookup' | 'model'])[]) => ({
    inputs: inputs.map(([name, role]) => ({ path: path(name), role })),
  });
  const codes = (compiled: unknown, tree: PlannedInsert['tree']) =>
    lineageOf(compiled, { tree, line: 7, column: 3 }).diagnostics.map(({ code, line, column, message }) => {
      expect([line, column]).toEqual([7, 3]);
      return `${code} ${/default_database\.[abc]\b/.exec(message)?.[0].slice(-1)}`;
    });

  it('says nothing where they agree, or where there is only one', () => {
    expect(codes(planOf('a', 'b'), treeOf(['b', 'scan'], ['a', 'scan'], ['a', 'scan']))).toEqual([]);
    expect(codes(planOf('a'), null)).toEqual([]);
    expect(codes(null, treeOf(['a', 'scan']))).toEqual([]);
  });

  it('tells a source that was pruned', () => {
    expect(codes(planOf('a'), treeOf(['a', 'scan'], ['b', 'lookup']))).toEqual(['PLAN_PRUNED b']);
    expect(codes(planOf(), treeOf(['a', 'scan']))).toEqual(['PLAN_PRUNED a']);
    expect(codes(planOf('a'), treeOf(['a', 'scan'], ['a', 'lookup'], ['a', 'lookup']))).toEqual(['PLAN_PRUNED a']);
  });

  it('tells a source that only the plan has, and one in another role', () => {
    expect(codes(planOf('a', 'b'), treeOf(['a', 'scan']))).toEqual(['PLAN_TREE_DIFFERS b']);
    expect(codes(planOf('a'), treeOf(['a', 'lookup']))).toEqual(['PLAN_TREE_DIFFERS a']);
  });
});
