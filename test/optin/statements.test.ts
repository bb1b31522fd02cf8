import { describe, expect, it } from 'vitest';
import { type Footprint, kindOf, oneLine, planDown, planUp } from '../../src/optin/optin.ts';
import { storedKeys } from '../../src/settings/settings.ts';

const column = { type: 'tinyint', boolean: false, problem: undefined };

const mysql: Footprint = {
  family: 'mysql',
  tables: [
    { table: 't_flink_app', engine: 'flink', columns: ['id'], optIn: undefined },
    { table: 't_spark_app', engine: 'spark', columns: ['id'], optIn: column },
  ],
  settings: storedKeys.map((key, i) => ({ key, present: i === 1, changed: false })),
};

describe('the plan of the migration', () => {
  it('adds what is missing and nothing else', () => {
    expect(planUp(mysql).map((s) => s.sql)).toEqual([
      'alter table t_flink_app add column lineage_enable tinyint null default 0',
      expect.stringMatching(
        /^insert into t_setting \(order_num, .* select 16, 'lineage\.gravitino\.address', null, .* from dual where not exists/,
      ),
      expect.stringContaining("select 18, 'lineage.gravitino.namespace', null"),
      expect.stringContaining("select 19, 'lineage.flink.native.listener.enable', 'false'"),
    ]);
    expect(planUp({ ...mysql, family: 'postgres' })[0]?.sql).toBe(
      'alter table t_flink_app add column if not exists lineage_enable boolean default false',
    );
  });

  it('removes what is there and nothing else', () => {
    expect(planDown(mysql).map((s) => s.purpose)).toEqual([
      't_setting: delete lineage.gravitino.token',
      't_spark_app: drop lineage_enable',
    ]);
    expect(planDown({ ...mysql, settings: undefined, tables: [] })).toEqual([]);
  });

  it('never writes a column list that another column could break', () => {
    for (const { sql } of planUp(mysql).slice(1))
      expect(sql).toContain('(order_num, setting_key, setting_value, setting_name, description, type)');
  });
});

describe('refusals of the databases', () => {
  it.each([
    [{ errno: 1142 }, 'privilege'],
    [{ code: '42501' }, 'privilege'],
    [{ errno: 1205 }, 'locked'],
    [{ code: '55P03' }, 'locked'],
    [{ errno: 1060 }, 'present'],
    [{ errno: 1091 }, 'absent'],
    [{ code: 'ECONNREFUSED', errno: -111 }, 'unreachable'],
    [new Error('timeout exceeded when trying to connect'), 'unreachable'],
    [new AggregateError([Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })]), 'unreachable'],
    [{ errno: 1049 }, 'schema'],
    [{ code: '28P01' }, 'login'],
    [new Error('anything'), 'query'],
    [null, 'query'],
    ['text', 'query'],
  ])('%j is %s', (error, kind) => {
    expect(kindOf(error)).toBe(kind);
  });

  it('become one line', () => {
    expect(oneLine(new Error('a\n  b\tc'))).toBe('a b c');
    expect(oneLine(Object.assign(new Error(''), { code: 'ECONNRESET' }))).toBe('ECONNRESET');
    expect(oneLine(undefined)).toBe('undefined');
    expect(oneLine(new Error('x'.repeat(10_000))).length).toBe(300);
  });
});
