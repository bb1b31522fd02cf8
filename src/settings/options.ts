// Every option, declared once: type, default, help and whether it is secret.
// Its environment name follows from its path, so that file, environment, docs and `check` cannot disagree.
import { Cron } from 'croner';
import { z } from 'zod';
import { catalogSchema } from './catalogs.ts';
import { destinationsSchema, relayKafkaSchema } from './destinations.ts';
import { connectionsSchema, connectorsSchema, resolversSchema, textMap } from './naming.ts';
import { specSchema } from './spec.ts';
import { duration, size } from './units.ts';
import { flag, fromJson, idText, text, whole } from './values.ts';

/** One option. `schema` takes the native value of the file and the text of an environment variable. */
export interface Option<T> {
  readonly schema: z.ZodType<T>;
  readonly help: string;
  readonly secret: boolean;
  /** How the default is written in the sample file; undefined = no default. */
  readonly shown: string | undefined;
}

/** Options by section. */
export interface OptionTree {
  readonly [key: string]: Option<unknown> | OptionTree;
}

/** The values of a tree of options. */
export type Values<T> = { readonly [K in keyof T]: T[K] extends Option<infer V> ? V : T[K] extends OptionTree ? Values<T[K]> : never };

const option = <T>(schema: z.ZodType<T>, help: string, shown?: string): Option<T> => ({ schema, help, secret: false, shown });
const secret = <T>(schema: z.ZodType<T>, help: string, shown?: string): Option<T> => ({ schema, help, secret: true, shown });

const optionalText = text.optional();

const appId = z.string().regex(/^(flink|spark):\d+$/, 'an application is written flink:100001 or spark:100001');

/** Opt-in rule: the column lineage_enable, or lists of teams (name or id) and applications. */
export const optInSchema = z.union(
  [
    z.literal('column'),
    z.strictObject({
      teams: z.array(idText).default([]),
      apps: z.array(appId).default([]),
      except: z.array(appId).default([]),
    }),
  ],
  { error: 'expected column, or lists: {teams: [name or id], apps: ["flink:100001", "spark:100001"], except: []}' },
);
export type OptIn = z.output<typeof optInSchema>;

/** DDL for what scripts find already defined. */
export const preludeSchema = z.strictObject({
  catalog: text.optional(),
  team: idText.optional(),
  sql: text.optional(),
  file: text.optional(),
});
export type PreludeSettings = z.output<typeof preludeSchema>;

const preludesSchema = z
  .preprocess(fromJson, z.array(preludeSchema))
  .refine((list) => list.every(({ sql, file }) => (sql === undefined) !== (file === undefined)), 'a prelude has either sql or file')
  .default([]);

const catalogsSchema = z
  .preprocess(fromJson, z.array(catalogSchema))
  .refine(
    (list) => new Set(list.map(({ catalog, team }) => JSON.stringify([catalog, team ?? null]))).size === list.length,
    'two entries are for the same catalog and team',
  )
  .default([]);

const functionsSchema = z
  .preprocess(
    fromJson,
    z.record(text, z.strictObject({ kind: z.enum(['scalar', 'table', 'aggregate']).default('scalar'), type: text.optional() })),
  )
  .default({});

/** Never guessed; a name alone is a job in our namespace. */
const jobDependenciesSchema = z
  .preprocess(fromJson, z.record(appId, z.array(z.union([text, z.strictObject({ namespace: text, name: text })])).min(1)))
  .default({});

const version = z.string().regex(/^(?:1\.(?:1[5-9]|2\d)|[2-9]\.\d+)(?:\.\d+)?$/, 'a version is 1.15 or newer, written in quotes: "1.20"');

const versionsSchema = z.preprocess(fromJson, z.record(version, text)).default({});
const cron = text.refine((expression) => {
  try {
    return new Cron(expression).nextRun() !== null;
  } catch {
    return false;
  }
}, 'a cron expression such as 23 * * * * (minute, hour, day of the month, month, day of the week)');

const optInOption = z
  .preprocess((v) => (typeof v === 'string' && v.trim().startsWith('{') ? fromJson(v) : v), optInSchema)
  .default('column');

