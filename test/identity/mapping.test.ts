// From the names of the rules to those of the site: resolvers as the official client answers, hosts, aliases, profiles, and what
// two names of one table look like.
import { describe, expect, it } from 'vitest';
import {
  type DistilledPipeline,
  distill,
  dividedNames,
  gravitinoCatalog,
  type Identification,
  type IdentitySettings,
  identify,
  identityProblems,
  nameLineage,
} from '../../src/identity/identity.ts';
import { javaPattern, javaReplaceAll } from '../../src/identity/java/regex.ts';
import { type NamespaceResolver, resolveNamespace } from '../../src/identity/mapping/resolvers.ts';
import type { CatalogFacts, TablePath } from '../../src/plan/plan.ts';
import { readSamples, settings } from './samples.ts';

type Options = Record<string, string>;

const facts = (
  options: Options,
  catalog: CatalogFacts | null = null,
  path: TablePath = ['c', 'sales', 'orders'],
  location: string | null = null,
) => distill({ facts: { path, temporary: false, options, columns: [], primaryKey: [], partitionKeys: [] }, catalog }, location);

const shown = (found: Identification): string[] =>
  'reason' in found
    ? [found.reason]
    : found.datasets.map(({ namespace, name, symlinks }) =>
        [`${namespace} ${name}`, ...symlinks.map((link) => `${link.type} ${link.namespace} ${link.name}`)].join(' | '),
      );

const kafka = (servers: string, topic = 't'): Options => ({ connector: 'kafka', 'properties.bootstrap.servers': servers, topic });
const jdbc = (url: string, table: string): Options => ({ connector: 'jdbc', url, 'table-name': table });
const under = (more: Partial<IdentitySettings>, options: Options) => shown(identify(facts(options), { ...settings, ...more }));

const resolverSamples = readSamples()?.filter(({ connector }) => connector === '#resolver') ?? [];

/** Official code throws here, and the dataset is lost; we leave the namespace as it is. */
const thrown = resolverSamples.filter((sample) => sample.expect?.error !== undefined).map(({ id }) => id);

describe.skipIf(readSamples() === undefined)('namespace resolvers (skipped: the shared fixtures are missing)', () => {
  it('have samples', () => expect([resolverSamples.length, thrown]).toEqual([20, ['s382', 't245', 't249']]));

  it.each(resolverSamples)('$id $options', ({ options, expect: answer }) => {
    const { type, resolver = '', namespace = '', hosts, ...rest } = options;
    const given = (type === 'hostList' ? { ...rest, type, hosts: hosts?.split('|') ?? [] } : { ...rest, type }) as NamespaceResolver;
    expect(resolveNamespace(namespace, { [resolver]: given })).toBe(answer?.ns ?? namespace);
  });
});

describe('resolvers', () => {
  const namespaceResolvers: Record<string, NamespaceResolver> = {
    'kafka-prod': { type: 'hostList', hosts: ['b1:9092', 'b2:9092'], schema: 'kafka' },
    eu: { type: 'pattern', regex: 'db-eu-\\d+', schema: 'mysql' },
    never: { type: 'pattern', regex: 'kafka-prod' },
  };
  it('change names and symlinks, the first that changes a namespace alone', () => {
    expect(under({ namespaceResolvers }, kafka('b1:9092,b3:9092'))).toEqual(['kafka://kafka-prod t']);
    expect(under({ namespaceResolvers }, jdbc('jdbc:mysql://db-eu-1:3306/shop', 't'))).toEqual(['mysql://eu:3306 shop.t']);
    expect(under({ namespaceResolvers }, kafka('SSL://b1:9092'))).toEqual(['kafka://SSL://kafka-prod t | TABLE kafka://kafka-prod t']);
    expect(under({ namespaceResolvers }, kafka('other:9092'))).toEqual(['kafka://other:9092 t']);
  });
  it.each<[string, NamespaceResolver, RegExp | null]>([
    ['fine', { type: 'pattern', regex: '(?i)b\\d+' }, null],
    ['a$1', { type: 'pattern', regex: 'b\\d+' }, /refers to a group/],
    ['a', { type: 'patternGroup', regex: '(?<x>b)', matchingGroup: 'y' }, /no group/],
    ['a', { type: 'patternGroup', regex: '(?<x>b)', matchingGroup: 'x' }, null],
    ['a', { type: 'pattern', regex: 'b(' }, /cannot|can follow/],
    ['a', { type: 'pattern', regex: '\\p{Alpha}+' }, /can follow/],
  ])('%s %j is told to be wrong at the start: %s', (name, resolver, problem) => {
    const problems = identityProblems({ ...settings, namespaceResolvers: { [name]: resolver } });
    if (problem === null) expect(problems).toEqual([]);
    else expect(problems[0]).toMatch(problem);
  });
});

