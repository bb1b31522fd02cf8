// Runs lint, types and all tests, and prints `N passed, N failed` as its last line.
// `--full` adds the tests that need minutes or further servers (test/**/*.full.test.ts).
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const bin = (name) => join(root, 'node_modules', '.bin', name);
const report = join(root, 'build', 'vitest.json');
const projects = ['fast', 'pg', 'mysql', 'jvm', 'e2e', ...(process.argv.includes('--full') ? ['full'] : [])];

function run(command, args) {
  return spawnSync(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;
}

let passed = 0;
let failed = 0;
const count = (ok) => {
  if (ok) passed += 1;
  else failed += 1;
};

mkdirSync(join(root, 'build'), { recursive: true });
rmSync(report, { force: true });
count(run(bin('biome'), ['check', '.']));
count(run(bin('tsc'), ['-p', 'tsconfig.test.json']));
const ended = run(bin('vitest'), [
  'run',
  ...projects.flatMap((p) => ['--project', p]),
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
]);
try {
  const result = JSON.parse(readFileSync(report, 'utf8'));
  passed += result.numPassedTests;
  failed += result.numFailedTests;
  if (!ended && result.numFailedTests === 0) failed += 1;
} catch {
  failed += 1;
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
