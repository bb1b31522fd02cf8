// What the poll remembers from one read to the next. A value: a poll returns a new one, and a poll whose changes could not
// be stored is repeated from the old one.
import type { StoredSettings } from '../settings/settings.ts';
import type { Features } from './features.ts';
import type { ResolvedOptIn } from './optin.ts';
import { type AppKey, type AppRow, appKey, type Engine, type LogRow } from './rows.ts';
import type { Suspect } from './vanish.ts';

/** Position in the log table: the highest id seen. */
export interface LogCursor {
  readonly table: string;
  readonly id: string;
}

export interface LogWindow {
  /** The rows are those with an id above this. */
  readonly above: bigint;
  readonly summary: string;
  readonly rows: ReadonlyMap<string, LogRow>;
}

/** Digests by id range of one table, and how they were made. */
export interface RangeDigests {
  readonly width: bigint;
  readonly query: string;
  readonly digests: ReadonlyMap<string, string>;
}

export interface PollMemory {
  readonly features: Features | null;
  readonly optIn: ResolvedOptIn | null;
  /** Database clock of the last look at the catalog and of the last full read, ms. */
  readonly checkedAt: number;
  readonly rows: ReadonlyMap<AppKey, AppRow>;
  /** Those of `rows` that are opted out. */
  readonly outside: ReadonlySet<AppKey>;
  /** Rows that went away with many others and are looked for at each poll. */
  readonly suspects: ReadonlyMap<AppKey, Suspect>;
  readonly ranges: Readonly<Partial<Record<Engine, RangeDigests>>>;
  readonly cursor: LogCursor | null;
  readonly window: LogWindow | null;
  /** t_flink_cluster.cluster_state by id. */
  readonly clusters: ReadonlyMap<string, number>;
  readonly settings: StoredSettings;
  readonly polledAt: number | null;
}

/**
 * Memory at the start of the process.
 * @param rows the rows last seen, from the checkpoints: only what differs from them is reported
 * @param cursor the stored log cursor; null = first start
 */
export function pollMemory(rows: Iterable<AppRow> = [], cursor: LogCursor | null = null): PollMemory {
  const known = new Map([...rows].map((row) => [appKey(row.engine, row.id), row]));
  return {
    features: null,
    optIn: null,
    checkedAt: 0,
    rows: known,
    outside: outsideOf(known),
    suspects: new Map(),
    ranges: {},
    cursor,
    window: null,
    clusters: new Map(),
    settings: {},
    polledAt: null,
  };
}

/** Keys of the rows that are opted out. */
export function outsideOf(rows: ReadonlyMap<AppKey, AppRow>): ReadonlySet<AppKey> {
  const outside = new Set<AppKey>();
  for (const [key, row] of rows) if (!row.optIn) outside.add(key);
  return outside;
}
