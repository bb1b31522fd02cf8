// Transaction 1: all changes of one application found by one poll are one step, written at once. It never waits for the planner.
import { ConfigError } from '../errors/errors.ts';
import { identityText, parentRunId } from '../openlineage/openlineage.ts';
import {
  type CheckpointKey,
  findByIdentity,
  insertRun,
  latestClosed,
  listByApp,
  type RunKey,
  readRun,
  type StateTx,
  updateDesired,
} from '../state/state.ts';
import {
  type Adopted,
  type AppRow,
  appKey,
  type Change,
  type Missed,
  type RunEvidence,
  type SubmissionFailed,
  type Submitted,
} from '../watch/watch.ts';
import type { Context } from './context.ts';
import type { Desired, RunEnd } from './desired.ts';
import type { Gathered, KeptScript } from './gather.ts';
import { type NamedApp, nameOf } from './names.ts';
import { isReported, type ProgramFacts } from './program.ts';

/** One application's step of one poll. */
export interface Step {
  readonly kept: KeptScript | null;
  readonly changes: readonly Change[];
  readonly gathered: Gathered | undefined;
}

type RunMaking = Submitted | Adopted | Missed | SubmissionFailed;

/**
 * Writes the changes inside the caller's transaction, in their order.
 * @param others the watched applications, for names that occur twice
 * @returns the script that is kept for a start that is not proven yet
 */
export async function observe(context: Context, tx: StateTx, step: Step, others: () => Iterable<NamedApp>): Promise<KeptScript | null> {
  let kept = step.kept;
  for (const change of step.changes) kept = await apply(context, tx, step, change, kept, others);
  return kept;
}

const keyOf = ({ app }: Change): CheckpointKey => ({ engine: app.engine, appId: app.id, createTime: app.createTime });

async function apply(
  context: Context,
  tx: StateTx,
  step: Step,
  change: Change,
  kept: KeptScript | null,
  others: () => Iterable<NamedApp>,
): Promise<KeptScript | null> {
  switch (change.kind) {
    case 'starting': {
      const script = step.gathered?.loaded.script ?? null;
      return script === null ? null : { attempt: change.attempt, script };
    }
    case 'discarded':
      return null;
    case 'submitted':
    case 'adopted':
    case 'missed':
    case 'submissionFailed':
      await begin(context, tx, step, change, kept, others);
      return null;
    case 'running':
      await amend(context, tx, change, (desired) => ({ ...desired, runningAt: desired.runningAt ?? change.at }));
      return kept;
    case 'ended': {
      const { how, reason, at, reconstructed } = change;
      const message = change.message === null ? null : (step.gathered?.mask ?? ((t: string) => t))(change.message);
      await amend(context, tx, change, (desired) =>
        desired.end === null ? { ...desired, end: { how, reason, at, reconstructed, message } } : desired,
      );
      return kept;
    }
    case 'lost':
    case 'revived':
    case 'optedOut':
    case 'vanished':
      return kept;
  }
}

async function begin(
  context: Context,
  tx: StateTx,
  step: Step,
  change: RunMaking,
  kept: KeptScript | null,
  others: () => Iterable<NamedApp>,
): Promise<void> {
  const { evidence, app, attempt } = change;
  if (!isReported(context, app, step.gathered?.loaded.program ?? null)) {
    context.log.info(
      { stage: 'watch', app: appKey(app.engine, app.id), attempt },
      'no known tool: not reported, as events.otherJobs is off',
    );
    return;
  }
  const row = keyOf(change);
  const key: RunKey = { ...row, attempt, continuation: evidence.continuation };
  if (change.kind === 'submissionFailed' && !context.settings.events.failedSubmissions) return;
  if ((await readRun(tx, key)) !== undefined) return;
  const identity = await freeIdentity(tx, evidence);
  const previous = await latestClosed(tx, row);
  const desired: Desired = {
    facts: {
      app,
      evidence,
      identity,
      namespace: context.effective().namespace,
      jobName: jobNameOf(context, app, step.gathered, others),
      context: step.gathered?.context ?? { teamName: null, userName: null, description: null, tags: [], project: null },
      ...scriptOf(change, step.gathered, kept),
      previousRunId: previous?.runId ?? null,
      previousEnd: previous === undefined ? null : ((JSON.parse(previous.desiredJson) as Desired).end?.reason ?? null),
    },
    startedAt: evidence.startedAt,
    runningAt: change.kind === 'adopted' ? change.at : null,
    end: endOf(change, step.gathered),
  };
  await insertRun(
    tx,
    {
      ...key,
      phase: 'planning',
      identityText: identity,
      runId: parentRunId(identity),
      jobId: evidence.jobId,
      yarnId: evidence.yarnId,
      logId: evidence.logId,
      optionTime: evidence.optionTime,
      sqlId: desired.facts.script?.sqlId ?? null,
      startedAt: evidence.startedAt,
      endedAt: desired.end?.at ?? null,
      desiredJson: JSON.stringify(desired),
    },
    context.now(),
  );
}

