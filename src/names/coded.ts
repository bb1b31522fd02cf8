// Names by code of the site's: its connectors say what a table is, its name mapper has the last word on every name.
import type { Extension } from '../extension/extension.ts';
import {
  type Identification,
  type IdentityFacts,
  type IdentitySettings,
  identify,
  identifyAs,
  noOwnConnectors,
} from '../identity/identity.ts';

/** The part of an extension that takes part in naming. */
export type NamingExtension = Pick<Extension, 'connectors' | 'identify' | 'mapName' | 'has'>;

/** Whether code has a say in how this table is named. */
export const isAsked = (
  extension: NamingExtension | undefined,
  { own = noOwnConnectors }: IdentitySettings,
  facts: IdentityFacts,
): boolean => extension !== undefined && (extension.has.mapName || (facts.connector !== null && own.coded.has(facts.connector)));

/** The facts with what the code says of them. A call that fails costs the name: a table under a wrong one would be another table. */
export async function answered<T extends IdentityFacts>(
  facts: T,
  extension: NamingExtension | undefined,
  settings: IdentitySettings,
): Promise<T> {
  if (extension === undefined || !isAsked(extension, settings, facts)) return facts;
  const { own = noOwnConnectors } = settings;
  const { connector } = facts;
  const found =
    connector !== null && own.coded.has(connector) ? await byConnector(facts, connector, extension, settings) : identify(facts, settings);
  return { ...facts, answer: extension.has.mapName ? await mapped(found, facts, extension) : found };
}

async function byConnector(
  facts: IdentityFacts,
  connector: string,
  extension: NamingExtension,
  settings: IdentitySettings,
): Promise<Identification> {
  const { path } = facts;
  const said = await extension.identify({ options: { ...facts.catalog?.options, ...facts.options }, path, connector });
  if ('problem' in said) return failed(`connector '${connector}' of the extension: ${said.problem}`);
  if (said.value === null) return { reason: 'NO_IDENTITY', message: `connector '${connector}' has no physical identity`, silent: true };
  return identifyAs({ datasets: said.value }, facts, settings);
}

async function mapped(found: Identification, { path, connector }: IdentityFacts, extension: NamingExtension): Promise<Identification> {
  if ('reason' in found) return found;
  const datasets = [];
  for (const dataset of found.datasets) {
    const { namespace, name } = dataset;
    const said = await extension.mapName({ namespace, name }, { path, connector });
    if ('problem' in said) return failed(`the name mapper of the extension: ${said.problem}`);
    datasets.push({ ...dataset, ...said.value });
  }
  return { datasets };
}

const failed = (message: string): Identification => ({ reason: 'EXTENSION_FAILED', message, silent: false });
