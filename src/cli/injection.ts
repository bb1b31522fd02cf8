// Command `injection`: what stands, or would stand, in the properties of applications for the engines' own listeners, and the way back.
import { ConfigError, StateError, UsageError } from '../errors/errors.ts';
import { injectionPlan, injectRound, type Outcome } from '../injection/injection.ts';
import { effectiveSettings, type Settings } from '../settings/settings.ts';
import { inspectState, listInjections, openState, type State } from '../state/state.ts';
import { appKey, openSource, type Source } from '../watch/watch.ts';
import { stateOptionsOf } from './connect.ts';
import { alignedLines, printable } from './table.ts';

const out = (line: string): void => void process.stdout.write(`${line}\n`);

/**
 * Runs the command on the databases of the settings.
 * @returns 1 when `revert` had to leave something
 * @throws ConfigError, SourceError, StateError
 */
export async function injectionCommand(settings: Settings, action: string, options: { readonly json: boolean }): Promise<0 | 1> {
  if (!['preview', 'status', 'revert'].includes(action))
    throw new UsageError('injection', `injection ${action}: the action is preview, status or revert`);
  if (action === 'revert' && settings.injection.enabled)
    throw new ConfigError(
      'CONFIG_INVALID',
      'injection revert: set injection.enabled to false first, or the daemon writes everything again',
    );
  const source = openSource(settings);
  const state = await existingState(settings);
  try {
    if (action === 'status') return await status(source, state, options.json);
    const outcomes = action === 'revert' ? await revert(source, state) : await preview(settings, source, state);
    if (options.json) out(JSON.stringify(outcomes));
    else if (outcomes.length === 0) out('Nothing to do.');
    else print(outcomes, out);
    return action === 'revert' && outcomes.some(left) ? 1 : 0;
  } finally {
    await state?.close();
    await source.close();
  }
}

/** The own tables; undefined where nothing was ever written. They are not made for a look. */
async function existingState(settings: Settings): Promise<State | undefined> {
  const options = stateOptionsOf(settings);
  const found = await inspectState(options);
  return found.schemaExists && found.problem === undefined && found.pending.length === 0 ? openState(options) : undefined;
}

async function preview(settings: Settings, source: Source, state: State | undefined): Promise<Outcome[]> {
  const effective = effectiveSettings(settings, await source.readSettings());
  const plan = injectionPlan({ injection: { ...settings.injection, enabled: true } }, effective);
  if (plan === null)
    throw new ConfigError('CONFIG_INVALID', 'no http destination is configured, so there is nothing that listeners could post to');
  const apps = (await source.listApps()).filter((app) => app.optIn).map((app) => appKey(app.engine, app.id));
  const transaction = () => Promise.reject(new Error('a preview writes nothing'));
  return injectRound({ source, written: await writtenOf(state), transaction, now: Date.now, plan, apps, dryRun: true });
}

/** Takes everything back; what the console is at work on stays, and is in the outcomes. */
async function revert(source: Source, state: State | undefined): Promise<Outcome[]> {
  if (state === undefined) return [];
  const { transaction } = state;
  return injectRound({ source, written: await writtenOf(state), transaction, now: Date.now, plan: null, apps: [], dryRun: false });
}

const writtenOf = async (state: State | undefined) => (state === undefined ? [] : await listInjections(state.database.db));

/**
 * Takes back what was written into applications, before the opt-in itself is removed.
 * @throws SourceError, StateError
 */
export async function revertInjections(settings: Settings, say: (line: string) => void): Promise<boolean> {
  let state: State | undefined;
  try {
    state = await existingState(settings);
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    say(`the own tables cannot be read (${error.message}): whether listener properties stand in applications is not known`);
    return true;
  }
  if (state === undefined) return true;
  const source = openSource(settings);
  try {
    const outcomes = await revert(source, state);
    print(outcomes, say);
    return !outcomes.some(left);
  } finally {
    await state.close();
    await source.close();
  }
}

const left = ({ action }: Outcome): boolean => action === 'waiting' || action === 'blocked';

async function status(source: Source, state: State | undefined, json: boolean): Promise<0> {
  const written = await writtenOf(state);
  const rows = await Promise.all(
    (['flink', 'spark'] as const).map((engine) =>
      source.readProperties(
        engine,
        written.filter((one) => one.engine === engine).map((one) => one.appId),
      ),
    ),
  );
  const facts = written.map((one) => {
    const row = rows.flat().find((found) => found.engine === one.engine && found.id === one.appId);
    const stands = row === undefined ? 'gone' : row.properties === one.after ? 'as written' : 'changed since';
    return { app: `${one.engine}:${one.appId}`, name: row?.name ?? '', column: one.column, stands, declined: one.declined };
  });
  if (json) out(JSON.stringify(facts));
  else if (facts.length === 0) out('Nothing was written into applications.');
  else {
    const rows = facts.map((f) => [f.app, f.name, f.column, f.stands, f.declined.join(', ')]);
    for (const line of alignedLines([['app', 'name', 'column', 'text', 'left to the user'], ...rows])) out(line);
  }
  return 0;
}

function print(outcomes: readonly Outcome[], say: (line: string) => void): void {
  for (const { app, name, column, action, added, removed, reason } of outcomes) {
    say(printable(`${app} ${name} (${column}): ${words[action]}${reason === undefined ? '' : `: ${reason}`}`));
    for (const property of added) say(printable(`  + ${property}`));
    for (const property of removed) say(printable(`  - ${property}`));
  }
}

const words: Readonly<Record<Outcome['action'], string>> = {
  written: 'to write',
  takenBack: 'taken back',
  waiting: 'not now',
  blocked: 'left alone',
  stands: 'stands as written',
  nothing: 'nothing to do',
};
