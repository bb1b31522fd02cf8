// Stage identity: table facts -> the dataset's physical name, byte for byte as other producers name it; pure.
import type { ErrorCode } from '../errors/errors.ts';
import type { ColumnFacts, ColumnLineage, ColumnUse, InputRole, TablePath, Tier } from '../plan/plan.ts';
import type { GravitinoSettings } from './mapping/gravitino.ts';
import type { HostSettings } from './mapping/hosts.ts';
import type { NamespaceResolver } from './mapping/resolvers.ts';
import type { OwnConnectors } from './own.ts';
import type { TableTraits } from './traits.ts';

export interface Symlink {
  readonly namespace: string;
  readonly name: string;
  readonly type: 'TABLE' | 'LOCATION';
}

/** A physical dataset: what the graph joins on. */
export interface Dataset {
  readonly namespace: string;
  readonly name: string;
  readonly symlinks: readonly Symlink[];
  /** The storage location is not known: the name follows the default layout of the catalog's warehouse. */
  readonly assumed?: boolean;
}

/** Why a table has no dataset. `silent` tables (datagen, print, …) are not worth a warning. */
export interface Unresolved {
  readonly reason: ErrorCode;
  readonly message: string;
  readonly silent: boolean;
}

/** Settings of the namer; what is absent changes nothing. */
export interface IdentitySettings {
  readonly profile: 'openlineage' | 'streampark-4498' | 'gravitino';
  readonly jdbcNameRule: '1.54' | '1.53';
  /** Whether a table without schema is named with the default one (`app.public.t`), and as it is written in a symlink. */
  readonly completeDefaultSchema?: boolean | undefined;
  readonly hosts?: HostSettings | undefined;
  /** Namespace -> the namespace to print instead. */
  readonly namespaceAliases?: Readonly<Record<string, string>> | undefined;
  readonly namespaceResolvers?: Readonly<Record<string, NamespaceResolver>> | undefined;
  readonly gravitino?: GravitinoSettings | undefined;
  /** Connectors of the site, made by `ownConnectors`. */
  readonly own?: OwnConnectors | undefined;
}

/**
 * What a name is made of, without secrets: only the keys that the connector's rule reads, user info and password
 * parameters cut. Made by `distill`, kept in the plan cache; names are computed from it on use.
 */
export interface IdentityFacts {
  readonly path: TablePath;
  readonly connector: string | null;
  readonly options: Readonly<Record<string, string>>;
  readonly catalog: { readonly type: string | null; readonly options: Readonly<Record<string, string>> } | null;
  /** Storage location where it is known. */
  readonly location: string | null;
  readonly columns: readonly ColumnFacts[];
  /** The names behind a pattern, by their parts, where they were looked up; never kept. */
  readonly found?: readonly (readonly string[])[] | undefined;
  /** Why they were not found where they were looked for. */
  readonly notFound?: string | undefined;
  /** The answer of code of the site's, as the settings want it; never kept. */
  readonly answer?: { readonly datasets: readonly Dataset[] } | Unresolved | undefined;
  /** Absent in what older releases kept. */
  readonly traits?: TableTraits;
}

/** A pipeline without secrets: what the plan cache holds. */
export interface DistilledPipeline {
  readonly tier: Tier;
  readonly line: number;
  readonly sink: IdentityFacts;
  readonly inputs: readonly (IdentityFacts & { readonly role: InputRole })[];
  /** Sources by their place in `inputs`; null where the columns are not known. */
  readonly columns: ColumnLineage | null;
}

export interface NamedTable {
  readonly table: TablePath;
  readonly connector: string | null;
  readonly dataset: Dataset;
  readonly columns: readonly ColumnFacts[];
  readonly traits?: TableTraits;
}

/** One sink dataset with exactly its inputs: what events are made of. */
export interface NamedPipeline {
  readonly tier: Tier;
  readonly sink: NamedTable;
  readonly inputs: readonly (NamedTable & { readonly role: InputRole })[];
  /** Column lineage by sink column, of inputs only; an absent column is unknown, one without origins has none. */
  readonly columns: Readonly<Record<string, readonly ColumnOrigin[]>>;
  /** What computes a sink column, without literals, by column; where INSERTs differ, the first of them. */
  readonly expressions?: Readonly<Record<string, string>>;
  /** Of each INSERT into it the values of its PARTITION clause; absent where one of them writes without. */
  readonly partitions?: readonly Readonly<Record<string, string>>[];
  /** What touches all of `columns`. Kept apart, as it would stand there once per column; `columnLineage` puts it in. */
  readonly influences: readonly ColumnOrigin[];
}

/** A column of an input dataset in one use; `field` is `a.b.c` where a nested field is taken. */
export type ColumnOrigin = ColumnUse & {
  readonly namespace: string;
  readonly name: string;
  readonly field: string;
  /** Only through a hash function does its value get there. */
  readonly masking?: true;
};

export interface SkippedTable {
  readonly table: TablePath;
  readonly connector: string | null;
  readonly role: 'sink' | InputRole;
  readonly reason: ErrorCode;
  readonly message: string;
  readonly silent: boolean;
}

export interface NamedLineage {
  readonly pipelines: readonly NamedPipeline[];
  readonly skipped: readonly SkippedTable[];
}

export { columnLineage } from './columns.ts';
export type { Pattern } from './connector.ts';
export { distill, distillLineage } from './distill.ts';
export { type DividedName, dividedNames } from './divided.ts';
export { type Identification, identify, identifyAs, patternOf } from './identify.ts';
export { javaPattern, wholeMatch } from './java/regex.ts';
export { type GravitinoCatalog, gravitinoCatalog } from './mapping/gravitino.ts';
export { identityProblems } from './mapping/mapping.ts';
export { nameLineage } from './name-lineage.ts';
export { type Difference, type KnownName, type NearMiss, nearMisses, withOtherServers } from './near.ts';
export { type CodedConnector, noOwnConnectors, type OwnConnectors, ownConnectorProblems, ownConnectors } from './own.ts';
export { type ConnectorEntry, connectorCatalogue, silentConnectors } from './registry.ts';
export { type CatalogTrait, maskTable, type TableTraits } from './traits.ts';
export { distillTransfers, withoutToolCatalogs } from './transfers.ts';
