// `check --names`: which of the names that would be reported a consumer already knows under another spelling. Plans the scripts
// of the applications that are opted in, asks the consumer for its datasets, and changes nothing.
import { ConfigError, PlanError } from '../../errors/errors.ts';
import {
  type Dataset,
  type Difference,
  distillLineage,
  type IdentityFacts,
  type KnownName,
  nearMisses,
  withOtherServers,
} from '../../identity/identity.ts';
import { extractLineage } from '../../lineage/lineage.ts';
import type { Names } from '../../names/names.ts';
import { type Planner, prepareScript, surroundingsOf } from '../../plan/plan.ts';
import { type DestinationSettings, effectiveSettings, type Settings } from '../../settings/settings.ts';
import { appKey, type ListedApp, type Source } from '../../watch/watch.ts';
import { ConsumerError, type HttpDestination, knownNames } from './consumer.ts';
import { type CheckResult, coded, failure, ok, warn } from './result.ts';

export interface NamesCheck {
  readonly settings: Settings;
  readonly source: Source;
  readonly planner: Planner;
  readonly names: Names;
  /** Name of the destination; undefined: the only one that can be asked. */
  readonly destination: string | undefined;
}

const area = 'names';

/** Findings: one per name that is known under another spelling, and a summary. */
export async function checkNames(check: NamesCheck): Promise<CheckResult[]> {
  const { settings, source } = check;
  const applications = await source.listApps();
  const destination = consumerOf(effectiveSettings(settings, await source.readSettings()).destinations, check.destination);
  try {
    const { ours, skipped, failed } = await ourNames(
      check,
      applications.filter((app) => app.optIn && (app.engine === 'flink' || settings.spark.lineage === 'sql')),
    );
    const { names: known, complete } = await knownNames(destination);
    const misses = nearMisses(ours, known);
    const equal = new Set(known.map(keyOf));
    const exact = ours.filter(({ dataset }) => equal.has(keyOf(dataset))).length;
    return [
      ...misses.map(({ ours: own, known: other, differences }) =>
        warn(
          `${area}: ${differences.join(', ')}`,
          `${own.namespace} ${own.name} (${appsOf(own, ours)}) is known to ${destination.name} as ${other.namespace} ${other.name}`,
          cures[differences[0] ?? 'case'],
        ),
      ),
      ...failed.map(({ app, error }) => coded('warn', `${area}: ${app}`, error.code, error.message)),
      ...(complete ? [] : [warn(area, `${destination.name} knows too many datasets to compare all`, 'Compare with a smaller consumer.')]),
      ok(
        area,
        `${ours.length} of ours (${skipped} left out), ${known.length} known to ${destination.name}: ${exact} equal, ${misses.length} under another spelling`,
      ),
    ];
  } catch (error) {
    if (error instanceof ConsumerError) {
      return [
        coded(
          'fail',
          `${area}: ${destination.name}`,
          'TRANSPORT_LATER',
          error.message,
          'Check address and token; the consumer must be a Marquez.',
        ),
      ];
    }
    return [failure(area, error)];
  }
}

const cures: Readonly<Record<Difference, string>> = {
  symlink: 'Our events carry that name as a symlink. To report under it, see identity.completeDefaultSchema and identity.namespaceAliases.',
  server:
    'Map the servers of the cluster to one name with identity.namespaceResolvers or identity.hosts.aliases, or set identity.hosts.order.',
  case: 'Write the table as the other producer does, or map the host with identity.hosts.aliases.',
  scheme: 'Map the namespace with identity.namespaceAliases.',
  port: 'Map the address with identity.hosts.aliases or identity.namespaceAliases.',
  schema: 'Write the schema in both places, or set identity.completeDefaultSchema.',
  quotes: 'Write the table without quotes where the database allows it.',
  slash: 'Write the path as the other producer does.',
};

/** The destination with that name, or the one that is a Marquez. */
function consumerOf(destinations: readonly DestinationSettings[], wanted: string | undefined): HttpDestination {
  const http = destinations.filter((each): each is HttpDestination => each.type === 'http' && each.preset !== 'gravitino');
  const found =
    wanted === undefined ? (http.find((each) => each.preset === 'marquez') ?? http[0]) : http.find((each) => each.name === wanted);
  if (found !== undefined) return found;
  throw new ConfigError(
    'CONFIG_INVALID',
    wanted === undefined
      ? 'check --names needs a destination of type http that is a Marquez'
      : `there is no http destination ${wanted} that can be asked for its datasets`,
  );
}

interface OurName {
  readonly dataset: Dataset;
  readonly servers: readonly KnownName[];
  readonly apps: readonly string[];
}

interface OurNames {
  readonly ours: readonly OurName[];
  /** Tables without a name. */
  readonly skipped: number;
  readonly failed: readonly { readonly app: string; readonly error: PlanError }[];
}

const keyOf = ({ namespace, name }: KnownName): string => JSON.stringify([namespace, name]);
const appsOf = (own: KnownName, ours: readonly OurName[]): string => {
  const apps = ours.find(({ dataset }) => keyOf(dataset) === keyOf(own))?.apps ?? [];
  return apps.length > 3 ? `${apps.slice(0, 3).join(', ')} and ${apps.length - 3} more` : apps.join(', ');
};

async function ourNames(check: NamesCheck, applications: readonly ListedApp[]): Promise<OurNames> {
  const ours = new Map<string, OurName>();
  const failed: { app: string; error: PlanError }[] = [];
  const skipped = new Set<string>();
  for (const application of applications) {
    const app = appKey(application.engine, application.id);
    try {
      for (const facts of await tablesOf(check, application)) {
        const found = await check.names.table(facts);
        if ('reason' in found) {
          if (!found.silent) skipped.add(`${app} ${facts.path.join('.')}`);
          continue;
        }
        const servers = await otherServers(check.names, facts);
        for (const dataset of found.datasets) {
          const known = ours.get(keyOf(dataset));
          ours.set(keyOf(dataset), {
            dataset,
            servers: [...(known?.servers ?? []), ...servers.filter(({ name }) => name === dataset.name)],
            apps: [...new Set([...(known?.apps ?? []), app])],
          });
        }
      }
    } catch (error) {
      if (!(error instanceof PlanError) || error.code === 'PLANNER_UNAVAILABLE') throw error;
      failed.push({ app, error });
    }
  }
  return { ours: [...ours.values()], skipped: skipped.size, failed };
}

/** The tables of an application's script; none when it has no script. */
async function tablesOf({ settings, source, planner, names }: NamesCheck, { engine, id }: ListedApp): Promise<IdentityFacts[]> {
  const stored = await source.loadScript(engine, id);
  if (stored === null || stored.sql.trim() === '') return [];
  const prepared = prepareScript(stored, { maxScriptBytes: settings.planner.maxScriptBytes }, surroundingsOf(settings));
  const pipelines = distillLineage(extractLineage(await planner.plan(prepared)), names.own);
  return pipelines.flatMap(({ sink, inputs }) => [sink, ...inputs.filter(({ role }) => role !== 'model')]);
}

async function otherServers(names: Names, facts: IdentityFacts): Promise<KnownName[]> {
  const found = await Promise.all(withOtherServers(facts).map((other) => names.table(other)));
  return found.flatMap((each) => ('datasets' in each ? each.datasets : []));
}
