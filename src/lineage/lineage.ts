// Stage lineage: PlannedScript -> Pipeline[]; pure. Each sink is walked back to exactly the sources that reach it.
import type { Diagnostic } from '../errors/errors.ts';
import type { CatalogFacts, ColumnLineage, InputRole, TableFacts, Tier } from '../plan/plan.ts';

/** A table with the definition of the catalog it lives in (null for the built-in catalog). Options contain secrets. */
export interface TableUse {
  readonly facts: TableFacts;
  readonly catalog: CatalogFacts | null;
}

/** One INSERT: a sink and its inputs, each input once per (table, role, options). */
export interface Pipeline {
  readonly tier: Tier;
  readonly line: number;
  /** `partition`: the values of its PARTITION clause; only the compiled plan tells. */
  readonly sink: TableUse & { readonly partition?: Readonly<Record<string, string>> };
  readonly inputs: readonly (TableUse & { readonly role: InputRole })[];
  /** Sources by their place in `inputs`; null where the columns are not known. */
  readonly columns: ColumnLineage | null;
}

export interface ScriptLineage {
  readonly pipelines: readonly Pipeline[];
  readonly diagnostics: readonly Diagnostic[];
}

export { extractLineage } from './extract.ts';
export { parseIdentifier } from './identifier.ts';
