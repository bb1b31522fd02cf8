// `migrate --target state` and `migrate state adopt`: the own tables.
import { familyOf } from '../../database/database.ts';
import { StateError } from '../../errors/errors.ts';
import {
  adoptInstallation,
  inspectState,
  openState,
  readInstallation,
  readLease,
  removeState,
  type SourceFingerprint,
  type StateOptions,
  type StateSchema,
  type StateStatus,
} from '../../state/state.ts';
import { type MigrateFlags, reporter } from './streampark.ts';

export interface StateMigration {
  readonly options: StateOptions;
  /** The StreamPark database as it is now; asked only by adopt. */
  readonly fingerprint: () => Promise<SourceFingerprint>;
  readonly now: () => number;
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
}

/**
 * Status, up or down on the own tables.
 * @throws StateError; STATE_NEWER when they are newer than this program
 */
export async function migrateState(action: 'status' | 'up' | 'down', flags: MigrateFlags, context: StateMigration): Promise<0> {
  const status = await inspectState(context.options);
  const say = reporter(action, flags, context.out);
  const report =
    action === 'status'
      ? await describe(status, say, context)
      : action === 'up'
        ? await up(status, flags, say, context)
        : await down(status, flags, say, context);
  if (flags.json) context.out(JSON.stringify({ target: 'state', ...report }));
  if (status.problem !== undefined) throw status.problem;
  return 0;
}

/**
 * Takes the StreamPark database of the settings for the one that the own tables belong to.
 * @throws StateError STATE_LEASE_HELD while a daemon works
 */
export async function adoptState(json: boolean, context: StateMigration): Promise<0 | 1> {
  const status = await inspectState(context.options);
  if (status.problem !== undefined) throw status.problem;
  if (status.applied.length === 0) {
    context.err('There are no state tables yet: nothing to adopt. `run` makes them at its first start.');
    return 1;
  }
  const source = await context.fingerprint();
  const state = await openState(context.options);
  try {
    const lease = await readLease(state.database.db, 'daemon');
    if (lease !== undefined) throw new StateError('STATE_LEASE_HELD', `${lease.holder} works with the state tables; stop it first`);
    const before = (await readInstallation(state.database.db))?.source;
    const adopted = await state.transaction((tx) => adoptInstallation(tx, source, context.now()));
    if (json) context.out(JSON.stringify({ target: 'state', adopted, before: before ?? null, source }));
    else if (!adopted) context.out('nothing to adopt: the state tables belong to no database yet');
    else context.out(`the state tables now belong to ${text(source)}${before === undefined ? '' : `; they belonged to ${text(before)}`}`);
    return 0;
  } finally {
    await state.close();
  }
}

const text = (source: SourceFingerprint): string => `${source.server}/${source.database}`;

type Report = Record<string, unknown>;
type Say = (line: string) => void;

async function describe(status: StateStatus, say: Say, context: StateMigration): Promise<Report> {
  const done = status.applied.filter((row) => row.appliedAt !== null);
  const version = done.reduce((highest, row) => Math.max(highest, row.number), 0);
  const live = done.length > 0 && status.problem === undefined ? await readLive(context) : undefined;
  say(
    status.schemaExists
      ? `own tables in ${context.options.schema}: version ${version}`
      : `own tables: ${context.options.schema} is not visible to this user, or not there yet`,
  );
  if (live?.source !== undefined) say(`  belong to ${text(live.source)}`);
  if (live !== undefined) say(live.holder === undefined ? '  no daemon works with them' : `  ${live.holder} works with them`);
  if (status.problem === undefined) {
    say(status.pending.length === 0 ? 'complete' : `pending: ${status.pending.map(fileName).join(', ')}`);
  }
  return {
    schema: context.options.schema,
    exists: status.schemaExists,
    version,
    pending: status.pending.map(({ number, name }) => ({ number, name })),
    problem: status.problem?.code ?? null,
    source: live?.source ?? null,
    lease: live?.holder ?? null,
  };
}

/** A migration as its file is called, such as 000001_tables. */
const fileName = ({ number, name }: StateStatus['pending'][number]): string => `${String(number).padStart(6, '0')}_${name}`;

async function readLive({ options }: StateMigration): Promise<{ source: SourceFingerprint | undefined; holder: string | undefined }> {
  const state = await openState(options);
  try {
    const { db } = state.database;
    return { source: (await readInstallation(db))?.source, holder: (await readLease(db, 'daemon'))?.holder };
  } finally {
    await state.close();
  }
}

async function up(status: StateStatus, flags: MigrateFlags, say: Say, context: StateMigration): Promise<Report> {
  if (!flags.dryRun && status.problem === undefined) await (await openState(context.options)).close();
  const lines = flags.dryRun ? status.statements.map((statement) => `${statement};`) : status.pending.map((m) => `applied ${fileName(m)}`);
  for (const line of lines.length > 0 ? lines : [flags.dryRun ? '-- nothing to do' : 'nothing to do']) say(line);
  return { action: 'up', dryRun: flags.dryRun, statements: status.statements };
}

async function down(status: StateStatus, flags: MigrateFlags, say: Say, context: StateMigration): Promise<Report> {
  if (status.problem !== undefined) return { action: 'down', dryRun: flags.dryRun, statements: [] };
  const statements = status.schemaExists ? removalOf(context.options) : [];
  if (statements.length === 0) say(flags.dryRun ? '-- nothing to do' : 'nothing to do');
  else if (flags.dryRun) for (const statement of statements) say(`${statement};`);
  else {
    const state = await openState(context.options);
    try {
      const whole = await removeState(state);
      say(whole ? `dropped ${context.options.schema}` : `dropped the own tables; ${context.options.schema} holds other tables and stays`);
    } finally {
      await state.close();
    }
  }
  return { action: 'down', dryRun: flags.dryRun, statements };
}

/** All own tables; the compiler compares them with the schema. */
const stateTables: Readonly<Record<keyof StateSchema, true>> = {
  injection: true,
  plan_cache: true,
  outbox: true,
  run: true,
  log_cursor: true,
  checkpoint: true,
  lease: true,
  installation: true,
  migration: true,
};

/** What removing the own tables comes to, as SQL; their database or schema goes only when it is empty then. */
function removalOf({ url, schema }: StateOptions): string[] {
  const mysql = familyOf(url) === 'mysql';
  const tables = Object.keys(stateTables).map((table) => `drop table if exists ${schema}.${table}`);
  return [...tables, mysql ? `drop database ${schema}` : `drop schema ${schema} restrict`];
}
