// Stage settings: file, environment and t_setting -> one frozen Settings. Precedence: environment, file, t_setting, default.
import { readFileSync } from 'node:fs';
import { parseDocument } from 'yaml';
import { ConfigError } from '../errors/errors.ts';
import { connectionProblems } from './connection.ts';
import { type DestinationSettings, destinationSchema } from './destinations.ts';
import { type OpenLineageSettings, readOpenLineage } from './openlineage.ts';
import type { FoundFile } from './openlineage-file.ts';
import { type OptIn, type Option, type OptionTree, options, type Values } from './options.ts';
import { readSecret } from './secret.ts';

export { type CatalogSettings, catalogAddress } from './catalogs.ts';
export { type Connection, connectionOptions } from './connection.ts';
export type { DestinationSettings, Preset, RelayKafka } from './destinations.ts';
export type { ConnectionSettings, ConnectorTemplate } from './naming.ts';
export type { OpenLineageSettings } from './openlineage.ts';
export { findOpenLineageFile } from './openlineage-file.ts';
export type { OptIn, PreludeSettings } from './options.ts';
export { coreVersions, facetVersions, knownReleases, type SpecPins } from './spec.ts';
export { duration } from './units.ts';

/** All options with their values; durations in ms, sizes in bytes. */
export type Settings = Values<typeof options> & {
  /** What OpenLineage's own file and variables say; it counts where none of our settings names a destination. */
  readonly openLineage: OpenLineageSettings;
};

/** The rows of t_setting that are ours, by key. A key that is absent or blank is not there. */
export type StoredSettings = Readonly<Partial<Record<StoredKey, string>>>;

/** Keys read from t_setting at each poll. */
export const storedKeys = [
  'lineage.gravitino.address',
  'lineage.gravitino.token',
  'lineage.gravitino.namespace',
  'lineage.flink.native.listener.enable',
] as const;
export type StoredKey = (typeof storedKeys)[number];

/** The namespace of jobs when nobody sets one. */
export const defaultNamespace = 'streampark';

const isOption = (node: Option<unknown> | OptionTree): node is Option<unknown> => typeof (node as Option<unknown>).help === 'string';

/** One option with its dotted path and environment name, in the order of the declaration. */
export interface ListedOption {
  readonly path: string;
  readonly env: string;
  readonly option: Option<unknown>;
}

/** Environment name of an option: STREAMPARK_LINEAGE_ + its path; a leading `lineage` is not doubled. */
export function envName(path: readonly string[]): string {
  const parts = path[0] === 'lineage' ? path.slice(1) : path;
  return `STREAMPARK_LINEAGE_${parts.map((p) => p.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase()).join('_')}`;
}

/** All options, flat. */
export function listOptions(tree: OptionTree = options, path: readonly string[] = []): ListedOption[] {
  return Object.entries(tree).flatMap(([key, node]) => {
    const here = [...path, key];
    return isOption(node) ? [{ path: here.join('.'), env: envName(here), option: node }] : listOptions(node, here);
  });
}

/**
 * Reads the settings once at start.
 * @param file YAML text of the settings file, undefined when there is none
 * @param openLineage OpenLineage's own file, undefined when there is none
 * @throws ConfigError naming every wrong or unknown option and where it was given
 */
export function readSettings(
  file: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  openLineage?: FoundFile,
): Settings {
  const problems: string[] = [];
  const document = file === undefined ? {} : parseFile(file);
  const walk = (tree: OptionTree, values: unknown, path: readonly string[]): unknown => {
    const given = isRecord(values) ? values : {};
    if (values !== undefined && values !== null && !isRecord(values)) problems.push(`${path.join('.')}: expected a section`);
    for (const key of Object.keys(given)) {
      if (!(key in tree)) problems.push(`${[...path, key].join('.')}: unknown option`);
    }
    return Object.freeze(
      Object.fromEntries(
        Object.entries(tree).map(([key, node]) => {
          const here = [...path, key];
          if (!isOption(node)) return [key, walk(node, given[key], here)];
          const inFile = `${key}File`;
          if (!(inFile in tree)) return [key, optionValue(node, given[key], here)];
          return [key, optionValue(node, given[key], here, rawValue(given[inFile], [...path, inFile]))];
        }),
      ),
    );
  };
  const rawValue = (inFile: unknown, path: readonly string[]): unknown => {
    const fromEnv = env[envName(path)];
    return fromEnv !== undefined && fromEnv !== '' ? fromEnv : (inFile ?? undefined);
  };
  /** `secretFile` is the value of the option beside it that names a file with this option's value. */
  const optionValue = (node: Option<unknown>, inFile: unknown, path: readonly string[], secretFile?: unknown): unknown => {
    const variable = envName(path);
    let raw = rawValue(inFile, path);
    let where = raw !== undefined && raw === env[variable] ? variable : path.join('.');
    if (typeof secretFile === 'string') {
      if (raw !== undefined) problems.push(`${where}: given twice, also as ${path.join('.')}File`);
      where = `${path.join('.')}File`;
      try {
        raw = readSecret(secretFile);
      } catch (error) {
        problems.push(`${where}: cannot read ${secretFile} (${(error as NodeJS.ErrnoException).code ?? 'error'})`);
        return undefined;
      }
    }
    const parsed = node.schema.safeParse(raw);
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues) {
      const inner = issue.path.length === 0 ? '' : `.${issue.path.join('.')}`;
      problems.push(`${where}${inner}: ${node.secret ? 'not valid' : issue.message}`);
    }
    return undefined;
  };
  const own = walk(options, document, []) as Values<typeof options>;
  problems.push(...unknownVariables(env));
  const settings: Settings = Object.freeze({ ...own, openLineage: readOpenLineage(openLineage, env) });
  if (problems.length === 0)
    problems.push(...connectionProblems('source', settings.source), ...connectionProblems('state', settings.state));
  if (problems.length > 0) throw new ConfigError('CONFIG_INVALID', problems.join('; '));
  return settings;
}

