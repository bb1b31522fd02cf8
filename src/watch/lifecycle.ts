// The row of an application read against what is known of its current attempt: one step per observation.
import type { Limits, OpenRun, Provisional } from './attempt.ts';
import { endInstant, keyOf, ownYarnApplication, plausible, settledKey, showsNewJob, showsOldJob, successVisible } from './evidence.ts';
import { follow } from './follow.ts';
import { inferred, lastStart, supersede } from './starts.ts';
import { meaningOf, type StateMeaning } from './states.ts';
import { adopt, attempt, close, continueLost, discard, failSubmission, markOf, miss, submit, type Walk } from './walk.ts';

/** The row stands in STARTING for a request that is not the one of the current attempt. */
export function startsAnew(walk: Walk): boolean {
  const { row, current, before } = walk;
  if (meaningOf(row.engine, row.state).kind !== 'starting') return false;
  if (current === null) return row.optionTime !== (before?.optionTime ?? null);
  return row.optionTime !== (current.phase === 'open' ? current.optionTime : current.mark.optionTime);
}

/** Applies the row; a new start that it stands for has been begun. */
export function readRow(walk: Walk, clusterLost: boolean, limits: Limits): void {
  const meaning = meaningOf(walk.row.engine, walk.row.state);
  if (walk.current !== null) walk.doubtSince = null;
  if (walk.current?.phase === 'open') replaced(walk, walk.current, meaning);
  const provisional = walk.current?.phase === 'provisional';
  if (walk.current?.phase === 'provisional') prove(walk, walk.current, meaning, limits);
  if (walk.current === null && (!provisional || meaning.kind === 'live')) withoutAttempt(walk, meaning, clusterLost, limits);
  if (walk.current?.phase === 'open') follow(walk, walk.current, meaning, clusterLost, limits);
  walk.mapping = meaning.kind === 'mapping';
}

/** A new STARTING (`startsAnew`): the attempt before it is over, and the row still shows that one's job until the success write. */
export function restart(walk: Walk): void {
  const { row, before, current } = walk;
  const key = keyOf(row);
  const visible = successVisible(row);
  const old = showsOldJob(row);
  const earlierKey = current?.phase === 'open' ? current.key : before === null ? null : keyOf(before);
  if (current?.phase === 'provisional' && current.failure === null && old && key !== null && showsNewJob(row, current, walk.closed)) {
    const at = endInstant(row, null, walk.now, walk.toInstant) ?? plausible(row.optionTime, walk.now, walk.toInstant);
    // A success that is visible has put its own start_time over the one of this attempt.
    miss(walk, visible ? { ...current, baseStartTime: row.startTime } : current, key, inferred(walk, current.stopping, lastStart), at);
  } else {
    supersede(walk, row.optionTime, lastStart);
  }
  if (old && key !== walk.lostRun?.key) close(walk, key);
  if (!row.optIn) return;
  const made = attempt(walk, {
    baseKey: old ? key : earlierKey,
    baseStartTime: visible ? (before?.startTime ?? null) : row.startTime,
    mark: markOf(row, null, false),
  });
  walk.current = { ...made, announced: true };
  walk.changes.push({ kind: 'starting', app: row, attempt: made.number });
}

/** The row shows another job than the open run's, and no start explains it yet. */
function replaced(walk: Walk, run: OpenRun, meaning: StateMeaning): void {
  const { row, before } = walk;
  const key = keyOf(row);
  if (key === null || key === run.key || walk.closed.includes(key)) return;
  const asked = row.optionTime !== run.optionTime;
  // A second ApplicationMaster of the same YARN application starts its job anew without anyone asking.
  const sameApplication = ownYarnApplication(row) && row.clusterId === before?.clusterId;
  supersede(walk, asked ? row.optionTime : row.startTime, asked ? lastStart : { ...lastStart, later: Number.POSITIVE_INFINITY });
  if (!row.optIn || (!asked && !sameApplication)) return;
  const moved = meaning.kind === 'live' && meaning.stopping;
  attempt(walk, { baseKey: run.key, baseStartTime: before?.startTime ?? null, mark: markOf(row, null, moved) });
}

/** A provisional attempt: nothing is said until its submission is proven and its job key is certain. */
function prove(walk: Walk, of: Provisional, meaning: StateMeaning, limits: Limits): void {
  const { row } = walk;
  // A refused submission has no job: the one in the row is of a run before it.
  if (of.proof === null && (of.failure !== null || !showsNewJob(row, of, walk.closed))) {
    unproven(walk, of, meaning, limits);
  } else if (overwritten(walk, of)) {
    miss(walk, of, null, inferred(walk, of.stopping, lastStart), null);
    begin(walk, meaning, limits);
  } else if (meaning.kind === 'ended') {
    const at = endInstant(row, null, walk.now, walk.toInstant);
    miss(walk, of, settledKey(row, of), { how: meaning.how, reason: meaning.reason, reconstructed: false }, at);
  } else if (meaning.kind === 'idle' || meaning.kind === 'mapping') {
    // Over, and its job is no longer in the row or the row does not tell how it ended.
    if (of.proof === null) discard(walk, of);
    else miss(walk, of, null, inferred(walk, of.stopping, lastStart), null);
  } else {
    const key = settledKey(row, of);
    if (key !== null) submit(walk, of, key);
    else if (meaning.kind === 'starting') overdue(walk, of, limits);
  }
}

