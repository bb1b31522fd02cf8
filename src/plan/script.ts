// What goes into and comes out of the planner: a prepared script, and what Flink made of it.
import type { Diagnostic } from '../errors/errors.ts';
import type { Origin } from './variables.ts';

/** catalog, database, table as the planner names them. */
export type TablePath = readonly [catalog: string, database: string, table: string];

export type Tier = 'plan' | 'tree' | 'text';

/** A script ready for the planner: decoded, variables replaced, split. Contains secrets: never stored, never logged. */
export interface PreparedScript {
  /** Decoded text with its `${…}`, as the user wrote it. */
  readonly storedText: string;
  /** After variable replacement. */
  readonly text: string;
  readonly statements: readonly ScriptStatement[];
  readonly mode: 'streaming' | 'batch';
  readonly catalog: string;
  readonly database: string;
  /** `table.*` options from config, environment and dynamic properties. */
  readonly options: Readonly<Record<string, string>>;
  readonly engineVersion: string | null;
  /** How `text` came from `storedText`; `storedPosition` uses it. */
  readonly origins: readonly Origin[];
  /** Values that must be replaced by value in every outgoing text. */
  readonly secrets: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** One piece of the script. `line` and `column` (1-based) are where its text begins in `PreparedScript.text`. */
export interface ScriptStatement {
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

export interface ColumnFacts {
  readonly name: string;
  /** SQL type as Flink prints it, such as `DECIMAL(10, 2)`. */
  readonly type: string;
  readonly kind: 'physical' | 'metadata' | 'computed';
  readonly comment?: string;
}

/** What is known of one table at the moment of its INSERT. `options` contain secrets. */
export interface TableFacts {
  readonly path: TablePath;
  readonly temporary: boolean;
  readonly options: Readonly<Record<string, string>>;
  readonly columns: readonly ColumnFacts[];
  readonly primaryKey: readonly string[];
  readonly partitionKeys: readonly string[];
  readonly comment?: string;
}

/** Definition of a catalog the script created. `options` include `type` and may contain secrets. */
export interface CatalogFacts {
  readonly type: string | null;
  readonly options: Readonly<Record<string, string>>;
}

export type InputRole = 'scan' | 'lookup' | 'model';

/** One INSERT (or CTAS) of the script. */
export interface PlannedInsert {
  /** 1-based position in the stored text. */
  readonly line: number;
  readonly column: number;
  readonly target: TablePath;
  /** CompiledPlan JSON (`{flinkVersion, nodes, edges}`), null where Flink could not compile it. */
  readonly plan: unknown;
  /** Tables of the validated tree with their roles; null where the tree could not be read. */
  readonly tree: { readonly inputs: readonly { readonly path: TablePath; readonly role: InputRole }[] } | null;
  /** Facts of the target and of every source, with hints applied; one path may occur more than once. */
  readonly tables: readonly (TableFacts & { readonly role: 'sink' | 'source' })[];
}

export interface PlannedScript {
  readonly flinkVersion: string;
  readonly inserts: readonly PlannedInsert[];
  readonly catalogs: Readonly<Record<string, CatalogFacts>>;
  readonly builtIn: { readonly catalog: string; readonly database: string };
  readonly diagnostics: readonly Diagnostic[];
}
