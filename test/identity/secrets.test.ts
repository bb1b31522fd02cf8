// No secret survives: passwords planted wherever a table or catalog can hold one reach neither the facts nor the names.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { connectorCatalogue, distill, identify } from '../../src/identity/identity.ts';
import { hideCredentials } from '../../src/identity/jdbc/credentials.ts';
import type { TableUse } from '../../src/lineage/lineage.ts';
import { repositoryRoot } from '../support/shared.ts';

const core = 'Zq7xK9wPmT';
const noise = (characters: string) => fc.string({ unit: fc.constantFrom(...characters), maxLength: 3 });
/** The core of the password is what must not be seen; odd characters around it try to lead the parsers astray. */
const password = fc.tuple(noise('!$%^*-_.~aB1@#?/:+'), noise('!$%^*-_.~aB1@+')).map(([before, after]) => `${before}${core}${after}`);
const mild = fc.tuple(noise('!$*-_.~aB1'), noise('!$*-_.~aB1')).map(([before, after]) => `${before}${core}${after}`);

const use = (options: Record<string, string>, catalog: TableUse['catalog'] = null): TableUse => ({
  facts: { path: ['c', 'db', 't'], temporary: false, options, columns: [], primaryKey: [], partitionKeys: [] },
  catalog,
});

function expectHidden(table: TableUse, location: string | null = null): void {
  const facts = distill(table, location);
  const results = [
    identify(facts, { profile: 'openlineage', jdbcNameRule: '1.54' }),
    identify(facts, { profile: 'openlineage', jdbcNameRule: '1.53' }),
    identify(facts, { profile: 'streampark-4498', jdbcNameRule: '1.54' }),
  ];
  const text = JSON.stringify([facts, results]);
  // Hosts are lower-cased. No assertion per case: there are many thousands.
  if (text.toLowerCase().includes(core.toLowerCase())) expect(text).not.toContain(core);
}

interface GoldenTable {
  readonly options: Readonly<Record<string, string>>;
  readonly catalog?: TableUse['catalog'];
}

