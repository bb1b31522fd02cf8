// Command `apps`: lists applications with their opt-in, and `apps enable|disable` changes it.
import { setTimeout as sleep } from 'node:timers/promises';
import { UsageError } from '../errors/errors.ts';
import { defaultApply } from '../optin/optin.ts';
import type { Settings } from '../settings/settings.ts';
import { inspectState, openState } from '../state/state.ts';
import { type AppKey, openSource } from '../watch/watch.ts';
import { changeOptIn } from './apps/change.ts';
import { listApps } from './apps/list.ts';
import { type AppResult, resultsOf } from './apps/results.ts';
import { stateOptionsOf } from './connect.ts';

export interface AppsOptions {
  readonly team?: string;
  readonly all: boolean;
  readonly json: boolean;
}

const out = (line: string): void => void process.stdout.write(`${line}\n`);
const err = (line: string): void => void process.stderr.write(`${line}\n`);

/**
 * Runs the command on the databases of the settings.
 * @param keys applications as `flink:100001`, for enable and disable
 * @throws ConfigError, SourceError
 */
export async function appsCommand(settings: Settings, action: string, keys: readonly string[], options: AppsOptions): Promise<0 | 1> {
  if (!['list', 'enable', 'disable'].includes(action))
    throw new UsageError('apps', `apps ${action}: the action is list, enable or disable`);
  const { team, all, json } = options;
  const source = openSource(settings);
  try {
    const common = { source, optIn: settings.optIn, out, err };
    if (action === 'list') {
      return await listApps({ team, all, json }, { ...common, results: () => results(settings) });
    }
    const apply = { ...defaultApply, sleep: (ms: number) => sleep(ms) };
    return await changeOptIn(action === 'enable', { keys: keys as readonly AppKey[], team, all, json }, { ...common, apply });
  } finally {
    await source.close();
  }
}

/** Never an obstacle to the list: without readable state tables there are no results. */
async function results(settings: Settings): Promise<ReadonlyMap<AppKey, AppResult>> {
  const options = stateOptionsOf(settings);
  try {
    const status = await inspectState(options);
    if (!status.schemaExists || status.problem !== undefined || status.pending.length > 0) return new Map();
    const state = await openState(options);
    try {
      return await resultsOf(state.database.db, Date.now());
    } finally {
      await state.close();
    }
  } catch (error) {
    err(`last results are not known: ${error instanceof Error ? error.message : 'the state tables cannot be read'}`);
    return new Map();
  }
}
