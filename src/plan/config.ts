// Plan inputs beside the script: application config, the environment's Flink conf and dynamic properties, all flattened to
// dotted keys. What cannot be read says nothing: a job runs without it as well.
import { parse as parseYaml } from 'yaml';
import { flinkFormat, type StoredScript, sparkFormat } from '../watch/watch.ts';
import { decodeStored } from './decode.ts';

export type Properties = ReadonlyMap<string, string>;

/** What config and properties say about planning. */
export interface PlanSettings {
  /** Runtime mode as written; a SET in the script goes before it. */
  readonly mode: string | undefined;
  readonly catalog: string;
  readonly database: string;
  readonly options: Readonly<Record<string, string>>;
  /** Folder of Flink's file catalog store, from environment and config; the script and dynamic properties cannot name one. */
  readonly catalogStore: string | undefined;
}

const maxConfigBytes = 1024 * 1024;
const yamlFormat = 1;
const propertiesFormat = 2;

/** What a script is planned with when nothing is configured. */
export const defaultSettings: PlanSettings = {
  mode: undefined,
  catalog: 'default_catalog',
  database: 'default_database',
  options: {},
  catalogStore: undefined,
};

/**
 * Plan settings of a stored script. `table.*` options: environment, then `flink.property.` and `flink.table.` keys of the config
 * (StreamPark strips these prefixes), then dynamic properties; the later wins.
 */
export function planSettings(stored: Pick<StoredScript, 'config' | 'dynamicProperties' | 'engineConf'>): PlanSettings {
  const conf = readConf(stored.engineConf);
  const config = configProperties(stored.config);
  const dynamic = flinkFormat.parse(stored.dynamicProperties ?? '').pairs;
  const fromConfig = [...config].flatMap(([key, value]) => {
    const prefix = ['flink.property.', 'flink.table.'].find((p) => key.startsWith(p));
    return prefix === undefined ? [] : [[key.slice(prefix.length), value] as const];
  });
  return {
    mode: dynamic.get('execution.runtime-mode') ?? config.get('flink.table.mode'),
    catalog: config.get('flink.table.catalog') || defaultSettings.catalog,
    database: config.get('flink.table.database') || defaultSettings.database,
    catalogStore: catalogStore(new Map([...conf, ...fromConfig])),
    options: Object.fromEntries([...conf, ...fromConfig, ...dynamic].filter(([key]) => key.startsWith('table.'))),
  };
}

function catalogStore(properties: Properties): string | undefined {
  const isFile = properties.get('table.catalog-store.kind')?.toLowerCase() === 'file';
  return isFile ? properties.get('table.catalog-store.file.path') : undefined;
}

/** What decides about the names of a Spark script: its SQL configuration, and where files and the metastore are. */
const sparkKeys = /^spark\.(?:sql\.|hadoop\.fs\.defaultFS$|hadoop\.hive\.|config\.enable\.hive\.support$)/;

/** Of Spark's configuration what decides about names; the environment's defaults, the config, then app_properties: the later wins. */
export function sparkConf(stored: Pick<StoredScript, 'config' | 'dynamicProperties' | 'engineConf'>): Readonly<Record<string, string>> {
  const all = [
    ...environmentProperties('spark', stored.engineConf),
    ...configProperties(stored.config),
    ...sparkFormat.parse(stored.dynamicProperties ?? '').pairs,
  ];
  return Object.fromEntries(all.filter(([key]) => sparkKeys.test(key)));
}

/** The effective config of an application, by dotted key. */
export function configProperties(config: StoredScript['config']): Properties {
  return config === null ? new Map() : readConfig(config.content, config.format);
}

/** The defaults of an environment, by key: Flink's YAML, or Spark's lines of a key, blanks (or `=`, `:`) and a value. */
export function environmentProperties(engine: 'flink' | 'spark', content: string | null): Properties {
  if (engine === 'flink') return readConf(content);
  return new Map(
    decodedOrEmpty(content ?? '')
      .split(/\r?\n/)
      .flatMap((line) => {
        const [, key, value] = /^\s*([^#\s=:]+)(?:\s*[=:]\s*|\s+)(.*?)\s*$/.exec(line) ?? [];
        return key === undefined || value === undefined ? [] : [[key, value] as const];
      }),
  );
}

function readConfig(content: string, format: number): Properties {
  const text = decodedOrEmpty(content);
  if (format === yamlFormat) return yamlProperties(text) ?? new Map();
  return format === propertiesFormat ? lineProperties(text) : hoconProperties(text);
}

/** flink-conf.yaml (flat `key: value` lines) or config.yaml (nested); some versions store a path instead. */
function readConf(content: string | null): Properties {
  const text = decodedOrEmpty(content ?? '');
  return yamlProperties(text) ?? lineProperties(text);
}

function decodedOrEmpty(content: string): string {
  try {
    return decodeStored(content, maxConfigBytes);
  } catch {
    return '';
  }
}

/** Nested keys become dotted; undefined for a text that is no YAML. */
export function yamlProperties(text: string): Properties | undefined {
  try {
    const flat = new Map<string, string>();
    flatten(parseYaml(text, { logLevel: 'error' }), '', flat);
    return flat;
  } catch {
    return undefined;
  }
}

function flatten(value: unknown, path: string, into: Map<string, string>): void {
  if (value === null || value === undefined) return;
  if (Array.isArray(value)) {
    into.set(path, value.join(';'));
  } else if (typeof value === 'object') {
    for (const [key, inner] of Object.entries(value)) flatten(inner, path === '' ? key : `${path}.${key}`, into);
  } else if (path !== '') {
    into.set(path, String(value).trim());
  }
}

/** `key = value` or `key: value` lines; lines that begin with `#`, `!` or `//` are comments. */
function lineProperties(text: string): Properties {
  return new Map(
    text.split(/\r?\n/).flatMap((line) => {
      const pair = keyValue(line);
      return pair === undefined ? [] : [pair];
    }),
  );
}

function keyValue(line: string): readonly [string, string] | undefined {
  const match = /^([^\s=:#!][^\s=:]*)\s*[=:]\s*(.*)$/.exec(line.trim());
  if (match === null || line.trim().startsWith('//')) return undefined;
  return [unquote(match[1] as string), unquote((match[2] as string).trim())];
}

/** The part of HOCON that configs are written in: `key = value` lines and sections `name {` … `}`. */
function hoconProperties(text: string): Properties {
  const flat = new Map<string, string>();
  const path: string[] = [];
  for (const raw of text.split(/\r?\n/)) {
    const line = raw.trim();
    const section = /^([^\s={:]+)\s*[=:]?\s*\{$/.exec(line);
    const pair = section === null ? keyValue(line) : undefined;
    if (section !== null) path.push(unquote(section[1] as string));
    else if (/^\}/.test(line)) path.pop();
    else if (pair !== undefined) flat.set([...path, pair[0]].join('.'), pair[1].replace(/,$/, ''));
  }
  return flat;
}

function unquote(text: string): string {
  return /^(["'])[\s\S]*\1$/.test(text) ? text.slice(1, -1) : text;
}
