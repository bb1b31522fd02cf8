import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorsPage } from '../../src/errors/document.ts';
import { errorCatalogue } from '../../src/errors/errors.ts';
import { examples, markdownTable, sampleSettings, settingsPage } from '../../src/settings/document.ts';
import { listOptions, readSettings } from '../../src/settings/settings.ts';
import { repositoryRoot } from '../support/shared.ts';

const defaults = readSettings(undefined, {});

const valueAt = (settings: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], settings);

describe('the sample settings file', () => {
  const sample = sampleSettings();

  it('changes nothing as it stands', () => {
    expect(readSettings(sample, {})).toEqual(defaults);
  });

  it('says the defaults when every option is uncommented', () => {
    const uncommented = sample.replace(/^(\s*)#(?=\S)/gm, '$1');
    expect(uncommented).not.toBe(sample);
    expect(readSettings(uncommented, {})).toEqual(defaults);
  });

  it('says the default of each option when it alone is uncommented', () => {
    const lines = sample.split('\n');
    const commented = lines.flatMap((line, i) => (/^\s*#\S/.test(line) ? [i] : []));
    expect(commented).toHaveLength(listOptions().length);
    for (const i of commented) {
      const one = lines.map((line, k) => (k === i ? line.replace('#', '') : line)).join('\n');
      expect(readSettings(one, {}), lines[i]).toEqual(defaults);
    }
  });

  it('has an environment variable for every option, and no option twice', () => {
    for (const { env } of listOptions()) expect(sample.split(`[${env}]`)).toHaveLength(2);
  });

  it('gives examples that are settings', () => {
    for (const [path, lines] of Object.entries(examples)) {
      const given = readSettings(lines.join('\n'), {});
      expect(valueAt(given, path), path).not.toEqual(valueAt(defaults, path));
      for (const line of lines) expect(sample).toContain(`#   ${line}`);
    }
  });
});

describe('the generated pages', () => {
  it.each([
    ['docs/settings.md', settingsPage],
    ['docs/errors.md', errorsPage],
    ['examples/settings.yaml', sampleSettings],
  ])('%s is as the code says (npm run docs)', (name, make) => {
    expect(readFileSync(join(repositoryRoot, name), 'utf8')).toBe(make());
  });

  it('name every code and every option', () => {
    for (const code of Object.keys(errorCatalogue)) expect(errorsPage()).toContain(`## ${code}\n`);
    for (const { path, env } of listOptions()) expect(settingsPage()).toContain(`| \`${path}\` | \`${env}\` |`);
  });

  it('escape what would end a cell', () => {
    expect(markdownTable(['a'], [['x|y']])).toBe('| a |\n| --- |\n| x\\|y |');
  });
});