function goldenCases(): GoldenTable[] {
  const folder = join(repositoryRoot, 'test/identity/golden');
  return readdirSync(folder).flatMap((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as GoldenTable[]);
}

const jdbcUrls = (secret: string): string[] => [
  `jdbc:mysql://root:${secret}@db:3306/shop`,
  `jdbc:mysql://root:${secret}@my_db:3306/shop?useSSL=false`,
  `jdbc:mysql://u:${secret}@h1,u2:${secret}@h2/shop`,
  `jdbc:mysql://db/shop?user=root&password=${encodeURIComponent(secret)}&x={y}`,
  `jdbc:postgresql://u:${secret}@h1:5432,h2:5432/my-db`,
  `jdbc:postgresql://pg_1/app?sslpassword=${encodeURIComponent(secret)}`,
  `jdbc:oracle:thin:scott/${secret}@ora_1:1521:ORCL`,
  `jdbc:oracle:thin:scott/${secret}@//ora:1521/svc`,
  `jdbc:oracle:thin:scott/${secret}@(DESCRIPTION=(ADDRESS=(HOST=h_1)(PORT=1521))(CONNECT_DATA=(SID=s)))`,
  `jdbc:clickhouse://u:${secret}@h:8123/db`,
  `jdbc:weird:x://u:${secret}@h/db`,
];

const parameterUrls = (secret: string): string[] => [
  `jdbc:sqlserver://ms:1433;databaseName=app;user=sa;password={${secret}};encrypt=false`,
  `jdbc:sqlserver://ms_1,1433;databaseName=app;user=sa;password=${secret}`,
  `jdbc:db2://h:50000/SAMPLE:user=u;password=${secret};`,
  `jdbc:hive2://h:10000/db;user=u;password=${secret}`,
  `jdbc:hive2://z1:2181,z2:2181/db;user=u;trustStorePassword=${secret}?x=y`,
  `jdbc:teradata://h/DATABASE=a,USER=u,PASSWORD=${secret}`,
  `jdbc:snowflake://a.snowflakecomputing.com/?user=u&password=${secret}&db=D`,
  `jdbc:foo:bar;accessToken=${secret}`,
];

describe('secrets', { timeout: 30_000 }, () => {
  it('in a JDBC url are gone from facts and names', () => {
    fc.assert(
      fc.property(password, mild, (secret, plain) => {
        for (const url of [...jdbcUrls(secret), ...parameterUrls(plain)]) {
          for (const key of ['url', 'jdbc-url']) {
            const connector = key === 'url' ? 'jdbc' : 'doris';
            expectHidden(use({ connector, [key]: url, 'table-name': 't', 'table.identifier': 'a.b', password: secret }));
          }
          expectHidden(use({}, { type: 'jdbc', options: { type: 'jdbc', 'base-url': url } }));
        }
      }),
      { numRuns: 150 },
    );
  });

  it('in any address of any connector are gone', () => {
    fc.assert(
      fc.property(mild, (secret) => {
        for (const { example } of connectorCatalogue()) {
          const planted = (options: Readonly<Record<string, string>>): Record<string, string>[] =>
            Object.entries(options)
              .filter(
                ([key, value]) =>
                  key !== 'connector' &&
                  key !== 'type' &&
                  !/topic|table|name|port|region|arn|index|keyspace|collection|database|schema/.test(key) &&
                  /[:.\d]/.test(value),
              )
              .map(([key, value]) => ({
                ...options,
                [key]: /:\/\//.test(value)
                  ? value.replace('://', `://u:${secret}@`)
                  : /^(jdbc|abfs|wasb)/.test(value)
                    ? value
                    : `u:${secret}@${value}`,
              }));
          for (const options of planted(example.options)) expectHidden(use({ ...options, password: secret, 'sasl.jaas.config': secret }));
          for (const options of planted(example.catalog?.options ?? {}))
            expectHidden(use({}, { type: example.catalog?.type ?? null, options }));
        }
        expectHidden(use({ connector: 'filesystem', path: '/x' }), `s3a://key:${secret}@bucket/path`);
        expectHidden(use({ connector: 'iceberg', uri: `http://r:8181/?token=${secret}`, 'catalog-type': 'rest', location: 's3://b/t' }));
      }),
      { numRuns: 100 },
    );
  });

  it('in any address of any golden case are gone, forks and catalogs included', () => {
    const notAddresses =
      /^(?:connector|type|topic|topics|topic-pattern|index|queue|queue-name|collection|database|keyspace|keyspaces|(?:query-)?port)$|table|name|schema|scheme|region|arn|stream|class|impl|catalogid|glue\.id/;
    const plant = (options: Readonly<Record<string, string>>, secret: string): Record<string, string>[] =>
      Object.entries(options)
        .filter(([key, value]) => !notAddresses.test(key) && !value.startsWith('jdbc:') && !/^(?:abfs|wasb|\/)/.test(value))
        .map(([key, value]) => ({
          ...options,
          [key]: value.includes('://') ? value.replace('://', `://u:${secret}@`) : /[\d.]/.test(value) ? `u:${secret}@${value}` : value,
        }));
    fc.assert(
      fc.property(fc.constantFrom(...goldenCases()), mild, ({ options, catalog }, secret) => {
        for (const changed of plant(options, secret)) expectHidden(use({ ...changed, password: secret }, catalog ?? null));
        for (const changed of plant(catalog?.options ?? {}, secret)) {
          expectHidden(use({ ...options }, { type: catalog?.type ?? null, options: { ...changed, 'jdbc-password': secret } }));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('leave the names of safe urls alone', () => {
    const clean = [
      'jdbc:mysql://db:3306/shop?useSSL=false',
      'jdbc:sqlserver://ms;databaseName=app',
      'jdbc:oracle:thin:@ora:1521:ORCL',
      'jdbc:oceanbase://h:2881/t@x',
    ];
    expect(clean.map(hideCredentials)).toEqual(clean);
  });

  it('are masked, not cut, where the official name does not show them', () => {
    expect(hideCredentials('jdbc:mysql://scott:tiger@h1,h_2,H3/city')).toBe('jdbc:mysql://x:x@h1,h_2,H3/city');
    expect(hideCredentials('jdbc:postgresql://u:S3cret!@h_1:5432/db')).toBe('jdbc:postgresql://h_1:5432/db');
  });
});
