// Patterns against lists of names: levels, lists, case, and expressions that would never end.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Pattern } from '../../src/identity/identity.ts';
import { connectionFor, parseConnection } from '../../src/names/connections.ts';
import { matchNames } from '../../src/names/matching.ts';
import { settingsFor } from './tablessuite.ts';

const kafka = (...expressions: string[]): Pattern => ({
  kind: 'kafka',
  namespace: 'kafka://b1:9092',
  database: null,
  levels: [expressions],
  ignoreCase: false,
});
const mysql = (database: string[], table: string[]): Pattern => ({
  kind: 'mysql',
  namespace: 'mysql://db:3306',
  database: null,
  levels: [database, table],
  ignoreCase: true,
});
const topics = ['orders', 'orders.eu', 'Orders', 'x-orders'].map((topic) => [topic]);
const names = (found: ReturnType<typeof matchNames>) => ('problem' in found ? found.problem : found.names.map((parts) => parts.join('.')));

describe('a pattern', () => {
  it('matches whole names', () => {
    expect(names(matchNames(topics, kafka('orders')))).toEqual(['orders']);
    expect(names(matchNames(topics, kafka('orders.*')))).toEqual(['orders', 'orders.eu']);
    expect(names(matchNames(topics, kafka('(?i)orders')))).toEqual(['orders', 'Orders']);
    expect(names(matchNames(topics, kafka('orders|x-.*')))).toEqual(['orders', 'x-orders']);
  });
  it('of tables matches the database and the whole name', () => {
    const tables = [
      ['shop', 'a'],
      ['shop', 'b'],
      ['crm', 'a'],
      ['shop.a', 'a'],
    ];
    expect(names(matchNames(tables, mysql(['SHOP'], ['shop\\.[ab]'])))).toEqual(['shop.a', 'shop.b']);
    expect(names(matchNames(tables, mysql(['shop', 'crm'], ['.*\\.a'])))).toEqual(['shop.a', 'crm.a']);
    expect(names(matchNames([['app', 'sales', 'a']], { ...mysql(['sales'], ['sales\\.a']), kind: 'postgres' }))).toEqual(['app.sales.a']);
  });
  it('that is none, or would run for ever, is a problem', () => {
    expect(names(matchNames(topics, kafka('orders[')))).toBe('this program cannot follow the expression');
    expect(names(matchNames(topics, kafka()))).toBe('this program cannot follow the expression');
    expect(names(matchNames([['a'.repeat(200)]], kafka('(a*)*b')))).toBe('the expression takes too long');
  });
  it('never throws, and finds nothing that is not there', () => {
    const odd = fc.string({ unit: fc.constantFrom(...'ab.*+?[](){}|\\^$,-&QE1d'), maxLength: 12 });
    fc.assert(
      fc.property(odd, fc.array(fc.string({ unit: fc.constantFrom(...'ab.1'), maxLength: 5 }), { maxLength: 5 }), (expression, list) => {
        const found = matchNames(
          list.map((name) => [name]),
          kafka(expression),
        );
        if ('names' in found) for (const [name] of found.names) expect(list).toContain(name);
      }),
      { numRuns: 300 },
    );
  });
});

describe('connections', () => {
  const of = (...connections: object[]) => settingsFor(connections).connections;
  const found = (pattern: Pattern, ...connections: object[]) => connectionFor(pattern, of(...connections))?.url;
  it('are found by the namespace of the tables', () => {
    expect(found(mysql([], []), { url: 'mysql://u:p@DB/' })).toBe('mysql://u:p@DB/');
    expect(found(mysql([], []), { url: 'mysql://db:3307' })).toBeUndefined();
    expect(found(mysql([], []), { url: 'postgres://db:3306' })).toBeUndefined();
    expect(found(mysql([], []), { url: 'mariadb://proxy', namespace: 'mysql://db:3306' })).toBe('mariadb://proxy');
    expect(found(kafka(), { url: 'kafka://b0,b1:9092' })).toBe('kafka://b0,b1:9092');
    expect(
      found({ ...mysql([], []), namespace: 'oceanbase://ob:2881' }, { url: 'mysql://ob:2881', namespace: 'oceanbase://ob:2881' }),
    ).toBe('mysql://ob:2881');
  });
  it.each<[string, object]>([
    ['mysql://u:p%40@h:1,H2/db?x=1', { hosts: ['h:1', 'h2'], user: 'u', password: 'p@', rest: '/db?x=1' }],
    ['mysql://u:p@q@h', { hosts: ['h'], user: 'u', password: 'p@q', rest: '' }],
    ['kafka://%zz@h', { hosts: ['h'], user: '%zz', password: undefined }],
    ['postgres://[::1]:5433', { hosts: ['[::1]:5433'], user: undefined }],
  ])('%s is read', (url, expected) => expect(parseConnection(url)).toMatchObject(expected));
  it('of other kinds are refused by the settings, without their value', () => {
    expect(() => of({ url: 'redis://u:Geheim@h' })).toThrowError(/identity.connections/);
    expect(() => of({ url: 'redis://u:Geheim@h' })).not.toThrowError(/Geheim/);
  });
});
