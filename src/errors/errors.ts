// The error catalogue: every code this program can print, with its cause and its cure.
// docs/errors.md is generated from it, so a code without an entry does not compile.

/** One entry of the catalogue. `cause` and `cure` are full sentences for the person on call. */
export interface ErrorEntry {
  readonly cause: string;
  readonly cure: string;
}

const catalogue = {
  // configuration
  CONFIG_INVALID: {
    cause: 'A setting in the file or the environment is missing, unknown or has a value of the wrong form.',
    cure: 'Correct the setting named in the message; docs/settings.md has the form of each. A variable of the environment wins over the file.',
  },
  USAGE: {
    cause: 'The command line names an action, a file or a value that the command does not take.',
    cure: 'See `streampark-lineage --help`, and `--help` behind the command.',
  },
  PORT_IN_USE: {
    cause: 'Another process listens on the port, perhaps another daemon or relay on this host.',
    cure: 'Stop that process, or give this one a port of its own: http.port (STREAMPARK_LINEAGE_HTTP_PORT), or another one for `relay --listen`.',
  },
  // the StreamPark database
  SOURCE_UNREACHABLE: {
    cause: 'The StreamPark database does not answer.',
    cure: 'Check source.url, the network and the server. The daemon tries again by itself.',
  },
  SOURCE_TLS: {
    cause:
      'No encrypted connection to the StreamPark database: its certificate is not trusted, ours is refused, or only one side wants TLS.',
    cure: 'Set source.tls: ca is the authority of the server, cert and key are ours, mode says what is checked. New files need no restart.',
  },
  SOURCE_SCHEMA: {
    cause: 'The database has no t_flink_app table, so it is not a StreamPark database (or the wrong database or schema).',
    cure: 'Point source.url (and source.schema on PostgreSQL) at the database that StreamPark itself uses.',
  },
  SOURCE_PRIVILEGE: {
    cause: 'The login is refused, or the database user may not read (for `migrate` and `apps`: change) a table or column that is needed.',
    cure: 'Correct user and password in source.url, or grant what docs/grants.md lists; `streampark-lineage check` says what is missing.',
  },
  SOURCE_QUERY: {
    cause: 'A query on the StreamPark database failed.',
    cure: 'See the message of the database; the next poll tries again.',
  },
  SOURCE_TIMEZONE: {
    cause: 'The configured sourceTimezone disagrees with the times that StreamPark writes.',
    cure: 'Set sourceTimezone to the zone of the console (its JDBC serverTimezone on MySQL), or to auto.',
  },
  OPT_IN_COLUMN_MISSING: {
    cause: 'The tables have no lineage_enable column: applications that were opted in before stay so, no other can be opted in by column.',
    cure: 'Run `streampark-lineage migrate up --target streampark`, or opt in by settings (optIn.teams, optIn.apps).',
  },
  SOURCE_SHRUNK: {
    cause: 'Many applications, or all, are missing from the StreamPark database at once, as while it is being restored.',
    cure: 'Nothing to do: their open runs are ended only if they are still missing after ten minutes. If they were deleted on purpose, so will it be.',
  },
  LOG_RESET: {
    cause: 'The highest id of the StreamPark log table fell below the stored cursor: the table was emptied or restored.',
    cure: 'Nothing to do: the cursor starts again from the rows that are there.',
  },
  STARTING_STUCK: {
    cause: 'An application has stood in STARTING for a long time without proof of a submission.',
    cure: 'Look at the application in the console; nothing is reported until a job id or a START log row appears.',
  },
  INJECTION_BLOCKED: {
    cause:
      "The listener's properties could not be written into, or taken out of, the properties of an application without changing something else.",
    cure: 'Correct the text in the console (the reason tells how), or leave it: the daemon reports the application in any case.',
  },
  // plan
  SQL_GONE: {
    cause: 'The SQL text of a run was deleted before it could be planned.',
    cure: 'Nothing to do: the run is reported without datasets.',
  },
  SQL_UNKNOWN: {
    cause:
      'Nothing tells for certain which script a run used: StreamPark does not record it for earlier runs, nor for a job that was started elsewhere and mapped.',
    cure: 'Nothing to do: the run is reported without datasets. Read access to the backup table and to create_time of the scripts makes it rarer.',
  },
  SQL_CORRUPT: {
    cause: 'The stored script is neither plain text nor base64 of a zlib stream, or it inflates beyond the size limit.',
    cure: 'Open and save the script again in the console.',
  },
  SQL_TOO_LARGE: {
    cause: 'The script, or one token in it, is larger than the planner accepts.',
    cure: 'Split the script; the limits are planner.maxScriptBytes and 64 KiB for one token.',
  },
  VARIABLE_UNKNOWN: {
    cause: 'The script uses a team variable that does not exist or is blank; StreamPark leaves such a placeholder as it is.',
    cure: 'Define the variable in the team of the application.',
  },
  VARIABLE_AMBIGUOUS: {
    cause: 'A team variable is defined twice; which value StreamPark would take is not certain.',
    cure: 'Delete the duplicate in t_variable.',
  },
  PLAN_NO_INSERT: {
    cause: 'The script has no INSERT, so it moves no data.',
    cure: 'Nothing to do.',
  },
  PLAN_PARSE: {
    cause: 'A statement of the script does not parse or validate.',
    cure: 'See line and column in the message. Tables of an external catalog are declared in planner.prelude; see docs/planning.md.',
  },
  PLAN_COMPILE: {
    cause: 'A statement validates but Flink could not compile a plan for it; the validated tree was used instead.',
    cure: 'See the message; lineage comes from the tree and is complete at table level.',
  },
  PLAN_PRUNED: {
    cause: 'A source of an INSERT feeds nothing: the planner proved that none of its rows reaches the sink (WHERE FALSE, LIMIT 0).',
    cure: 'Nothing is wrong. The source is left out, as the running job does not read it either.',
  },
  PLAN_TREE_DIFFERS: {
    cause: 'The compiled plan of an INSERT reads other tables than its query; the plan was followed.',
    cure: 'Please report the message together with the script.',
  },
  COLUMNS_UNKNOWN: {
    cause: 'The query of an INSERT has a part through which columns are not followed, so its column lineage is left out.',
    cure: 'Nothing to do: the lineage of its tables is complete.',
  },
  PLAN_STATEMENT_REFUSED: {
    cause: 'StreamPark refuses this kind of statement, so the application cannot start with it.',
    cure: 'Remove the statement. Lineage comes from the other statements, where there are any.',
  },
  PLAN_STATEMENT_IGNORED: {
    cause: 'The statement has no influence on lineage and was not executed.',
    cure: 'Nothing to do.',
  },
  PLAN_TIMEOUT: {
    cause: 'The planner did not finish a script within planner.timeout; the worker was killed and started again.',
    cure: 'Raise planner.timeout, or look at the script; it is not tried again until it changes.',
  },
  PLAN_CRASH: {
    cause: 'The planner process died while it planned this script (out of memory, or killed).',
    cure: 'Raise planner.heap, or look at the script; it is not tried again until it changes.',
  },
  PLAN_INTERNAL: {
    cause: 'The planner failed in a way that is not the fault of the script.',
    cure: 'Please report the message together with the script.',
  },
  PRELUDE_INVALID: {
    cause: 'A prelude of planner.prelude, or a catalog of the file catalog store, cannot be read or does not validate.',
    cure: 'Correct the file or statement named in the message; scripts are planned without it meanwhile.',
  },
  COLUMNS_INFERRED: {
    cause: 'A statement uses a table that nobody declares; its column lineage was made with the columns that the statement uses of it.',
    cure: 'Declare the table in planner.prelude or give its catalog a way in `catalogs`, to have its schema too; see docs/planning.md.',
  },
  CATALOG_UNREADABLE: {
    cause: 'A catalog of `catalogs`, or one of its tables, could not be read; the script was planned without it.',
    cure: 'See the message, and `streampark-lineage check`. The catalog is asked again when a script that uses it starts next.',
  },
  CATALOG_TABLE_UNKNOWN: {
    cause: 'A catalog of `catalogs` has no table of the name that the script uses, or does not show it to the user of the settings.',
    cure: 'Look at the name, at the database of the catalog, and at the rights of that user.',
  },
  PLANNER_UNAVAILABLE: {
    cause: 'The planner process cannot be started (no Java, or the planner jars are missing).',
    cure: 'Install a Java 17 runtime, set planner.java, or run `npm run setup`. Runs wait meanwhile.',
  },
  PLANNER_VERSION: {
    cause: 'The script was planned with another Flink version than it runs on.',
    cure: 'Nothing is needed for most scripts. For exact answers name a folder of that version in planner.versions; see docs/planning.md.',
  },
  PLANNER_RESTARTED: {
    cause: 'The planner process ended or was killed, and is started again.',
    cure: 'Nothing to do once. If it repeats, see PLAN_CRASH and PLAN_TIMEOUT lines, planner.heap, and the memory limit of the host.',
  },
  LINEAGE_UNAVAILABLE: {
    cause: 'A run could not be planned for planner.giveUpAfter.',
    cure: 'See PLANNER_UNAVAILABLE; the run was reported without datasets.',
  },
  // identity
  NO_IDENTITY: {
    cause: 'Tables of this connector have no physical identity (datagen, print, blackhole, values).',
    cure: 'Nothing to do.',
  },
  CONNECTOR_UNKNOWN: {
    cause: 'No naming rule exists for this connector, so the dataset was left out.',
    cure: 'Nothing is guessed; tell us about the connector if other producers name its tables.',
  },
  OPTION_MISSING: {
    cause: 'The table lacks an option that its physical name is made of, so the dataset was left out.',
    cure: 'Add the option named in the message to the table.',
  },
  OPTION_INVALID: {
    cause: 'An option that the physical name is made of has a value that names nothing, so the dataset was left out.',
    cure: 'Correct the option named in the message.',
  },
  PATTERN_UNRESOLVED: {
    cause: 'The table stands for a pattern of physical tables or topics, which are not known here; it was left out.',
    cure: 'Name the tables literally, or allow a look-up: identity.expandPatterns and identity.connections; see docs/naming.md.',
  },
  APPLICATION_UNKNOWN: {
    cause: 'There is no application of this id, or it has no script.',
    cure: '`streampark-lineage apps --all` lists the applications with their ids.',
  },
  JOB_NOT_RECOGNISED: {
    cause: 'The application is a JAR or Python program that is no known tool, so nobody here knows what it reads and writes.',
    cure: 'See docs/jar-jobs.md for the tools that are known; events.otherJobs reports the life cycle of all others.',
  },
  JOB_ACTION_UNKNOWN: {
    cause: 'The application starts a known tool with an action that is not known here; it is reported without datasets.',
    cure: 'See docs/jar-jobs.md for the actions; report a missing one.',
  },
  JOB_ARGUMENT_MISSING: {
    cause: 'An argument that names tables is missing, or is given twice with different values; the tables were left out.',
    cure: 'Complete the arguments of the application; `streampark-lineage explain --app` shows what is read from them.',
  },
  JOB_TABLES_UNKNOWN: {
    cause: 'The arguments of a known tool do not tell which table goes where; those tables were left out.',
    cure: 'Name tables one by one where the tool allows it; see docs/jar-jobs.md.',
  },
  JOB_FILE_NOT_STORED: {
    cause: 'The application is started with the path of a pipeline file whose text is not in the StreamPark database.',
    cure: 'Store the pipeline as the YAML config of the application in the console; see docs/jar-jobs.md.',
  },
  PLACEHOLDER_UNRESOLVED: {
    cause: 'An option that names the table still contains a ${…} placeholder, so the dataset was left out.',
    cure: 'Define the team variable.',
  },
  LOCATION_UNKNOWN: {
    cause: 'The catalog table has no known storage location, so the dataset was left out.',
    cure: 'Give the catalog its warehouse option.',
  },
  LOCATION_ASSUMED: {
    cause: "Where the table is stored is not told; its name follows the layout of the catalog's warehouse, from which a table may deviate.",
    cure: 'Give its catalog a way in `catalogs`, or its location in a prelude; see docs/planning.md.',
  },
  EXTENSION_INVALID: {
    cause:
      'The module that extensions.module names cannot be loaded, exports something of another form, or lacks what a destination needs.',
    cure: 'Correct the module as the message says; docs/extensions.md has its form. `streampark-lineage check` loads it as well.',
  },
  EXTENSION_FAILED: {
    cause:
      'A call into the module of extensions.module threw, took longer than extensions.timeout, or answered with something of another form.',
    cure: 'Correct the function that the message names. Only that name or facet was left out; a refused event is sent again with `streampark-lineage outbox replay --dead`.',
  },
  LOOKUP_FAILED: {
    cause: 'The names behind a pattern, or the catalogs of Gravitino, could not be looked up.',
    cure: 'See the message and identity.connections or identity.gravitino. Patterns are left out; names in Gravitino are waited for.',
  },
  NOT_IN_GRAVITINO: {
    cause: 'The table is in no catalog of the metalake, and identity.gravitino.unmanaged says that such tables are left out.',
    cure: 'Register its catalog in Gravitino or map it in identity.gravitino.catalogs, or set identity.gravitino.unmanaged to physical.',
  },
  NAMES_DIVIDED: {
    cause: 'Two tables of what was explained are, or may be, one table under two names, so the graph shows two nodes.',
    cure: 'Write the table in the same way in both places, or set identity.completeDefaultSchema; see docs/naming.md.',
  },
  // own state
  STATE_UNREACHABLE: {
    cause: 'The database of the state tables does not answer.',
    cure: 'Check state.url, the network and the server. The daemon tries again by itself.',
  },
  STATE_TLS: {
    cause: 'No encrypted connection to the own tables: the certificate is not trusted, ours is refused, or only one side wants TLS.',
    cure: 'Set state.tls, or source.tls where state.url is not set: ca is the authority of the server, cert and key are ours.',
  },
  STATE_NOT_WRITABLE: {
    cause: 'The database of the state tables refuses to write: it is read-only (a replica, a fail-over), or its disk is full.',
    cure: 'Point state.url at the primary, or make room on its disk. The daemon tries again by itself.',
  },
  STATE_TABLES_GONE: {
    cause: 'A state table or column that was there is missing: the state tables were dropped or altered under the running daemon.',
    cure: 'Restore them, and the daemon goes on by itself; or restart it, and it begins anew with empty ones.',
  },
  STATE_PRIVILEGE: {
    cause: 'The database user may not log in, or may not create or write the state tables.',
    cure: 'Check user and password; grant the rights listed in docs/grants.md, or set state.url.',
  },
  STATE_NEWER: {
    cause: 'The state tables were written by a newer version of this program.',
    cure: 'Install that version again; older versions do not write newer tables.',
  },
  STATE_CHECKSUM: {
    cause: 'A migration that was already applied differs from the one in this version.',
    cure: 'Restore the original migration file; applied migrations are never edited.',
  },
  STATE_FOREIGN: {
    cause: 'The state tables belong to another StreamPark database (a restored copy, or a changed source.url).',
    cure: 'If the move is intended, run `streampark-lineage migrate state adopt`.',
  },
  STATE_LEASE_HELD: {
    cause: 'Another process holds the lease, so this one stands by.',
    cure: 'Nothing to do for `run`: it takes over by itself. For `once`: stop the daemon first.',
  },
  STATE_EMBEDDED: {
    cause: 'The embedded database serves the demo and tests only.',
    cure: 'Use MySQL, MariaDB or PostgreSQL.',
  },
  // transports
  TRANSPORT_LATER: {
    cause: 'A destination did not take an event (network, timeout, 408, 425, 429 or 5xx).',
    cure: 'Nothing to do: it is sent again with back-off. If it lasts, look at the destination.',
  },
  TRANSPORT_PAUSED: {
    cause: 'A destination refuses everything (401, 403, 404, 405, 406, 407, TLS or DNS): its address or token is wrong.',
    cure: 'Correct the address or the token. The queue is kept and probed slowly.',
  },
  TRANSPORT_REFUSED: {
    cause: 'A destination refused one event for good (400, 409, 413, 415, 422, or 5xx again and again).',
    cure: 'See `streampark-lineage outbox list`; after the cure run `streampark-lineage outbox replay --dead`.',
  },
  // daemon
  POLL_STALE: {
    cause: 'No poll has ended for a long time: a database is slow or locked, or this process was frozen.',
    cure: 'Look at the load and the locks of both databases, then at the CPU of this process; it goes on by itself.',
  },
  NOT_CONFIGURED: {
    cause: 'No lineage address and no destination is configured, so nothing is planned, stored or sent.',
    cure: 'Set lineage.gravitino.address (t_setting, file or environment) or a destination in the settings file.',
  },
  OPENLINEAGE_DISABLED: {
    cause: 'The variable OPENLINEAGE_DISABLED is true, so nothing is planned, stored or sent, whatever else is configured.',
    cure: 'Unset it for this process, if that is not meant.',
  },
  OPENLINEAGE_OPTION: {
    cause: "OpenLineage's own configuration (openlineage.yml, OPENLINEAGE_… variables) has something that is not supported or not valid.",
    cure: 'Remove it, or name the destination in the settings file; see docs/openlineage-configuration.md.',
  },
  JOB_NAME_DUPLICATE: {
    cause: 'Two applications have the same name, so the later-created one is reported with -<id> appended.',
    cure: 'Rename one of them in the console if that is not wanted.',
  },
  INTERNAL: {
    cause: 'A fault of this program.',
    cure: 'Please report the message.',
  },
} as const satisfies Record<string, ErrorEntry>;

