// Transaction 2: turns what run rows should have reported into events in the outbox. Driven by the rows alone, so it makes up
// for anything that a crash or an absent planner left undone.
import { type ErrorCode, errorCatalogue, PlanError } from '../errors/errors.ts';
import { type NamedLineage, withoutToolCatalogs } from '../identity/identity.ts';
import { type FrozenRun, freezeRun, type Moment, type OutgoingEvent, runEvents } from '../openlineage/openlineage.ts';
import { enqueue, type OutboxDestination } from '../outbox/outbox.ts';
import { maskText, type PreparedScript } from '../plan/plan.ts';
import { type FrozenRunRecord, listUnsettledOf, markDecided, type RunRecord, readRun } from '../state/state.ts';
import { eventKindsOf } from '../transports/transports.ts';
import { type AppRow, appKey, type Engine } from '../watch/watch.ts';
import type { Context } from './context.ts';
import { type Desired, emittedAfter, missingMoments, type RunFacts, type ScriptFacts } from './desired.ts';
import { withAddedFacets } from './facets.ts';
import type { Planning } from './planning.ts';
import type { ProgramFacts } from './program.ts';
import { loadScript } from './script.ts';

/** `waiting`: a run waits for the planner (or for a destination), so nothing after it was decided either. */
export type Decided = 'done' | 'waiting';

/** Decides every run of one application that has something to report, oldest first. */
export async function decideApp(context: Context, planning: Planning, engine: Engine, appId: string): Promise<Decided> {
  const runs = await listUnsettledOf(context.state.database.db, engine, appId);
  if (runs.length > 0 && !context.effective().configured) return 'waiting';
  for (const run of runs) {
    if ((await decideRun(context, planning, run)) === 'waiting') return 'waiting';
  }
  return 'done';
}

/** Decides one run; gives the number of events that were written, or `waiting`. */
export async function decideRun(context: Context, planning: Planning, run: RunRecord): Promise<number | 'waiting'> {
  const desired = JSON.parse(run.desiredJson) as Desired;
  if (missingMoments(desired, run.emitted).length === 0) return 0;
  const record = await readRun(context.state.database.db, run);
  if (record === undefined) return 0;
  const frozen =
    record.frozenJson === null ? await freeze(context, planning, record, desired) : (JSON.parse(record.frozenJson) as FrozenRun);
  if (frozen === undefined) return 'waiting';
  return write(context, run, frozen);
}

/** The frozen run; undefined while its plan is not to be had. */
export async function freeze(context: Context, planning: Planning, run: FrozenRunRecord, desired: Desired): Promise<FrozenRun | undefined> {
  const { facts } = desired;
  const lineage = await lineageOf(context, planning, run, facts);
  if (lineage === undefined) return undefined;
  const frozen = freezeRun({
    identity: facts.identity,
    app: facts.app,
    context: facts.context,
    attempt: run.attempt,
    evidence: facts.evidence,
    previousRunId: facts.previousRunId,
    previousEnd: facts.previousEnd ?? null,
    upstream: upstreamOf(context, facts),
    namespace: facts.namespace,
    jobName: facts.jobName,
    naming: context.settings.events.jobNaming,
    processing: (facts.script ?? facts.program)?.mode === 'batch' || facts.app.engine === 'spark' ? 'BATCH' : 'STREAMING',
    engineVersion: facts.script?.engineVersion ?? facts.engineVersion,
    sql: facts.script?.text ?? null,
    code: facts.program?.code ?? null,
    program: facts.program?.tool == null ? null : { tool: facts.program.tool, action: facts.program.action ?? '' },
    sqlId: facts.script?.sqlId ?? null,
    sqlVersion: facts.script?.sqlVersion ?? null,
    sourceUrl: null,
    lineage: lineage.named,
    builtIn: facts.script ?? { catalog: 'default_catalog', database: 'default_database' },
    notes: [...facts.notes, ...lineage.notes],
    mask: (text) => maskText(text, []),
    now: context.now(),
  });
  return withAddedFacets(frozen, context.extension);
}

/** Declared in the settings; a name alone is a job in the namespace of the run. */
function upstreamOf({ settings }: Context, { app, namespace }: RunFacts) {
  const declared = settings.events.jobDependencies[appKey(app.engine, app.id)] ?? [];
  return declared.map((job) => (typeof job === 'string' ? { namespace, name: job } : job));
}

interface Lineage {
  readonly named: NamedLineage | null;
  readonly notes: readonly ErrorCode[];
}

async function lineageOf(context: Context, planning: Planning, run: RunRecord, facts: RunFacts): Promise<Lineage | undefined> {
  const { script, app, program } = facts;
  if (program != null) return lineageOfProgram(context, run, program).catch((error: unknown) => givenUp(context, run, error));
  if (script === null || (app.engine === 'spark' && context.settings.spark.lineage === 'none')) {
    logNotes(context, run, facts.notes);
    return { named: null, notes: [] };
  }
  const label = { app: appKey(app.engine, app.id), sqlId: script.sqlId };
  try {
    const plan = await planning.plan(script.planKey, () => preparedAgain(context, app, script), label);
    if (plan === 'gone') {
      logNotes(context, run, ['SQL_GONE']);
      return { named: null, notes: ['SQL_GONE'] };
    }
    const named = await context.names.lineage(plan.pipelines);
    logSkipped(context, label, named);
    return { named, notes: plan.codes };
  } catch (error) {
    return givenUp(context, run, error);
  }
}

