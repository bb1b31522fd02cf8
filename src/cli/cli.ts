// The command line: one declaration per command; the work is in one file per command, loaded when it is called.
import { homedir } from 'node:os';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { CodedError, ConfigError, StateError, UsageError } from '../errors/errors.ts';
import { identityProblems, ownConnectorProblems } from '../identity/identity.ts';
import { findOpenLineageFile, loadSettingsFile, readSettings, type Settings } from '../settings/settings.ts';
import { zoneClock } from '../watch/watch.ts';
import { version } from './version.ts';

/** 0 done, 1 failed, 2 usage or configuration, 3 the state tables are newer than this program. */
export type ExitCode = 0 | 1 | 2 | 3;

type Env = Readonly<Record<string, string | undefined>>;

/** Home of the user; a user whom the system does not know (any id in a container) has none. */
function home(): string | undefined {
  try {
    return homedir();
  } catch {
    return undefined;
  }
}

/** Settings of the file named by --config (or STREAMPARK_LINEAGE_CONFIG) and of the environment. */
function settingsFrom(program: Command, env: Env): Settings {
  const path = (program.opts()['config'] as string | undefined) ?? env['STREAMPARK_LINEAGE_CONFIG'];
  const settings = readSettings(
    path === undefined || path === '' ? undefined : loadSettingsFile(path),
    env,
    findOpenLineageFile(env, process.cwd(), home()),
  );
  const problems = [...identityProblems(settings.identity), ...ownConnectorProblems(settings.identity.connectors)];
  if (problems.length > 0) throw new ConfigError('CONFIG_INVALID', problems.join('; '));
  // throws where sourceTimezone is no zone
  zoneClock(settings.sourceTimezone, null, 'UTC', Date.now());
  return settings;
}

function keyValue(text: string, before: Record<string, string> = {}): Record<string, string> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('write it as name=value');
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

function appKeyArgument(text: string): string {
  if (!/^(flink|spark):\d+$/.test(text)) throw new InvalidArgumentError('write it as flink:100001 or spark:100001');
  return text;
}

const collect = (text: string, before: string[] = []): string[] => [...before, appKeyArgument(text)];

