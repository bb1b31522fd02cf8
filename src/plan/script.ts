// What goes into and comes out of the planner: a prepared script, and what Flink made of it.
import type { Diagnostic } from '../errors/errors.ts';
import type { CatalogSettings } from '../settings/settings.ts';
import type { Origin } from './variables.ts';

/** catalog, database, table as the planner names them. */
export type TablePath = readonly [catalog: string, database: string, table: string];

export type Tier = 'plan' | 'tree' | 'text';

/** A script ready for the planner: decoded, variables replaced, split. Contains secrets: never stored, never logged. */
export interface PreparedScript {
  readonly engine: 'flink' | 'spark';
  /** Decoded text with its `${…}`, as the user wrote it. */
  readonly storedText: string;
  /** After variable replacement. */
  readonly text: string;
  readonly statements: readonly ScriptStatement[];
  /** What the script finds already defined; planned before it and not reported. */
  readonly prelude: readonly PreludeStatement[];
  /** Functions whose code is not here, by name. */
  readonly functions: Readonly<Record<string, DeclaredFunction>>;
  /** Whether tables that nobody declares get the columns they are used with. */
  readonly inferColumns: boolean;
  /** Catalogs of the settings that the script names and its team may use. */
  readonly catalogs: readonly CatalogSettings[];
  readonly mode: 'streaming' | 'batch';
  readonly catalog: string;
  readonly database: string;
  /** `table.*` options from config, environment and dynamic properties; of Spark what decides about names. */
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

/** A statement of a prelude. `origin` says where it stands, for messages. */
export interface PreludeStatement {
  readonly text: string;
  readonly origin: string;
}

/** What a function is (`planner.functions`). `type` is a Flink type, a ROW for a table function; without it the type is inferred from use. */
export interface DeclaredFunction {
  readonly kind: 'scalar' | 'table' | 'aggregate';
  readonly type?: string | undefined;
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

/** How a source column takes part in a sink column, by the names of OpenLineage's column lineage facet. */
export type ColumnUse =
  | { readonly type: 'DIRECT'; readonly subtype: 'IDENTITY' | 'TRANSFORMATION' | 'AGGREGATION' }
  | { readonly type: 'INDIRECT'; readonly subtype: 'JOIN' | 'GROUP_BY' | 'FILTER' | 'SORT' | 'WINDOW' | 'CONDITIONAL' };

/** A column of a source in one use. `field` is the declared name; `a.b.c` where a nested field is taken. */
export type SourceColumn = ColumnUse & {
  readonly source: number;
  readonly field: string;
  /** Only through a hash function does its value get there. */
  readonly masking?: true;
};

/**
 * What the columns of a sink are made of. `SourceColumn.source` counts in the list of tables that stands beside it. A sink
 * column that is absent is unknown; one without source columns has none (a literal, a counter).
 */
export interface ColumnLineage {
  readonly columns: Readonly<Record<string, readonly SourceColumn[]>>;
  /** What decides about whole rows (conditions, keys, order) and so touches every column; always INDIRECT. */
  readonly influences: readonly SourceColumn[];
  /** What computes a sink column that is more than a column, without literals. Absent in what older planners answered. */
  readonly expressions?: Readonly<Record<string, string>>;
}

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
  /** Tables that the syntax names, where the statement does not validate; null where it does, or where it does not tell. */
  readonly text: { readonly inputs: readonly { readonly path: TablePath; readonly role: InputRole }[] } | null;
  /** Facts of the target and of every source, with hints applied; one path may occur more than once. */
  readonly tables: readonly (TableFacts & { readonly role: 'sink' | 'source' })[];
  /** Sources by their place in `tables`; null where the tree does not tell. */
  readonly columns: ColumnLineage | null;
}

/**
 * How a table that the script does not declare was found: a prelude, the catalog it was read from, the columns it is used
 * with, or no more than its name in the text.
 */
export interface ExternalTable {
  readonly table: TablePath;
  readonly way: 'prelude' | CatalogSettings['type'] | 'inferred' | 'text';
}

export interface PlannedScript {
  /** Of the planner: `2.3.0` is Flink's, `Spark 3.5.7` the reader of Spark SQL. */
  readonly flinkVersion: string;
  readonly inserts: readonly PlannedInsert[];
  readonly catalogs: Readonly<Record<string, CatalogFacts>>;
  readonly builtIn: { readonly catalog: string; readonly database: string };
  /** Tables that the script names and that nobody declares. */
  readonly undeclared: readonly TablePath[];
  /** These, and the tables of preludes it uses. */
  readonly external: readonly ExternalTable[];
  /** After this time the answer may be another, because what lies outside the script may be. */
  readonly freshForMs?: number;
  readonly diagnostics: readonly Diagnostic[];
}
