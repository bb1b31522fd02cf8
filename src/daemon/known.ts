// The applications as they are remembered, with the views that every poll needs kept beside: nothing is rebuilt per poll.
import { type AppKey, hasOpenRun, type Tracker } from '../watch/watch.ts';
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
}

export function createKnownApps(): KnownApps {
  const known = new Map<AppKey, Known>();
  const trackers = new Map<AppKey, Tracker>();
  const open = new Set<AppKey>();
  return {
    get: (key) => known.get(key),
    set(key, value) {
      known.set(key, value);
      trackers.set(key, value.tracker);
      if (hasOpenRun(value.tracker)) open.add(key);
      else open.delete(key);
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
