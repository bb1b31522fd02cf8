// The planner jars of a Flink version other than the bundled one: those of a Flink distribution, or a folder of nothing but jars.
// Only Flink's own jars are taken: connectors and the like that lie beside them would be class code of strangers.
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { PlanError } from '../errors/errors.ts';
import { nestedJar } from './nested-jar.ts';
import { sameRelease } from './versions.ts';

/** A folder configured for a version, such as 1.17 or 1.17.2. */
export interface FlinkFolder {
  readonly version: string;
  readonly folder: string;
}

/** The jars (paths) that planning needs, and the Flink version they are of. */
export interface FlinkJars {
  readonly version: string;
  readonly jars: readonly string[];
  /** The jar with the planner inside, where none of `jars` is the planner. */
  readonly loader?: string;
}

const plannerJar = /^flink-table-planner_2\.12-(\d+\.\d+(?:\.\d+)?)[^/]*\.jar$/;
const ofDistribution = /^flink-(?:dist|cep|scala_2\.12|table-(?:api-[a-z-]+|common|runtime))-\d[^/]*\.jar$/;
/** Loads the planner inside it in a class loader of its own; the plain planner, else the one taken out of it, takes its place. */
const plannerLoader = /^flink-table-planner-loader-(\d+\.\d+(?:\.\d+)?)[^/]*\.jar$/;

/**
 * The jars in a folder. In a distribution the planner lies in `opt` and the rest in `lib`, unless somebody moved it; where `opt` was
 * removed, the loader in `lib` has it inside.
 * @throws PlanError PLANNER_UNAVAILABLE naming what is missing
 */
export function findFlink(folder: string): FlinkJars {
  const lib = join(folder, 'lib');
  const isDistribution = existsSync(lib);
  const found = isDistribution
    ? [...jarsIn(lib).filter(isOfFlink), ...jarsIn(join(folder, 'opt')).filter((jar) => plannerJar.test(basename(jar)))]
    : jarsIn(folder).filter((jar) => !plannerLoader.test(basename(jar)));
  const planners = [...new Set(found.map((jar) => basename(jar)).filter((name) => plannerJar.test(name)))];
  const [planner] = planners;
  const [loader] = isDistribution
    ? [...jarsIn(lib), ...jarsIn(join(folder, 'opt'))].filter((jar) => plannerLoader.test(basename(jar)))
    : [];
  if (planner === undefined && loader !== undefined) {
    const version = plannerLoader.exec(basename(loader))?.[1] as string;
    return { version, jars: found, loader };
  }
  if (planner === undefined) {
    const where = isDistribution ? `${join(folder, 'opt')} or ${lib}` : folder;
    throw new PlanError('PLANNER_UNAVAILABLE', `there is no flink-table-planner_2.12-<version>.jar in ${where}`);
  }
  if (planners.length > 1) throw new PlanError('PLANNER_UNAVAILABLE', `${folder} has several planners: ${planners.join(', ')}`);
  return { version: plannerJar.exec(planner)?.[1] as string, jars: found };
}

/**
 * The jars of a configured version.
 * @throws PlanError PLANNER_UNAVAILABLE when they are missing or of another version
 */
export function flinkOf({ version, folder }: FlinkFolder): FlinkJars {
  const found = findFlink(folder);
  if (!sameRelease(version, found.version)) {
    throw new PlanError('PLANNER_UNAVAILABLE', `${folder} holds the planner of Flink ${found.version}, not of ${version}`);
  }
  return found;
}

/** What stands on the class path for a configured version; the planner is taken out of its loader where it is only there. */
export function classPathOf(folder: FlinkFolder): readonly string[] {
  const { version, jars, loader } = flinkOf(folder);
  if (loader === undefined) return jars;
  return [...jars, nestedJar(loader, 'flink-table-planner.jar', `flink-table-planner_2.12-${version}.jar`)];
}

const isOfFlink = (jar: string) => ofDistribution.test(basename(jar)) || plannerJar.test(basename(jar));

function jarsIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.jar'))
      .sort()
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}