/**
 * The row shows another YARN application than the one that the log row proves. The row is written before its log row, so a
 * later submission has put its own there.
 */
function overwritten({ row, before }: Walk, of: Provisional): boolean {
  const { clusterId } = row;
  if (of.proof === null || of.proof.clusterId === null || clusterId === null || !ownYarnApplication(row)) return false;
  return clusterId !== of.proof.clusterId && clusterId !== before?.clusterId;
}

/** States that follow without proof tell of an abort, a refused submission, or of the run before. */
function unproven(walk: Walk, of: Provisional, meaning: StateMeaning, limits: Limits): void {
  const { row, closed } = walk;
  if (meaning.kind === 'unknown') return;
  if (meaning.kind === 'live') {
    if (of.failure === null) return;
    failSubmission(walk, of, of.failure);
    // The one start that was asked for came to nothing, so a new job in the row was bound to it by hand.
    const key = keyOf(row);
    walk.mapping ||= key !== null && key !== of.baseKey && !closed.includes(key);
    return;
  }
  if (meaning.kind === 'starting') {
    overdue(walk, of, limits);
    return;
  }
  const canceled = meaning.kind === 'ended' && meaning.reason === 'CANCELED';
  if (of.failure === null || canceled) discard(walk, of);
  else failSubmission(walk, of, of.failure);
}

/** Too long in STARTING: a refused submission is reported without its end state, anything else is said once. */
function overdue(walk: Walk, of: Provisional, limits: Limits): void {
  if (walk.now - of.since < limits.stuckAfterMs) return;
  if (of.failure !== null) {
    failSubmission(walk, of, of.failure);
  } else if (!of.warned) {
    walk.current = { ...of, warned: true };
    const { engine, id, name } = walk.row;
    const minutes = Math.round(limits.stuckAfterMs / 60_000);
    const lacking = of.proof === null ? 'without proof of a submission' : 'without showing its job id';
    const message = `${engine}:${id} (${name}) has stood in STARTING for more than ${minutes} min ${lacking}`;
    walk.diagnostics.push({ code: 'STARTING_STUCK', severity: 'warning', message });
  }
}

/** No attempt is known: a mapped job, a lost run that came back, or a job that is simply there. */
function withoutAttempt(walk: Walk, meaning: StateMeaning, clusterLost: boolean, limits: Limits): void {
  const { row, before, lostRun } = walk;
  const key = keyOf(row);
  const doubtSince = walk.doubtSince ?? walk.now;
  walk.doubtSince = null;
  if (key === null || !row.optIn) return;
  const changed = before !== null && key !== keyOf(before);
  const asked = before !== null && row.optionTime !== before.optionTime;
  const mapped = walk.mapping || (changed && !asked);
  if (meaning.kind === 'live') {
    if (lostRun !== null && key === lostRun.key) {
      const sameEnd = row.endTime === null || row.endTime === lostRun.endTime;
      if (meaning.running && sameEnd && !clusterLost) continueLost(walk, lostRun);
    } else if (walk.closed.includes(key) && !walk.mapping) {
      return;
    } else if (row.endTime !== null && !changed) {
      // Just ended, or lost and revived long ago: alive if it stays like that.
      if (walk.now - doubtSince < limits.lostGraceMs) walk.doubtSince = doubtSince;
      else walk.current = { ...adopt(walk, key, mapped, null, meaning.stopping), staleEnd: row.endTime };
    } else if (mapped || !changed) {
      adopt(walk, key, mapped, null, meaning.stopping);
    } else {
      begin(walk, meaning, limits);
    }
  } else if ((meaning.kind === 'ended' || meaning.kind === 'lost') && !walk.closed.includes(key)) {
    if (changed && asked) begin(walk, meaning, limits);
    else if (meaning.kind === 'ended') close(walk, key);
  }
}

/** A start that was not seen in STARTING; its job id is the proof. */
function begin(walk: Walk, meaning: StateMeaning, limits: Limits): void {
  const { before, row } = walk;
  const moved = (meaning.kind === 'live' && meaning.stopping) || row.optionState !== 0 || meaning.kind === 'ended';
  const baseKey = before === null ? null : keyOf(before);
  const made = attempt(walk, { baseKey, baseStartTime: before?.startTime ?? null, mark: markOf(row, null, moved) });
  prove(walk, made, meaning, limits);
}