/** Variables with our prefix that are no settings: the one that names the file. */
const otherVariables: readonly string[] = ['STREAMPARK_LINEAGE_CONFIG'];

/** Kubernetes sets these in every pod for each Service whose name begins with `streampark-lineage`. */
const serviceVariable = /_(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT_\d+_(?:TCP|UDP|SCTP)(?:_\w+)?)$/;
const servicePort = (name: string, value: string): boolean => name.endsWith('_PORT') && /^(?:tcp|udp|sctp):\/\//.test(value);

/** Variables that look like an option and are none, each as one line: a misspelt one would have no effect. */
function unknownVariables(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = new Set([...otherVariables, ...listOptions().map((listed) => listed.env)]);
  return Object.entries(env).flatMap(([name, value = '']) => {
    if (!name.startsWith('STREAMPARK_LINEAGE_') || known.has(name) || value === '') return [];
    return serviceVariable.test(name) || servicePort(name, value) ? [] : [`${name}: unknown option`];
  });
}

/**
 * Reads the settings file.
 * @throws ConfigError when it cannot be read
 */
export function loadSettingsFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new ConfigError('CONFIG_INVALID', `cannot read ${path}: ${(cause as NodeJS.ErrnoException).code ?? 'error'}`, { cause });
  }
}

function parseFile(text: string): unknown {
  const document = parseDocument(text, { prettyErrors: true });
  const problem = document.errors[0] ?? document.warnings[0];
  if (problem !== undefined) {
    const at = problem.linePos?.[0];
    throw new ConfigError(
      'CONFIG_INVALID',
      `settings file${at === undefined ? '' : `, line ${at.line}`}: not valid YAML (${problem.code})`,
    );
  }
  return document.toJS() ?? {};
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** What the t_setting rows and the settings say together, at this poll. */
export interface Effective {
  readonly namespace: string;
  readonly destinations: readonly DestinationSettings[];
  /** False: nothing is planned, stored or sent. */
  readonly configured: boolean;
  /** The console may report by itself through the official listener. */
  readonly nativeListener: boolean;
  /** OPENLINEAGE_DISABLED is set: nothing is sent, whatever else is configured. */
  readonly disabled: boolean;
  /** Whether OpenLineage's own configuration named the destinations; undefined: there is none. */
  readonly openLineage: 'used' | 'unused' | undefined;
}

/** Name of the destination that lineage.gravitino.address makes. */
export const gravitinoDestination = 'gravitino';

/**
 * Joins settings and t_setting rows: file and environment win key by key.
 * OpenLineage's own configuration counts, as a whole, only where none of them names a destination; OPENLINEAGE_DISABLED always.
 * A stored address that is no http(s) URL is left out and named in `problems`.
 */
export function effectiveSettings(settings: Settings, stored: StoredSettings): Effective & { readonly problems: readonly string[] } {
  const pick = (key: StoredKey, own: string | undefined) => own ?? (stored[key]?.trim() || undefined);
  const address = pick('lineage.gravitino.address', settings.lineage.gravitino.address);
  const { tokenFile } = settings.lineage.gravitino;
  const token = tokenFile === undefined ? pick('lineage.gravitino.token', settings.lineage.gravitino.token) : undefined;
  const native =
    settings.lineage.flink.native.listener.enable ?? stored['lineage.flink.native.listener.enable']?.trim().toLowerCase() === 'true';
  const problems: string[] = [];
  const destinations = [...settings.destinations];
  if (address !== undefined && !destinations.some((d) => d.name === gravitinoDestination)) {
    const made = gravitino(address, { token, tokenFile });
    if (made === undefined) problems.push('lineage.gravitino.address is not an http or https URL');
    else destinations.push(made);
  }
  const theirs = settings.openLineage;
  const used = destinations.length === 0;
  if (used) destinations.push(...theirs.destinations);
  const namespace =
    pick('lineage.gravitino.namespace', settings.lineage.gravitino.namespace) ?? (used ? theirs.namespace : undefined) ?? defaultNamespace;
  const { disabled } = theirs;
  return Object.freeze({
    namespace,
    destinations: disabled ? [] : destinations.map((one) => ({ ...one, spec: one.spec === undefined ? settings.events.spec : one.spec })),
    configured: !disabled && destinations.length > 0,
    nativeListener: native,
    disabled,
    openLineage: theirs.sources.length === 0 ? undefined : used ? 'used' : 'unused',
    problems,
  });
}

function gravitino(
  address: string,
  { token, tokenFile }: { readonly token: string | undefined; readonly tokenFile: string | undefined },
): DestinationSettings | undefined {
  if (!/^https?:\/\/[^\s/]+/i.test(address) || !URL.canParse(address)) return undefined;
  const { data } = destinationSchema.safeParse({
    name: gravitinoDestination,
    type: 'http',
    preset: 'gravitino',
    url: address,
    ...(token === undefined ? {} : { token }),
    ...(tokenFile === undefined ? {} : { tokenFile }),
  });
  return data;
}

/** The opt-in rule with its lists as sets; `column` where the column decides. */
export type OptInRule = OptIn;
