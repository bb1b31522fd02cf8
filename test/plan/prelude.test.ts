import { describe, expect, it } from 'vitest';
import { type FoundFiles, planKey, prepareScript, prepareText } from '../../src/plan/plan.ts';
import { readSettings } from '../../src/settings/settings.ts';
import type { StoredScript } from '../../src/watch/watch.ts';

const limits = { maxScriptBytes: 1e6 };
const missing = () => {
  throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
};
/** Files by path, as a machine would have them. */
const files = (found: Readonly<Record<string, string>>): FoundFiles => ({
  read: (path) => found[path] ?? missing(),
  list: (folder) => {
    const names = Object.keys(found).flatMap((path) => (path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : []));
    return names.length === 0 ? missing() : names;
  },
});
const none = { preludes: [], functions: {}, catalogs: [], inferColumns: true, files: files({}) };
const stored = (sql: string, over: Partial<StoredScript> = {}): StoredScript => ({
  engine: 'flink',
  sqlId: '1',
  sqlVersion: 1,
  sql,
  variables: [],
  team: ['100000', 'analytics'],
  config: null,
  dynamicProperties: null,
  engineVersion: null,
  engineConf: null,
  ...over,
});
const insert = 'INSERT INTO lake.ods.t SELECT * FROM crm.c;';
const texts = (prepared: ReturnType<typeof prepareText>) => prepared.prelude.map(({ text }) => text);

describe('preludes', () => {
  const preludes = [
    { sql: "CREATE TABLE a (x INT) WITH ('password' = 'geh3im');\n-- a remark\nCREATE FUNCTION f AS 'c';SELECT 1" },
    { catalog: 'lake', team: 'analytics', file: '/lake.sql' },
    { catalog: 'other', sql: 'CREATE TABLE o (x INT)' },
    { team: 'sales', sql: 'CREATE TABLE s (x INT)' },
    { team: '100000', sql: 'CREATE TABLE n (x INT)' },
  ];
  const around = { ...none, preludes, files: files({ '/lake.sql': 'CREATE TABLE ods.t (x INT)' }) };

  it('are those of the team and of the catalogs that the script names, each in its own catalog', () => {
    const prepared = prepareScript(stored(insert), limits, around);
    expect(texts(prepared)).toEqual([
      'USE CATALOG `default_catalog`',
      'USE `default_database`',
      "CREATE TABLE a (x INT) WITH ('password' = 'geh3im')",
      "CREATE FUNCTION f AS 'c'",
      'USE CATALOG `lake`',
      'CREATE TABLE ods.t (x INT)',
      'USE CATALOG `default_catalog`',
      'USE `default_database`',
      'CREATE TABLE n (x INT)',
    ]);
    expect(prepared.prelude.at(3)?.origin).toBe('planner.prelude[0], line 3');
    expect(prepared.prelude.at(5)?.origin).toBe('/lake.sql, line 1');
    expect(prepared.secrets).toContain('geh3im');
    expect(prepared.diagnostics).toEqual([]);
  });

  it('of a team are not those of a text without one', () => {
    expect(texts(prepareText({ sql: insert, variables: [], engineVersion: null }, limits, around))).toHaveLength(4);
  });

  it('go by whole names outside of comments', () => {
    const named = (sql: string) =>
      texts(
        prepareText({ sql, variables: [], engineVersion: null }, limits, {
          ...none,
          preludes: [{ catalog: 'lake', sql: 'CREATE TABLE t (x INT)' }],
        }),
      ).length > 0;
    expect(['INSERT INTO lake.a SELECT 1', 'USE CATALOG lake', 'USE `lake`'].map(named)).toEqual([true, true, true]);
    expect(['INSERT INTO lakes.a SELECT 1', 'USE my_lake', '-- lake', '# lake\n/* lake */'].map(named)).toEqual(Array(4).fill(false));
  });

  it('warn when they cannot be read, and leave the script alone', () => {
    const broken = [{ file: '/nowhere.sql' }, { sql: "CREATE TABLE 'x" }, { sql: `CREATE TABLE ${'x'.repeat(70_000)}` }];
    const prepared = prepareText({ sql: insert, variables: [], engineVersion: null }, limits, { ...none, preludes: broken });
    expect(prepared.statements).toHaveLength(1);
    expect(prepared.diagnostics.map(({ code, severity, message }) => `${code} ${severity} ${message.slice(0, 60)}`)).toEqual([
      'PRELUDE_INVALID warning /nowhere.sql: ENOENT',
      "PRELUDE_INVALID warning planner.prelude[1], line 1: the quote ' is never closed",
      expect.stringMatching(/^PRELUDE_INVALID warning planner.prelude\[2\]: the token at line 1/),
    ]);
  });

  it('and functions decide about the plan', () => {
    const key = (more: Partial<typeof around>) => planKey(prepareScript(stored(insert), limits, { ...none, ...more }), 'b', 'k');
    const keys = [key({}), key({ preludes: [{ sql: 'CREATE TABLE x (a INT)' }] }), key({ functions: { f: { kind: 'scalar' } } })];
    expect(new Set(keys).size).toBe(3);
    expect(key({ preludes: [{ team: 'sales', sql: 'CREATE TABLE x (a INT)' }] })).toBe(keys[0]);
  });
});

