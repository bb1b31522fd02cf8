// The script of an application as evidence: read, decoded, keyed. What is kept holds no secret; what the planner gets does,
// and stays in memory.
import type { ErrorCode } from '../errors/errors.ts';
import { PlanError, SourceError } from '../errors/errors.ts';
import { maskText, type PreparedScript, planKey, prepareScript, surroundingsOf } from '../plan/plan.ts';
import type { AppRow, StoredScript } from '../watch/watch.ts';
import type { Context } from './context.ts';
import type { ScriptFacts } from './desired.ts';
import { loadProgram, type ProgramFacts } from './program.ts';

/** `script` is null when there is none to plan; `notes` say why. */
export interface LoadedScript {
  readonly script: ScriptFacts | null;
  readonly prepared: PreparedScript | null;
  /** What a JAR or Python application runs. */
  readonly program: ProgramFacts | null;
  /** What must be masked by value in every text of the application; stays in memory, as `prepared` does. */
  readonly secrets: readonly string[];
  readonly engineVersion: string | null;
  readonly notes: readonly ErrorCode[];
}

/** Text kept for the sql facet is cut to this many characters; events are cut further by their own limit. */
const longestText = 128 * 1024;

/**
 * Reads and prepares the script in force (or the one with `sqlId`).
 * A JAR or Python application has a program instead; a Spark script is kept for the sql facet and planned only with `spark.lineage: sql`.
 */
export async function loadScript(context: Context, app: AppRow, sqlId?: string): Promise<LoadedScript> {
  if (app.engine === 'flink' && (app.jobType === 'jar' || app.jobType === 'python')) {
    const loaded = await loadProgram(context, app);
    return loaded === null ? withoutScript(context, app, []) : { script: null, prepared: null, ...loaded };
  }
  if (app.jobType !== 'sql') return withoutScript(context, app, []);
  let stored: StoredScript | null;
  try {
    stored = await context.source.loadScript(app.engine, app.id, sqlId);
  } catch (error) {
    return unreadable(context, error);
  }
  context.conditions.clear('SOURCE_PRIVILEGE', scripts);
  return stored === null || stored.sql.trim() === '' ? withoutScript(context, app, ['SQL_GONE']) : prepare(context, stored);
}

/** Subject of the condition that scripts may not be read. */
const scripts = 'scripts';

/** A right that is missing must not keep the runs from being told: they are, without datasets, and it is said once. */
function unreadable(context: Context, error: unknown): LoadedScript {
  if (!(error instanceof SourceError) || error.code !== 'SOURCE_PRIVILEGE') throw error;
  context.conditions.raise('SOURCE_PRIVILEGE', scripts, `${error.message}; runs are reported without datasets`);
  return { script: null, prepared: null, program: null, secrets: [], engineVersion: null, notes: ['SOURCE_PRIVILEGE'] };
}

/** The secrets of the team are known even so. */
export async function withoutScript(context: Context, app: AppRow, notes: readonly ErrorCode[]): Promise<LoadedScript> {
  try {
    const secrets = await context.source.loadSecrets(app.engine, app.id);
    return { script: null, prepared: null, program: null, secrets, engineVersion: null, notes };
  } catch (error) {
    return unreadable(context, error);
  }
}

function prepare(context: Context, stored: StoredScript): LoadedScript {
  const ofTeam = stored.variables.filter(({ secret }) => secret).map(({ value }) => value);
  try {
    const { settings } = context;
    const prepared = prepareScript(stored, { maxScriptBytes: settings.planner.maxScriptBytes }, surroundingsOf(settings));
    const secrets = [...new Set([...ofTeam, ...prepared.secrets])];
    const text = settings.events.sql === 'none' ? null : settings.events.sql === 'stored' ? prepared.storedText : prepared.text;
    const script: ScriptFacts = {
      sqlId: stored.sqlId,
      sqlVersion: stored.sqlVersion,
      planKey: planKey(prepared, `${context.planner.build(prepared)}${context.names.own.fingerprint}`, context.installation.hashKey),
      inputsKey: planKey(prepared, '', context.installation.hashKey),
      // masked first: a cut could leave half a secret
      text: text === null ? null : maskText(text, secrets).slice(0, longestText),
      mode: prepared.mode,
      engineVersion: prepared.engineVersion,
      catalog: prepared.catalog,
      database: prepared.database,
    };
    const forPlanner = stored.engine === 'flink' || settings.spark.lineage === 'sql' ? prepared : null;
    return { script, prepared: forPlanner, program: null, secrets, engineVersion: stored.engineVersion, notes: [] };
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    return { script: null, prepared: null, program: null, secrets: ofTeam, engineVersion: stored.engineVersion, notes: [error.code] };
  }
}