// Each answer was checked against java.util.regex of JDK 17.
describe('expressions of Java', () => {
  it.each<[string, string, boolean]>([
    ['a.c', 'abc', true],
    ['a.c', 'a\nc', false],
    ['\\Qa.c\\E\\d', 'a.c1', true],
    ['\\Qa.c\\E\\d', 'abc1', false],
    ['[\\w-]+', 'a-b_1', true],
    ['\\s', '\u00a0', false],
    ['(?i)ABC', 'abc', true],
    ['(?:a|b)+', 'abab', true],
    ['a{2,3}', 'aa', true],
    ['x[(?]y', 'x?y', true],
    ['\\Aab\\z', 'ab', true],
  ])('%s on %j: %s', (source, text, matches) => {
    const pattern = javaPattern(source);
    expect(pattern).toBeDefined();
    expect(new RegExp(`^(?:${pattern?.source})$`, pattern?.flags.replace('g', '')).test(text)).toBe(matches);
  });

  it.each(['a++', '[a[b]]', '[a&&b]', '[]a]', '\\p{Lu}', '(?>a)', '(?x)a', 'a\\', '[a', '(a', '\\1', '[\\S]', '(?i:a)'])(
    '%s is refused',
    (source) => {
      expect(javaPattern(source)).toBeUndefined();
    },
  );

  it.each<[string, string, string, string | undefined]>([
    ['b1', 'b(\\d)', 'c$1', 'c1'],
    ['b1', 'b(\\d)', 'c$10', 'c10'],
    ['b1', 'b(?<n>\\d)', '${n}', '1'],
    ['b1', 'b', '\\$x\\\\', '$x\\1'],
    ['b1', 'b', '$1', undefined],
    ['b1', 'b', '$', undefined],
    ['b1', 'b', 'x\\', undefined],
    ['b1', 'z', '$1', 'b1'],
  ])('replaceAll %s %s %s', (text, source, replacement, expected) => {
    expect(javaReplaceAll(text, javaPattern(source) ?? /x/, replacement)).toBe(expected);
  });
});

