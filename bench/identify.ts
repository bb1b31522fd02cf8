// Throughput of `identify`: JSON lines through the built program, the example of every connector family in turn. The start of
// the program is part of the time. Run: npx tsx bench/identify.ts [lines]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { connectorCatalogue } from '../src/identity/identity.ts';

const lines = Number(process.argv[2] ?? 200_000);
const program = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const examples = connectorCatalogue().map(({ example }) => example);
const text = Array.from({ length: lines }, (_, id) => {
  const example = examples[id % examples.length];
  return `${JSON.stringify({ id, table: ['c', 'sales', 'orders'], options: example?.options, catalog: example?.catalog ?? null })}\n`;
}).join('');

const begin = performance.now();
const child = spawn(process.execPath, [program, 'identify'], { stdio: ['pipe', 'pipe', 'inherit'] });
let answers = 0;
child.stdout.on('data', (chunk: Buffer) => {
  for (const byte of chunk) if (byte === 0x0a) answers += 1;
});
child.stdin.end(text);
await once(child, 'close');
const seconds = (performance.now() - begin) / 1000;
if (answers !== lines) throw new Error(`${answers} answers to ${lines} lines`);
console.log(`identify: ${lines} lines in ${seconds.toFixed(2)} s, ${Math.round(lines / seconds)} lines/s`);
