// What the observation of a change needs from StreamPark beside the row: script, names, error texts. Read before the
// transaction, and only for what changed.
import { maskText, type PreparedScript } from '../plan/plan.ts';
import type { AppContext, AppRow, Change } from '../watch/watch.ts';
import type { Context } from './context.ts';
import type { ScriptFacts } from './desired.ts';
import { type LoadedScript, loadScript, withoutScript } from './script.ts';

/** `prepared` is for the planner and stays in memory. */
export interface Gathered {
  /** The description is masked. */
  readonly context: AppContext;
  readonly loaded: LoadedScript;
  readonly prepared: PreparedScript | null;
  /** Masks secrets of the script, by value, in texts of the application. */
  readonly mask: (text: string) => string;
}

/** The script that was read when the start was asked for; later edits and deletes change nothing. */
export interface KeptScript {
  readonly attempt: number;
  readonly script: ScriptFacts;
}

/** Whether a change makes a run, or announces one, so that names and script are needed. */
const makesRun = (change: Change): boolean => ['starting', 'submitted', 'adopted', 'missed', 'submissionFailed'].includes(change.kind);

/**
 * Reads what the changes of one application need; undefined when they need nothing.
 * @throws SourceError when the database cannot be read
 */
export async function gather(context: Context, app: AppRow, changes: readonly Change[]): Promise<Gathered | undefined> {
  if (!changes.some(makesRun)) return undefined;
  const [names, loaded] = await Promise.all([
    context.source.loadContext(app.engine, app.id),
    changes.some((c) => makesRun(c) && !(c.kind === 'adopted' && !c.planScript))
      ? loadScript(context, app)
      : withoutScript(context, app, []),
  ]);
  const mask = (text: string) => maskText(text, loaded.secrets);
  const description = names.description === null ? null : mask(names.description);
  return { context: { ...names, description }, loaded, prepared: loaded.prepared, mask };
}