describe('hosts and aliases', () => {
  const sorted = { order: 'sorted', aliases: {} } as const;
  it('take the first of a list in alphabetical order where the settings say so', () => {
    expect(under({ hosts: sorted }, kafka('b2:9092, B1:9092'))).toEqual(['kafka://B1:9092 t']);
    expect(under({ hosts: sorted }, { connector: 'elasticsearch-7', hosts: 'http://e2:9200;http://e1:9200', index: 'i' })).toEqual([
      'elasticsearch://e1:9200 i',
    ]);
    expect(under({ hosts: sorted }, { connector: 'pulsar', 'service-url': 'pulsar://p2:6650,p1:6650', topics: 't' })).toEqual([
      'pulsar://p1:6650 persistent://public/default/t',
    ]);
    expect(under({ hosts: sorted }, jdbc('jdbc:mysql://h2,h1/shop', 't'))).toEqual(['mysql://h1:3306,h2:3306 shop.t']);
    expect(under({ hosts: sorted }, { connector: 'kafka-inlong', 'properties.bootstrap.servers': 'b2,b1', topic: 't' })).toEqual([
      'kafka://b1 t',
    ]);
  });
  it('print an alias for a host, with its port or without', () => {
    const aliases = { '10.0.0.5': 'db', 'B1:9092': 'kafka.prod:9092', h1: 'h', h2: 'h' };
    const hosts = { order: 'written', aliases } as const;
    expect(under({ hosts }, jdbc('jdbc:mysql://10.0.0.5:3307/shop', 't'))).toEqual(['mysql://db:3307 shop.t']);
    expect(under({ hosts }, kafka('b1:9092'))).toEqual(['kafka://kafka.prod:9092 t']);
    expect(under({ hosts }, kafka('b1:9093'))).toEqual(['kafka://b1:9093 t']);
    expect(under({ hosts }, jdbc('jdbc:mysql://h1,h2/shop', 't'))).toEqual(['mysql://h:3306 shop.t']);
    expect(under({ hosts }, { connector: 'filesystem', path: 'abfs://h1@10.0.0.5/x' })).toEqual(['abfss://h1@10.0.0.5 x']);
  });
  it('replace a whole namespace before any resolver', () => {
    const more: Partial<IdentitySettings> = {
      namespaceAliases: { 'kafka://b1:9092': 'kafka://prod' },
      namespaceResolvers: { x: { type: 'pattern', regex: 'prod|b\\d' } },
    };
    expect(under(more, kafka('b1:9092'))).toEqual(['kafka://prod t']);
    expect(under(more, kafka('b2:9092'))).toEqual(['kafka://x:9092 t']);
    expect(under({ namespaceAliases: { ['__proto__']: 'x' } }, kafka('toString'))).toEqual(['kafka://toString t']);
  });
});

describe('tables without schema', () => {
  const on = { completeDefaultSchema: true };
  it.each<[Options, string]>([
    [jdbc('jdbc:postgresql://pg/app', 'orders'), 'postgres://pg:5432 app.public.orders | TABLE postgres://pg:5432 app.orders'],
    [jdbc('jdbc:postgresql://pg/app?currentSchema=s', 'orders'), 'postgres://pg:5432 app.s.orders | TABLE postgres://pg:5432 app.orders'],
    [jdbc('jdbc:postgresql://pg/app', 'sales.orders'), 'postgres://pg:5432 app.sales.orders'],
    [jdbc('jdbc:oracle:thin:@h:1521:o', 'EMP'), 'oracle://h:1521 o.EMP'],
    [jdbc('jdbc:mysql://h/d', 't'), 'mysql://h:3306 d.t'],
  ])('%j is completed to %s', (options, expected) => expect(under(on, options)).toEqual([expected]));

  it('of SQL Server are completed with dbo, and keep the names of other producers', () => {
    expect(under(on, jdbc('jdbc:sqlserver://ms:1433;databaseName=app', 'orders'))).toEqual([
      'sqlserver://ms:1433 app.dbo.orders | TABLE sqlserver://ms:1433 app.orders | TABLE mssql://ms:1433 app.orders | TABLE mssql://ms:1433 app.dbo.orders',
    ]);
  });
});

