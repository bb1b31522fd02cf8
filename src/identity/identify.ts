// What a name is made of -> the physical datasets, or the reason why there are none.
import { invalid, type Naming, type Pattern, refuse } from './connector.ts';
import { maxOptionLength, tooLong } from './distill.ts';
import type { Dataset, IdentityFacts, IdentitySettings, Unresolved } from './identity.ts';
import { withSortedHosts } from './mapping/hosts.ts';
import { mapNames } from './mapping/mapping.ts';
import { noOwnConnectors, type OwnConnectors } from './own.ts';
import { nameAsProposal } from './proposal.ts';
import { connectorNamed, connectorOfCatalog, silentConnectors } from './registry.ts';

export type Identification = { readonly datasets: readonly Dataset[] } | Unresolved;

const noConnector: Unresolved = {
  reason: 'CONNECTOR_UNKNOWN',
  message: 'the table has no connector option and lives in the built-in catalog',
  silent: false,
};

/** Names one table. A topic list gives several datasets; every other table one. */
export function identify(facts: IdentityFacts, settings: IdentitySettings): Identification {
  const { connector, answer } = facts;
  if (answer !== undefined) return answer;
  if (connector === null) return mapNames(noConnector, facts, settings);
  const isOwn = settings.own?.byName.has(connector) === true;
  if (!isOwn && silentConnectors.includes(connector)) {
    return { reason: 'NO_IDENTITY', message: `connector '${connector}' has no physical identity`, silent: true };
  }
  const options = Object.entries({ ...facts.catalog?.options, ...facts.options });
  const long = options.find(([, value]) => value === tooLong)?.[0] ?? (facts.location === tooLong ? 'location' : undefined);
  if (long !== undefined) return invalid(long, `is longer than ${maxOptionLength} characters`);
  return mapNames(explained(lookedUp(usable(nameTable(facts, connector, settings)), facts), options), facts, settings);
}

/** The names that code of the site's gave a table, as the settings want them. */
export const identifyAs = (naming: Naming, facts: IdentityFacts, settings: IdentitySettings): Identification =>
  mapNames(usable(naming), facts, settings);

/** What stands for many tables or topics in the options, where these can be listed; undefined when nothing does. */
export function patternOf(facts: IdentityFacts, own: OwnConnectors = noOwnConnectors): Pattern | undefined {
  return facts.connector === null ? undefined : (own.byName.get(facts.connector) ?? connectorNamed(facts.connector))?.pattern?.(facts);
}

/** What a look-up said about the pattern. */
function lookedUp(naming: Naming, { found, notFound }: IdentityFacts): Naming {
  if ('datasets' in naming || naming.reason !== 'PATTERN_UNRESOLVED') return naming;
  const said = found?.length === 0 ? 'nothing there matches' : notFound;
  return said === undefined ? naming : { ...naming, message: `${naming.message} (${said})` };
}

/** Official code prints an empty namespace or name for some nonsense; such a dataset would be everybody's. */
function usable(naming: Naming): Naming {
  const empty = 'datasets' in naming && naming.datasets.some(({ namespace, name }) => namespace.trim() === '' || name.trim() === '');
  return empty ? refuse('OPTION_INVALID', 'the options give an empty namespace or name') : naming;
}

function nameTable(facts: IdentityFacts, connector: string, settings: IdentitySettings): Naming {
  if (settings.profile === 'streampark-4498') return nameAsProposal(facts, connector);
  const family =
    settings.own?.byName.get(connector) ??
    connectorNamed(connector) ??
    (connector === facts.catalog?.type ? connectorOfCatalog(connector) : undefined);
  if (family !== undefined) {
    return family.name(settings.hosts?.order === 'sorted' ? withSortedHosts(facts, family.hostLists ?? []) : facts, settings);
  }
  const kind = connector === facts.catalog?.type ? 'tables of a catalog of type' : 'connector';
  return refuse('CONNECTOR_UNKNOWN', `no naming rule for ${kind} '${connector.slice(0, 100)}'`);
}

/** A `${…}` that StreamPark did not replace. */
const hasPlaceholder = (text: string): boolean => {
  const start = text.indexOf('${');
  return start >= 0 && text.includes('}', start);
};

/** A rule that stumbled over a `${…}` stumbled over an undefined variable. */
function explained(naming: Naming, options: readonly (readonly [string, string])[]): Naming {
  if ('datasets' in naming) return naming;
  const keys = options.filter(([, value]) => hasPlaceholder(value)).map(([key]) => `'${key}'`);
  return keys.length === 0 ? naming : refuse('PLACEHOLDER_UNRESOLVED', `a placeholder is left in option ${keys.join(', ')}`);
}

/**
 * Whether an undefined variable stands in the name. Other producers print it, and so does `identify`; a script's lineage leaves
 * such a table out, for two applications would share a table that is none.
 */
export function namesVariable({ namespace, name }: Dataset): boolean {
  return hasPlaceholder(namespace) || hasPlaceholder(name);
}