describe("Flink's file catalog store", () => {
  const store = {
    '/store/lake.yaml': 'type: paimon\nwarehouse: "s3://b/it\'s"\n',
    '/store/crm.yaml': 'base-url: x',
    '/store/b.yaml': 'type: x',
    '/store/n.txt': '',
  };
  const conf = 'table.catalog-store.kind: file\ntable.catalog-store.file.path: /store\n';
  const catalogs = (over: Partial<StoredScript>, found: Record<string, string> = store) =>
    texts(prepareScript(stored(insert, over), limits, { ...none, files: files(found) }));
  const lake = "CREATE CATALOG `lake` WITH ('type' = 'paimon', 'warehouse' = 's3://b/it''s')";

  it('defines the catalogs that the script names', () => {
    expect(catalogs({ engineConf: conf })).toEqual([lake]);
    expect(catalogs({ engineConf: conf.replace('/store', 'file:///store') })).toEqual([lake]);
    const config = {
      format: 2,
      content: 'flink.property.table.catalog-store.kind=file\nflink.property.table.catalog-store.file.path=/store',
    };
    expect(catalogs({ config })).toEqual([lake]);
  });

  it('is none where it is of another kind, elsewhere, or named by the script alone', () => {
    expect(catalogs({ engineConf: conf.replace('file\n', 'generic_in_memory\n') })).toEqual([]);
    expect(catalogs({ engineConf: conf.replace('/store', 'hdfs://n/store') })).toEqual([]);
    expect(catalogs({ engineConf: conf }, {})).toEqual([]);
    expect(catalogs({ dynamicProperties: '-Dtable.catalog-store.kind=file -Dtable.catalog-store.file.path=/store' })).toEqual([]);
  });
});

describe('a line that begins with #', () => {
  it('is a comment with a warning, outside of quotes only', () => {
    const prepared = prepareText(
      { sql: "# first; one\nINSERT INTO a SELECT 'x\n# y', b\n  # more; of it\nFROM c # d", variables: [], engineVersion: null },
      limits,
    );
    expect(prepared.statements.map(({ text, line }) => [line, text.replace(/\s+/g, ' ')])).toEqual([
      [2, "INSERT INTO a SELECT 'x # y', b FROM c # d"],
    ]);
    expect(prepared.diagnostics.map(({ code, severity, line, column }) => [code, severity, line, column])).toEqual([
      ['PLAN_STATEMENT_REFUSED', 'warning', 1, 1],
    ]);
  });
});

describe('catalogs of the settings', () => {
  const entries = (list: unknown[]) => readSettings(undefined, { STREAMPARK_LINEAGE_CATALOGS: JSON.stringify(list) }).catalogs;
  const lake = { catalog: 'lake', type: 'paimon-files', path: '/all' };
  const crm = (password: string, host = 'h') => ({ catalog: 'crm', type: 'jdbc', url: `mysql://u:${password}@${host}/` });
  const prepared = (list: unknown[], over: Partial<StoredScript> = {}) =>
    prepareScript(stored(insert, over), limits, { ...none, catalogs: entries(list) });

  it('are those that the script names; one of the team goes before one for all', () => {
    const all = [lake, { ...lake, team: 'analytics', path: '/own' }, { ...lake, team: 'sales' }, crm('x'), { ...lake, catalog: 'other' }];
    const found = ({ catalogs }: ReturnType<typeof prepared>) => catalogs.map((c) => `${c.catalog} ${c.team ?? '-'}`);
    expect(found(prepared(all))).toEqual(['lake analytics', 'crm -']);
    expect(found(prepared(all, { team: ['1', 'shop'] }))).toEqual(['lake -', 'crm -']);
  });

  it('decide about the plan by what they are, not by passwords', () => {
    const key = (list: unknown[]) => planKey(prepared(list), 'b', 'k');
    expect(new Set([key([]), key([lake]), key([crm('x')]), key([crm('x', 'g')])]).size).toBe(4);
    expect(key([crm('y')])).toBe(key([crm('x')]));
    expect(key([{ ...lake, catalog: 'other' }])).toBe(key([]));
  });
});