describe('one table under two names', () => {
  const cdc = { connector: 'postgres-cdc', hostname: 'pg', 'database-name': 'app', 'schema-name': 'public', 'table-name': 'orders' };
  const pipeline = (sink: Options, ...inputs: Options[]): DistilledPipeline => ({
    tier: 'plan',
    line: 1,
    sink: facts(sink),
    inputs: inputs.map((each) => ({ ...facts(each), role: 'scan' })),
    columns: null,
  });
  const divided = (more: Partial<IdentitySettings>, ...pipelines: DistilledPipeline[]) =>
    dividedNames([nameLineage(pipelines, { ...settings, ...more })]).map(({ first, second, certain }) => [
      first.dataset.name,
      second.dataset.name,
      certain,
    ]);
  it('is found where one name is a symlink of the other, once', () => {
    const both = [
      pipeline(kafka('b'), cdc, jdbc('jdbc:postgresql://pg/app', 'orders')),
      pipeline(cdc, jdbc('jdbc:postgresql://pg/app', 'orders')),
    ];
    expect(divided({}, ...both)).toEqual([['app.public.orders', 'app.orders', true]]);
    expect(divided({ completeDefaultSchema: true }, ...both)).toEqual([]);
    expect(divided({}, pipeline(kafka('b'), cdc, jdbc('jdbc:postgresql://pg/app', 'other')))).toEqual([]);
  });
  it('may be where an Oracle table has no schema', () => {
    const oracle = (table: string) => jdbc('jdbc:oracle:thin:@h:1521:o', table);
    expect(divided({}, pipeline(kafka('b'), oracle('EMP'), oracle('HR.EMP'), oracle('HR.DEPT')))).toEqual([['o.EMP', 'o.HR.EMP', false]]);
  });
});

