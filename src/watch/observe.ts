// From one poll to one observation per application that has something to tell: a pure join of what the poll brought.
import type { Limits, Tracker } from './attempt.ts';
import { deadlineOf } from './follow.ts';
import type { PollMemory } from './memory.ts';
import type { PollRead } from './poll.ts';
import { type AppKey, type AppRow, appKey, type LogRow } from './rows.ts';
import { clusterIsLost } from './states.ts';
import type { Observation } from './tracker.ts';

/** Modes that run on a cluster of t_flink_cluster: 1 remote, 3 YARN session, 5 K8s session. */
const onCluster = (row: AppRow): boolean => row.engine === 'flink' && [1, 3, 5].includes(row.deployMode);

/** The application runs on a cluster that is down. `clusters` are cluster states by id. */
export function onLostCluster(row: AppRow, clusters: ReadonlyMap<string, number>): boolean {
  const state = row.flinkClusterId === null ? undefined : clusters.get(row.flinkClusterId);
  return onCluster(row) && state !== undefined && clusterIsLost(state);
}

/**
 * Observations by application: rows that changed or went away, applications with new log rows, those on a cluster whose
 * state changed, and those for which time has run out. Of an application that is held back nothing is observed: log rows of its id
 * may tell of another application, and what time would end may be there again.
 * @param memory the memory that came with the result
 */
export function observations(
  result: PollRead,
  memory: PollMemory,
  trackers: ReadonlyMap<AppKey, Tracker>,
  limits: Limits,
): Map<AppKey, Observation> {
  const keys = new Set<AppKey>([...result.gone.keys(), ...result.rows.keys()]);
  for (const log of result.logs) keys.add(appKey(log.engine, log.appId));
  if (result.clustersChanged.size > 0) {
    for (const [key, row] of memory.rows) if (row.flinkClusterId !== null && result.clustersChanged.has(row.flinkClusterId)) keys.add(key);
  }
  for (const [key, tracker] of trackers) {
    const due = deadlineOf(tracker, limits);
    if (due !== null && due <= result.now) keys.add(key);
  }
  for (const key of memory.suspects.keys()) keys.delete(key);
  const logs = keys.size === 0 ? new Map<AppKey, LogRow[]>() : logsByApp(result, memory);
  const seen = new Map<AppKey, Observation>();
  for (const key of keys) {
    const row = result.rows.get(key) ?? memory.rows.get(key) ?? null;
    if (row === null && !result.gone.has(key)) continue; // log rows of an application that is not followed
    const clusterLost = row !== null && onLostCluster(row, memory.clusters);
    seen.set(key, { row, logs: logs.get(key) ?? [], clusterLost, now: result.now });
  }
  return seen;
}

function logsByApp(result: PollRead, memory: PollMemory): Map<AppKey, LogRow[]> {
  const rows = new Map<string, LogRow>([...(memory.window?.rows ?? []), ...result.logs.map((log) => [log.id, log] as const)]);
  const byApp = new Map<AppKey, LogRow[]>();
  for (const log of rows.values()) {
    const key = appKey(log.engine, log.appId);
    const list = byApp.get(key);
    if (list === undefined) byApp.set(key, [log]);
    else list.push(log);
  }
  for (const list of byApp.values()) list.sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
  return byApp;
}

/**
 * Raw times that were written since the poll before, for `learnZone`: every request for a start, stop or savepoint moves option_time.
 * @param before the rows of the memory that the poll began with
 */
export function freshTimes(result: PollRead, before: ReadonlyMap<AppKey, AppRow>): string[] {
  return [...result.rows].flatMap(([key, row]) => {
    const old = before.get(key);
    return old !== undefined && row.optionTime !== null && row.optionTime !== old.optionTime ? [row.optionTime] : [];
  });
}
