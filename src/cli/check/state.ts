// Checks of the own tables: reachable, up to date, of this StreamPark database, who works with them, and what came of the applications.
import { errorCatalogue } from '../../errors/errors.ts';
import {
  inspectState,
  openState,
  readInstallation,
  readLease,
  type SourceFingerprint,
  type State,
  type StateOptions,
} from '../../state/state.ts';
import { resultsOf } from '../apps/results.ts';
import { fingerprintOf } from '../connect.ts';
import { counted } from '../table.ts';
import { applicationResults } from './applications.ts';
import type { Check, CheckContext } from './context.ts';
import { type CheckResult, coded, failure, ok, warn } from './result.ts';

/** Changes nothing: tables that are missing or old are left so. */
export const checkState: Check = async (context) => {
  const { stateOptions: options } = context;
  if (options === undefined)
    return [coded('fail', 'state: connection', 'CONFIG_INVALID', 'neither state.url nor source.url is a database URL')];
  const what = 'state: tables';
  try {
    const status = await inspectState(options);
    if (status.problem !== undefined) return [failure(what, status.problem)];
    const version = status.applied.filter((row) => row.appliedAt !== null).length;
    if (status.pending.length > 0) {
      const detail = status.schemaExists
        ? `${options.schema} is at version ${version}, ${counted(status.pending.length, 'migration')} ${status.pending.length === 1 ? 'is' : 'are'} pending`
        : `${options.schema} is not visible to this user, or not there yet`;
      const cure =
        'Nothing to do: `run` brings them up to date at its start; `streampark-lineage migrate up --target state` does it now and shows whether the user may.';
      return [warn(what, detail, cure)];
    }
    return [ok(what, `${options.schema} is at version ${version}`), ...(await live(options, context))];
  } catch (error) {
    return [failure('state: connection', error)];
  }
};

async function live(options: StateOptions, context: CheckContext): Promise<CheckResult[]> {
  const state = await openState(options);
  try {
    const { facts, now } = context;
    const results = facts === undefined ? [] : applicationResults(facts.applications, await resultsOf(state.database.db, now()));
    return [...(await owner(state, context)), await lease(state), ...results];
  } finally {
    await state.close();
  }
}

async function owner(state: State, { facts }: CheckContext): Promise<CheckResult[]> {
  const known = (await readInstallation(state.database.db))?.source;
  if (known === undefined || facts === undefined) return [];
  const seen = fingerprintOf(await facts.source.fingerprint());
  const difference = differenceOf(known, seen);
  return [
    difference === undefined
      ? ok('state: owner', `belongs to ${known.server}/${known.database}`)
      : coded('fail', 'state: owner', 'STATE_FOREIGN', difference),
  ];
}

/** The daemon's own rule: another place, or an application older than all that were ever there. */
function differenceOf(known: SourceFingerprint, seen: SourceFingerprint): string | undefined {
  if (known.server !== seen.server || known.database !== seen.database) {
    return `they belong to ${known.server}/${known.database}, the source is ${seen.server}/${seen.database}`;
  }
  const [before, now] = [known.smallestCreateTime, seen.smallestCreateTime];
  return before !== null && now !== null && now < before ? `the oldest application is of ${now}, it was of ${before}` : undefined;
}

async function lease(state: State): Promise<CheckResult> {
  const held = await readLease(state.database.db, 'daemon');
  if (held === undefined) return warn('state: daemon', 'no daemon is running', 'Start `streampark-lineage run`.');
  return ok('state: daemon', `${held.holder} is active; ${errorCatalogue.STATE_LEASE_HELD.cure}`);
}
