import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { grantsPage } from '../../src/optin/document.ts';
import { repositoryRoot } from '../support/shared.ts';

describe('docs/grants.md', () => {
  it('is as the code says (npm run docs)', () => {
    expect(readFileSync(join(repositoryRoot, 'docs/grants.md'), 'utf8')).toBe(grantsPage());
  });

  it('grants the user of run nothing but columns of StreamPark', () => {
    const grants = grantsPage().match(/^GRANT .* TO [`"]lineage_run[`"].*$/gm) ?? [];
    expect(grants.length).toBeGreaterThan(40);
    for (const grant of grants) {
      expect(grant).toMatch(/^GRANT (SELECT \(|USAGE ON SCHEMA )|ON `streampark\\_lineage`\.\* TO/);
    }
  });
});
