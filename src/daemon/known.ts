// The applications as they are remembered, with the views that every poll needs kept beside: nothing is rebuilt per poll.
import { loadCheckpoints, type StateDb, sumCheckpoints } from '../state/state.ts';
import { type AppKey, appKey, hasOpenRun, type Tracker } from '../watch/watch.ts';
import type { KeptScript } from './gather.ts';

/** What a checkpoint row holds. */
export interface Remembered {
  readonly tracker: Tracker;
  readonly kept: KeptScript | null;
}

/** With the version of the checkpoint row. */
export interface Known extends Remembered {
  readonly version: number;
}

export interface KnownApps {
  get(key: AppKey): Known | undefined;
  set(key: AppKey, value: Known): void;
  delete(key: AppKey): void;
  readonly size: number;
  readonly trackers: ReadonlyMap<AppKey, Tracker>;
  /** Those with an open run. */
  readonly open: ReadonlySet<AppKey>;
  /** Reads the checkpoints; what is known already and has not moved stays. */
  load(db: StateDb): Promise<void>;
  /** Whether another program (a backfill) wrote checkpoints since they were loaded. */
  isBehind(db: StateDb): Promise<boolean>;
}

export function createKnownApps(): KnownApps {
  const known = new Map<AppKey, Known>();
  const trackers = new Map<AppKey, Tracker>();
  const open = new Set<AppKey>();
  /** Rows of application ids that were given again are not in here: how much the table has more. */
  let more = { many: 0, total: 0 };
  const set = (key: AppKey, value: Known) => {
    known.set(key, value);
    trackers.set(key, value.tracker);
    if (hasOpenRun(value.tracker)) open.add(key);
    else open.delete(key);
  };
  const surplus = async (db: StateDb) => {
    const { many, total } = await sumCheckpoints(db);
    let versions = 0;
    for (const { version } of known.values()) versions += version;
    return { many: many - known.size, total: total - versions };
  };
  return {
    get: (key) => known.get(key),
    set,
    async load(db) {
      for (const { engine, appId, createTime, json, version } of await loadCheckpoints(db)) {
        const key = appKey(engine, appId);
        const before = known.get(key);
        // of two rows with one id the later one is the application that is there
        if (before !== undefined && before.tracker.row.createTime > createTime) continue;
        if (before?.tracker.row.createTime === createTime && before.version === version) continue;
        set(key, { ...(JSON.parse(json) as Remembered), version });
      }
      more = await surplus(db);
    },
    async isBehind(db) {
      const now = await surplus(db);
      return now.many !== more.many || now.total !== more.total;
    },
    delete(key) {
      known.delete(key);
      trackers.delete(key);
      open.delete(key);
    },
    get size() {
      return known.size;
    },
    trackers,
    open,
  };
}