describe('the profile gravitino', () => {
  const gravitino = { metalake: 'lake', catalogs: {}, unmanaged: 'physical' } as const;
  const within = (
    given: Parameters<typeof facts>,
    more: Partial<NonNullable<IdentitySettings['gravitino']>> = {},
    others: Partial<IdentitySettings> = {},
  ) => shown(identify(facts(...given), { ...settings, profile: 'gravitino', gravitino: { ...gravitino, ...more }, ...others }));
  const paimon = { type: 'gravitino-paimon', options: { warehouse: 's3a://b/wh' } };

  it('names the tables of its catalogs, the physical names are symlinks', () => {
    expect(within([{}, paimon, ['cat', 'sales', 'orders$branch_x']])[0]).toMatch(
      /^lake cat\.sales\.orders \| TABLE s3:\/\/b wh\/sales\.db\/orders \| /,
    );
    expect(within([{}, { type: 'Gravitino-Hive', options: {} }])).toEqual(['lake c.sales.orders']);
    expect(within([kafka('b1'), { type: 'gravitino-hive', options: {} }])).toEqual(['lake c.sales.orders | TABLE kafka://b1 t']);
  });

  it('knows catalogs by the map, and those of a catalog store by the server', () => {
    const known = [gravitinoCatalog({ name: 'c', provider: 'hive', properties: {} })];
    expect(within([{}, { type: 'hive', options: {} }], { catalogs: { c: 'hive_prod' } })).toEqual(['lake hive_prod.sales.orders']);
    expect(within([{}, null], { known })).toEqual(['lake c.sales.orders']);
    expect(within([{}, { type: 'hive', options: {} }], { known })).toEqual(['LOCATION_UNKNOWN']);
    expect(within([{}, null])).toEqual(['CONNECTOR_UNKNOWN']);
  });

  const known = [
    gravitinoCatalog({
      name: 'crm',
      provider: 'jdbc-mysql',
      properties: { 'jdbc-url': 'jdbc:mysql://root:secret@DB:3306', 'jdbc-password': 'secret' },
    }),
    gravitinoCatalog({
      name: 'erp',
      provider: 'jdbc-postgresql',
      properties: { 'jdbc-url': 'jdbc:postgresql://pg/app', 'jdbc-database': 'app' },
    }),
  ];
  it('finds tables of a relational catalog by their server', () => {
    expect(JSON.stringify(known)).not.toContain('secret');
    expect(within([jdbc('jdbc:mysql://db:3306/shop', 'orders')], { known })).toEqual([
      'lake crm.shop.orders | TABLE mysql://db:3306 shop.orders',
    ]);
    expect(within([jdbc('jdbc:mysql://other/shop', 'orders')], { known })).toEqual(['mysql://other:3306 shop.orders']);
    expect(within([jdbc('jdbc:postgresql://pg/app', 'orders')], { known })).toEqual([
      'lake erp.public.orders | TABLE postgres://pg:5432 app.orders | TABLE postgres://pg:5432 app.public.orders',
    ]);
    expect(within([jdbc('jdbc:postgresql://pg/other', 'public.orders')], { known })).toEqual(['postgres://pg:5432 other.public.orders']);
    const twins = [...known, gravitinoCatalog({ name: 'crm2', provider: 'jdbc-mysql', properties: { 'jdbc-url': 'jdbc:mysql://db' } })];
    expect(within([jdbc('jdbc:mysql://db:3306/shop', 'orders')], { known: twins })).toEqual(['mysql://db:3306 shop.orders']);
  });

  it('finds tables of a Paimon catalog by their warehouse, whatever the script calls it', () => {
    const paimons = [
      gravitinoCatalog({
        name: 'lake',
        provider: 'lakehouse-paimon',
        properties: { warehouse: 's3a://b/wh/', 's3-secret-access-key': 'secret' },
      }),
      gravitinoCatalog({ name: 'dfs', provider: 'lakehouse-paimon', properties: { warehouse: 'hdfs://nn:8020/wh' } }),
      gravitinoCatalog({ name: 'ice', provider: 'lakehouse-iceberg', properties: { warehouse: 's3://b/other' } }),
    ];
    expect(JSON.stringify(paimons)).not.toContain('secret');
    const of = (warehouse: string, table = 'orders', list: typeof paimons = paimons) =>
      within([{}, { type: 'paimon', options: { warehouse } }, ['mine', 'sales', table]], { known: list }).map(
        (each) => each.split(' | ')[0],
      );
    expect(of('s3://b/wh')).toEqual(['lake lake.sales.orders']);
    expect(of('s3a://b/wh/', 'orders$branch_x')).toEqual(['lake lake.sales.orders']);
    expect(of('hdfs://nn:8020/wh')).toEqual(['lake dfs.sales.orders']);
    expect(of('s3://b/other')).toEqual(['s3://b other/sales.db/orders']);
    const twin = gravitinoCatalog({ name: 'twin', provider: 'lakehouse-paimon', properties: { warehouse: 's3://b/wh' } });
    expect(of('s3://b/wh', 'orders', [...paimons, twin])).toEqual(['s3://b wh/sales.db/orders']);
    expect(
      within([{ connector: 'paimon', path: 's3://b/wh/sales.db/orders' }, null, ['c', 'sales', 'orders']], { known: paimons })[0],
    ).toMatch(/^lake lake\.sales\.orders \| TABLE s3:\/\/b wh\/sales\.db\/orders/);
  });

  it('compares servers as the rules name them, and prints them as the site does', () => {
    const others: Partial<IdentitySettings> = { namespaceAliases: { 'mysql://db:3306': 'mysql://crm' } };
    expect(within([jdbc('jdbc:mysql://db/shop', 'orders')], { known }, others)).toEqual([
      'lake crm.shop.orders | TABLE mysql://crm shop.orders',
    ]);
  });

  it('treats other tables as the settings say', () => {
    expect(within([kafka('b1', 'a;b')])).toEqual(['kafka://b1 a', 'kafka://b1 b']);
    expect(within([kafka('b1', 'a;b')], { unmanaged: 'logical' })).toEqual([
      'lake c.sales.orders | TABLE kafka://b1 a | TABLE kafka://b1 b',
    ]);
    expect(within([kafka('b1')], { unmanaged: 'none' })).toEqual(['NOT_IN_GRAVITINO']);
    expect(within([{ connector: 'print' }], { unmanaged: 'logical' })).toEqual(['NO_IDENTITY']);
  });

  it('needs a metalake', () => {
    expect(identityProblems({ ...settings, profile: 'gravitino', gravitino: { catalogs: {}, unmanaged: 'physical' } })).toHaveLength(1);
    expect(identityProblems({ ...settings, profile: 'gravitino', gravitino })).toEqual([]);
  });
});
