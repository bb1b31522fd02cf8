// Names as the rules give them -> names as the site wants them: hosts, aliases, resolvers, then the profile. Everything that
// prints a name goes through here. Which names a backend cannot take is not decided here but where it is sent to.
import { dataset, type Naming } from '../connector.ts';
import type { Dataset, IdentityFacts, IdentitySettings } from '../identity.ts';
import { nameInGravitino } from './gravitino.ts';
import { canonicalHosts } from './hosts.ts';
import { resolveNamespace, resolverProblem } from './resolvers.ts';

/** The names of a table under the settings; a refusal stays one, unless the profile knows the table without the rules. */
export function mapNames(naming: Naming, facts: IdentityFacts, settings: IdentitySettings): Naming {
  const mapped =
    'datasets' in naming && changesNamespaces(settings) ? { datasets: naming.datasets.map((each) => mapDataset(each, settings)) } : naming;
  return settings.profile === 'gravitino' && settings.gravitino !== undefined
    ? nameInGravitino(naming, mapped, facts, settings.gravitino)
    : mapped;
}

const filled = (map: Readonly<Record<string, unknown>> | undefined): boolean => map !== undefined && Object.keys(map).length > 0;

const changesNamespaces = ({ hosts, namespaceAliases, namespaceResolvers }: IdentitySettings): boolean =>
  hosts?.order === 'sorted' || filled(hosts?.aliases) || filled(namespaceAliases) || filled(namespaceResolvers);

function mapDataset({ namespace, name, symlinks, assumed }: Dataset, settings: IdentitySettings): Dataset {
  const links = symlinks.map((link) => ({ ...link, namespace: mapNamespace(link.namespace, settings) }));
  return dataset(mapNamespace(namespace, settings), name, links, assumed);
}

function mapNamespace(namespace: string, { hosts, namespaceAliases = {}, namespaceResolvers = {} }: IdentitySettings): string {
  const canonical = hosts === undefined ? namespace : canonicalHosts(namespace, hosts);
  const alias = Object.hasOwn(namespaceAliases, canonical) ? namespaceAliases[canonical] : undefined;
  return alias ?? resolveNamespace(canonical, namespaceResolvers);
}

/** What is wrong with the settings of the namer, one line each, without values. */
export function identityProblems({ profile, gravitino, namespaceResolvers = {} }: IdentitySettings): string[] {
  const resolvers = Object.entries(namespaceResolvers).flatMap(([name, resolver]) => {
    const problem = resolverProblem(name, resolver);
    return problem === undefined ? [] : [`identity.namespaceResolvers.${name}: ${problem}`];
  });
  const metalake =
    profile === 'gravitino' && gravitino?.metalake === undefined ? ['identity.profile gravitino needs identity.gravitino.metalake'] : [];
  return [...resolvers, ...metalake];
}
