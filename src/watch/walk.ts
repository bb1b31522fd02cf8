// One observation being worked through: the tracker's state as it moves, and the changes it yields.
// Every way a run can begin or end is a function here, so that each is emitted in one place only.

import type { Diagnostic } from '../errors/errors.ts';
import type { Attempt, LostRun, OpenRun, Provisional, StartMark, Tracker } from './attempt.ts';
import type { Change, EndKind, EndReason, RunIdentity } from './changes.ts';
import { endInstant, firstInstant, identityOf, identityWithoutJob, isAbort, type ToInstant } from './evidence.ts';
import type { AppRow, LogRow } from './rows.ts';

/** Job keys kept as closed; old jobs beyond that are not shown again by any console. */
const keptClosed = 32;
/** Log rows are read again over this many ids. */
export const logOverlap = 1000;

export interface Walk {
  readonly before: AppRow | null;
  readonly row: AppRow;
  readonly now: number;
  readonly toInstant: ToInstant;
  readonly changes: Change[];
  readonly diagnostics: Diagnostic[];
  attempts: number;
  current: Attempt | null;
  last: StartMark | null;
  closed: readonly string[];
  lostRun: LostRun | null;
  logs: readonly string[];
  mapping: boolean;
  doubtSince: number | null;
}

/** Starts from the tracker, or from nothing for an application that was never seen. */
export function beginWalk(tracker: Tracker | null, row: AppRow, now: number, toInstant: ToInstant): Walk {
  return {
    before: tracker?.row ?? null,
    row,
    now,
    toInstant,
    changes: [],
    diagnostics: [],
    attempts: tracker?.attempts ?? 0,
    current: tracker?.current ?? null,
    last: tracker?.last ?? null,
    closed: tracker?.closed ?? [],
    lostRun: tracker?.lostRun ?? null,
    logs: tracker?.logs ?? [],
    mapping: tracker?.mapping ?? false,
    doubtSince: tracker?.doubtSince ?? null,
  };
}

/** The tracker after the observation. */
export function endWalk(walk: Walk): Tracker {
  const { row, attempts, last, closed, lostRun, logs, mapping, doubtSince } = walk;
  const current = walk.current?.phase === 'open' ? { ...walk.current, optionTime: row.optionTime } : walk.current;
  return { version: 1, row, attempts, current, last, closed, lostRun, logs, mapping, doubtSince };
}

/** Ignores states of this job from now on. */
export function close(walk: Walk, key: string | null): void {
  if (key !== null) walk.closed = [...walk.closed.filter((k) => k !== key), key].slice(-keptClosed);
}

/** The mark of a start as this row shows it; a stop or savepoint asked for meanwhile has moved option_time. */
export function markOf(row: AppRow, log: LogRow | null, moved: boolean): StartMark {
  const own = log?.createTime == null || row.optionTime === null || row.optionTime <= log.createTime;
  return { optionTime: moved || !own ? null : row.optionTime, startTime: row.startTime, logId: log?.id ?? null };
}

type NewProvisional = Pick<Provisional, 'baseKey' | 'baseStartTime' | 'mark'> & Partial<Pick<Provisional, 'proof' | 'failure'>>;

/** Opens a provisional attempt; nothing is emitted. */
export function attempt(walk: Walk, of: NewProvisional): Provisional {
  walk.attempts += 1;
  const made: Provisional = {
    phase: 'provisional',
    number: walk.attempts,
    proof: null,
    failure: null,
    announced: false,
    warned: false,
    stopping: false,
    since: walk.now,
    ...of,
  };
  walk.current = made;
  return made;
}

/** The attempt came to nothing. */
export function discard(walk: Walk, of: Provisional): void {
  if (of.announced) walk.changes.push({ kind: 'discarded', app: walk.row, attempt: of.number });
  walk.current = null;
}

/** The submission was refused: START and FAIL of the application's run. One that the user gave up is nothing. */
export function failSubmission(walk: Walk, of: Provisional, log: LogRow): void {
  if (isAbort(log)) {
    discard(walk, of);
    return;
  }
  const startedAt = firstInstant([log.createTime, of.mark.optionTime], walk.now, walk.toInstant);
  walk.changes.push({
    kind: 'submissionFailed',
    app: walk.row,
    attempt: of.number,
    evidence: {
      identity: identityWithoutJob(walk.row, log),
      jobId: null,
      yarnId: null,
      logId: log.id,
      optionTime: of.mark.optionTime,
      startedAt,
      continuation: 0,
    },
    at: walk.now,
    message: log.exception,
  });
  walk.current = null;
}

/** START of a proven run whose job key is certain. */
export function submit(walk: Walk, of: Provisional, key: string): OpenRun {
  const run = openRun(walk, of, key, identityOf(walk.row, key), startOf(walk, of));
  walk.changes.push({ kind: 'submitted', app: walk.row, attempt: run.number, evidence: run.evidence });
  return run;
}

