// The rules of the families that no sample covers, and what all families share: examples, refusals, old options.
import { describe, expect, it } from 'vitest';
import {
  connectorCatalogue,
  distill,
  type Identification,
  type IdentitySettings,
  identify,
  silentConnectors,
} from '../../src/identity/identity.ts';
import { literalName } from '../../src/identity/literal.ts';
import type { CatalogFacts, TablePath } from '../../src/plan/plan.ts';
import { settings } from './samples.ts';

type Options = Record<string, string>;

const name = (
  options: Options,
  catalog: CatalogFacts | null = null,
  path: TablePath = ['c', 'sales', 'orders'],
  location: string | null = null,
  profile: IdentitySettings = settings,
) =>
  identify(
    distill({ facts: { path, temporary: false, options, columns: [], primaryKey: [], partitionKeys: [] }, catalog }, location),
    profile,
  );

const short = (found: Identification): string[] =>
  'reason' in found ? [found.reason] : found.datasets.map((dataset) => `${dataset.namespace} ${dataset.name}`);

const links = (found: Identification): string[] =>
  'reason' in found ? [] : found.datasets.flatMap(({ symlinks }) => symlinks.map((link) => `${link.type} ${link.namespace} ${link.name}`));

describe('the catalogue', () => {
  it.each(connectorCatalogue())('$connectors: its example is named as it says', ({ example, connectors, catalogs, options, authority }) => {
    expect(short(name(example.options, example.catalog ?? null))).toEqual([`${example.namespace} ${example.name}`]);
    expect(connectors.length + catalogs.length).toBeGreaterThan(0);
    expect([options, authority]).not.toContain('');
  });

  it('names every connector once', () => {
    const names = connectorCatalogue().flatMap(({ connectors }) => connectors);
    expect(new Set([...names, ...silentConnectors]).size).toBe(names.length + silentConnectors.length);
  });
});

describe('refusals', () => {
  it.each(silentConnectors)('%s is silent', (connector) => {
    expect(name({ connector })).toMatchObject({ reason: 'NO_IDENTITY', silent: true });
  });

  it.each<[string, Options]>([
    ['CONNECTOR_UNKNOWN', { connector: 'my-own' }],
    ['CONNECTOR_UNKNOWN', { connector: 'Kafka' }],
    ['CONNECTOR_UNKNOWN', { connector: 'constructor' }],
    ['CONNECTOR_UNKNOWN', {}],
    ['OPTION_MISSING', { connector: 'kafka', topic: 'a' }],
    ['OPTION_MISSING', { connector: 'kafka', 'properties.bootstrap.servers': 'b' }],
    ['OPTION_INVALID', { connector: 'kafka', 'properties.bootstrap.servers': 'b', topic: ';' }],
    ['PATTERN_UNRESOLVED', { connector: 'kafka', 'properties.bootstrap.servers': 'b', 'topic-pattern': 'a.*' }],
    ['OPTION_MISSING', { connector: 'jdbc', url: 'jdbc:mysql://h/d' }],
    ['OPTION_MISSING', { connector: 'mysql-cdc', hostname: 'h', 'database-name': 'd' }],
    ['OPTION_INVALID', { connector: 'mysql-cdc', hostname: 'h:1:2', 'database-name': 'd', 'table-name': 't' }],
    ['OPTION_INVALID', { connector: 'mysql-cdc', hostname: 'h', port: 'x', 'database-name': 'd', 'table-name': 't' }],
    ['PATTERN_UNRESOLVED', { connector: 'mysql-cdc', hostname: 'h', 'database-name': 'd_[0-9]+', 'table-name': 't' }],
    ['PATTERN_UNRESOLVED', { connector: 'mysql-cdc', hostname: 'h', 'database-name': 'd', 'table-name': 'a|b' }],
    ['PATTERN_UNRESOLVED', { connector: 'mongodb-cdc', hosts: 'h:1', database: 'd' }],
    ['PLACEHOLDER_UNRESOLVED', { connector: 'mysql-cdc', hostname: 'h', 'database-name': '${db}', 'table-name': 't' }],
    ['PATTERN_UNRESOLVED', { connector: 'elasticsearch-7', hosts: 'http://e:9200', index: 'orders-{ts|yyyy}' }],
    ['OPTION_INVALID', { connector: 'doris', fenodes: 'fe:8030', 'table.identifier': 'orders' }],
    ['OPTION_INVALID', { connector: 'starrocks', 'jdbc-url': 'fe:9030', 'database-name': 'd', 'table-name': 't' }],
    ['OPTION_INVALID', { connector: 'kinesis', 'stream.arn': 'ARN:aws:kinesis:r:1:stream/x' }],
    ['OPTION_INVALID', { connector: 'filesystem', path: `/${'x'.repeat(40_000)}` }],
  ])('%s for %j', (code, options) => expect(short(name(options))).toEqual([code]));

  it('name the pattern', () => {
    const found = name({ connector: 'mysql-cdc', hostname: 'h', 'database-name': 'db', 'table-name': 'orders_.*' });
    expect(found).toEqual({ reason: 'PATTERN_UNRESOLVED', message: "option 'table-name' is a pattern: orders_.*", silent: false });
  });

  it('print a placeholder as other producers do', () => {
    expect(short(name({ connector: 'filesystem', path: 's3://b/${dir}' }))).toEqual(['s3://b ${dir}']);
    expect(short(name({ connector: 'elasticsearch-7', hosts: 'http://e:9200', index: '${i}' }))).toEqual(['elasticsearch://e:9200 ${i}']);
  });

  it('do not care for placeholders outside the name', () => {
    expect(short(name({ connector: 'kafka', 'properties.bootstrap.servers': 'b1:9092,${b2}', topic: 'a' }))).toEqual(['kafka://b1:9092 a']);
  });
});

