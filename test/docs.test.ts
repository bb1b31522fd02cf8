import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connectorsPage } from '../src/identity/document.ts';
import { connectorCatalogue, silentConnectors } from '../src/identity/identity.ts';
import { metricsPage } from '../src/ops/document.ts';
import { createMetrics } from '../src/ops/metrics.ts';
import { repositoryRoot } from './support/shared.ts';

const read = (name: string) => readFileSync(join(repositoryRoot, name), 'utf8');

describe('the generated pages', () => {
  it.each([
    ['docs/connectors.md', connectorsPage],
    ['docs/metrics.md', metricsPage],
  ])('%s is as the code says (npm run docs)', (name, make) => {
    expect(read(name)).toBe(make());
  });

  it('name every connector and every metric', async () => {
    const connectors = [...connectorCatalogue().flatMap((family) => family.connectors), ...silentConnectors];
    for (const connector of connectors) expect(connectorsPage()).toContain(`\`${connector}\``);
    const metrics = await createMetrics().registry.getMetricsAsJSON();
    const own = metrics.map(({ name }) => name).filter((name) => name.startsWith('streampark_lineage_'));
    expect(own.length).toBeGreaterThan(10);
    for (const metric of own) expect(metricsPage()).toContain(`| \`${metric}\` | `);
  });
});

/** The anchors that the headings of a page get. */
const anchors = (page: string) =>
  [...page.matchAll(/^#+ (.+)$/gm)].map((match) =>
    (match[1] as string)
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );

describe('every page', () => {
  const pages = [
    'README.md',
    'CHANGELOG.md',
    'bench/README.md',
    ...readdirSync(join(repositoryRoot, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ];

  it.each(pages)('%s links to what is there', (page) => {
    const text = read(page);
    const broken = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map((match) => match[1] as string)
      .filter((link) => !/^https?:/.test(link))
      .filter((link) => {
        const [path = '', anchor] = link.split('#');
        const target = path === '' ? page : join(dirname(page), path);
        if (!existsSync(join(repositoryRoot, target))) return true;
        return anchor !== undefined && !anchors(read(target)).includes(anchor);
      });
    expect(broken).toEqual([]);
  });
});

describe('the README', () => {
  it('names commands, options and codes that exist', () => {
    const readme = read('README.md');
    const program = read('src/cli/cli.ts');
    const commands = [...readme.matchAll(/(?:dist\/main\.js|streampark-lineage) ([a-z-]+)\b/g)].map((match) => match[1] as string);
    expect(commands.length).toBeGreaterThan(5);
    const described = new Set(['and', 'is', 'reports', 'unless']);
    expect(commands.filter((command) => !described.has(command) && !program.includes(`.command('${command}'`))).toEqual([]);
    const scripts = (JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts;
    const run = [...readme.matchAll(/npm run ([a-z:]+)/g)].map((match) => match[1] as string);
    expect(run.filter((script) => scripts[script] === undefined)).toEqual([]);
    const options = [...readme.matchAll(/`([a-z]+[A-Za-z]*\.[a-z][A-Za-z.]+)`/g)].map((match) => match[1] as string);
    const known = read('docs/settings.md');
    expect(options.filter((option) => !known.includes(`\`${option}\``))).toEqual([]);
  });
});
