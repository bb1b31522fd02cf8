import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { NamedTable } from '../../src/identity/identity.ts';
import { jobName, type NamedApp, sinkJobNames } from '../../src/openlineage/openlineage.ts';

const app: NamedApp = { engine: 'flink', id: '100042', app: 'orders', team: 'commerce' };
const builtIn = { catalog: 'default_catalog', database: 'default_database' };
const sink = (table: NamedTable['table'], namespace: string, name: string): NamedTable => ({
  table,
  connector: 'kafka',
  dataset: { namespace, name, symlinks: [] },
  columns: [],
});
const local = (table: string, name = table) => sink(['default_catalog', 'default_database', table], 'kafka://b:9092', name);
const names = (...sinks: NamedTable[]) => sinkJobNames('orders', sinks, builtIn);

describe('jobName', () => {
  test('fills the template once', () => {
    expect(jobName('{app}', app, false)).toBe('orders');
    expect(jobName('{team}.{app}-{id}', app, false)).toBe('commerce.orders-100042');
    expect(jobName('{app}', { ...app, app: '{team}{id}' }, false)).toBe('{team}{id}');
    expect(jobName('{app}', { ...app, app: '$&$1' }, false)).toBe('$&$1');
  });

  test('appends the id to a name that another application got first', () => {
    expect(jobName('{app}', app, true)).toBe('orders-100042');
    expect(jobName('{app}', { ...app, app: 'x'.repeat(2000) }, true)).toBe(`${'x'.repeat(693)}-100042`);
  });

  test('keeps what people can read and replaces what they cannot', () => {
    expect(jobName('{app}', { ...app, app: '数据同步 é.v2' }, false)).toBe('数据同步 é.v2');
    expect(jobName('{app}', { ...app, app: '\ta\tb\nc\u0000d\u2028' }, false)).toBe('a b c d');
    expect(jobName('{app}', { ...app, app: 'a\ud800b' }, false)).toBe('a\ufffdb');
    expect(jobName('{app}', { ...app, app: ' \t ' }, false)).toBe('flink-100042');
    expect(jobName('{team}{app}', { ...app, app: '', team: null }, false)).toBe('flink-100042');
  });

  test('is never empty, too long, torn or unprintable', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 900 }), fc.boolean(), (name, duplicate) => {
        const made = jobName('{app}', { ...app, app: name }, duplicate);
        expect(made.length).toBeGreaterThan(0);
        expect(made.length).toBeLessThanOrEqual(700);
        expect(made).not.toMatch(/[\p{Cc}\p{Surrogate}]/u);
      }),
    );
  });
});

describe('sinkJobNames', () => {
  test('uses the table alone in the built-in catalog and database, else the whole path', () => {
    expect(names(local('a'), sink(['lake', 'dw', 'b'], 's3://lake', 'b'), sink(['default_catalog', 'dw', 'c'], 'x', 'c'))).toEqual([
      'orders.a',
      'orders.lake.dw.b',
      'orders.default_catalog.dw.c',
    ]);
    expect(names(local('a\tb'), local(''))).toEqual(['orders.a b', 'orders.sink']);
  });

  test('tells sinks of one table apart by their dataset, whatever their order', () => {
    const [a, b, other] = [local('t', 'topic-a'), local('t', 'topic-b'), local('u')];
    const [nameA, nameB, nameOther] = names(a, b, other);
    expect(nameA).toMatch(/^orders\.t-[\da-f]{8}$/);
    expect(nameB).toMatch(/^orders\.t-[\da-f]{8}$/);
    expect(nameA).not.toBe(nameB);
    expect(nameOther).toBe('orders.u');
    expect(names(other, b, a)).toEqual([nameOther, nameB, nameA]);
  });

  test('stays distinct when a table is called like a suffixed name', () => {
    const [suffixed] = names(local('t', 'topic-a'), local('t', 'topic-b'));
    const trap = local((suffixed ?? '').slice('orders.'.length), 'trap');
    const made = names(local('t', 'topic-a'), local('t', 'topic-b'), trap);
    expect(new Set(made).size).toBe(3);
  });

  test('names are distinct, bounded and begin with the parent', () => {
    const part = fc.oneof(fc.constantFrom('a', 'b', '\t', 'x'.repeat(1200)), fc.string({ unit: 'binary', maxLength: 5 }));
    const table = fc.record({ path: fc.tuple(part, part, part), name: fc.string({ maxLength: 3 }) });
    fc.assert(
      fc.property(fc.uniqueArray(table, { selector: (t) => t.name, maxLength: 12 }), (tables) => {
        const made = names(...tables.map((t) => sink(t.path, 'ns', t.name)));
        expect(new Set(made).size).toBe(tables.length);
        for (const name of made) {
          expect(name.startsWith('orders.')).toBe(true);
          expect(name.length).toBeLessThanOrEqual(1000);
          expect(name).not.toMatch(/[\p{Cc}\p{Surrogate}]/u);
        }
      }),
    );
  });
});
