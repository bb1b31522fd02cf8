// Connectors that a site adds: by templates, like one that is known, or by code of its own, which the stage names asks. They win
// over those of the registry.
import { type Connector, invalid, missing, type Naming, named, refuse } from './connector.ts';
import { forkOf } from './forks.ts';
import type { IdentityFacts, Unresolved } from './identity.ts';
import { connectorNamed } from './registry.ts';
import { cutUserInfos, hideSecrets } from './user-info.ts';

/** A connector by templates (`namespace`, `name`), or `like` a known one, whose options it has under other names. */
export interface ConnectorTemplate {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  /** Options that must be there beside those of the templates. */
  readonly requires: readonly string[];
  readonly like?: string | undefined;
  /** Its options under the names of those of `like`. */
  readonly options: Readonly<Record<string, string>>;
  readonly aliases: readonly string[];
}

/** By value of the `connector` option. */
export interface OwnConnectors {
  readonly byName: ReadonlyMap<string, Connector>;
  /** Those that code answers for. */
  readonly coded: ReadonlySet<string>;
  /** Changes with whatever they read of a table; empty where there are none. */
  readonly fingerprint: string;
}

/** What code answers for, and the options it reads. */
export interface CodedConnector {
  readonly names: readonly string[];
  readonly options: readonly string[];
}

/** Options that no name is made of. */
const secretOption = /pass(?:wd|word|phrase)?|pwd|secret|credential|token$|(?:api|access|private)[-_.]?key/i;

const placeholder = /\{([^{}]*)\}/g;

/** What is wrong with the connectors of a site, one line each. */
export function ownConnectorProblems(
  templates: Readonly<Record<string, ConnectorTemplate>>,
  coded: readonly CodedConnector[] = [],
): string[] {
  const wrong = Object.entries(templates).flatMap(([connector, template]) => {
    const at = `identity.connectors.${connector}`;
    if (template.like !== undefined && connectorNamed(template.like) === undefined)
      return [`${at}: no connector ${template.like} is known`];
    return [...readBy(template), ...Object.keys(template.options)]
      .filter((key) => secretOption.test(key))
      .map((key) => `${at}: ${key} may hold a secret, and a name is public`);
  });
  const secret = coded.flatMap(({ names, options }) =>
    options
      .filter((key) => secretOption.test(key))
      .map((key) => `connector ${names[0]} reads ${key}, which may hold a secret, and a name is public`),
  );
  return [...wrong, ...secret];
}

/** Those of the settings, and those that code answers for, which win. */
export function ownConnectors(
  templates: Readonly<Record<string, ConnectorTemplate>>,
  coded: readonly CodedConnector[] = [],
): OwnConnectors {
  const byTemplate = Object.entries(templates).flatMap(([name, template]) => {
    const connector = template.like === undefined ? templated(name, template) : alike(name, template.like, template);
    return connector === undefined ? [] : [name, ...template.aliases].map((each) => [each, connector] as const);
  });
  const byCode = coded.flatMap(({ names, options }) => names.map((name) => [name, codedConnector(name, options)] as const));
  const byName = new Map([...byTemplate, ...byCode]);
  return {
    byName,
    coded: new Set(byCode.map(([name]) => name)),
    fingerprint: byName.size === 0 ? '' : JSON.stringify([...byName].map(([name, { keys }]) => [name, keys])),
  };
}

export const noOwnConnectors: OwnConnectors = { byName: new Map(), coded: new Set(), fingerprint: '' };

/** What a site's own rule is, for the parts of a connector that only the reference page shows. */
const unlisted = {
  catalogs: [],
  rule: { namespace: '', name: '' },
  authority: 'the site',
  alternates: '',
  example: { options: {}, namespace: '', name: '' },
} as const;

const cleaned = (keys: readonly string[]): Connector['clean'] =>
  Object.fromEntries(keys.map((key) => [key, (value: string) => hideSecrets(cutUserInfos(value))]));

function codedConnector(name: string, options: readonly string[]): Connector {
  const rule = (): Naming => refuse('EXTENSION_FAILED', `the extension was not asked about '${name}'`);
  return { ...unlisted, names: [name], keys: options, catalogKeys: options, clean: cleaned(options), name: rule };
}

function alike(name: string, like: string, { options }: ConnectorTemplate): Connector | undefined {
  const base = connectorNamed(like);
  return base === undefined ? undefined : forkOf(base, { name, of: like, project: 'site', renamed: options });
}

function templated(connector: string, template: ConnectorTemplate): Connector {
  const keys = readBy(template);
  const rule = (facts: IdentityFacts): Naming => {
    const options = { ...facts.catalog?.options, ...facts.options };
    const absent = template.requires.find((key) => options[key] === undefined);
    if (absent !== undefined) return missing(absent);
    const namespace = filled(template.namespace ?? '', facts, options);
    if (typeof namespace !== 'string') return namespace;
    const name = filled(template.name ?? '', facts, options);
    return typeof name === 'string' ? named(namespace, name) : name;
  };
  return { ...unlisted, names: [connector], keys, catalogKeys: keys, clean: cleaned(keys), name: rule };
}

interface Placeholder {
  readonly key: string;
  readonly first: boolean;
  readonly otherwise: string | undefined;
}

function placeholdersOf(text: string): Placeholder[] {
  return [...text.matchAll(placeholder)].map(([, inner = '']) => parsed(inner));
}

function parsed(inner: string): Placeholder {
  const at = inner.indexOf('|');
  const [head, otherwise] = at < 0 ? [inner, undefined] : [inner.slice(0, at), inner.slice(at + 1)];
  const first = head.endsWith('[first]');
  return { key: first ? head.slice(0, -'[first]'.length) : head, first, otherwise };
}

/** Options that the templates name. */
function readBy({ namespace = '', name = '', requires }: ConnectorTemplate): string[] {
  const keys = placeholdersOf(`${namespace}${name}`).map(({ key }) => key);
  return [...new Set([...keys.filter((key) => !key.startsWith('$')), ...requires])];
}

/** The text with its placeholders replaced, or why that cannot be done. */
function filled(text: string, { path }: IdentityFacts, options: Readonly<Record<string, string>>): string | Unresolved {
  const parts: Readonly<Record<string, string>> = { $catalog: path[0], $database: path[1], $table: path[2] };
  let rest = text;
  let done = '';
  for (const { key, first, otherwise } of placeholdersOf(text)) {
    const value = parts[key] ?? options[key] ?? otherwise;
    if (value === undefined) return missing(key);
    const used = first ? value.split(/[,;]/).find((each) => each.trim() !== '') : value;
    if (used === undefined || used.trim() === '') return invalid(key, 'is empty');
    done += rest.slice(0, rest.indexOf('{')) + used.trim();
    rest = rest.slice(rest.indexOf('}') + 1);
  }
  return done + rest;
}
