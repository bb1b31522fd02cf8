// The recorded histories of real consoles, replayed row by row into the values that the watch stage reads.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { appRowOf, logRowOf } from '../../src/watch/normalise.ts';
import { type AppKey, type AppRow, appKey, clusterIsLost, type LogRow } from '../../src/watch/watch.ts';

export interface RecordedChange {
  readonly t_ms: number;
  readonly seq: number;
  readonly table: string;
  readonly op: 'INSERT' | 'UPDATE' | 'DELETE';
  readonly key: string;
  readonly changed: Readonly<Record<string, readonly [unknown, unknown]>>;
}

export interface Recording {
  readonly name: string;
  /** ms since the epoch of t_ms 0. */
  readonly t0: number;
  readonly zoneOffsetMs: number;
  readonly changes: readonly RecordedChange[];
}

/** Databases that have a full history. */
export const recordedDatabases = ['mysql-dev', 'mysql-2.1.7', 'postgres-dev', 'postgres-2.1.7'] as const;
export type RecordedDatabase = (typeof recordedDatabases)[number];

/** Reads one timeline file of `<shared>/fixtures/streampark-real/timeline`. */
export function readRecording(shared: string, file: string): Recording {
  const lines = readFileSync(join(shared, 'fixtures/streampark-real/timeline', file), 'utf8')
    .trim()
    .split('\n');
  const records = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const head = records[0] as { t0_utc: string; column_time_zone: string };
  return {
    name: file.replace('.jsonl', ''),
    t0: Date.parse(head.t0_utc),
    zoneOffsetMs: head.column_time_zone.startsWith('GMT+8') ? 8 * 3_600_000 : 0,
    changes: records.filter((r) => r['kind'] === 'row') as unknown as RecordedChange[],
  };
}

/** The named runs of one database, without the full history. */
export function recordingsOf(shared: string, database: RecordedDatabase): string[] {
  return readdirSync(join(shared, 'fixtures/streampark-real/timeline'))
    .filter((f) => f.startsWith(`${database}-`) && !f.endsWith('full-history.jsonl'))
    .sort();
}

/** Raw rows of the tables that the watch stage reads. */
export class Tables {
  readonly #tables = new Map<string, Map<string, Record<string, unknown>>>();

  #table(name: string): Map<string, Record<string, unknown>> {
    const found = this.#tables.get(name) ?? new Map<string, Record<string, unknown>>();
    this.#tables.set(name, found);
    return found;
  }

  apply(change: RecordedChange): void {
    const table = this.#table(change.table);
    if (change.op === 'DELETE') {
      table.delete(change.key);
      return;
    }
    const row = { ...(table.get(change.key) ?? { id: change.key }) };
    for (const [column, [, value]] of Object.entries(change.changed)) row[column] = value;
    table.set(change.key, row);
  }

  /** All applications whose INSERT was recorded, taken as opted in. */
  apps(): Map<AppKey, AppRow> {
    const rows = new Map<AppKey, AppRow>();
    for (const [engine, name] of [
      ['flink', 't_flink_app'],
      ['spark', 't_spark_app'],
    ] as const) {
      for (const [id, raw] of this.#table(name)) {
        if (raw['state'] === undefined) continue; // seed rows are only touched, never inserted
        const named = { ...raw, name: raw['job_name'] ?? raw['app_name'], deploy_mode: raw['deploy_mode'] ?? raw['execution_mode'] };
        rows.set(appKey(engine, id), appRowOf(engine, named, true));
      }
    }
    return rows;
  }

  logs(): LogRow[] {
    const dev = [...this.#table('t_app_log').values()];
    const old = [...this.#table('t_flink_log').values()].map((r) => ({
      ...r,
      create_time: r['option_time'],
      cluster_id: r['yarn_app_id'],
    }));
    return [...dev, ...old].map(logRowOf);
  }

  lostClusters(): Set<string> {
    return new Set([...this.#table('t_flink_cluster')].filter(([, r]) => clusterIsLost(Number(r['cluster_state']))).map(([id]) => id));
  }
}
