// What a module named by `extensions.module` may export. Published as `streampark-lineage/extension`; it stands alone, so that its
// declaration file does too. All functions run in a thread of their own, get copies, and may be asynchronous.

/** A table as a script declares it. Of the options only those that the connector asked for are there, without user info and passwords. */
export interface Table {
  /** Options of the table; those that it does not have come from its catalog. */
  readonly options: Readonly<Record<string, string>>;
  /** Catalog, database and table as the script names them. */
  readonly path: readonly [catalog: string, database: string, table: string];
  /** Value of the `connector` option, or the type of the catalog where the table has none. */
  readonly connector: string;
}

/** The physical dataset behind a table: what the graph joins on. */
export interface Dataset {
  readonly namespace: string;
  readonly name: string;
  /** Other names of the same dataset. */
  readonly symlinks?: readonly { readonly namespace: string; readonly name: string; readonly type: 'TABLE' | 'LOCATION' }[];
}

/** How tables of a connector are named. It wins over a connector of the program with the same name. */
export interface Connector {
  /** Values of the `connector` option. */
  readonly names: readonly string[];
  /** Options that `identify` reads; no other reaches it. */
  readonly options: readonly string[];
  /** One dataset, several (a list of topics), or null for a table without physical identity, which is left out without a warning. */
  identify(table: Table): Answer<Dataset | readonly Dataset[] | null>;
}

/** Changes a name after all rules and settings; what it leaves out stays as it is. */
export type NameMapper = (
  dataset: { readonly namespace: string; readonly name: string },
  table: Pick<Table, 'path'> & { readonly connector: string | null },
) => Answer<{ readonly namespace?: string; readonly name?: string }>;

/** A job of a run that begins: the application itself (`output` null) or one sink. Texts are masked. */
export interface JobChange {
  readonly engine: 'flink' | 'spark';
  readonly application: { readonly id: string; readonly team: string | null; readonly owner: string | null };
  readonly run: { readonly id: string; readonly attempt: number; readonly startedAt: string; readonly previousRunId: string | null };
  readonly job: { readonly namespace: string; readonly name: string };
  readonly processing: 'STREAMING' | 'BATCH';
  readonly sql: string | null;
  readonly output: DatasetChange | null;
  /** Each dataset once. */
  readonly inputs: readonly DatasetChange[];
}

/** A dataset of a job, with its columns and their types as Flink prints them. */
export interface DatasetChange {
  readonly namespace: string;
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

/**
 * Facets by key, `prefix_name` as the specification asks of custom ones. `_producer` is filled in; without a `_schemaURL` that of any
 * facet is.
 */
export type Facets = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Facets of a job, asked for once, when its run begins; every event of the run repeats them. Null adds nothing. */
export type FacetBuilder = (change: JobChange) => Answer<{
  readonly run?: Facets;
  readonly job?: Facets;
  readonly output?: Facets;
  /** In the order of `inputs`. */
  readonly inputs?: readonly (Facets | null)[];
} | null>;

/** An OpenLineage event as it is sent. */
export type Event = Record<string, unknown>;

/** Changes an event before it goes to a destination, or drops it with null. */
export type EventTransform = (event: Event, about: { readonly destination: string }) => Answer<Event | null>;

/** What became of a send; nothing counts as sent. */
export type Sent =
  | undefined
  | { readonly kind: 'sent' }
  /** Tried again; it is what an exception means, too. */
  | { readonly kind: 'later'; readonly reason: string; readonly retryAfterMs?: number }
  /** This event is refused for good and becomes a dead letter. */
  | { readonly kind: 'never'; readonly reason: string }
  /** The destination takes nothing at all: its queue is kept and probed slowly. */
  | { readonly kind: 'paused'; readonly reason: string };

/** A way out, made once for each destination of type `extension`. */
export interface Transport {
  send(event: Event): Answer<Sent>;
  /** Reaches the other side without sending an event: one line of what was found, for `check`. Throws when it cannot. */
  probe?(): Answer<string>;
  close?(): Answer<void>;
}

/** Makes the way out of a destination from its `options`. */
export type TransportFactory = (options: Readonly<Record<string, unknown>>, about: { readonly destination: string }) => Answer<Transport>;

/** A value, or the promise of one. */
export type Answer<T> = T | Promise<T>;

/** All that a module may export, each by its name. */
export interface Extension {
  readonly connectors?: readonly Connector[];
  /** By a name for logs and metrics. */
  readonly facets?: Readonly<Record<string, FacetBuilder>>;
  readonly mapName?: NameMapper;
  readonly transport?: TransportFactory;
  readonly transform?: EventTransform;
}
