// `migrate --target streampark`: the column lineage_enable and the lineage.* rows of t_setting.
// Data (tables, SQL, JSON) goes to `out`, remarks to `err`.
import type { Database } from '../../database/database.ts';
import {
  type ApplyOptions,
  apply,
  type Footprint,
  type GrantSection,
  grantScript,
  grantSections,
  inspect,
  optedIn,
  planDown,
  planUp,
  readGrantFacts,
  type Statement,
  unusable,
  viewSections,
} from '../../optin/optin.ts';
import { optInColumn } from '../../watch/watch.ts';
import { alignedLines, counted } from '../table.ts';

export interface StreamparkMigration {
  /** StreamPark's database; on PostgreSQL opened with `schema` as its search path. */
  readonly database: Database<unknown>;
  /** `source.schema`. */
  readonly schema: string;
  /** `state.schema`, for the printed grants. */
  readonly stateSchema: string;
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
  readonly apply: ApplyOptions;
}

export interface MigrateFlags {
  readonly dryRun: boolean;
  readonly views: boolean;
  readonly grants: boolean;
  readonly json: boolean;
}

/** How the report is printed: not beside JSON, and as comments where SQL follows, so that all of stdout can be given to a database client. */
export function reporter(action: 'status' | 'up' | 'down', flags: MigrateFlags, out: (line: string) => void): (line: string) => void {
  if (flags.json) return () => undefined;
  const isSql = flags.dryRun && action !== 'status';
  return (flags.grants || flags.views) && !isSql ? (line) => out(`-- ${line}`) : out;
}

/** What a run of the command found or did; printed as it is with --json. */
type Report = Record<string, unknown>;

/**
 * Status, up or down on StreamPark's database.
 * @returns 0, or 1 when a column of our name cannot serve
 * @throws SourceError
 */
export async function migrateStreampark(
  action: 'status' | 'up' | 'down',
  flags: MigrateFlags,
  context: StreamparkMigration,
): Promise<0 | 1> {
  const footprint = await inspect(context.database);
  const say = reporter(action, flags, context.out);
  const report = action === 'status' ? await status(footprint, say, context) : await change(action, footprint, flags, say, context);
  const grants = flags.grants || flags.views ? await grantsOf(flags, context) : undefined;
  if (grants !== undefined && !flags.json) context.out(grantScript(grants));
  if (flags.json) context.out(JSON.stringify({ target: 'streampark', ...report, ...(grants === undefined ? {} : { grants }) }));
  const broken = footprint.tables.filter((t) => t.optIn?.problem !== undefined);
  for (const { table, optIn } of broken) {
    const error = unusable(table, optIn?.problem ?? '');
    context.err(`${error.code}: ${error.message}\n  cure: ${error.cure}`);
  }
  return broken.length > 0 && action !== 'down' ? 1 : 0;
}

async function change(
  action: 'up' | 'down',
  footprint: Footprint,
  flags: MigrateFlags,
  say: (line: string) => void,
  context: StreamparkMigration,
): Promise<Report> {
  const plan = action === 'up' ? planUp : planDown;
  if (action === 'down') await warnOfLoss(footprint, context);
  if (footprint.settings === undefined) context.err('There is no table t_setting here; lineage.* can be set by file or environment.');
  const { attempts } = context.apply;
  const onLocked = (statement: Statement, attempt: number) =>
    context.err(`${statement.purpose}: the table is locked by another session; try ${attempt + 1} of ${attempts}`);
  const statements = flags.dryRun ? plan(footprint) : await apply(context.database, plan, { ...context.apply, onLocked });
  const lines = flags.dryRun ? script(statements, context) : statements.length === 0 ? ['nothing to do'] : statements.map((s) => s.purpose);
  for (const line of lines) say(line);
  if (action === 'up' && !flags.dryRun) context.err('Opt applications in with `streampark-lineage apps enable flink:<id>`.');
  return { action, dryRun: flags.dryRun, statements: statements.map(({ purpose, sql }) => ({ purpose, sql })) };
}

/** The SQL as a script that a client such as mysql or psql takes. */
function script(statements: readonly Statement[], { database, schema }: StreamparkMigration): string[] {
  if (statements.length === 0) return ['-- nothing to do'];
  const path = database.family === 'postgres' && schema !== 'public' ? [`set search_path = "${schema.replaceAll('"', '""')}";`] : [];
  return [`-- ${database.label}`, ...path, ...statements.map(({ sql }) => `${sql};`)];
}

async function warnOfLoss(footprint: Footprint, context: StreamparkMigration): Promise<void> {
  const on = await optedIn(context.database, footprint);
  if (on.length > 0) {
    const few = on.slice(0, 5);
    const more = on.length > few.length ? ', …' : '';
    context.err(`${counted(on.length, 'application')} opted in by the column will not be reported any more: ${few.join(', ')}${more}`);
  }
  const changed = (footprint.settings ?? []).filter((row) => row.changed).map((row) => row.key);
  if (changed.length > 0) context.err(`rows of t_setting that have a value and go with the migration: ${changed.join(', ')}`);
}

async function status(footprint: Footprint, say: (line: string) => void, { database }: StreamparkMigration): Promise<Report> {
  const on = await optedIn(database, footprint);
  const pending = planUp(footprint);
  const tables = footprint.tables.map(({ table, engine, optIn }) => ({
    table,
    column: optIn === undefined ? 'missing' : optIn.problem === undefined ? 'present' : 'unusable',
    type: optIn?.type ?? null,
    optedIn: on.filter((key) => key.startsWith(`${engine}:`)).length,
  }));
  const settings = footprint.settings?.map(({ key, present, changed }) => ({ key, present, set: changed })) ?? null;
  say(`StreamPark database ${database.label}`);
  const lines = alignedLines([
    ...tables.map(({ table, column, type, optedIn }) => [
      `${table}.${optInColumn}`,
      column,
      type === null ? '' : `${type}, ${counted(optedIn, 'application')} opted in`,
    ]),
    ...(settings ?? []).map(({ key, present, set }) => [`t_setting ${key}`, present ? 'present' : 'missing', set ? 'has a value' : '']),
  ]);
  for (const line of lines) say(`  ${line}`);
  say(pending.length === 0 ? 'complete' : `migrate up --target streampark has ${counted(pending.length, 'statement')} to run`);
  return { database: database.label, complete: pending.length === 0, tables, settings, pending: pending.map((s) => s.sql) };
}

async function grantsOf(flags: MigrateFlags, context: StreamparkMigration): Promise<GrantSection[]> {
  const facts = await readGrantFacts(context.database, context.stateSchema, flags.views);
  return flags.grants ? grantSections(facts) : viewSections(facts);
}