/** A code of the catalogue. */
export type ErrorCode = keyof typeof catalogue;

/** The catalogue itself, for docs and `check`. */
export const errorCatalogue: Readonly<Record<ErrorCode, ErrorEntry>> = catalogue;

/** The code of an error of Node, a driver or a client, or of what caused it (`ECONNREFUSED`); its name where there is none. Safe to print, unlike messages. */
export function systemCode(error: unknown): string {
  for (let at: unknown = error, depth = 0; typeof at === 'object' && at !== null && depth < 5; depth++) {
    const { code, type, cause } = at as { code?: unknown; type?: unknown; cause?: unknown };
    // kafkajs calls the code of the protocol its type
    const found = [code, type].find((each) => typeof each === 'string' && each !== '');
    if (found !== undefined) return found as string;
    at = cause;
  }
  return error instanceof Error ? error.name : 'error';
}

/** Base of all errors of this program: a code of the catalogue and a message of one line without secrets. */
export class CodedError extends Error {
  readonly code: ErrorCode;
  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
    this.name = new.target.name;
  }
  /** What the operator can do about it. */
  get cure(): string {
    return errorCatalogue[this.code].cure;
  }
}

/** The settings are wrong: exit code 2. */
export class ConfigError extends CodedError {}
/** The command line is wrong: exit code 2. */
export class UsageError extends CodedError {
  readonly #command: string;
  /** @param command whose help tells how it is used */
  constructor(command: string, message: string, options?: { cause?: unknown }) {
    super('USAGE', message, options);
    this.#command = command;
  }
  override get cure(): string {
    return `\`streampark-lineage ${this.#command} --help\` shows how it is used.`;
  }
}
/** The StreamPark database cannot be read. */
export class SourceError extends CodedError {}
/** A script cannot be planned. */
export class PlanError extends CodedError {}
/** A destination cannot be written. */
export class TransportError extends CodedError {}
/** The own tables cannot be used. `STATE_NEWER` is exit code 3. */
export class StateError extends CodedError {}

/** One finding about a script: `line` and `column` are 1-based positions in the stored text. */
export interface Diagnostic {
  readonly code: ErrorCode;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
  /** What helps against this very finding, where that is more than the cure of its code. */
  readonly cure?: string;
}