/** TLS of one database. The files are read again for each new connection, so a renewed certificate needs no restart. */
const databaseTls = {
  mode: option(
    z.enum(['off', 'require', 'verify-ca', 'verify-full']).optional(),
    'off; require: encrypted, server unchecked; verify-ca: its certificate is checked; verify-full: its host name too. Default: verify-full with a ca or cert, else off',
  ),
  ca: option(
    optionalText,
    'PEM file of the authorities that may have signed the certificate of the server; default: those that Node trusts',
  ),
  cert: option(optionalText, 'PEM file of the client certificate'),
  key: option(optionalText, 'PEM file of its private key, without passphrase'),
};

/** The declaration of all options; `settings.ts` reads, `examples/settings.yaml` and docs are generated from it. */
export const options = {
  source: {
    url: secret(
      optionalText,
      'Database of StreamPark: mysql://user:password@host:3306/streampark or postgres://user:password@host:5432/streampark',
    ),
    urlFile: option(optionalText, 'File that holds source.url; user and password are read again for each new connection'),
    schema: option(text.default('public'), 'PostgreSQL only: schema of the StreamPark tables', 'public'),
    tls: databaseTls,
  },
  sourceTimezone: option(
    text.default('auto'),
    'Zone of the times in the StreamPark tables: auto learns it from fresh writes; else an IANA name or +08:00',
    'auto',
  ),
  poll: {
    interval: option(duration.prefault('5s'), 'Time between two polls', '5s'),
  },
  optIn: option(
    optInOption,
    'Which applications are reported: column (lineage_enable), or lists: {teams: [name or id], apps: [flink:100001], except: []}',
    'column',
  ),
  state: {
    url: secret(optionalText, 'Database of the own tables; default: the server of source.url'),
    urlFile: option(optionalText, 'File that holds state.url; user and password are read again for each new connection'),
    tls: databaseTls,
    schema: option(
      z
        .string()
        .regex(/^[a-z_][a-z0-9_]{0,62}$/)
        .default('streampark_lineage'),
      'Database (MySQL) or schema (PostgreSQL) of the own tables',
      'streampark_lineage',
    ),
  },
  lineage: {
    gravitino: {
      address: option(optionalText, 'Gravitino server, such as http://gravitino:8090; also read from t_setting at each poll'),
      token: secret(optionalText, 'Bearer token for that server; also read from t_setting at each poll'),
      tokenFile: option(optionalText, 'File that holds the token; read again when the server refuses it'),
      namespace: option(optionalText, 'Namespace of the jobs; also read from t_setting at each poll; default streampark'),
    },
    flink: {
      native: {
        listener: {
          enable: option(
            flag.optional(),
            'Whether the console injects the official Flink listener; read from t_setting, used by check to warn about double reports',
          ),
        },
      },
    },
  },
  destinations: option(
    destinationsSchema,
    'Further OpenLineage consumers: a list of {name, type: http|kafka|file|console, …}; see docs/transports.md',
    '[]',
  ),
  events: {
    jobName: option(
      text.default('{app}').refine((t) => /\{(app|id)\}/.test(t), 'needs {app} or {id}'),
      'Template of job names: {app}, {team}, {id}',
      '"{app}"',
    ),
    jobNaming: option(
      z.enum(['sink', 'app']).default('sink'),
      'sink: one child job per sink; app: run ids and job names of StreamPark PR #4498',
      'sink',
    ),
    sql: option(
      z.enum(['stored', 'prepared', 'none']).default('stored'),
      'SQL in the sql facet: stored (with its ${…}), prepared (variables replaced, secrets masked) or none',
      'stored',
    ),
    otherJobs: option(
      flag.default(false),
      'Report the life cycle of JAR and Python applications that are no known tool (docs/jar-jobs.md); they have no datasets',
      'false',
    ),
    jobDependencies: option(
      jobDependenciesSchema,
      'Jobs that an application depends on, declared: a map of flink:100002 to a list of job names, or of {namespace, name}',
      '{}',
    ),
    failedSubmissions: option(flag.default(true), 'Report a failed submission as START and FAIL of the application', 'true'),
    heartbeat: option(duration.prefault('6h'), 'Time between RUNNING events of an open run', '6h'),
    lostGrace: option(duration.prefault('10m'), 'How long a LOST run may come back before it is reported as FAIL', '10m'),
    spec: option(
      specSchema.prefault('current'),
      'Versions of the specification that destinations get: current, 1.29, or {core, facets: {parent: 1-0-1, catalog: none, …}}; see docs/facets.md',
      'current',
    ),
    maxFacetBytes: option(
      size.prefault('128KiB'),
      'Largest script, schema or column lineage in an event; the facet streampark_cut says what was left out',
      '128KiB',
    ),
    lineageFacet: option(
      flag.default(false),
      'Add the experimental lineage facet of the specification to jobs: which input feeds which output and column',
      'false',
    ),
    maxBytes: option(size.prefault('256KiB'), 'Largest event; SQL, then columns, then schema are cut, never inputs or outputs', '256KiB'),
  },
  identity: {
    profile: option(
      z.enum(['openlineage', 'streampark-4498', 'gravitino']).default('openlineage'),
      'Naming profile: openlineage (physical names), gravitino (catalog.schema.table in a metalake), streampark-4498; see docs/naming.md',
      'openlineage',
    ),
    jdbcNameRule: option(
      z.enum(['1.54', '1.53']).default('1.54'),
      'JDBC names of three or more parts as openlineage-java 1.54 and later, or as 1.53 and earlier',
      '"1.54"',
    ),
    completeDefaultSchema: option(
      flag.default(false),
      'Name a table without schema with the default one (app.public.t, not app.t); PostgreSQL and SQL Server',
      'false',
    ),
    hosts: {
      order: option(
        z.enum(['written', 'sorted']).default('written'),
        'Which host of a list counts: the first that is written, or the first in alphabetical order',
        'written',
      ),
      aliases: option(textMap, 'Hosts under another address: a map of host or host:port to the address to print', '{}'),
    },
    connectors: option(
      connectorsSchema,
      'Connectors that the program does not know, or other names for one: a map of name to {namespace, name, requires, aliases} or {like, options, aliases}; see docs/extensions.md',
      '{}',
    ),
    namespaceAliases: option(textMap, 'Namespaces under another name: a map of a whole namespace to the one to print', '{}'),
    namespaceResolvers: option(
      resolversSchema,
      "Namespace resolvers as OpenLineage's clients have them: a map of name to {type: hostList|pattern|patternGroup, …}",
      '{}',
    ),
    gravitino: {
      metalake: option(optionalText, 'Metalake that the profile gravitino names tables in'),
      catalogs: option(textMap, 'Catalogs of scripts that are catalogs of Gravitino under another name: a map of theirs to its', '{}'),
      url: option(
        z.url({ protocol: /^https?$/ }).optional(),
        'Gravitino server whose catalogs are read; without it only the script and the map above tell',
      ),
      token: secret(optionalText, 'Bearer token for that server'),
      tokenFile: option(optionalText, 'File that holds that token; read at the start'),
      unmanaged: option(
        z.enum(['physical', 'logical', 'none']).default('physical'),
        'Tables in no catalog of Gravitino: their physical name, catalog.database.table in the metalake, or left out',
        'physical',
      ),
    },
    expandPatterns: option(
      flag.default(false),
      'Look up the tables and topics behind patterns, through identity.connections; else they are left out with a warning',
      'false',
    ),
    connections: secret(
      connectionsSchema,
      'Servers that may be asked for the names behind patterns: a list of {url, namespace, passwordFile, …}; see docs/naming.md',
      '[]',
    ),
    connectionsFile: option(optionalText, 'File that holds identity.connections, as JSON; read at the start'),
  },
  injection: {
    enabled: option(
      flag.default(false),
      "Let the engines' own OpenLineage listeners report too: their keys are written into the properties of opted-in applications",
      'false',
    ),
    spark: option(flag.default(true), 'The Spark listener, in app_properties of t_spark_app', 'true'),
    flink: option(
      flag.optional(),
      'The Flink listener (1.19 and later), in dynamic_properties of t_flink_app; default: lineage.flink.native.listener.enable',
    ),
    url: option(
      z.url({ protocol: /^https?$/ }).optional(),
      'Where the listeners post, as drivers and JobManagers reach it; default: the Gravitino address, else the first http destination',
    ),
    token: option(
      z.enum(['none', 'plain']).default('none'),
      'none: the listener finds its token in its own environment; plain: written beside the url, readable in the console',
      'none',
    ),
    sparkPackages: option(
      optionalText,
      "spark.jars.packages of the listener, resolved on the console's host; default: its jar is there already",
    ),
    sparkJars: option(optionalText, 'spark.jars of the listener, such as an HDFS path; default: its jar is there already'),
  },
  relay: {
    kafka: option(
      z.preprocess(fromJson, relayKafkaSchema).optional(),
      'Where `relay` reads events: {brokers, topics, group, clientId, tls, sasl}; see docs/relay.md',
    ),
    token: secret(optionalText, 'Bearer token that clients of `relay --listen` must send'),
    tokenFile: option(optionalText, 'File that holds that token; read at the start'),
    maxBody: option(size.prefault('16MiB'), 'Largest body that `relay --listen` takes, inflated', '16MiB'),
  },
  planner: {
    java: option(optionalText, 'Java executable; default: JAVA_HOME/bin/java, else java'),
    heap: option(
      z
        .string()
        .regex(/^\d+[mg]$/i, 'such as 256m')
        .default('256m'),
      'Heap of the planner process',
      '256m',
    ),
    timeout: option(duration.prefault('30s'), 'Longest time for one script; the planner is killed after it', '30s'),
    giveUpAfter: option(duration.prefault('24h'), 'After this time without a planner a run is reported without datasets', '24h'),
    flinkHome: option(optionalText, 'Folder of a Flink distribution; its scripts are planned with its own planner. More: planner.versions'),
    versions: option(
      versionsSchema,
      'Planners of further Flink versions: version: folder of a distribution or of planner jars; see docs/planning.md',
      '{}',
    ),
    idle: option(duration.prefault('10m'), 'The planner of a further version is stopped after so long without a script', '10m'),
    prelude: option(
      preludesSchema,
      'DDL of tables that scripts find in external catalogs: a list of {sql or file, catalog, team}; see docs/planning.md',
      '[]',
    ),
    functions: option(
      functionsSchema,
      'Functions whose code is not here: name: {kind: scalar|table|aggregate, type}; others are inferred from use',
      '{}',
    ),
    inferColumns: option(
      flag.default(true),
      'Tables that nobody declares get the columns that a statement uses of them, where it is certain whose they are; see docs/planning.md',
      'true',
    ),
    maxScriptBytes: option(size.prefault('2MiB'), 'Largest decoded script', '2MiB'),
  },
  spark: {
    lineage: option(
      z.enum(['none', 'sql']).default('none'),
      'sql: the stored scripts of Spark SQL applications are parsed for their tables; none: leave these to the Spark listener (docs/spark-sql.md)',
      'none',
    ),
    reader: option(optionalText, 'Folder of the jars that parse Spark SQL; default: planner/spark/lib of this installation'),
  },
  catalogs: option(
    catalogsSchema,
    'External catalogs whose tables are read when a script does not declare them: a list of {catalog, team, type: jdbc|iceberg-rest|paimon-rest|iceberg-files|paimon-files, …}; see docs/planning.md',
    '[]',
  ),
  extensions: {
    module: option(
      optionalText,
      'ES module of your own with connectors, facets, a name mapper, a transport or an event transformer; see docs/extensions.md',
    ),
    timeout: option(duration.prefault('1s'), 'Longest time for one call into it; what takes longer is left out', '1s'),
  },
  outbox: {
    keepSent: option(duration.prefault('7d'), 'How long sent events stay for replay', '7d'),
    keepDead: option(duration.prefault('30d'), 'How long refused events stay', '30d'),
  },
  housekeeping: {
    schedule: option(
      cron.default('23 * * * *'),
      'When old rows of the own tables are deleted: a cron expression, in the time zone of the process; a few rows at a time, beside the work',
      '"23 * * * *"',
    ),
    keepRuns: option(
      duration.prefault('90d'),
      'How long runs that ended are remembered; the first and the last of an application stay',
      '90d',
    ),
  },
  http: {
    host: option(text.default('127.0.0.1'), 'Address of /metrics, /healthz and /readyz', '127.0.0.1'),
    port: option(whole(0, 65535).default(9464), 'Port of the same; 0 takes any free one', '9464'),
  },
  log: {
    level: option(z.enum(['trace', 'debug', 'info', 'warn', 'error']).default('info'), 'Log level', 'info'),
  },
} as const satisfies OptionTree;
