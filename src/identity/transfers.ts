// Copies that a tool makes -> named lineage. The tool makes its catalogs for itself, so what bears a catalog's name is left out.
import type { TableUse } from '../lineage/lineage.ts';
import { distill } from './distill.ts';
import type { DistilledPipeline, IdentityFacts, NamedLineage, NamedTable } from './identity.ts';

/** Copies without their secrets. */
export const distillTransfers = (
  transfers: readonly { readonly sources: readonly TableUse[]; readonly sink: TableUse }[],
): DistilledPipeline[] =>
  transfers.map(({ sources, sink }) => ({
    tier: 'text',
    line: 1,
    sink: unnamedCatalog(distill(sink)),
    inputs: sources.map((source) => ({ ...unnamedCatalog(distill(source)), role: 'scan' })),
    columns: null,
  }));

function unnamedCatalog(facts: IdentityFacts): IdentityFacts {
  if (facts.traits === undefined) return facts;
  const { catalog: _, ...traits } = facts.traits;
  return { ...facts, traits };
}

/** The lineage of copies without symlinks that begin with the catalog: a word of ours stands for it. */
export function withoutToolCatalogs(named: NamedLineage): NamedLineage {
  return {
    ...named,
    pipelines: named.pipelines.map((pipeline) => ({
      ...pipeline,
      sink: withoutCatalog(pipeline.sink),
      inputs: pipeline.inputs.map(withoutCatalog),
    })),
  };
}

const withoutCatalog = <T extends NamedTable>(table: T): T => ({
  ...table,
  dataset: { ...table.dataset, symlinks: table.dataset.symlinks.filter(({ name }) => !name.startsWith(`${table.table[0]}.`)) },
});
