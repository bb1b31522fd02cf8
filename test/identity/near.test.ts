// Names that are most likely one dataset: each kind of difference, and pairs that are two datasets.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distill, identify, type KnownName, nearMisses, withOtherServers } from '../../src/identity/identity.ts';
import { settings } from './samples.ts';

const known = (text: string): KnownName => {
  const [namespace = '', ...name] = text.split(' ');
  return { namespace, name: name.join(' ') };
};

/** Ours and known -> differences of the first near miss, or none. */
function differences(ours: string, other: string, symlinks: readonly string[] = []): readonly string[] {
  const dataset = { ...known(ours), symlinks: symlinks.map((link) => ({ ...known(link), type: 'TABLE' as const })) };
  return nearMisses([{ dataset, servers: [] }], [known(other)])[0]?.differences ?? [];
}

describe('near misses', () => {
  it.each([
    ['mysql://db:3306 shop.orders', 'mysql://DB:3306 shop.orders', ['case']],
    ['mysql://db:3306 shop.orders', 'mysql://db:3306 Shop.Orders', ['case']],
    ['mysql://db:3306 shop.orders', 'mysql://db shop.orders', ['port']],
    ['mysql://db:3306 shop.orders', 'mariadb://db shop.orders', ['scheme', 'port']],
    ['postgres://pg:5432 app.orders', 'postgres://pg:5432 app.public.orders', ['schema']],
    ['postgres://pg:5432 app.public.orders', 'postgresql://PG:5432 app.orders', ['scheme', 'schema', 'case']],
    ['sqlserver://ms:1433 app.dbo.t', 'mssql://ms:1433 app.dbo.t', ['scheme']],
    ['oracle://o:1521 svc.EMP', 'oracle://o:1521 svc.HR.EMP', ['schema']],
    ['kafka://b1:9092 orders', 'kafka://b1 orders', ['port']],
    ['kafka://b1:9092 orders', 'kafka://SSL://b1:9092 orders', []],
    ['s3://lake raw/orders', 's3a://lake raw/orders', ['scheme']],
    ['s3://lake raw/orders', 's3://lake /raw/orders', ['slash']],
    ['postgres://pg:5432 app.public.orders', 'postgres://pg:5432 app."public"."orders"', ['quotes']],
    ['hdfs://nn:8020 /w/t', 'hdfs://nn /w/t', ['port']],
  ])('%s and %s differ in %j', (ours, other, expected) => expect(differences(ours, other)).toEqual(expected));

  it.each([
    ['mysql://db:3306 shop.orders', 'mysql://db:3306 shop.orders'],
    ['mysql://db:3306 shop.orders', 'mysql://db2:3306 shop.orders'],
    ['mysql://db:3306 shop.orders', 'mysql://db:3306 crm.orders'],
    ['postgres://pg:5432 app.sales.orders', 'postgres://pg:5432 app.public.orders'],
    ['kafka://b1:9092 a.b.c', 'kafka://b1:9092 a.c'],
    ['kafka://b1:9092 orders', 'kafka://b2:9092 orders'],
    ['bigquery p.d.t', 'snowflake p.d.t'],
    ['s3://lake raw/orders', 'gs://lake raw/orders'],
  ])('%s and %s are none', (ours, other) => expect(differences(ours, other)).toEqual([]));

  it('know our symlinks', () => {
    expect(differences('s3://lake wh/t', 'hive://hms:9083 db.t', ['hive://hms:9083 db.t'])).toEqual(['symlink']);
  });

  it('know the other servers of a list, for every rule that takes the first', () => {
    const table = (options: Record<string, string>) =>
      distill({
        facts: { path: ['c', 'd', 't'], temporary: false, options, columns: [], primaryKey: [], partitionKeys: [] },
        catalog: null,
      });
    const namespaces = (options: Record<string, string>) =>
      withOtherServers(table(options)).map((facts) => {
        const found = identify(facts, settings);
        return 'datasets' in found ? found.datasets[0]?.namespace : found.reason;
      });
    expect(namespaces({ connector: 'kafka', 'properties.bootstrap.servers': 'b1:9092, b2:9092,b3:9092', topic: 't' })).toEqual([
      'kafka://b2:9092',
      'kafka://b3:9092',
    ]);
    expect(namespaces({ connector: 'elasticsearch-7', hosts: 'http://e1:9200;http://e2:9200', index: 'i' })).toEqual([
      'elasticsearch://e2:9200',
    ]);
    expect(namespaces({ connector: 'mysql-cdc', hostname: 'h', 'database-name': 'd', 'table-name': 't' })).toEqual([]);
    const dataset = { namespace: 'kafka://b1:9092', name: 't', symlinks: [] };
    const servers = [known('kafka://b2:9092 t')];
    expect(nearMisses([{ dataset, servers }], [known('kafka://b2:9092 t'), known('kafka://b3:9092 t')])).toEqual([
      { ours: known('kafka://b1:9092 t'), known: known('kafka://b2:9092 t'), differences: ['server'] },
    ]);
  });

  it('are no names that we report ourselves', () => {
    const of = (text: string) => ({ dataset: { ...known(text), symlinks: [] }, servers: [] });
    const both = ['postgres://pg:5432 app.orders', 'postgres://pg:5432 app.public.orders'];
    expect(nearMisses(both.map(of), both.map(known))).toEqual([]);
  });

  it('never throw, and a name is no near miss of itself', () => {
    const text = fc.string({ unit: fc.constantFrom(...'aB1:/.,@"`[] é'), maxLength: 14 });
    const name = fc.record({
      namespace: fc.oneof(
        text,
        text.map((rest) => `mysql://${rest}`),
      ),
      name: text,
    });
    fc.assert(
      fc.property(fc.array(name, { maxLength: 4 }), fc.array(name, { maxLength: 4 }), (ours, others) => {
        const found = nearMisses(
          ours.map((each) => ({ dataset: { ...each, symlinks: [] }, servers: [] })),
          [...others, ...ours],
        );
        for (const miss of found) expect(miss.known).not.toEqual(miss.ours);
      }),
    );
  });
});
