// Runs every benchmark, one after the other. Run: npm run bench
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const benchmarks = ['plan', 'identify', 'poll', 'delivery postgres', 'delivery mysql', 'memory mysql', 'memory postgres'];

for (const benchmark of benchmarks) {
  console.log(`\n== ${benchmark}`);
  const [name, ...args] = benchmark.split(' ');
  const file = fileURLToPath(new URL(`${name}.ts`, import.meta.url));
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', file, ...args], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
