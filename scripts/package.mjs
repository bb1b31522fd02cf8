// Makes one tarball that runs with Node and a Java runtime only, without network: what package.json lists under `files`,
// the production packages, and the image of the demo's database; with --spark also the reader of Spark SQL.
// Run by `npm run package`, after the setup.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const folder = `${manifest.name}-${manifest.version}`;
const stage = join(root, 'build', 'package');
const target = join(stage, folder);

/** Of no use at run time: types, sources of packages, and source maps that lead to none. */
const unused = ['*.map', '*/node_modules/*.ts', '*.mts', '*.cts', '*/node_modules/@types', '*/node_modules/undici-types'];
/** The class-data archive fits one Java and the jars' time stamps on one machine: `planner-archive` makes it where it runs. */
const local = /\.(jsa|stamp)$/;

function fail(sentence) {
  process.stderr.write(`package: ${sentence}\n`);
  process.exit(1);
}

function run(command, args, cwd) {
  const result = spawnSync(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
  if (result.error !== undefined) fail(`${command} cannot be started: ${result.error.message}.`);
  if (result.status !== 0) fail(`${command} failed with exit code ${result.status}; see the lines above.`);
}

rmSync(stage, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
const image = readdirSync(join(root, 'build')).find((name) => /^pglite-.*\.tgz$/.test(name));
if (image === undefined) fail('build/ has no database image for the demo: run `npm run setup` first.');
const optional = process.argv.includes('--spark') ? [join('planner', 'spark', 'lib')] : [];
for (const part of [...manifest.files, ...optional, 'package-lock.json', join('build', image)]) {
  if (!existsSync(join(root, part)))
    fail(`${part} is missing: run \`npm run setup${optional.includes(part) ? ' -- --spark' : ''}\` first.`);
  cpSync(join(root, part), join(target, part), { recursive: true, preserveTimestamps: true, filter: (path) => !local.test(path) });
}

writeFileSync(join(target, 'package.json'), JSON.stringify(manifest));
run('npm', ['ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'], target);
rmSync(join(target, 'package-lock.json'));
rmSync(join(target, 'node_modules', '.package-lock.json'));
// What is left of the manifest is what the program and Node read.
const { scripts: _scripts, devDependencies: _devDependencies, files: _files, ...shipped } = manifest;
writeFileSync(join(target, 'package.json'), `${JSON.stringify(shipped, null, 2)}\n`);

const tarball = join(root, 'build', `${folder}.tgz`);
run('tar', [...unused.map((pattern) => `--exclude=${pattern}`), '-czf', tarball, '-C', stage, folder], root);
rmSync(stage, { recursive: true, force: true });
process.stdout.write(`build/${folder}.tgz  ${(statSync(tarball).size / 1024 ** 2).toFixed(1)} MiB\n`);