describe('patterns of CDC sources', () => {
  it.each([
    ['orders', 'orders'],
    ['my\\.orders', 'my.orders'],
    ['a-b_c', 'a-b_c'],
    ['a.b', undefined],
    ['a\\d', undefined],
    ['a\\\\', undefined],
    ['a,b', undefined],
    ['', undefined],
    ['表', '表'],
  ])('%s stands for %s', (pattern, literal) => expect(literalName(pattern)).toBe(literal));
});

describe('CDC sources', () => {
  const sqlserver = { connector: 'sqlserver-cdc', hostname: 'MS', 'database-name': 'app' };
  it('take schema and table from one option or two', () => {
    expect(short(name({ ...sqlserver, 'table-name': 'dbo.t' }))).toEqual(['sqlserver://ms:1433 app.dbo.t']);
    expect(short(name({ ...sqlserver, 'schema-name': 'dbo', 'table-name': 't' }))).toEqual(['sqlserver://ms:1433 app.dbo.t']);
    expect(links(name({ ...sqlserver, 'table-name': 'dbo.t' }))).toEqual([
      'TABLE mssql://ms:1433 app.dbo.t',
      'TABLE sqlserver://ms app.dbo.t',
    ]);
  });
  it('of Oracle may be given by url, with a pluggable database', () => {
    const options = {
      connector: 'oracle-cdc',
      url: 'jdbc:oracle:thin:@//ora:1522/svc',
      'database-name': 'CDB',
      'schema-name': 'HR',
      'table-name': 'EMP',
    };
    expect(short(name(options))).toEqual(['oracle://ora:1522 CDB.HR.EMP']);
    expect(short(name({ ...options, 'debezium.database.pdb.name': 'PDB1' }))).toEqual(['oracle://ora:1522 PDB1.HR.EMP']);
  });
  it('of PostgreSQL meet an unqualified jdbc table', () => {
    const found = name({ connector: 'postgres-cdc', hostname: 'pg', 'database-name': 'app', 'schema-name': 'public', 'table-name': 't' });
    expect(links(found)).toEqual(['TABLE postgres://pg:5432 app.t']);
  });
});

