import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toolCatalogue } from '../../src/actions/actions.ts';
import { jarJobsPage } from '../../src/actions/document.ts';
import { repositoryRoot } from '../support/shared.ts';

test('docs/jar-jobs.md is as the code says (npm run docs)', () => {
  expect(readFileSync(join(repositoryRoot, 'docs/jar-jobs.md'), 'utf8')).toBe(jarJobsPage());
});

test('every tool has a title and every row four cells', () => {
  const page = jarJobsPage();
  for (const { name } of toolCatalogue()) expect(page).not.toContain(`## ${name}\n`);
  for (const row of page.split('\n').filter((line) => line.startsWith('| '))) expect(row.replaceAll('\\|', '').split('|')).toHaveLength(6);
});
