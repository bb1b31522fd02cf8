// Installs and builds all that a checkout needs: npm packages, the planner's jars, dist/, the planner's class-data archive and
// the demo's database image; with --spark or --dev also the reader of Spark SQL.
// Plain Node without packages: it runs before they are there. Each step is skipped when its inputs have not changed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const stamps = join(root, 'build', 'stamps');
const log = (line) => process.stderr.write(`setup: ${line}\n`);

function fail(sentence) {
  process.stderr.write(`setup: ${sentence}\n`);
  process.exit(1);
}

function filesUnder(path) {
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

function hashOf(paths, facts) {
  const hash = createHash('sha256').update([process.version, ...facts].join('\n'));
  for (const path of paths) hash.update(path.slice(root.length)).update('\0').update(readFileSync(path)).update('\0');
  return hash.digest('hex');
}

/** Runs `step` unless the files `inputs` and the `facts` are as at its last success and `output` exists. */
async function once(name, inputs, output, step, facts = []) {
  const hash = hashOf(inputs, facts);
  const stamp = join(stamps, name);
  if (existsSync(output) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  const started = Date.now();
  await step();
  mkdirSync(stamps, { recursive: true });
  writeFileSync(stamp, hash);
  log(`${name} done in ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

/** Runs a command to its end; `output` says where its stdout goes. */
function run(command, args, what, output = 'inherit') {
  const result = spawnSync(command, args, { cwd: root, stdio: ['ignore', output, 'inherit'], env: process.env });
  if (result.error !== undefined) fail(`${what} failed: ${result.error.message}.`);
  if (result.status !== 0) fail(`${what} failed with exit code ${result.status}; see the lines above.`);
}

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) fail(`Node ${process.versions.node} is too old: install Node 20.19 or newer.`);

await once(
  'packages',
  [join(root, 'package.json'), join(root, 'package-lock.json')],
  join(root, 'node_modules', '.package-lock.json'),
  () => {
    log('installing npm packages …');
    run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], 'npm ci');
  },
);

const { buildPlanner, buildSpark } = await import('./planner.mjs');
const { java, jars } = await buildPlanner({ log }).catch((error) => fail(error.message));
if (process.argv.includes('--dev') || process.argv.includes('--spark')) await buildSpark({ log }).catch((error) => fail(error.message));

await once(
  'program',
  [...filesUnder(join(root, 'src')), join(root, 'tsconfig.json'), join(root, 'tsconfig.types.json'), join(root, 'package-lock.json')],
  join(root, 'dist', 'main.js'),
  () => {
    log('compiling …');
    rmSync(join(root, 'dist'), { recursive: true, force: true });
    for (const project of ['tsconfig.json', 'tsconfig.types.json'])
      run(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', project], 'the TypeScript compiler');
  },
);

await once(
  'planner-archive',
  [],
  join(root, 'planner', 'lib', 'worker.jsa'),
  () => {
    log("recording the planner's class-data archive …");
    run(process.execPath, [join(root, 'dist', 'main.js'), 'planner-archive'], 'recording the archive', 'ignore');
  },
  [root, process.env.JAVA_HOME ?? '', java, ...jars],
);

const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const pglite = lock.packages['node_modules/@electric-sql/pglite'].version;
const image = join(root, 'build', `pglite-${pglite}.tgz`);
await once('demo-database', [join(root, 'scripts', 'setup.mjs')], image, async () => {
  log('preparing the database image of the demo …');
  const { PGlite } = await import('@electric-sql/pglite');
  const db = await PGlite.create();
  const dump = await db.dumpDataDir('gzip');
  writeFileSync(image, Buffer.from(await dump.arrayBuffer()));
  await db.close();
});
