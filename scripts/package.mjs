// Makes one tarball that runs with Node and a Java runtime only: dist, production packages, planner jars, sql, schemas.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const folder = `${name}-${version}`;
const stage = join(root, 'build', 'package');
const target = join(stage, folder);

function run(command, args, cwd) {
  const result = spawnSync(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
  if (result.status !== 0) {
    process.stderr.write(`package: ${command} ${args.join(' ')} failed\n`);
    process.exit(1);
  }
}

rmSync(stage, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
for (const part of ['dist', 'sql', 'schemas', 'examples', 'docs', 'package.json', 'package-lock.json', 'README.md', 'CHANGELOG.md', 'LICENSE']) {
  if (existsSync(join(root, part))) cpSync(join(root, part), join(target, part), { recursive: true });
}
// The class-data archive is bound to the Java build and the jars' time stamps of this machine; the planner makes its own at first start.
cpSync(join(root, 'planner', 'lib'), join(target, 'planner', 'lib'), {
  recursive: true,
  preserveTimestamps: true,
  filter: (path) => !path.endsWith('.jsa'),
});
run('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], target);
mkdirSync(join(root, 'build'), { recursive: true });
const tarball = join(root, 'build', `${folder}.tgz`);
run('tar', ['-czf', tarball, '-C', stage, folder], root);
rmSync(stage, { recursive: true, force: true });
process.stdout.write(`build/${folder}.tgz  ${(statSync(tarball).size / 1024 ** 2).toFixed(1)} MiB\n`);
