// Replays recordings through the tracker, looking after every row change or every so many milliseconds.
import { type AppKey, appKey, type Change, type LogRow, type Tracker, track } from '../../src/watch/watch.ts';
import { type RecordedChange, type Recording, Tables } from './timeline.ts';

/** When the tracker looks: after each row change, or at fixed intervals. */
export type Sampling = 'every change' | number;

export class Replay {
  readonly tables = new Tables();
  readonly trackers = new Map<AppKey, Tracker>();
  readonly changes: Change[] = [];
  readonly #recording: Recording;

  constructor(recording: Recording) {
    this.#recording = recording;
  }

  /** One poll at t_ms. A second look at the same state must find nothing. */
  look(t: number): void {
    const now = this.#recording.t0 + t;
    const context = {
      toInstant: (raw: string) => {
        const local = Date.parse(`${raw.replace(' ', 'T')}Z`);
        return Number.isNaN(local) ? null : local - this.#recording.zoneOffsetMs;
      },
      lostGraceMs: 600_000,
      stuckAfterMs: 1_800_000,
    };
    const apps = this.tables.apps();
    const lost = this.tables.lostClusters();
    const logs = new Map<AppKey, LogRow[]>();
    for (const log of this.tables.logs())
      logs.set(appKey(log.engine, log.appId), [...(logs.get(appKey(log.engine, log.appId)) ?? []), log]);
    for (const key of new Set([...apps.keys(), ...this.trackers.keys()])) {
      const row = apps.get(key) ?? null;
      const clusterLost = row?.flinkClusterId != null && lost.has(row.flinkClusterId);
      const seen = { row, logs: logs.get(key) ?? [], clusterLost, now };
      const { tracker, changes } = track(this.trackers.get(key) ?? null, seen, context);
      this.changes.push(...changes);
      if (tracker === null) this.trackers.delete(key);
      else this.trackers.set(key, JSON.parse(JSON.stringify(tracker)) as Tracker);
      const again = row === null || tracker === null ? [] : track(tracker, seen, context).changes;
      if (again.length > 0) throw new Error(`${key} at ${t} ms: a second look found ${again.map((c) => c.kind).join(', ')}`);
    }
  }
}

/** Applies `before` unseen, looks once, then replays the recording. */
export function replay(recording: Recording, sampling: Sampling, before: readonly RecordedChange[] = []): Replay {
  const run = new Replay(recording);
  for (const change of before) run.tables.apply(change);
  run.look(0);
  let next = typeof sampling === 'number' ? sampling : 0;
  for (const change of recording.changes) {
    if (typeof sampling === 'number') {
      for (; change.t_ms > next; next += sampling) run.look(next);
      run.tables.apply(change);
    } else {
      run.tables.apply(change);
      run.look(change.t_ms);
    }
  }
  run.look(Math.max(next, recording.changes.at(-1)?.t_ms ?? 0));
  return run;
}

/** A change in words, without ids and times: `orders_enrich: ended complete FINISHED`. */
export function words(change: Change): string {
  const end = 'how' in change ? ` ${change.how} ${change.reason}${change.reconstructed ? ' reconstructed' : ''}` : '';
  const mapped = 'evidence' in change && change.evidence.identity.kind === 'mapped' ? ' mapped' : '';
  return `${change.app.name}: ${change.kind}${mapped}${end}`;
}