/** The program with all its commands; `exit` receives the code of the command that ran. */
export function build(env: Env, exit: (code: ExitCode) => void): Command {
  const program = new Command('streampark-lineage')
    .description('OpenLineage events for the Flink SQL and Spark applications of Apache StreamPark, read from its database.')
    .version(version)
    .option('--config <file>', 'settings file (YAML); also STREAMPARK_LINEAGE_CONFIG')
    .showHelpAfterError('(add --help for how it is used)')
    .addHelpText(
      'after',
      `
First steps:
  streampark-lineage check                                   what is missing, each with its cure (the URL of one administrator
                                                             does to try it; in production see docs/grants.md)
  streampark-lineage migrate up --target streampark --dry-run   the column that opts applications in
  streampark-lineage apps enable flink:100001                opt one application in
  streampark-lineage run                                     the daemon

Settings come from environment variables (STREAMPARK_LINEAGE_SOURCE_URL, …), then the file, then t_setting, then defaults.
Data goes to stdout, logs to stderr. Exit codes: 0 done, 1 failed, 2 usage or configuration, 3 state tables newer than this program.`,
    );
  const settings = () => settingsFrom(program, env);

  program
    .command('run')
    .description('the daemon: polls, plans, delivers; stops on SIGTERM within 10 s')
    .action(async () => exit(await (await import('./run.ts')).runCommand(settings())));

  program
    .command('once')
    .description('one poll, then drains the outbox as far as it goes; for cron and tests (exit 1: something stayed undelivered)')
    .action(async () => exit(await (await import('./run.ts')).onceCommand(settings())));

  const migrate = program
    .command('migrate')
    .description('the opt-in column and settings rows of StreamPark, and the own tables')
    .argument('<action>', 'status, up, down, or `state adopt`')
    .argument('[what]', 'adopt: take over the state tables after the database was copied or moved')
    .option('--target <target>', 'streampark (column lineage_enable, rows lineage.* of t_setting) or state (own tables)')
    .option('--dry-run', 'print the SQL, change nothing', false)
    .option('--views', 'up: also print the views that narrow t_setting and t_variable', false)
    .option('--grants', 'print the exact grants for the users of `run` and `migrate`', false)
    .option('--json', 'print JSON', false)
    .action(async (action: string, what: string | undefined, options) =>
      exit(await (await import('./migrate.ts')).migrateCommand(settings(), action, what, options)),
    );
  migrate.addHelpText(
    'after',
    `
Examples:
  streampark-lineage migrate up --target streampark --dry-run
  streampark-lineage migrate down --target streampark
  streampark-lineage migrate state adopt`,
  );

  program
    .command('apps')
    .description('applications with their opt-in and last lineage result; `apps enable|disable` changes the opt-in')
    .argument('[action]', 'list (default), enable or disable')
    .argument('[apps...]', 'applications, such as flink:100001')
    .option('--team <team>', 'only this team (name or id)')
    .option('--all', 'list: also applications that are not opted in; enable, disable: every application', false)
    .option('--json', 'print JSON', false)
    .action(async (action: string | undefined, keys: string[], options) =>
      exit(await (await import('./apps.ts')).appsCommand(settings(), action ?? 'list', keys.map(appKeyArgument), options)),
    );

  program
    .command('explain')
    .description('plans scripts and prints their lineage; sends nothing')
    .argument('[files...]', 'script files, or - for stdin')
    .option('--app <engine:id>', 'the script of an application in the StreamPark database (repeatable)', collect)
    .option('--var <name=value>', 'value of a team variable (repeatable)', keyValue)
    .option('--flink <version>', 'Flink version of the script, such as 1.17')
    .addOption(new Option('--engine <engine>', 'whose SQL the files are').choices(['flink', 'spark']))
    .option('--conf <key=value>', "Spark's configuration for --engine spark, such as spark.sql.catalog.lake=… (repeatable)", keyValue)
    .option('--columns', 'also print what each sink column is made of', false)
    .option('--batch', 'JSON lines {"id","sql","variables"?,"flink"?} on stdin, one result line each, in input order', false)
    .option('--json', 'print JSON', false)
    .action(async (files: string[], options) => exit(await (await import('./explain.ts')).explainCommand(settings(), files, options)));

  program
    .command('identify')
    .description(
      'JSON lines {"id"?,"options","table"?: [catalog, database, table],"catalog"?,"location"?} on stdin -> the names of the datasets; a line that cannot be read is answered with INVALID_INPUT',
    )
    .action(async () => exit(await (await import('./identify.ts')).identifyCommand(settings())));

  program
    .command('check')
    .description('every precondition, with its cure')
    .option('--names [destination]', 'instead: which names that would be reported a Marquez knows under another spelling')
    .option('--json', 'print JSON', false)
    .action(async ({ names, json }: { names?: string | true; json: boolean }) => {
      const { checkCommand, checkNamesCommand } = await import('./check.ts');
      const destination = names === true ? undefined : names;
      exit(await (names === undefined ? checkCommand(settings(), { json }) : checkNamesCommand(settings(), destination, { json })));
    });

  program
    .command('validate')
    .description('OpenLineage events of any producer, one per line, against schemas, run cycle, naming rules and consumer limits')
    .argument('<file>', 'NDJSON file, or - for stdin')
    .option('--schemas <folder>', "the specification's files, each event by the version that it names; default: our own schemas")
    .option('--consumer <name>', 'only the limits of this consumer (repeatable)', (name: string, before: string[] = []) => [
      ...before,
      name,
    ])
    .option('--strict', 'warnings count as errors', false)
    .option('--json', 'one JSON object per finding, figures in the last', false)
    .action(async (file: string, options) => exit(await (await import('./validate.ts')).validateCommand(file, options)));

  program
    .command('backfill')
    .description('events for what is already there: running, ended and earlier runs of the opted-in applications')
    .option('--all', 'every application, whatever its opt-in says', false)
    .option('--team <team>', 'only this team (name or id)')
    .option(
      '--since <time>',
      'only runs that were alive at or after it: a duration back from now such as 30d, or a time such as 2026-01-31T00:00Z',
    )
    .option('--rate <n>', 'at most n events per second')
    .option('--dry-run', 'show what would be sent; send nothing', false)
    .option('--json', 'print JSON', false)
    .action(async (options) => exit(await (await import('./backfill.ts')).backfillCommand(settings(), options)));

  program
    .command('relay')
    .description('OpenLineage events of any producer: from Kafka to a lineage server, or from HTTP clients into the outbox')
    .addOption(
      new Option('--listen <host:port>', 'be an endpoint for HTTP clients instead of reading Kafka').conflicts([
        'from',
        'to',
        'deadLetter',
      ]),
    )
    .option('--from <where>', 'Kafka: where a new group begins: earliest, latest or a time, which moves any group', 'earliest')
    .option('--to <name>', 'Kafka: the destination; default: the first http one')
    .option('--dead-letter <where>', 'Kafka: topic:NAME or file:PATH; default: the first topic with .dead-letters behind it')
    .option('--validate', 'keep back events that are not valid against the schemas', false)
    .action(async (options) => exit(await (await import('./relay.ts')).relayCommand(settings(), options)));

  program
    .command('outbox')
    .description('stats, list, replay, purge: what waits, what was refused, and the way back')
    .argument('<action>', 'stats, list, replay or purge')
    .option('--state <state>', 'list, purge: waiting, sent, dead (refused) or skipped (overtaken while it waited)', 'dead')
    .option('--run <run id>', 'replay: all events of this run; that of an application takes the runs of its sinks along')
    .option('--event <event id>', 'replay: the run of this event')
    .option('--dead', 'replay: every run that has a refused event', false)
    .option('--destination <name>', 'only this destination')
    .option('--older-than <duration>', 'purge: only events older than this, such as 7d')
    .option('--limit <n>', 'list: at most n rows', '50')
    .option('--json', 'print JSON', false)
    .action(async (action: string, options) => exit(await (await import('./outbox.ts')).outboxCommand(settings(), action, options)));

  program
    .command('injection')
    .description("preview, status, revert: the engines' own listeners in the properties of opted-in applications (injection.enabled)")
    .argument('<action>', 'preview, status or revert')
    .option('--json', 'print JSON', false)
    .action(async (action: string, options) => exit(await (await import('./injection.ts')).injectionCommand(settings(), action, options)));

  program
    .command('planner-archive')
    .description("writes the planner's class-data archive into planner/lib, which halves the planner's start")
    .action(async () => exit(await (await import('./archive.ts')).archiveCommand(settings())));

  program
    .command('demo')
    .description('the main job on an embedded database with a local receiver; ends by itself')
    .option('--keep', 'leave it running', false)
    .action(async (options: { keep: boolean }) => exit(await (await import('./demo/demo.ts')).demoCommand(options.keep)));

  return program;
}

/** Runs one command line. Never throws: errors become one line with cause and cure on stderr, and an exit code. */
export async function main(args: readonly string[], env: Env): Promise<ExitCode> {
  let code: ExitCode = 0;
  const program = build(env, (c) => {
    code = c;
  });
  for (const command of [program, ...program.commands]) command.exitOverride();
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    return failure(error);
  }
}

function failure(error: unknown): ExitCode {
  if (error instanceof CommanderError)
    return ['commander.help', 'commander.helpDisplayed', 'commander.version'].includes(error.code) ? 0 : 2;
  if (error instanceof CodedError) {
    process.stderr.write(`${error.code}: ${error.message}\n  cure: ${error.cure}\n`);
    if (error instanceof ConfigError || error instanceof UsageError) return 2;
    return error instanceof StateError && error.code === 'STATE_NEWER' ? 3 : 1;
  }
  const described =
    error instanceof Error
      ? `${error.name}${(error as NodeJS.ErrnoException).code === undefined ? '' : ` ${(error as NodeJS.ErrnoException).code}`}`
      : 'unknown error';
  process.stderr.write(`INTERNAL: ${described}\n${error instanceof Error ? (error.stack ?? '').split('\n').slice(1, 6).join('\n') : ''}\n`);
  return 1;
}
