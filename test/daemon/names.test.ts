import { describe, expect, it } from 'vitest';
import { type NamedApp, nameOf } from '../../src/daemon/names.ts';

const app = (id: string, over: Partial<NamedApp> = {}): NamedApp => ({
  engine: 'flink',
  id,
  name: 'orders',
  teamId: '1',
  createTime: `2026-01-0${id} 00:00:00`,
  ...over,
});

describe('nameOf', () => {
  it('leaves a name alone that occurs once', () => {
    expect(nameOf('{app}', app('1'), 'shop', [app('1'), app('2', { name: 'Orders' })])).toEqual({ name: 'orders', duplicate: false });
  });

  it('appends the id to the later-created application, whatever the order of looking', () => {
    const both = [app('2'), app('1')];
    expect(nameOf('{app}', app('1'), null, both)).toEqual({ name: 'orders', duplicate: false });
    expect(nameOf('{app}', app('2'), null, both)).toEqual({ name: 'orders-2', duplicate: true });
    expect(nameOf('{app}', app('2'), null, both.reverse())).toEqual({ name: 'orders-2', duplicate: true });
  });

  it('tells two of one second apart by engine, then id as a number', () => {
    const same = { createTime: '2026-01-01 00:00:00' };
    expect(nameOf('{app}', app('9', same), null, [app('10', same)]).duplicate).toBe(false);
    expect(nameOf('{app}', app('10', same), null, [app('9', same)]).duplicate).toBe(true);
    expect(nameOf('{app}', app('9', { ...same, engine: 'spark' }), null, [app('10', same)]).duplicate).toBe(true);
  });

  it('counts only what the template makes equal', () => {
    const other = app('1', { teamId: '2' });
    expect(nameOf('{team}.{app}', app('2'), 'shop', [other])).toEqual({ name: 'shop.orders', duplicate: false });
    expect(nameOf('{app}#{id}', app('2'), null, [app('1')])).toEqual({ name: 'orders#2', duplicate: false });
  });
});