/** A run that was already alive when first seen, or a job mapped from elsewhere. */
export function adopt(walk: Walk, key: string, mapped: boolean, log: LogRow | null, stopping: boolean): OpenRun {
  const { row } = walk;
  const of = attempt(walk, { baseKey: null, baseStartTime: null, mark: markOf(row, log, stopping) });
  const identity: RunIdentity = mapped ? { kind: 'mapped', jobId: key, appId: row.id } : identityOf(row, key);
  const run = openRun(walk, of, key, identity, firstInstant([row.startTime], walk.now, walk.toInstant));
  walk.changes.push({ kind: 'adopted', app: row, attempt: run.number, evidence: run.evidence, at: walk.now, planScript: !mapped });
  const adopted: OpenRun = { ...run, running: true };
  walk.current = adopted;
  return adopted;
}

/** A run that was reported as failed because it was lost goes on: a run of its own. */
export function continueLost(walk: Walk, lost: LostRun): void {
  const of = attempt(walk, { baseKey: null, baseStartTime: null, mark: markOf(walk.row, null, true) });
  const run = openRun(walk, of, lost.key, lost.evidence.identity, walk.now);
  const evidence = { ...lost.evidence, startedAt: walk.now, continuation: lost.evidence.continuation + 1 };
  walk.current = { ...run, evidence, staleEnd: walk.row.endTime };
  walk.changes.push({ kind: 'submitted', app: walk.row, attempt: run.number, evidence });
}

function openRun(walk: Walk, of: Provisional, key: string, identity: RunIdentity, startedAt: number): OpenRun {
  const { row } = walk;
  const run: OpenRun = {
    phase: 'open',
    number: of.number,
    mark: { ...of.mark, startTime: row.startTime },
    stopping: of.stopping,
    key,
    evidence: {
      identity,
      jobId: row.engine === 'flink' ? key : null,
      yarnId: row.engine === 'spark' ? key : yarnIdOf(row, of.proof),
      logId: of.mark.logId,
      optionTime: of.mark.optionTime ?? row.optionTime,
      startedAt,
      continuation: 0,
    },
    running: false,
    optionTime: row.optionTime,
    lost: null,
    staleEnd: null,
    endedSince: null,
  };
  walk.current = run;
  walk.lostRun = null;
  return run;
}

const yarnIdOf = (row: AppRow, proof: LogRow | null): string | null =>
  [2, 3, 4].includes(row.deployMode) ? (proof?.clusterId ?? row.clusterId) : null;

/** start_time when the start has written it, else the moment the log row or the request names. */
function startOf(walk: Walk, of: Provisional): number {
  const written = walk.row.startTime === of.baseStartTime ? null : walk.row.startTime;
  return firstInstant([written, of.proof?.createTime ?? null, of.mark.optionTime], walk.now, walk.toInstant);
}

/** How an end looks from outside. */
export interface End {
  readonly how: EndKind;
  readonly reason: EndReason;
  readonly reconstructed: boolean;
}

/** The open run is over. `at` is clamped to its start and the clock. */
export function end(walk: Walk, run: OpenRun, as: End, at: number): void {
  walk.changes.push({
    kind: 'ended',
    app: walk.row,
    attempt: run.number,
    ...as,
    at: Math.max(run.evidence.startedAt, Math.min(at, walk.now)),
    message: null,
  });
  close(walk, run.key);
  walk.last = run.mark;
  walk.current = null;
}

/** The end of the open run as the row tells it. */
export function endByRow(walk: Walk, run: OpenRun, as: End): void {
  end(walk, run, as, endInstant(walk.row, run.staleEnd, walk.now, walk.toInstant) ?? walk.now);
}

/**
 * A proven attempt that was over before its START could go out.
 * @param key its job key, where the row shows it
 * @param at when it ended, in ms; null where nothing tells: then now
 */
export function miss(walk: Walk, of: Provisional, key: string | null, as: End, at: number | null): void {
  const { row, now, toInstant } = walk;
  const log = of.proof;
  const identity = key !== null ? identityOf(row, key) : log !== null ? identityWithoutJob(row, log) : null;
  if (identity !== null) {
    const startedAt = key !== null ? startOf(walk, of) : firstInstant([log?.createTime ?? null, of.mark.optionTime], now, toInstant);
    walk.changes.push({
      kind: 'missed',
      app: row,
      attempt: of.number,
      evidence: {
        identity,
        jobId: row.engine === 'flink' ? key : null,
        yarnId: row.engine === 'spark' ? (key ?? log?.clusterId ?? null) : (log?.clusterId ?? null),
        logId: log?.id ?? null,
        optionTime: of.mark.optionTime,
        startedAt,
        continuation: 0,
      },
      ...as,
      at: Math.max(startedAt, at ?? now),
    });
    walk.lostRun = null;
  }
  close(walk, key);
  walk.last = { ...of.mark, startTime: key === null ? null : row.startTime };
  walk.current = null;
}
