// A Flink distribution as the download has it: the table API and the core in one jar each, with their service files joined (as the shade plugin
// does), the planner inside its loader in `lib` and by itself in `opt`. The loader is Maven's; flink-dist and the uber jar are not
// published, so they are put together here out of what is in them.
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { flinkJars } from './flink-jars.ts';
import { repositoryRoot } from './shared.ts';

const run = promisify(execFile);

/** The folder of a distribution, made once: its `lib` and `opt`. */
export async function flinkDistribution(version: string): Promise<string> {
  const folder = join(repositoryRoot, 'build', 'flink-distribution', version);
  if (existsSync(folder)) return folder;
  const jars = await flinkJars(version);
  const all = readdirSync(jars).filter((name) => !/^(?:scala-|slf4j-)/.test(name));
  const fresh = `${folder}.new`;
  rmSync(fresh, { recursive: true, force: true });
  for (const part of ['lib', 'opt']) mkdirSync(join(fresh, part), { recursive: true });
  const loose = /^flink-(?:table-runtime|cep|scala_2\.12)-/;
  const isPlanner = (name: string) => name.startsWith('flink-table-planner_');
  const ofTableApi = (name: string) => name.startsWith('flink-table-') && !isPlanner(name) && !loose.test(name);
  for (const name of all.filter((each) => loose.test(each))) copyFileSync(join(jars, name), join(fresh, 'lib', name));
  for (const name of all.filter(isPlanner)) copyFileSync(join(jars, name), join(fresh, 'opt', name));
  const rest = all.filter((name) => !loose.test(name) && !isPlanner(name) && !ofTableApi(name));
  const paths = (names: readonly string[]) => names.map((name) => join(jars, name));
  await joinJars(paths(all.filter(ofTableApi)), join(fresh, 'lib', `flink-table-api-java-uber-${version}.jar`));
  await joinJars(paths(rest), join(fresh, 'lib', `flink-dist-${version}.jar`));
  const loader = `org.apache.flink:flink-table-planner-loader:${version}`;
  await run('mvn', ['-q', '-B', 'dependency:copy', `-Dartifact=${loader}`, `-DoutputDirectory=${join(fresh, 'lib')}`], { cwd: fresh });
  renameSync(fresh, folder);
  return folder;
}

async function joinJars(jars: readonly string[], into: string): Promise<void> {
  const content = `${into}.content`;
  const services = join(content, 'META-INF', 'services');
  const joined = new Map<string, string>();
  mkdirSync(content);
  for (const jar of jars) {
    await run('jar', ['xf', jar], { cwd: content });
    if (!existsSync(services)) continue;
    for (const name of readdirSync(services)) joined.set(name, `${joined.get(name) ?? ''}${readFileSync(join(services, name), 'utf8')}\n`);
    rmSync(services, { recursive: true });
  }
  mkdirSync(services, { recursive: true });
  for (const [name, text] of joined) writeFileSync(join(services, name), text);
  await run('jar', ['cf0M', into, '-C', content, '.']);
  rmSync(content, { recursive: true });
}
