// Nothing a table or a catalog can hold makes the namer throw, and what it answers is a name or a reason.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  connectorCatalogue,
  distill,
  gravitinoCatalog,
  type Identification,
  type IdentitySettings,
  identify,
  patternOf,
  silentConnectors,
  withOtherServers,
} from '../../src/identity/identity.ts';
import { nameJdbc } from '../../src/identity/jdbc/jdbc.ts';
import type { TablePath } from '../../src/plan/plan.ts';
import { settings } from './samples.ts';

const site: IdentitySettings = {
  ...settings,
  completeDefaultSchema: true,
  hosts: { order: 'sorted', aliases: { h: 'db', 'b1:9092': 'b' } },
  namespaceAliases: { 'mysql://db:3306': 'mysql://prod' },
  namespaceResolvers: { r: { type: 'pattern', regex: '[a-z]+1' }, s: { type: 'hostList', hosts: ['fe'] } },
};
const gravitino = {
  metalake: 'm',
  catalogs: { c: 'mapped' },
  known: [gravitinoCatalog({ name: 'crm', provider: 'jdbc-mysql', properties: { 'jdbc-url': 'jdbc:mysql://db' } })],
};
const profiles: readonly IdentitySettings[] = [
  settings,
  { ...settings, jdbcNameRule: '1.53' },
  { ...settings, profile: 'streampark-4498' },
  site,
  { ...site, profile: 'gravitino', gravitino: { ...gravitino, unmanaged: 'physical' } },
  { ...settings, profile: 'gravitino', gravitino: { ...gravitino, unmanaged: 'logical' } },
];
const entries = connectorCatalogue();

const odd = fc.string({ unit: fc.constantFrom(...'ab1:/?#@.-_%[]{}(),;=&$\\"\'|~^* \té\n\u00a0\u2028\u0000'), maxLength: 40 });
const real = fc.constantFrom(
  ...entries.flatMap(({ example }) => [...Object.values(example.options), ...Object.values(example.catalog?.options ?? {})]),
);
/** Real values, cut and glued to odd ones: most of what is wrong in practice is nearly right. */
const value = fc.oneof(
  odd,
  real,
  fc.tuple(real, odd, fc.nat({ max: 40 })).map(([text, more, at]) => text.slice(0, at) + more + text.slice(at)),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('', ' ', '${x}', 'NaN', '-1', '99999999999999999999', `${'a.'.repeat(20_000)}b`),
);
const name = fc.constantFrom(
  ...entries.flatMap(({ connectors, forks, catalogs }) => [...connectors, ...forks, ...catalogs]),
  ...silentConnectors,
  '',
  '__proto__',
  'constructor',
);
const keys = fc.constantFrom(
  ...new Set(entries.flatMap(({ options, example }) => [...options, ...Object.keys(example.catalog?.options ?? {})])),
  'sink.multiple.enable',
  'connector.type',
  '__proto__',
);
const options = fc.dictionary(keys, value, { maxKeys: 6 });
const path = fc.tuple(value, value, value) as fc.Arbitrary<TablePath>;

function expectSound(found: Identification): void {
  if ('reason' in found) {
    expect(found.message).not.toBe('');
    return;
  }
  expect(found.datasets.length).toBeGreaterThan(0);
  for (const { namespace, name: text, symlinks } of found.datasets) {
    expect([typeof namespace, typeof text]).toEqual(['string', 'string']);
    expect([namespace.trim(), text.trim()]).not.toContain('');
    for (const link of symlinks) expect([link.namespace, link.name]).not.toEqual([namespace, text]);
  }
}

describe('any table', { timeout: 30_000 }, () => {
  it('gets names or a reason', () => {
    fc.assert(
      fc.property(name, options, fc.option(fc.tuple(name, options), { nil: null }), path, fc.option(value, { nil: null }), (...parts) => {
        const [connector, given, catalogParts, table, location] = parts;
        const catalog = catalogParts === null ? null : { type: catalogParts[0], options: catalogParts[1] };
        for (const own of catalog === null ? [{ ...given, connector }] : [given, { ...given, connector }]) {
          const facts = { path: table, temporary: false, options: own, columns: [], primaryKey: [], partitionKeys: [] };
          const distilled = distill({ facts, catalog }, location);
          for (const profile of profiles) expectSound(identify(distilled, profile));
          patternOf(distilled);
          withOtherServers(distilled);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('of a family gets them whatever one option of its example is changed to', () => {
    fc.assert(
      fc.property(fc.constantFrom(...entries), value, fc.nat(), ({ example }, changed, at) => {
        const change = (given: Readonly<Record<string, string>>) => {
          const names = Object.keys(given).filter((key) => key !== 'connector');
          const key = names[at % Math.max(1, names.length)];
          return key === undefined ? given : { ...given, [key]: changed };
        };
        const facts = {
          path: ['c', 'd', 't'] as const,
          temporary: false,
          options: change(example.options),
          columns: [],
          primaryKey: [],
          partitionKeys: [],
        };
        const catalog = example.catalog === undefined ? null : { type: example.catalog.type, options: change(example.catalog.options) };
        for (const profile of profiles) expectSound(identify(distill({ facts, catalog }), profile));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('any JDBC url', { timeout: 30_000 }, () => {
  const scheme = fc.constantFrom(
    ...[
      'mysql',
      'mysql:loadbalance',
      'postgresql',
      'sqlserver',
      'jtds:sqlserver',
      'oracle:thin',
      'oracle:oci',
      'db2',
      'clickhouse',
      'ch:https',
    ],
    ...[
      'trino',
      'teradata',
      'oceanbase:hamode',
      'cassandra',
      'crate',
      'mariadb',
      'snowflake',
      'redshift',
      'hive2',
      'dm',
      'MySQL',
      '1x',
      'a_b',
      '',
    ],
  );
  const host = fc.constantFrom(
    'h',
    'H.Example.com',
    'my_db',
    '10.0.0.1',
    '[::1]',
    'h1,h2',
    'h1:1,h2:',
    '@h',
    'u:p@h',
    '主机',
    '',
    '(host=h)',
    'h\\i',
  );
  const rest = fc.constantFrom(
    '',
    '/',
    '/db',
    '/d-b',
    '/a/b',
    ':1521:sid',
    ':3306/db?x=a,b',
    ';databaseName=d',
    '/DATABASE=a',
    '?a=b|c',
    '//db',
  );
  const url = fc.tuple(scheme, fc.constantFrom('://', ':@', ':@//', ':'), host, rest, odd).map((parts) => `jdbc:${parts.join('')}`);

  it('gives a namespace and keeps the table in the name', () => {
    fc.assert(
      fc.property(url, fc.stringMatching(/^[a-z]{1,8}$/), fc.constantFrom('1.53', '1.54'), (address, table, rule) => {
        const named = nameJdbc(address, table, rule);
        expect(named?.namespace.length).toBeGreaterThan(0);
        expect(named?.name.endsWith(table)).toBe(true);
        if (named?.location !== undefined) expect(named.namespace).toMatch(/^[^A-Z]*:\/\//);
      }),
      { numRuns: 2_000 },
    );
  });
});
