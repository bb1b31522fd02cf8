// Writes the documents that are made from the code; `--check` only says which differ. Run: npm run docs
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { jarJobsPage } from '../src/actions/document.ts';
import { errorsPage } from '../src/errors/document.ts';
import { connectorsPage } from '../src/identity/document.ts';
import { metricsPage } from '../src/ops/document.ts';
import { grantsPage } from '../src/optin/document.ts';
import { sampleSettings, settingsPage } from '../src/settings/document.ts';
import { lifecyclePage } from '../src/watch/document.ts';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const documents = {
  'docs/connectors.md': connectorsPage,
  'docs/errors.md': errorsPage,
  'docs/grants.md': grantsPage,
  'docs/jar-jobs.md': jarJobsPage,
  'docs/lifecycle.md': lifecyclePage,
  'docs/metrics.md': metricsPage,
  'docs/settings.md': settingsPage,
  'examples/settings.yaml': sampleSettings,
};

const check = process.argv.includes('--check');
let differing = 0;
for (const [name, make] of Object.entries(documents)) {
  const path = join(root, name);
  const text = make();
  let before;
  try {
    before = readFileSync(path, 'utf8');
  } catch {
    before = undefined;
  }
  if (before === text) continue;
  differing += 1;
  console.log(`${check ? 'differs' : 'written'}: ${name}`);
  if (check) continue;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
process.exitCode = check && differing > 0 ? 1 : 0;
