// An open run against its row and its cluster: going on, lost from sight, come back, ended.
import type { Limits, OpenRun, Tracker } from './attempt.ts';
import { meaningOf, type StateMeaning } from './states.ts';
import { type End, endByRow, type Walk } from './walk.ts';

/** Applies the row to the open run. */
export function follow(walk: Walk, run: OpenRun, meaning: StateMeaning, clusterLost: boolean, limits: Limits): void {
  const { row } = walk;
  const unexpectedEnd = row.endTime !== null && row.endTime !== run.staleEnd;
  if (meaning.kind === 'ended') {
    endByRow(walk, run, { how: meaning.how, reason: meaning.reason, reconstructed: false });
  } else if (meaning.kind === 'lost') {
    lose(walk, run, 'row', limits);
  } else if (meaning.kind === 'live') {
    followLive(walk, save(walk, { ...run, stopping: run.stopping || meaning.stopping }), meaning.running, clusterLost, limits);
  } else if (meaning.kind === 'idle' && (unexpectedEnd || run.stopping)) {
    endByRow(walk, run, unseenEnd(run));
  } else if (run.lost?.by === 'row') {
    lose(walk, run, 'row', limits);
  } else {
    suspect(walk, save(walk, { ...run, endedSince: null }), clusterLost, limits);
  }
}

function save(walk: Walk, run: OpenRun): OpenRun {
  walk.current = run;
  return run;
}

function followLive(walk: Walk, seen: OpenRun, running: boolean, clusterLost: boolean, limits: Limits): void {
  const { row, now } = walk;
  let run = seen;
  if (run.lost?.by === 'row') {
    if (!running) {
      lose(walk, run, 'row', limits);
      return;
    }
    // The watcher cannot write end_time back to NULL: the time of the loss stays beside RUNNING.
    const back = { ...run, staleEnd: row.endTime };
    run = clusterLost ? save(walk, { ...back, lost: { ...run.lost, by: 'cluster' } }) : revive(walk, back);
  }
  if (row.endTime !== null && row.endTime !== run.staleEnd) {
    // The job has ended; the state that says how follows within a poll, unless the console died in between. When none
    // follows and the end came after no request to stop, the job was lost and found again unseen: end_time is old.
    const ending = save(walk, { ...run, endedSince: run.endedSince ?? now });
    if (now - (ending.endedSince ?? now) < limits.lostGraceMs) return;
    const stopped = run.stopping && running && row.optionTime !== null && row.endTime >= row.optionTime;
    if (stopped) endByRow(walk, ending, unseenEnd(ending));
    else followLive(walk, save(walk, { ...ending, staleEnd: row.endTime }), running, clusterLost, limits);
  } else {
    const going = save(walk, { ...run, endedSince: null, running: run.running || running });
    if (going.running && !run.running) walk.changes.push({ kind: 'running', app: row, attempt: going.number, at: now });
    suspect(walk, going, clusterLost, limits);
  }
}

const unseenEnd = (run: OpenRun): End => ({ how: 'abort', reason: run.stopping ? 'CANCELED' : 'UNKNOWN', reconstructed: true });

/** The row of a run on a dead cluster may say RUNNING for ever, so the cluster's own state makes it suspect. */
function suspect(walk: Walk, run: OpenRun, clusterLost: boolean, limits: Limits): void {
  if (clusterLost) lose(walk, run, 'cluster', limits);
  else if (run.lost?.by === 'cluster') revive(walk, run);
}

/** Out of sight since now or longer; after the grace it is reported as failed. */
function lose(walk: Walk, run: OpenRun, by: 'row' | 'cluster', limits: Limits): void {
  const { row, now } = walk;
  const since = run.lost?.since ?? now;
  if (run.lost === null) walk.changes.push({ kind: 'lost', app: row, attempt: run.number, at: now });
  const lost = save(walk, { ...run, lost: { since, by }, endedSince: null });
  if (now - since < limits.lostGraceMs) return;
  endByRow(walk, lost, { how: 'fail', reason: 'LOST', reconstructed: false });
  walk.lostRun = { evidence: run.evidence, key: run.key, endTime: row.endTime };
}

function revive(walk: Walk, run: OpenRun): OpenRun {
  walk.changes.push({ kind: 'revived', app: walk.row, attempt: run.number, at: walk.now });
  return save(walk, { ...run, lost: null });
}

/** The earliest instant at which time alone changes something. */
export function deadlineOf(tracker: Tracker, limits: Limits): number | null {
  const { current, doubtSince, row } = tracker;
  let first = doubtSince === null ? Number.POSITIVE_INFINITY : doubtSince + limits.lostGraceMs;
  if (current?.phase === 'open') {
    const since = current.endedSince ?? current.lost?.since ?? Number.POSITIVE_INFINITY;
    first = Math.min(first, since + limits.lostGraceMs);
  } else if (current !== null && !current.warned && meaningOf(row.engine, row.state).kind === 'starting') {
    first = Math.min(first, current.since + limits.stuckAfterMs);
  }
  return first === Number.POSITIVE_INFINITY ? null : first;
}
