// What must hold between the true runs of a history and what was reported of them.
import type { Change, RunEvidence } from '../../src/watch/watch.ts';
import { assertLegal } from '../support/legal.ts';
import type { Console } from './console.ts';
import type { Reported } from './sampled.ts';
import { instanceOf, isOver, nameOf, type TrueRun } from './truth.ts';
import type { Witness } from './witness.ts';

/** Rounding of the columns. */
const second = 1_000;

class Broken extends Error {}

function must(holds: boolean, text: string): asserts holds {
  if (!holds) throw new Broken(text);
}

interface Told {
  starts: number;
  continuations: number;
  terminal: Extract<Change, { kind: 'ended' | 'missed' | 'submissionFailed' }> | null;
  startedAt: number;
}

/** Throws with the rule that is broken. */
export function check(console: Console, witness: Witness, reported: readonly Reported[]): void {
  const apps = new Set(reported.map(({ change }) => `${change.app.engine}:${change.app.id}`));
  for (const app of apps) {
    assertLegal(reported.map(({ change }) => change).filter((change) => `${change.app.engine}:${change.app.id}` === app));
  }
  const told = new Map<TrueRun, Told>();
  const attempts = new Map<string, TrueRun>();
  for (const { change, now } of reported) {
    const instance = instanceOf({ app: `${change.app.engine}:${change.app.id}` as TrueRun['app'], createTime: change.app.createTime });
    const attempt = `${instance}#${change.attempt}`;
    switch (change.kind) {
      case 'submitted':
      case 'adopted':
      case 'missed':
      case 'submissionFailed': {
        const run = runOf(console, instance, change.evidence, told, now);
        must(run !== null, `${change.kind} of a run that never was: ${JSON.stringify(change.evidence)}`);
        must(
          (change.kind === 'submissionFailed') === (run.kind === 'refused'),
          `${nameOf(run)} (${run.kind}) is reported as ${change.kind}`,
        );
        begin(console, witness, run, change, told, now);
        attempts.set(attempt, run);
        if (change.kind === 'missed' || change.kind === 'submissionFailed') finish(witness, run, change, told, now);
        break;
      }
      case 'ended': {
        const run = attempts.get(attempt);
        must(run !== undefined, `the end of attempt ${attempt}, which never began`);
        finish(witness, run, change, told, now);
        break;
      }
      default:
        break;
    }
  }
  for (const run of console.runs) {
    const of = told.get(run);
    must(!witness.due.has(run) || of !== undefined, `${nameOf(run)} (${run.kind}) left evidence and is not reported`);
    must(of === undefined || of.terminal !== null || !isOver(run), `${nameOf(run)} is over and has no terminal event`);
  }
}

function runOf(
  console: Console,
  instance: string,
  { identity, startedAt, continuation }: RunEvidence,
  told: Map<TrueRun, Told>,
  now: number,
): TrueRun | null {
  const candidates = console.runs.filter((run) => instanceOf(run) === instance && run.visibleAt <= now && isNamed(run, identity));
  const open = candidates.filter((run) => continuation > 0 || !told.has(run));
  const distance = (run: TrueRun) => Math.abs(run.visibleAt + console.world.skew - startedAt);
  return open.sort((a, b) => distance(a) - distance(b))[0] ?? candidates[0] ?? null;
}

function isNamed(run: TrueRun, identity: RunEvidence['identity']): boolean {
  switch (identity.kind) {
    case 'flink-job':
    case 'mapped':
      return run.jobId === identity.jobId;
    case 'flink-app':
    case 'spark-app':
      return run.yarnId === identity.yarnId;
    case 'flink-log':
      return run.logId === identity.logId;
  }
}

function begin(
  console: Console,
  witness: Witness,
  run: TrueRun,
  change: Extract<Change, { evidence: unknown }>,
  told: Map<TrueRun, Told>,
  now: number,
): void {
  const { evidence } = change;
  const name = nameOf(run);
  const before = told.get(run);
  const isMapped = evidence.identity.kind === 'mapped';
  if (isMapped) must(run.kind === 'mapped' || run.unlogged, `${name} (${run.kind}) is reported as mapped`);
  if (run.kind === 'mapped' && !isMapped && evidence.continuation === 0 && witness.plainlyMapped.has(run))
    must(change.kind === 'adopted', `${name}, a mapped job, is reported as ${change.kind} ${evidence.identity.kind}`);
  if (evidence.continuation > 0) {
    must(before?.terminal?.kind === 'ended' && before.terminal.reason === 'LOST', `${name} goes on although it was not reported as lost`);
    must(evidence.continuation === before.continuations + 1, `${name} goes on as number ${evidence.continuation}`);
  } else {
    must(before === undefined, `${name} is reported twice`);
  }
  must(change.app.optIn, `${name} begins although its application is opted out`);
  const { startedAt } = evidence;
  must(startedAt <= now, `${name} starts after now`);
  const earliest = run.askedAt + Math.min(console.world.skew, 0) - second;
  must(startedAt >= earliest || run.kind === 'second' || run.unlogged, `${name} starts ${earliest - startedAt} ms before it was asked for`);
  told.set(run, { starts: 1, continuations: evidence.continuation, terminal: null, startedAt });
}

function finish(
  witness: Witness,
  run: TrueRun,
  change: Extract<Change, { kind: 'ended' | 'missed' | 'submissionFailed' }>,
  told: Map<TrueRun, Told>,
  now: number,
): void {
  const of = told.get(run);
  const name = nameOf(run);
  must(of !== undefined && of.terminal === null, `${name} ends twice`);
  of.terminal = change;
  must(change.at >= of.startedAt, `${name} ends before its start`);
  must(change.at <= now, `${name} ends after now`);
  if (change.kind === 'submissionFailed') return;
  const { how, reason, reconstructed } = change;
  const said = `${name} is reported as ${how} ${reason}${reconstructed ? ' (reconstructed)' : ''}`;
  const shown = run.ends.filter((end) => end.shownAt <= now);
  const seen = witness.seenEnds.get(run);
  // Nobody can know how these ended, unless it was read.
  if ((run.overtaken || run.unlogged) && seen?.now !== now) return;
  if (seen !== undefined && seen.now === now) {
    must(how === seen.how || reason === 'LOST', `${said}; its row says ${seen.how}`);
    must(!reconstructed, `${said}; its row says ${seen.how}`);
  }
  if (reason === 'DELETED') must(run.deletedAt !== null && run.deletedAt <= now, `${said}; it is not deleted`);
  else if (reason === 'LOST')
    must(
      run.lostAt.some((at) => at <= now),
      `${said}; it was never lost`,
    );
  else if (reconstructed) must(shown.length > 0 || run.real !== null || (run.replacedAt ?? now) < now, `${said}; it goes on`);
  else if (reason === 'CANCELED' && (run.stopAskedAt ?? now) < now)
    must(shown.length > 0 || run.replacedAt !== null, `${said}; it goes on`);
  else
    must(
      shown.some((end) => end.how === how) || (run.kind !== 'refused' && run.real?.how === how),
      `${said}; the truth is ${shown.map((e) => e.how).join(', ') || 'that it goes on'}`,
    );
}
