// One physical table has one name, whatever connector, fork or catalog reaches it. The names in the first column are those of the
// official producers for the first way of each group (see the samples); the other ways meet it.
import { describe, expect, it } from 'vitest';
import { distill, identify } from '../../src/identity/identity.ts';
import type { CatalogFacts, TablePath } from '../../src/plan/plan.ts';
import { settings } from './samples.ts';

type Options = Record<string, string>;
type Way = readonly [options: Options, catalog?: CatalogFacts, path?: TablePath, location?: string | undefined];

function nameOf([options, catalog = { type: null, options: {} }, path = ['c', 'd', 't'], location]: Way): string {
  const facts = { path, temporary: false, options, columns: [], primaryKey: [], partitionKeys: [] };
  const found = identify(distill({ facts, catalog: catalog.type === null ? null : catalog }, location ?? null), settings);
  return 'reason' in found ? found.reason : found.datasets.map(({ namespace, name }) => `${namespace} ${name}`).join();
}

const kafka = (connector: string): Way => [{ connector, 'properties.bootstrap.servers': 'b1:9092,b2:9092', topic: 'orders' }];
const catalog = (type: string, options: Options, path: TablePath, location?: string): Way => [{}, { type, options }, path, location];

const groups: readonly [string, readonly Way[]][] = [
  ['kafka://b1:9092 orders', [...['kafka', 'upsert-kafka', 'kafka-inlong', 'upsert-kafka-inlong', 'kafka-x', 'upsert-kafka-x'].map(kafka)]],
  [
    'mysql://db:3306 shop.orders',
    [
      [{ connector: 'jdbc', url: 'jdbc:mysql://DB/shop?useSSL=false', 'table-name': 'orders' }],
      [{ connector: 'jdbc', url: 'jdbc:mysql://db:3306/other', 'table-name': 'shop.orders' }],
      [{ connector: 'mysql-cdc', hostname: 'DB', 'database-name': 'shop', 'table-name': 'orders' }],
      [{ connector: 'mysql-cdc-inlong', hostname: 'db', port: '3306', 'database-name': 'shop', 'table-name': 'orders' }],
      [{ connector: 'jdbc-inlong', url: 'jdbc:mysql://db:3306/shop', 'table-name': 'orders' }],
      [{ connector: 'mysql-x', url: 'jdbc:mysql://db:3306', schema: 'shop', 'table-name': 'orders' }],
      catalog('jdbc', { 'base-url': 'jdbc:mysql://db:3306' }, ['c', 'shop', 'orders']),
      catalog('gravitino-jdbc-mysql', { 'base-url': 'jdbc:mysql://db:3306' }, ['c', 'shop', 'orders']),
    ],
  ],
  [
    'postgres://pg:5432 app.public.orders',
    [
      [{ connector: 'jdbc', url: 'jdbc:postgresql://pg:5432/app', 'table-name': 'public.orders' }],
      [{ connector: 'postgres-cdc', hostname: 'PG', 'database-name': 'app', 'schema-name': 'public', 'table-name': 'orders' }],
      [{ connector: 'postgresql-x', url: 'jdbc:postgresql://pg/app', schema: 'public', 'table-name': 'orders' }],
      catalog('jdbc', { 'base-url': 'jdbc:postgresql://pg:5432/' }, ['c', 'app', 'orders']),
      catalog('gravitino-jdbc-postgresql', { 'base-url': 'jdbc:postgresql://pg', 'default-database': 'app' }, ['c', 'public', 'orders']),
    ],
  ],
  [
    'sqlserver://ms:1433 app.dbo.orders',
    [
      [{ connector: 'jdbc', url: 'jdbc:sqlserver://ms:1433;databaseName=app', 'table-name': 'dbo.orders' }],
      [{ connector: 'sqlserver-cdc', hostname: 'ms', 'database-name': 'app', 'table-name': 'dbo.orders' }],
      [{ connector: 'sqlserver-x', url: 'jdbc:jtds:sqlserver://ms:1433;databaseName=app', schema: 'dbo', 'table-name': 'orders' }],
    ],
  ],
  [
    'oracle://ora:1521 ORCL.HR.EMP',
    [
      [{ connector: 'jdbc', url: 'jdbc:oracle:thin:@ora:1521:ORCL', 'table-name': 'HR.EMP' }],
      [{ connector: 'oracle-cdc', hostname: 'ora', 'database-name': 'ORCL', 'schema-name': 'HR', 'table-name': 'EMP' }],
      [{ connector: 'oracle-x', url: 'jdbc:oracle:thin:@//ora:1521/ORCL', schema: 'HR', 'table-name': 'EMP' }],
    ],
  ],
  [
    'mysql://fe:9030 dw.totals',
    [
      [{ connector: 'jdbc', url: 'jdbc:mysql://fe:9030/dw', 'table-name': 'totals' }],
      [{ connector: 'doris', fenodes: 'FE:8030,fe2:8030', 'table.identifier': 'dw.totals' }],
      [{ connector: 'starrocks', 'jdbc-url': 'jdbc:mysql://fe:9030', 'database-name': 'dw', 'table-name': 'totals' }],
      catalog('doris', { fenodes: 'fe:8030' }, ['c', 'dw', 'totals']),
    ],
  ],
  [
    's3://lake wh/sales.db/orders',
    [
      [{ connector: 'filesystem', path: 's3a://lake/wh/sales.db/orders/dt=2024-01-01' }],
      [{ connector: 'hudi', path: 's3://lake/wh/sales.db/orders' }],
      [{ connector: 'paimon', path: 's3n://lake/wh/sales.db/orders' }],
      catalog('paimon', { warehouse: 's3a://lake/wh' }, ['c', 'sales', 'orders']),
      catalog('hive', { warehouse: 's3a://lake/wh' }, ['c', 'sales', 'orders']),
      catalog('iceberg', { 'catalog-type': 'hive', uri: 'thrift://h:9083' }, ['c', 'sales', 'orders'], 's3a://lake/wh/sales.db/orders'),
      catalog('gravitino-iceberg', { 'catalog-backend': 'rest' }, ['c', 'sales', 'orders'], 's3a://lake/wh/sales.db/orders'),
    ],
  ],
  [
    'mongodb://m1:27017 shop.orders',
    [
      [{ connector: 'mongodb-cdc', hosts: 'm1:27017', database: 'shop', collection: 'orders' }],
      [{ connector: 'mongodb', uri: 'mongodb://u:p@m1:27017/shop?x=1', database: 'shop', collection: 'orders' }],
    ],
  ],
  [
    'clickhouse://ch:8123 dw.orders',
    [
      [{ connector: 'jdbc', url: 'jdbc:clickhouse://ch/dw', 'table-name': 'orders' }],
      [{ connector: 'clickhouse', url: 'clickhouse://CH:8123', 'database-name': 'dw', 'table-name': 'orders' }],
      [{ connector: 'clickhouse-x', url: 'jdbc:clickhouse://ch:8123/dw', 'table-name': 'orders' }],
    ],
  ],
];

describe.each(groups)('%s', (name, ways) => {
  it.each(ways.map((way) => [JSON.stringify(way), way] as const))('%s', (_, way) => expect(nameOf(way)).toBe(name));
});
