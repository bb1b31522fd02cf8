// Builds the planner worker into planner/lib: Maven compiles it and collects Flink's jars. What is up to date is left alone.
// With `--flink 1.20.1` it fetches the planner jars of that version instead, into build/flink/1.20.1: for planner.versions.
// With `--spark` it builds the reader of Spark SQL into planner/spark/lib: for spark.lineage.
// Plain Node, no dependencies.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const planner = join(dirname(fileURLToPath(import.meta.url)), '..', 'planner');
const oldestJava = 17;

/** What is built: its pom, the sources it is made of and the folder that takes its jars. */
const flink = {
  pom: 'pom.xml',
  sources: ['src'],
  lib: join(planner, 'lib'),
  what: 'planner: building the worker and collecting 25 jars of Flink (67 MB, fetched once)',
};
const spark = {
  pom: 'spark/pom.xml',
  sources: ['spark/src', ...['protocol', 'text'].map((name) => `src/main/java/org/streampark/lineage/planner/${name}`)],
  lib: join(planner, 'spark', 'lib'),
  what: 'planner: building the reader of Spark SQL and collecting 29 jars of Spark (77 MB, fetched once)',
};

/**
 * Makes planner/lib ready and returns `{ java, jars }`: what Java says of itself, and name and time stamp of every jar.
 * Rejects with one sentence that names the cure when Java or Maven is missing or the build fails.
 * @param {{ log: (line: string) => void, java?: string, maven?: string }} options
 */
export async function buildPlanner({ log, java = 'java', maven = 'mvn' }) {
  const javaVersion = await readJavaVersion(java);
  await build(flink, maven, log);
  const jars = list('lib').filter((name) => name.endsWith('.jar'));
  return { java: javaVersion, jars: jars.map((name) => `${name} ${statSync(join(planner, name)).mtimeMs}`).sort() };
}

/**
 * Makes planner/spark/lib ready and returns it. Rejects as `buildPlanner` does.
 * @param {{ log: (line: string) => void, java?: string, maven?: string }} options
 */
export async function buildSpark({ log, java = 'java', maven = 'mvn' }) {
  await readJavaVersion(java);
  await build(spark, maven, log);
  return spark.lib;
}

async function build(part, maven, log) {
  const stamp = join(part.lib, 'worker.stamp');
  const sources = hashSources(part);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources && existsSync(join(part.lib, 'worker.jar'))) return;
  await compile(part, maven, sources, log);
  writeFileSync(stamp, sources);
}

async function readJavaVersion(java) {
  const cure = `install a JDK ${oldestJava} or newer (Debian: apt-get install openjdk-17-jdk-headless) and put it on the PATH`;
  const result = await run(java, ['-version']).catch(() => undefined);
  if (result === undefined || result.code !== 0) throw new Error(`Java is missing, and the planner needs it: ${cure}.`);
  const major = /version "(?:1\.)?(\d+)/.exec(result.output)?.[1];
  if (major === undefined || Number(major) < oldestJava) {
    throw new Error(`Java ${major ?? 'of unknown version'} is too old for the planner: ${cure}.`);
  }
  return result.output.trim();
}

/** Everything the worker is made of, in a fixed order. */
function hashSources(part) {
  const hash = createHash('sha256');
  for (const file of sourceFiles(part))
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(planner, file)))
      .update('\0');
  return hash.digest('hex').slice(0, 16);
}

function sourceFiles({ pom, sources }) {
  return [pom, ...sources.flatMap(list)].sort();
}

/** Files below a folder of planner/, as paths from there. */
function list(folder) {
  return readdirSync(join(planner, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(planner, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
}

async function compile({ pom, lib, what }, maven, sources, log) {
  await findMaven(maven);
  log(what);
  const fresh = `${lib}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  const arguments_ = ['-B', '-f', join(planner, pom), `-Dlib=${fresh}`, `-Dworker.build=${sources}`, 'clean', 'package'];
  const result = await run(maven, arguments_, (line) => {
    const fetched = /^Downloaded from .*\/([^/]+\.jar) \((.+?)(?: at .*)?\)/.exec(line.replace(/^\[INFO\] /, ''));
    if (fetched !== null) log(`planner: fetched ${fetched[1]} (${fetched[2]})`);
  });
  if (result.code !== 0) throw new Error(explain(result.output));
  // Swapped in whole, so that a worker that runs from the old folder never sees half a new one.
  rmSync(lib, { recursive: true, force: true });
  renameSync(fresh, lib);
}

/**
 * Collects the planner jars of another Flink version (1.15 or newer) and returns their folder. What is there is left alone.
 * Rejects with one sentence that names the cure.
 */
export async function fetchFlink({ version, log, maven = 'mvn' }) {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error(`${version} is no Flink version: write it as 1.20.1.`);
  const jars = join(planner, '..', 'build', 'flink', version);
  if (existsSync(jars)) return jars;
  await findMaven(maven);
  log(`planner: collecting the jars of Flink ${version} (some 65 MB, fetched once)`);
  const fresh = `${jars}.new`;
  rmSync(fresh, { recursive: true, force: true });
  const result = await run(maven, [
    '-B',
    ...['-f', join(planner, 'flink', 'pom.xml'), `-Dflink.version=${version}`, `-Djars=${fresh}`],
    'package',
  ]);
  if (result.code !== 0) throw new Error(explain(result.output));
  renameSync(fresh, jars);
  return jars;
}

async function findMaven(maven) {
  if ((await run(maven, ['-version']).catch(() => undefined)) === undefined) {
    throw new Error('Maven is missing, and the planner is built with it: install Maven 3.8 or newer (Debian: apt-get install maven).');
  }
}

function explain(output) {
  const errors = output.split('\n').filter((line) => line.startsWith('[ERROR]'));
  const first = errors[0]?.replace('[ERROR]', '').trim() ?? 'see its output';
  if (/No compiler is provided|invalid target release|release version \d+ not supported/.test(output)) {
    return `Maven runs on a Java without a compiler for Java ${oldestJava}: install a JDK ${oldestJava} or newer and set JAVA_HOME to it.`;
  }
  if (/Could not (transfer|resolve)|Unknown host|offline mode/i.test(output)) {
    return `Maven could not fetch what the planner needs; check the network or the mirror in ~/.m2/settings.xml (${first}).`;
  }
  return `Maven could not build the planner: ${[first, ...errors.slice(1, 6)].join('\n')}`;
}

/** Runs a command to its end; rejects only if it cannot be started. Output is stdout and stderr together. */
function run(command, arguments_, onLine = () => {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, arguments_, { stdio: ['ignore', 'pipe', 'pipe'] });
    const lines = [];
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line);
        onLine(line);
      });
    }
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output: lines.join('\n') }));
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [option, version] = process.argv.slice(2);
  const made =
    option === '--flink'
      ? fetchFlink({ version: version ?? '', log: console.error }).then((folder) => console.log(folder))
      : option === '--spark'
        ? buildSpark({ log: console.error }).then((folder) => console.log(folder))
        : buildPlanner({ log: console.error });
  made.catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
