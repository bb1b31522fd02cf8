// What a run should have reported, and which moments follow from what it has reported so far; pure.
// The run row keeps both, so that anything missing is made up for after a crash.
import type { ErrorCode } from '../errors/errors.ts';
import type { Moment } from '../openlineage/openlineage.ts';
import type { Emitted } from '../state/state.ts';
import type { AppContext, AppRow, EndKind, EndReason, RunEvidence } from '../watch/watch.ts';
import type { ProgramFacts } from './program.ts';

/** The script of a run as it was when the run was proven: no secrets, the text masked. */
export interface ScriptFacts {
  readonly sqlId: string;
  readonly sqlVersion: number | null;
  readonly planKey: string;
  /** As `planKey`, but of any build of the planner: tells whether a later reading is still the same script. */
  readonly inputsKey: string;
  /** For the sql facet; null when events.sql is none. */
  readonly text: string | null;
  readonly mode: 'streaming' | 'batch';
  readonly engineVersion: string | null;
  readonly catalog: string;
  readonly database: string;
}

/** Everything frozen when a run was proven. */
export interface RunFacts {
  readonly app: AppRow;
  readonly evidence: RunEvidence;
  /** Text that all ids of the run are made of. */
  readonly identity: string;
  readonly namespace: string;
  readonly jobName: string;
  readonly context: AppContext;
  /** Null: there is no script to plan (JAR, Spark, a mapped job, a failed submission, or its text is gone). */
  readonly script: ScriptFacts | null;
  /** What a JAR or Python application runs; absent in what older releases wrote. */
  readonly program?: ProgramFacts | null;
  readonly engineVersion: string | null;
  /** Why there is no script, as codes. */
  readonly notes: readonly ErrorCode[];
  readonly previousRunId: string | null;
  /** Why that run ended; absent in what older releases wrote. */
  readonly previousEnd?: string | null;
}

export interface RunEnd {
  readonly how: EndKind;
  readonly reason: EndReason;
  readonly at: number;
  readonly reconstructed: boolean;
  readonly message: string | null;
}

/** Times are ms since the epoch. */
export interface Desired {
  readonly facts: RunFacts;
  readonly startedAt: number;
  /** When RUNNING was first seen; for an adopted run the moment of adoption. */
  readonly runningAt: number | null;
  readonly end: RunEnd | null;
}

const terminalType = { complete: 'COMPLETE', fail: 'FAIL', abort: 'ABORT' } as const;

/** The moments a run still has to report, in order, given what it reported last. */
export function missingMoments(desired: Desired, emitted: Emitted): Moment[] {
  const moments: Moment[] = [];
  if (emitted === 'terminal') return moments;
  if (emitted === 'none') moments.push({ type: 'START', at: desired.startedAt });
  if (emitted !== 'running' && desired.runningAt !== null) moments.push({ type: 'RUNNING', at: desired.runningAt });
  if (desired.end !== null) {
    const { how, at, message, reason, reconstructed } = desired.end;
    moments.push({ type: terminalType[how], at, message, reason, reconstructed });
  }
  return moments;
}

/** What `emitted` becomes once these moments are in the outbox. */
export function emittedAfter(emitted: Emitted, moments: readonly Moment[]): Emitted {
  const last = moments.at(-1);
  if (last === undefined) return emitted;
  if (last.type === 'START') return 'start';
  return last.type === 'RUNNING' ? 'running' : 'terminal';
}
