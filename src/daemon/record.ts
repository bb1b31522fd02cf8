// Writes the steps of a poll: one transaction per application that changed, one for many that only were seen.
import { isDeepStrictEqual } from 'node:util';
import { SourceError } from '../errors/errors.ts';
import { deleteCheckpoint, saveCheckpoint } from '../state/state.ts';
import type { AppKey, Tracker } from '../watch/watch.ts';
import { CheckpointMoved, type Context } from './context.ts';
import { gather } from './gather.ts';
import type { Known, KnownApps, Remembered } from './known.ts';
import { observe } from './observe.ts';
import type { Planning } from './planning.ts';
import type { LoadedScript } from './script.ts';
import type { Observed } from './steps.ts';

/** Checkpoints without a change that are written in one transaction. */
const quietAtOnce = 200;

/**
 * Records all steps, and brings `known` up to date as each is committed, so that after a failure the same poll can be
 * repeated: what was committed yields nothing the second time.
 * @param recorded called for each application with changes as soon as they are committed
 */
export async function recordSteps(
  context: Context,
  known: KnownApps,
  steps: readonly Observed[],
  planning: Planning,
  recorded: (key: AppKey) => void,
): Promise<void> {
  const quiet = steps.filter(({ tracked, before }) => tracked.changes.length === 0 && news(before, tracked.tracker));
  for (let i = 0; i < quiet.length; i += quietAtOnce) await recordQuiet(context, known, quiet.slice(i, i + quietAtOnce));
  const loud = steps.filter(({ tracked }) => tracked.changes.length > 0);
  let failure: SourceError | undefined;
  for (const step of loud) {
    try {
      await recordLoud(context, known, step, planning);
      recorded(step.key);
    } catch (error) {
      // What is wrong with one application keeps no other from being followed; the poll is repeated for it.
      if (!(error instanceof SourceError) || error.code === 'SOURCE_UNREACHABLE') throw error;
      failure ??= error;
    }
  }
  if (failure !== undefined) throw failure;
}

const news = (before: Known | undefined, tracker: Tracker | null): boolean =>
  tracker !== null && !isDeepStrictEqual(before?.tracker, tracker);

async function recordQuiet(context: Context, known: KnownApps, steps: readonly Observed[]): Promise<void> {
  const saved = await context.underLease(async (tx) => {
    const results: [AppKey, Known][] = [];
    for (const { key, before, tracked } of steps) {
      const tracker = tracked.tracker;
      if (tracker === null) continue;
      const remembered: Remembered = { tracker, kept: before?.kept ?? null };
      const version = before?.version ?? 0;
      if (!(await saveCheckpoint(tx, keyOf(tracker), JSON.stringify(remembered), version, context.now()))) throw new CheckpointMoved();
      results.push([key, { ...remembered, version: version + 1 }]);
    }
    return results;
  });
  for (const [key, value] of saved) known.set(key, value);
}

async function recordLoud(context: Context, known: KnownApps, step: Observed, planning: Planning): Promise<void> {
  const { key, before, tracked } = step;
  const { tracker, changes } = tracked;
  const app = tracker?.row ?? changes.at(-1)?.app;
  if (app === undefined) return;
  const gathered = await gather(context, app, changes);
  const others = () => [...known.trackers.values()].map(({ row }) => row);
  const isNew = before === undefined || (tracker !== null && before.tracker.row.createTime !== tracker.row.createTime);
  const version = isNew ? 0 : before.version;
  const remembered = await context.underLease(async (tx) => {
    const kept = await observe(context, tx, { changes, kept: before?.kept ?? null, gathered }, others);
    if (before !== undefined && (isNew || tracker === null)) await deleteCheckpoint(tx, keyOf(before.tracker));
    if (tracker === null) return undefined;
    const next: Remembered = { tracker, kept };
    if (!(await saveCheckpoint(tx, keyOf(tracker), JSON.stringify(next), version, context.now()))) throw new CheckpointMoved();
    return next;
  });
  if (remembered === undefined) known.delete(key);
  else known.set(key, { ...remembered, version: version + 1 });
  for (const change of changes) {
    context.metrics.changes.inc({ kind: change.kind, engine: change.app.engine });
    context.log.info({ stage: 'watch', app: key, name: change.app.name, attempt: change.attempt, state: change.app.state }, change.kind);
  }
  planAhead(context, planning, step, gathered?.loaded);
}

/** Scripts held for planning ahead; beyond it a script is read again and planned when its run is proven. */
const mostAhead = 64;

/** Plans at STARTING, so that the result is there when the run is proven. */
function planAhead(context: Context, planning: Planning, step: Observed, loaded: LoadedScript | undefined): void {
  const { script, prepared } = loaded ?? { script: null, prepared: null };
  if (script === null || prepared === null || planning.size >= mostAhead) return;
  planning
    .plan(script.planKey, async () => prepared, { app: step.key, sqlId: script.sqlId })
    .catch((error: unknown) => {
      context.log.debug({ stage: 'plan', app: step.key, err: error }, 'not planned ahead');
    });
}

const keyOf = ({ row }: Tracker) => ({ engine: row.engine, appId: row.id, createTime: row.createTime });
