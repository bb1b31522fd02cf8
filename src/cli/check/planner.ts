// Checks of the planner: Java, its jars, and a worker that really plans.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { oneLine } from '../../optin/optin.ts';
import type { Check } from './context.ts';
import { type CheckResult, coded, failure, ok } from './result.ts';

const oldestJava = 17;

/** Each finding names the next thing to cure, so the later steps are left out when an earlier one failed. */
export const checkPlanner: Check = async ({ planner }) => {
  const java = await checkJava(planner.javaVersion);
  const jars = checkJars(planner.lib);
  if (java.level === 'fail' || jars.level === 'fail') return [java, jars];
  const results = [java, jars, await tried('planner: worker', () => planner.start())];
  // one after the other: each takes a few hundred megabytes while it is looked at
  for (const flink of planner.versions) {
    results.push(await tried(`planner: Flink ${flink.version}`, async () => `${await planner.start(flink)}, in ${flink.folder}`));
  }
  if (planner.startSpark !== undefined) results.push(await tried('planner: Spark SQL', planner.startSpark));
  return results;
};

async function tried(what: string, start: () => Promise<string>): Promise<CheckResult> {
  try {
    return ok(what, await start());
  } catch (error) {
    return failure(what, error);
  }
}

async function checkJava(version: () => Promise<string>): Promise<CheckResult> {
  const what = 'planner: java';
  let said: string;
  try {
    said = await version();
  } catch (error) {
    return coded('fail', what, 'PLANNER_UNAVAILABLE', oneLine(error));
  }
  const number = majorOf(said);
  const first = said.split('\n', 1)[0] ?? '';
  if (number === undefined) return coded('fail', what, 'PLANNER_UNAVAILABLE', `not the answer of a Java: ${first.slice(0, 120)}`);
  if (number >= oldestJava) return ok(what, first);
  return coded(
    'fail',
    what,
    'PLANNER_UNAVAILABLE',
    `${first} is older than ${oldestJava}`,
    'Install a Java 17 runtime, or name one in planner.java.',
  );
}

/** `openjdk version "17.0.9"` -> 17, `java version "1.8.0_392"` -> 8. */
export function majorOf(said: string): number | undefined {
  const match = /version "(\d+)(?:\.(\d+))?/.exec(said);
  if (match === null) return undefined;
  return Number(match[1] === '1' ? match[2] : match[1]);
}

function checkJars(lib: string): CheckResult {
  const what = 'planner: jars';
  const jars = existsSync(lib) ? readdirSync(lib).filter((name) => name.endsWith('.jar')) : [];
  if (!existsSync(join(lib, 'worker.jar'))) return coded('fail', what, 'PLANNER_UNAVAILABLE', `${join(lib, 'worker.jar')} is missing`);
  return ok(what, `${jars.length} in ${lib}`);
}
