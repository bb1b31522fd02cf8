// The recipes of docs/consumers: every configuration is one that the program takes, and every page says how it was checked.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { effectiveSettings, readSettings } from '../../src/settings/settings.ts';
import { repositoryRoot } from '../support/shared.ts';

const folder = join(repositoryRoot, 'docs/consumers');
const pages = readdirSync(folder).filter((name) => name !== 'README.md');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const ways = ['Run on a stand-in', 'Validated against a server of our own', 'Only documented'];

describe('the recipes', () => {
  it('are there for seven consumers, all listed with how they were checked', () => {
    expect(pages.sort()).toEqual(['datahub.md', 'dataplex.md', 'egeria.md', 'gravitino.md', 'marquez.md', 'openmetadata.md', 'purview.md']);
    for (const page of pages) {
      const row = read('README.md')
        .split('\n')
        .find((line) => line.includes(`](${page})`));
      const [, way = ''] = /\*\*Checked\.\*\* ([^.(:]+)/.exec(read(page)) ?? [];
      const said = ways.find((each) => way.startsWith(each));
      expect(said, page).toBeDefined();
      expect(row?.toLowerCase(), page).toContain(said?.toLowerCase());
    }
  });

  it.each(pages)('%s holds configurations that give a destination, and says what it shows and its limits', (page) => {
    const blocks = [...read(page).matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, yaml = '']) => yaml);
    expect(blocks.length).toBeGreaterThan(0);
    for (const yaml of blocks) expect(effectiveSettings(readSettings(yaml, {}), {}).destinations, yaml).toHaveLength(1);
    for (const part of ['**What it shows.**', '**Limits.**', '**Checked.**']) expect(read(page)).toContain(part);
  });

  it('name tests that exist', () => {
    for (const page of pages) {
      for (const [, file = ''] of read(page).matchAll(/`(test\/[^`]+)`/g))
        expect(readFileSync(join(repositoryRoot, file), 'utf8')).not.toBe('');
    }
  });
});