/** Undefined while it is worth to wait for the planner or for a look-up. */
function givenUp(context: Context, run: RunRecord, error: unknown): Lineage | undefined {
  if (!(error instanceof PlanError)) throw error;
  if (context.now() - run.createdAt < context.settings.planner.giveUpAfter) return undefined;
  logNotes(context, run, ['LINEAGE_UNAVAILABLE']);
  return { named: null, notes: ['LINEAGE_UNAVAILABLE'] };
}

/** A program needs no planner: its tables stand in its arguments. */
async function lineageOfProgram(context: Context, run: RunRecord, { tool, action, pipelines, findings }: ProgramFacts): Promise<Lineage> {
  const label = { app: `${run.engine}:${run.appId}`, tool, action };
  const named = withoutToolCatalogs(await context.names.lineage(pipelines));
  for (const { code, message } of findings) {
    context.metrics.conditions.inc({ code });
    context.log.warn({ stage: 'plan', ...label, code }, message);
  }
  logSkipped(context, label, named);
  return { named, notes: [...new Set(findings.map(({ code }) => code))] };
}

function logSkipped({ metrics, log }: Context, label: object, { skipped }: NamedLineage): void {
  for (const { reason, table, connector, message } of skipped.filter((s) => !s.silent)) {
    metrics.skipped.inc({ code: reason });
    log.warn({ stage: 'identity', ...label, code: reason, table: table.join('.'), connector }, message);
  }
}

/** The script for the planner, read once more; null when it, a variable or an option is no longer what the run was started with. */
async function preparedAgain(context: Context, app: AppRow, script: ScriptFacts): Promise<PreparedScript | null> {
  const now = await loadScript(context, app, script.sqlId);
  return now.script?.inputsKey === script.inputsKey ? now.prepared : null;
}

/** Why a run has no lineage: one line per run. */
function logNotes({ metrics, log }: Context, run: RunRecord, codes: readonly ErrorCode[]): void {
  for (const code of codes) {
    // said once for all of them, where the script was read
    if (code === 'SOURCE_PRIVILEGE') continue;
    metrics.conditions.inc({ code });
    const { cause } = errorCatalogue[code];
    log.warn({ stage: 'plan', app: `${run.engine}:${run.appId}`, run: run.runId, code }, cause);
  }
}

/** Reads the run again under the lease, so that evidence that came meanwhile is reported in the same step. */
async function write(context: Context, key: RunRecord, frozen: FrozenRun): Promise<number | 'waiting'> {
  const now = context.now();
  // Read once: an event that no destination was asked about would be lost.
  const destinations = outboxDestinations(context);
  if (destinations.length === 0) return 'waiting';
  const events = await context.underLease(async (tx) => {
    const run = await readRun(tx, key);
    if (run === undefined) return [];
    const desired = JSON.parse(run.desiredJson) as Desired;
    const moments = missingMoments(desired, run.emitted);
    if (moments.length === 0) return [];
    const made = eventsOf(context, frozen, moments, run.lastEventAt, now);
    const emitted = emittedAfter(run.emitted, moments);
    await markDecided(
      tx,
      run,
      {
        phase: emitted === 'terminal' ? 'closed' : 'open',
        emitted,
        lastEventAt: made.at(-1)?.at ?? run.lastEventAt ?? now,
        planKey: desired.facts.script?.planKey ?? null,
        ...(run.frozenJson === null ? { frozenJson: JSON.stringify(frozen) } : {}),
      },
      now,
    );
    await enqueue(tx, made, destinations, appKey(frozen.engine, frozen.app.appId), now);
    return made;
  });
  const taken = takenBy(context, events);
  for (const event of taken) context.metrics.events.inc({ type: event.type });
  const last = taken.at(-1);
  if (last !== undefined) {
    context.log.info(
      {
        stage: 'openlineage',
        app: appKey(frozen.engine, frozen.app.appId),
        run: frozen.runId,
        job: frozen.jobName,
        sinks: frozen.children.length,
        events: taken.length,
        type: last.type,
      },
      'events written to the outbox',
    );
  }
  return taken.length;
}

/** The events that any destination takes. */
export function takenBy(context: Pick<Context, 'effective'>, events: readonly OutgoingEvent[]): OutgoingEvent[] {
  const kinds = outboxDestinations(context).map((destination) => destination.kinds);
  return events.filter((event) => kinds.length === 0 || kinds.some((kind) => kind === 'both' || kind === event.kind));
}

/** The destinations in force, with the kinds of events that each takes. */
export function outboxDestinations({ effective }: Pick<Context, 'effective'>): OutboxDestination[] {
  return effective().destinations.map((d) => ({ name: d.name, kinds: eventKindsOf(d) }));
}

/** Events of several moments; each is dated no earlier than the one before. */
export function eventsOf(
  context: Pick<Context, 'version' | 'settings'>,
  frozen: FrozenRun,
  moments: readonly Moment[],
  previousAt: number | null,
  now: number,
): OutgoingEvent[] {
  const events: OutgoingEvent[] = [];
  for (const moment of moments) {
    events.push(
      ...runEvents(frozen, moment, {
        now,
        previousAt: events.at(-1)?.at ?? previousAt,
        version: context.version,
        maxBytes: context.settings.events.maxBytes,
        maxFacetBytes: context.settings.events.maxFacetBytes,
        lineageFacet: context.settings.events.lineageFacet,
        mask: (text) => maskText(text, []),
      }),
    );
  }
  return events;
}