describe('catalog tables', () => {
  const paimon = (options: Options): CatalogFacts => ({ type: 'paimon', options });
  it('of Paimon are their location', () => {
    const found = name({}, paimon({ warehouse: 's3a://lake/wh' }), ['lake', 'default', 'orders$branch_x']);
    expect(short(found)).toEqual(['s3://lake wh/default.db/orders']);
    expect(links(found)).toEqual([
      'TABLE s3a://lake/wh lake.default.orders$branch_x',
      'TABLE paimon://s3a://lake/wh/default.db/orders lake.default.orders$branch_x',
    ]);
    expect(short(name({}, paimon({})))).toEqual(['LOCATION_UNKNOWN']);
    expect(short(name({}, paimon({ metastore: 'rest', warehouse: 'instance_1' })))).toEqual(['LOCATION_UNKNOWN']);
    expect(short(name({}, paimon({}), undefined, 'oss://b/x/y'))).toEqual(['oss://b /x/y']);
  });

  it('with a connector are that connector’s', () => {
    const options = { connector: 'kafka', 'properties.bootstrap.servers': 'b1', topic: 't' };
    expect(short(name(options, { type: 'hive', options: { warehouse: '/w' } }))).toEqual(['kafka://b1 t']);
  });

  it('of Hive follow the warehouse where the location is not known, and say so', () => {
    const catalog = { type: 'hive', options: { warehouse: 'hdfs:///w', 'hive.metastore.uris': 'thrift://h1:9083/,thrift://h2:9083' } };
    const found = name({}, catalog, ['h', 'default', 't']);
    expect(short(found)).toEqual(['hdfs /w/t']);
    expect(links(found)).toEqual(['TABLE hive://h1:9083 default.t']);
    expect(found).toMatchObject({ datasets: [{ assumed: true }] });
    expect(links(name({}, { type: 'hive', options: { warehouse: 'hdfs:///w' } }, ['h', 'd', 't']))).toEqual(['TABLE hdfs:/w d.t']);
    expect(short(name({}, { type: 'hive', options: { 'hive-conf-dir': '/etc/hive' } }))).toEqual(['LOCATION_UNKNOWN']);
  });

  it('of Iceberg take catalog options from the table where the connector stands there', () => {
    const options = {
      connector: 'iceberg',
      'catalog-type': 'hadoop',
      warehouse: 's3a://lake/ice',
      'catalog-database': 'd',
      'catalog-table': 't',
    };
    expect(short(name(options))).toEqual(['s3://lake ice/d/t']);
    expect(links(name(options))).toEqual(['TABLE s3://lake/ice d.t']);
    const rest = { type: 'iceberg', options: { 'catalog-type': 'rest', uri: 'http://u:p@rest:8181/', warehouse: 'prod' } };
    expect(short(name({}, rest))).toEqual(['LOCATION_UNKNOWN']);
    expect(links(name({}, rest, undefined, 's3://b/t'))).toEqual(['TABLE http://rest:8181/ sales.orders']);
  });

  it('of a JDBC catalog get its url', () => {
    const jdbc = (base: string) => ({ type: 'jdbc', options: { 'base-url': base } });
    expect(short(name({}, jdbc('jdbc:mysql://db:3306/'), ['c', 'shop', 'orders']))).toEqual(['mysql://db:3306 shop.orders']);
    expect(short(name({}, jdbc('jdbc:postgresql://pg:5432?ssl=true'), ['c', 'app', 'orders']))).toEqual([
      'postgres://pg:5432 app.public.orders',
    ]);
    expect(short(name({}, jdbc('jdbc:postgresql://pg:5432/'), ['c', 'app', 'sales.orders']))).toEqual([
      'postgres://pg:5432 app.sales.orders',
    ]);
  });

  it('of Doris, StarRocks, Fluss and Hudi catalogs have the catalog’s address', () => {
    expect(short(name({}, { type: 'doris', options: { fenodes: 'FE_1:8030' } }))).toEqual(['mysql://fe_1:9030 sales.orders']);
    expect(short(name({}, { type: 'starrocks', options: { 'jdbc-url': 'jdbc:starrocks://fe:9030' } }))).toEqual([
      'mysql://fe:9030 sales.orders',
    ]);
    expect(short(name({}, { type: 'hudi', options: { 'catalog.path': 's3a://b/hudi' } }))).toEqual(['s3://b hudi/sales/orders']);
    expect(short(name({}, { type: 'glue-of-mine', options: {} }))).toEqual(['CONNECTOR_UNKNOWN']);
  });
});

