// Stage names: table facts -> names, after looking up what the settings allow. The rules themselves are pure (stage identity);
// here is what they cannot know: the tables and topics behind a pattern, and the catalogs of a Gravitino server.
import { type ErrorCode, PlanError } from '../errors/errors.ts';
import {
  type DistilledPipeline,
  type GravitinoCatalog,
  type Identification,
  type IdentityFacts,
  type IdentitySettings,
  identify,
  type NamedLineage,
  nameLineage,
  type OwnConnectors,
  ownConnectors,
  patternOf,
} from '../identity/identity.ts';
import type { ConnectionSettings, ConnectorTemplate } from '../settings/settings.ts';
import { answered, isAsked, type NamingExtension } from './coded.ts';
import { type CatalogReader, catalogReader } from './gravitino.ts';
import { createListings, type Listings } from './listings.ts';
import { matchNames } from './matching.ts';

/** The settings of the namer with those of what it may ask. */
export type NamesSettings = Omit<IdentitySettings, 'own'> & {
  readonly connectors?: Readonly<Record<string, ConnectorTemplate>>;
  readonly expandPatterns: boolean;
  readonly connections: readonly ConnectionSettings[];
  readonly gravitino: IdentitySettings['gravitino'] & { readonly url?: string | undefined; readonly token?: string | undefined };
};

export interface NamesParts {
  readonly now: () => number;
  /** Told when a look-up fails, and with `undefined` when the same one succeeds again. `subject` is safe to print. */
  readonly extension?: NamingExtension | undefined;
  readonly notify: (code: ErrorCode, subject: string, problem: string | undefined) => void;
}

export interface Names {
  /** The connectors of the site: what the facts of a table have to be distilled with. */
  readonly own: OwnConnectors;
  /**
   * The named lineage of a script. A pattern whose names cannot be had is skipped, with the reason.
   * @throws PlanError LOOKUP_FAILED: the catalogs of Gravitino were never read, so no name is certain; try again later
   */
  lineage(pipelines: readonly DistilledPipeline[]): Promise<NamedLineage>;
  /** The same for one table. Answers at once where nothing has to be looked up. */
  table(facts: IdentityFacts): Identification | Promise<Identification>;
  close(): Promise<void>;
}

export { type Probed, probeNames } from './probe.ts';

/** More names than this behind one pattern are most likely not what was meant. */
const mostNames = 1_000;

export function createNames(given: NamesSettings, parts: NamesParts): Names {
  const { extension } = parts;
  const own = ownConnectors(given.connectors ?? {}, extension?.connectors);
  const settings = { ...given, own };
  const listings = settings.expandPatterns ? createListings(settings.connections, parts) : undefined;
  const { url } = settings.gravitino;
  const catalogs = settings.profile === 'gravitino' && url !== undefined ? catalogReader({ ...settings.gravitino, url }, parts) : undefined;
  const lookedUp = async <T extends IdentityFacts>(facts: T, inForce: IdentitySettings): Promise<T> =>
    answered(listings === undefined ? facts : await expandedTable(facts, listings, own), extension, inForce);
  return {
    own,
    async lineage(pipelines) {
      const inForce = await settingsWith(settings, catalogs);
      const asks = listings !== undefined || extension !== undefined;
      return nameLineage(
        asks ? await Promise.all(pipelines.map((each) => eachTable(each, (facts) => lookedUp(facts, inForce)))) : pipelines,
        inForce,
      );
    },
    table(facts) {
      const pattern = listings === undefined ? undefined : patternOf(facts, own);
      if (pattern === undefined && catalogs === undefined && !isAsked(extension, settings, facts)) return identify(facts, settings);
      return settingsWith(settings, catalogs).then(async (inForce) => identify(await lookedUp(facts, inForce), inForce));
    },
    close: async () => listings?.close(),
  };
}

async function settingsWith(settings: NamesSettings & IdentitySettings, catalogs: CatalogReader | undefined): Promise<IdentitySettings> {
  if (catalogs === undefined) return settings;
  const known: readonly GravitinoCatalog[] | undefined = await catalogs.read();
  if (known === undefined) throw new PlanError('LOOKUP_FAILED', 'the catalogs of Gravitino could not be read yet');
  return { ...settings, gravitino: { ...settings.gravitino, known } };
}

async function eachTable(
  pipeline: DistilledPipeline,
  change: <T extends IdentityFacts>(facts: T) => Promise<T>,
): Promise<DistilledPipeline> {
  const [sink, inputs] = await Promise.all([change(pipeline.sink), Promise.all(pipeline.inputs.map((input) => change(input)))]);
  return { ...pipeline, sink, inputs };
}

/** The facts with the names behind their pattern, or with the reason why there are none. */
async function expandedTable<T extends IdentityFacts>(facts: T, listings: Listings, own: OwnConnectors): Promise<T> {
  const pattern = patternOf(facts, own);
  if (pattern === undefined) return facts;
  const listed = await listings.list(pattern);
  if ('problem' in listed) return { ...facts, notFound: listed.problem };
  const found = matchNames(listed.names, pattern);
  if ('problem' in found) return { ...facts, notFound: found.problem };
  return found.names.length > mostNames ? { ...facts, notFound: `more than ${mostNames} names match` } : { ...facts, found: found.names };
}
