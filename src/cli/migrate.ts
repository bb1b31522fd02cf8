// Command `migrate`: status, up and down of StreamPark's opt-in and of the own tables; `migrate state adopt`.
import { setTimeout as sleep } from 'node:timers/promises';
import { UsageError } from '../errors/errors.ts';
import { defaultApply } from '../optin/optin.ts';
import type { Settings } from '../settings/settings.ts';
import { openSource } from '../watch/watch.ts';
import { connectSource, fingerprintOf, stateOptionsOf } from './connect.ts';
import { revertInjections } from './injection.ts';
import { adoptState, migrateState, type StateMigration } from './migrate/state.ts';
import { type MigrateFlags, migrateStreampark } from './migrate/streampark.ts';

export interface MigrateOptions extends MigrateFlags {
  readonly target?: string;
}

const out = (line: string): void => void process.stdout.write(`${line}\n`);
const err = (line: string): void => void process.stderr.write(`${line}\n`);

/** A MySQL 5.7 server copies the table when a column is added, which may take its time; it does not lock it meanwhile. */
const ddlTimeoutMs = 600_000;

/**
 * Runs the command on the databases of the settings.
 * @throws UsageError for a wrong action or target; SourceError, StateError
 */
export async function migrateCommand(
  settings: Settings,
  action: string,
  what: string | undefined,
  options: MigrateOptions,
): Promise<0 | 1> {
  if (action === 'state') {
    if (what !== 'adopt') throw new UsageError('migrate', 'migrate state: the only action is adopt');
    return await adoptState(options.json, stateContext(settings));
  }
  if (action !== 'status' && action !== 'up' && action !== 'down') {
    throw new UsageError('migrate', `migrate ${action}: the action is status, up, down, or state adopt`);
  }
  const target = options.target ?? (action === 'status' ? 'both' : undefined);
  if (target !== 'streampark' && target !== 'state' && target !== 'both') {
    throw new UsageError('migrate', `migrate ${action}: --target is streampark or state`);
  }
  const codes: (0 | 1)[] = [];
  if (action === 'down' && !options.dryRun && !(await revertInjections(settings, err))) codes.push(1);
  if (target !== 'state') codes.push(await onStreampark(settings, action, options));
  if (target !== 'streampark') codes.push(await migrateState(action, options, stateContext(settings)));
  return codes.includes(1) ? 1 : 0;
}

async function onStreampark(settings: Settings, action: 'status' | 'up' | 'down', options: MigrateOptions): Promise<0 | 1> {
  const database = connectSource(settings, ddlTimeoutMs);
  try {
    const schema = settings.source.schema;
    const apply = { ...defaultApply, sleep: (ms: number) => sleep(ms) };
    return await migrateStreampark(action, options, { database, schema, stateSchema: settings.state.schema, out, err, apply });
  } finally {
    await database.close();
  }
}

function stateContext(settings: Settings): StateMigration {
  const fingerprint = async () => {
    const source = openSource(settings);
    try {
      return fingerprintOf(await source.fingerprint());
    } finally {
      await source.close();
    }
  };
  return { options: stateOptionsOf(settings), fingerprint, now: Date.now, out, err };
}
