// JDBC names: 800 generated urls with the answers of openlineage-java 1.55.0, then the older rule and the alternates.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { distill, identify } from '../../src/identity/identity.ts';
import { nameJdbc } from '../../src/identity/jdbc/jdbc.ts';
import { repositoryRoot } from '../support/shared.ts';
import { settings } from './samples.ts';

const rows = readFileSync(join(repositoryRoot, 'test/fixtures/identity/jdbc.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as [url: string, table: string, namespace: string, name: string]);

const jdbc = (url: string, table: string) => {
  const facts = {
    path: ['c', 'd', 't'] as const,
    temporary: false,
    options: { connector: 'jdbc', url, 'table-name': table },
    columns: [],
    primaryKey: [],
    partitionKeys: [],
  };
  const found = identify(distill({ facts, catalog: null }), settings);
  if ('reason' in found) return [found.reason];
  return found.datasets.flatMap(({ namespace, name, symlinks }) => [
    `${namespace} ${name}`,
    ...symlinks.map((link) => `${link.namespace} ${link.name}`),
  ]);
};

describe('generated urls', () => {
  it.each(rows)('%j %j', (url, table, namespace, name) => {
    expect(nameJdbc(url, table, '1.54')).toMatchObject({ namespace, name });
  });
});

describe('names of three or more parts', () => {
  it.each([
    ['jdbc:sqlserver://ms:1433;databaseName=app', 'app.dbo.t', 'app.dbo.t', 'app.app.dbo.t'],
    ['jdbc:postgresql://pg/app', 'a.b.c.d', 'a.b.c.d', 'app.a.b.c.d'],
    ['jdbc:mysql://db/shop', 'a.b.c', 'a.b.c', 'a.b.c'],
    ['jdbc:postgresql://pg/app', 'public.t', 'app.public.t', 'app.public.t'],
  ])('%s %s', (url, table, since154, until153) => {
    expect([nameJdbc(url, table, '1.54')?.name, nameJdbc(url, table, '1.53')?.name]).toEqual([since154, until153]);
  });
});

describe('alternates', () => {
  it.each([
    ['jdbc:postgresql://pg/app', 'orders', ['postgres://pg:5432 app.orders', 'postgres://pg:5432 app.public.orders']],
    ['jdbc:postgresql://pg/app?currentSchema=sales,x', 'orders', ['postgres://pg:5432 app.orders', 'postgres://pg:5432 app.sales.orders']],
    ['jdbc:postgresql://pg/app', 'public.orders', ['postgres://pg:5432 app.public.orders']],
    ['jdbc:postgresql://pg/app', '"public"."Orders"', ['postgres://pg:5432 app."public"."Orders"', 'postgres://pg:5432 app.public.Orders']],
    ['jdbc:mysql://my_db/shop', 'orders', ['mysql://my_db/shop orders', 'mysql://my_db:3306 shop.orders']],
    ['jdbc:mysql://db/my-shop?x={1}', '`orders`', ['mysql://db/my-shop `orders`', 'mysql://db:3306 my-shop.orders']],
    ['jdbc:mysql://u:p@my_db/shop', 'orders', ['mysql://my_db/shop orders', 'mysql://my_db:3306 shop.orders']],
    [
      'jdbc:postgresql://pg_1:5432/app',
      'orders',
      ['postgresql://pg_1:5432/app orders', 'postgres://pg_1:5432 app.orders', 'postgres://pg_1:5432 app.public.orders'],
    ],
    ['jdbc:mariadb://m_1/shop', 'orders', ['mariadb://m_1/shop orders', 'mariadb://m_1 shop.orders']],
    [
      'jdbc:sqlserver://ms;databaseName=app',
      'orders',
      ['sqlserver://ms app.orders', 'sqlserver://ms app.dbo.orders', 'mssql://ms:1433 app.orders', 'mssql://ms:1433 app.dbo.orders'],
    ],
    ['jdbc:sqlserver://ms\\i;databaseName=app', 'dbo.orders', ['sqlserver://ms/i app.dbo.orders']],
    ['jdbc:trino://tr:8080/hive/sales', 'orders', ['trino://tr:8080 hive/sales.orders', 'trino://tr:8080 hive.sales.orders']],
    [
      'jdbc:redshift://c.abc.eu-west-1.redshift.amazonaws.com/dev',
      'public.t',
      ['redshift://c.abc.eu-west-1.redshift.amazonaws.com dev.public.t', 'redshift://c.eu-west-1:5439 dev.public.t'],
    ],
    [
      'jdbc:snowflake://acme-x.snowflakecomputing.com/?db=d&schema=s',
      't',
      ['snowflake://acme-x.snowflakecomputing.com t', 'snowflake://acme-x D.S.T'],
    ],
    ['jdbc:mysql://h:abc/shop', 'orders', ['mysql://h:abc/shop orders']],
    ['jdbc:derby:x', 't', ['OPTION_INVALID']],
  ])('%s %s', (url, table, expected) => expect(jdbc(url, table)).toEqual(expected));
});