describe('files', () => {
  it('keep the untrimmed location as alternate', () => {
    expect(links(name({ connector: 'filesystem', path: 's3a://b/t/dt=2024-01-01' }))).toEqual(['LOCATION s3://b t/dt=2024-01-01']);
  });
  it('lose a password but no container', () => {
    expect(short(name({ connector: 'filesystem', path: 's3a://key:sec/ret@b/x@y/z' }))).toEqual(['s3://b x@y/z']);
    expect(short(name({ connector: 'filesystem', path: 'abfs://c@a.dfs.core.windows.net/p' }))).toEqual([
      'abfss://c@a.dfs.core.windows.net p',
    ]);
    expect(short(name({ connector: 'filesystem', path: 'alluxio://zk@z1:2181,z2:2181/p' }))).toEqual(['alluxio://zk@z1:2181,z2:2181 /p']);
  });
});

describe('lists', () => {
  it('of topics give one dataset each, in order, doubles once', () => {
    expect(short(name({ connector: 'upsert-kafka', 'properties.bootstrap.servers': 'b1', topic: 'b;a;b' }))).toEqual([
      'kafka://b1 b',
      'kafka://b1 a',
    ]);
    expect(short(name({ connector: 'pulsar', 'service-url': 'pulsar://P1,p2:1', topics: 'x;t/n/y;persistent://a/b/z' }))).toEqual([
      'pulsar://p1:6650 persistent://public/default/x',
      'pulsar://p1:6650 persistent://t/n/y',
      'pulsar://p1:6650 persistent://a/b/z',
    ]);
  });
});

describe('options before Flink 1.14', () => {
  it.each<[Options, string]>([
    [{ 'connector.type': 'kafka', 'connector.topic': 't', 'connector.properties.bootstrap.servers': 'b1' }, 'kafka://b1 t'],
    [
      {
        'connector.type': 'kafka',
        'connector.topic': 't',
        'connector.properties.0.key': 'bootstrap.servers',
        'connector.properties.0.value': 'b1',
      },
      'kafka://b1 t',
    ],
    [{ 'connector.type': 'jdbc', 'connector.url': 'jdbc:mysql://db/shop', 'connector.table': 'orders' }, 'mysql://db:3306 shop.orders'],
    [{ 'connector.type': 'filesystem', 'connector.path': 'file:///x' }, 'file /x'],
    [
      { 'connector.type': 'elasticsearch', 'connector.version': '6', 'connector.hosts': 'http://e:9200', 'connector.index': 'i' },
      'elasticsearch://e:9200 i',
    ],
  ])('%j', (options, expected) => expect(short(name(options))).toEqual([expected]));
});

describe('the profile streampark-4498', () => {
  const proposal = { profile: 'streampark-4498', jdbcNameRule: '1.54' } as const;
  it.each<[Options, CatalogFacts | null, string]>([
    [{ connector: 'mysql-cdc', hostname: 'Db', port: '3306', 'database-name': 'a', 'table-name': 't' }, null, 'mysql-cdc://Db:3306 a.t'],
    [{ connector: 'mysql-cdc', hostname: 'Db', 'database-name': 'a', 'table-name': 't' }, null, 'OPTION_MISSING'],
    [{ connector: 'doris', fenodes: 'fe:8030,fe2:8030', 'table.identifier': 'a.t' }, null, 'doris://fe:8030,fe2:8030 a.t'],
    [{}, { type: 'paimon', options: {} }, 'paimon://c/sales orders'],
    [{ connector: 'kafka', 'properties.bootstrap.servers': 'b', topic: 't' }, null, 'CONNECTOR_UNKNOWN'],
    [{ connector: 'print' }, null, 'NO_IDENTITY'],
  ])('%j %j', (options, catalog, expected) => expect(short(name(options, catalog, undefined, null, proposal))).toEqual([expected]));
});
