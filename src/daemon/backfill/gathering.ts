// What the runs of one application need from StreamPark beside their evidence: names, and to each run the version of the script
// that it was started with.
import { maskText } from '../../plan/plan.ts';
import { type Change, type PastRead, versionAt } from '../../watch/watch.ts';
import type { Context } from '../context.ts';
import type { Gathered } from '../gather.ts';
import { type LoadedScript, loadScript, withoutScript } from '../script.ts';
import { askedAt, makesRun } from './plan.ts';

/** Gives what `observe` needs for each change; the same version is read once. */
export type Gathering = (change: Change) => Promise<Gathered | undefined>;

/**
 * @param alive attempt of the run that is alive or about to start: its script is the one in force, as for any run seen first
 * @throws SourceError when the database cannot be read
 */
export function gathering(context: Context, read: PastRead, alive: number | null): Gathering {
  const { row } = read;
  const loaded = new Map<string, Promise<LoadedScript>>();
  const once = (key: string, load: () => Promise<LoadedScript>) => {
    const known = loaded.get(key) ?? load();
    loaded.set(key, known);
    return known;
  };
  let names: ReturnType<Context['source']['loadContext']> | undefined;

  const scriptOf = (change: Change): Promise<LoadedScript> => {
    if (change.kind === 'submissionFailed' || (change.kind === 'adopted' && !change.planScript))
      return once('none', () => withoutScript(context, row, []));
    if (change.attempt === alive) return once('in force', () => loadScript(context, row));
    const sqlId = row.jobType === 'sql' ? versionAt(askedAt(change, read), read.versions, read.builds) : null;
    if (sqlId !== null) return once(sqlId, () => loadScript(context, row, sqlId));
    const notes = row.jobType !== 'sql' ? [] : ([read.versions.length === 0 ? 'SQL_GONE' : 'SQL_UNKNOWN'] as const);
    return once('unknown', () => withoutScript(context, row, notes));
  };

  return async (change) => {
    if (!makesRun(change) && change.kind !== 'starting') return undefined;
    names ??= context.source.loadContext(row.engine, row.id);
    const [app, script] = await Promise.all([names, scriptOf(change)]);
    const mask = (text: string) => maskText(text, script.secrets);
    const description = app.description === null ? null : mask(app.description);
    return { context: { ...app, description }, loaded: script, prepared: script.prepared, mask };
  };
}