/** A mapped job and a failed submission have no script of their own; text that is gone by now may have been kept at STARTING. */
function scriptOf(
  change: RunMaking,
  gathered: Gathered | undefined,
  kept: KeptScript | null,
): Pick<Desired['facts'], 'script' | 'program' | 'notes' | 'engineVersion'> {
  const loaded = gathered?.loaded;
  const engineVersion = loaded?.engineVersion ?? null;
  const program = loaded?.program ?? null;
  if (change.kind === 'submissionFailed') return { script: null, program: withoutTables(program), notes: [], engineVersion };
  if (change.kind === 'adopted' && !change.planScript) {
    return { script: null, notes: change.app.jobType === 'sql' ? ['SQL_UNKNOWN'] : [], engineVersion };
  }
  if (program !== null) return { script: null, program, notes: loaded?.notes ?? [], engineVersion };
  if (loaded?.script != null) return { script: loaded.script, notes: [], engineVersion };
  if (kept !== null && kept.attempt === change.attempt) return { script: kept.script, notes: [], engineVersion };
  return { script: null, notes: loaded?.notes ?? [], engineVersion };
}

/** A submission that failed read and wrote nothing. */
const withoutTables = (program: ProgramFacts | null): ProgramFacts | null =>
  program === null ? null : { ...program, pipelines: [], findings: [] };

function endOf(change: RunMaking, gathered: Gathered | undefined): RunEnd | null {
  if (change.kind === 'missed') {
    const { how, reason, at, reconstructed } = change;
    return { how, reason, at, reconstructed, message: null };
  }
  if (change.kind !== 'submissionFailed') return null;
  const message = change.message === null ? null : (gathered?.mask ?? ((t: string) => t))(change.message);
  return { how: 'fail', reason: 'SUBMISSION_FAILED', at: change.at, reconstructed: false, message };
}

/** The bare identity, unless another run of this installation has it: then with the START log row's id or option_time. */
async function freeIdentity(tx: StateTx, evidence: RunEvidence): Promise<string> {
  const { identity, continuation } = evidence;
  const bare = identityText(identity, { continuation });
  if ((await findByIdentity(tx, bare)) === undefined) return bare;
  const marks = [evidence.logId, evidence.optionTime, String(evidence.startedAt)].filter((m) => m !== null);
  for (const collision of marks) {
    const text = identityText(identity, { continuation, collision });
    if ((await findByIdentity(tx, text)) === undefined) return text;
  }
  throw new ConfigError('INTERNAL', `no free identity for ${bare}`);
}

function jobNameOf(context: Context, app: AppRow, gathered: Gathered | undefined, others: () => Iterable<NamedApp>): string {
  const { name, duplicate } = nameOf(context.settings.events.jobName, app, gathered?.context.teamName ?? null, others());
  const key = appKey(app.engine, app.id);
  if (!duplicate) context.conditions.clear('JOB_NAME_DUPLICATE', key);
  else context.conditions.raise('JOB_NAME_DUPLICATE', key, `${key} has the name of an earlier application and is reported as ${name}`);
  return name;
}

/** Changes what the newest run of the attempt should report; a closed run stays as it is. */
async function amend(context: Context, tx: StateTx, change: Change, edit: (desired: Desired) => Desired): Promise<void> {
  const { engine, appId, createTime } = keyOf(change);
  const run = (await listByApp(tx, engine, appId)).find((r) => r.createTime === createTime && r.attempt === change.attempt);
  if (run === undefined || run.phase === 'closed') return;
  const desired = edit(JSON.parse(run.desiredJson) as Desired);
  await updateDesired(tx, run, { desiredJson: JSON.stringify(desired), endedAt: desired.end?.at ?? null }, context.now());
}
