// The watch stage on a simulated history: at each poll the observations that a poll of the real tables would give.
import { appRowOf, logRowOf } from '../../src/watch/normalise.ts';
import {
  type AppKey,
  type AppRow,
  type Change,
  clusterIsLost,
  hasOpenRun,
  type LogRow,
  type TrackContext,
  type Tracker,
  track,
} from '../../src/watch/watch.ts';
import { type Console, keyText, type SimApp } from './console.ts';

export interface Reported {
  readonly change: Change;
  /** Clock of the database at the poll that found it. */
  readonly now: number;
}

export const context: TrackContext = {
  toInstant: (raw) => {
    const instant = Date.parse(`${raw.replace(' ', 'T')}Z`);
    return Number.isNaN(instant) ? null : instant;
  },
  lostGraceMs: 600_000,
  stuckAfterMs: 1_800_000,
};

/** Log rows of one application. */
export function logsOf(console: Console, app: SimApp): LogRow[] {
  return [...console.logs.values()].map(logRowOf).filter((log) => log.engine === app.plan.engine && log.appId === app.id);
}

export class Sampled {
  readonly trackers = new Map<AppKey, Tracker>();
  readonly reported: Reported[] = [];
  /** The opt-in column is missing, as far as the polls know: that it is back is seen by the next look at the catalog. */
  columnGone = false;
  #checkedAt = 0;

  /** One poll. Throws when a second look at the same tables finds anything. */
  poll(console: Console): void {
    if (console.now - this.#checkedAt >= 60_000 || (console.columnGone && !this.columnGone)) {
      this.#checkedAt = console.now;
      this.columnGone = console.columnGone;
    }
    const seen = new Set<AppKey>();
    for (const app of console.apps) {
      if (app.row === null) continue;
      const key = keyText(app);
      seen.add(key);
      this.#look(console, key, this.#rowOf(app), logsOf(console, app));
    }
    for (const [key, tracker] of this.trackers) {
      if (!seen.has(key) && followed(tracker)) this.#look(console, key, null, []);
    }
  }

  /** The row as it is read; undefined = it is not read at all; null = the one that was known is gone. */
  #rowOf(app: SimApp): AppRow | null | undefined {
    const tracker = this.trackers.get(keyText(app));
    const row = appRowOf(app.plan.engine, app.row ?? {}, app.optIn === true);
    const known = tracker !== undefined && followed(tracker);
    if (!this.columnGone) return row.optIn || known ? row : undefined;
    // Without the column only what was known is followed, and as it was.
    if (!known) return undefined;
    return tracker.row.createTime === row.createTime ? { ...row, optIn: tracker.row.optIn } : null;
  }

  #look(console: Console, key: AppKey, row: AppRow | null | undefined, logs: readonly LogRow[]): void {
    if (row === undefined) return;
    const { now, clusterState } = console;
    const clusterLost = row?.flinkClusterId != null && clusterIsLost(clusterState);
    const observation = { row, logs, clusterLost, now };
    const { tracker, changes } = track(this.trackers.get(key) ?? null, observation, context);
    this.reported.push(...changes.map((change) => ({ change, now })));
    if (tracker === null) this.trackers.delete(key);
    else {
      const stored = JSON.parse(JSON.stringify(tracker)) as Tracker;
      this.trackers.set(key, stored);
      const again = track(stored, observation, context).changes;
      if (again.length > 0) throw new Error(`a second look at ${key} finds ${again.map((c) => c.kind).join(', ')}`);
    }
  }
}

/** Opted out and nothing open: said once, then no longer read. */
const followed = (tracker: Tracker): boolean => tracker.row.optIn || hasOpenRun(tracker);
