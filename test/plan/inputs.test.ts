import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { planKey, prepareScript, prepareText } from '../../src/plan/plan.ts';
import type { StoredScript, StoredVariable } from '../../src/watch/watch.ts';

const limits = { maxScriptBytes: 1024 * 1024 };
const encode = (text: string) => deflateSync(Buffer.from(text)).toString('base64');
const stored = (over: Partial<StoredScript>): StoredScript => ({
  engine: 'flink',
  sqlId: '1',
  sqlVersion: 1,
  sql: '',
  variables: [],
  team: [],
  config: null,
  dynamicProperties: null,
  engineVersion: '1.17.1',
  engineConf: null,
  ...over,
});
const text = (sql: string, variables: readonly StoredVariable[] = []) => prepareText({ sql, variables, engineVersion: null }, limits);
const codes = (prepared: ReturnType<typeof text>) => prepared.diagnostics.map(({ code, line, column }) => [code, line, column]);

describe('prepareText', () => {
  it('passes definitions and INSERTs on and leaves out what moves nothing', () => {
    const prepared = text(
      "CREATE TABLE a (x INT); SHOW TABLES; DESC a; USE c.d; LOAD MODULE m; BEGIN STATEMENT SET; INSERT INTO a SELECT 1; END; RESET 'x'; SET a = b",
    );
    expect(prepared.statements.map((s) => s.text)).toEqual(['CREATE TABLE a (x INT)', 'USE c.d', 'INSERT INTO a SELECT 1']);
    expect(prepared).toMatchObject({
      mode: 'streaming',
      catalog: 'default_catalog',
      database: 'default_database',
      options: {},
      diagnostics: [],
    });
  });

  it('hands table options on in order and in one form', () => {
    const prepared = text("SET table.local-time-zone = Asia/Shanghai;\nSET 'table.x'='it''s';SET 'pipeline.name' = 'n'");
    expect(prepared.statements).toEqual([
      { text: "SET 'table.local-time-zone' = 'Asia/Shanghai'", line: 1, column: 1 },
      { text: "SET 'table.x' = 'it''''s'", line: 2, column: 1 },
    ]);
  });

  it('reads the runtime mode of the first SET that gives one', () => {
    expect(text("SET 'execution.runtime-mode' = 'batch'; SET 'execution.runtime-mode' = 'streaming'").mode).toBe('batch');
    expect(text('SET execution.runtime-mode=AUTOMATIC').mode).toBe('streaming');
  });

  it('reports what StreamPark refuses, and plans it where it may move or define data', () => {
    const prepared = text(
      'EXECUTE STATEMENT SET\nBEGIN\n  INSERT INTO a SELECT 1;\n  INSERT INTO b SELECT 2;\nEND;\nSELECT 1;ADD JAR x;\nCREATE VIEW v (a, b) AS SELECT 1, 2;',
    );
    expect(prepared.statements).toEqual([
      { text: 'INSERT INTO a SELECT 1', line: 3, column: 3 },
      { text: 'INSERT INTO b SELECT 2', line: 4, column: 3 },
      { text: 'CREATE VIEW v (a, b) AS SELECT 1, 2', line: 7, column: 1 },
    ]);
    expect(codes(prepared)).toEqual([
      ['PLAN_STATEMENT_REFUSED', 1, 1],
      ['PLAN_STATEMENT_REFUSED', 6, 1],
      ['PLAN_STATEMENT_REFUSED', 6, 10],
      ['PLAN_STATEMENT_REFUSED', 7, 1],
    ]);
    expect(text('STATEMENT SET BEGIN INSERT INTO a SELECT 1').statements).toEqual([
      { text: 'INSERT INTO a SELECT 1', line: 1, column: 21 },
    ]);
    expect(text('BEGIN STATEMENT SET INSERT INTO a SELECT 1').statements).toEqual([
      { text: 'INSERT INTO a SELECT 1', line: 1, column: 21 },
    ]);
  });

  it('names DELETE, UPDATE and a foreign dialect as ignored', () => {
    expect(codes(text("DELETE FROM a;\nUPDATE a SET b = 1;\nSET 'table.sql-dialect' = 'hive'"))).toEqual([
      ['PLAN_STATEMENT_IGNORED', 1, 1],
      ['PLAN_STATEMENT_IGNORED', 2, 1],
      ['PLAN_STATEMENT_IGNORED', 3, 1],
    ]);
  });

  it('reports variables that stay, except in comments, where the user wrote them', () => {
    const variables = [
      { code: 'many', value: '1\n2\n3', secret: false },
      { code: 'twice', value: 'a', secret: false },
      { code: 'twice', value: 'b', secret: false },
    ];
    const prepared = text('-- ${unused}\nINSERT INTO ${many} SELECT ${gone}, ${twice};\nSELECT 1', variables);
    expect(codes(prepared)).toEqual([
      ['VARIABLE_UNKNOWN', 2, 28],
      ['VARIABLE_AMBIGUOUS', 2, 37],
      ['PLAN_STATEMENT_REFUSED', 3, 1],
    ]);
  });

  it('reports an open quote and plans what comes before it', () => {
    const prepared = text("INSERT INTO a SELECT 1;\nINSERT INTO b SELECT 'x;");
    expect(prepared.statements).toHaveLength(1);
    expect(codes(prepared)).toEqual([['PLAN_PARSE', 2, 22]]);
  });

  it('collects the secrets of variables and options, and shows none in its findings', () => {
    const prepared = text("CREATE TABLE a (x INT) WITH ('password' = '${pw1}', 'secret-key' = 'sk');CALL ${pw1}", [
      { code: 'pw1', value: 'p4ss', secret: true },
    ]);
    expect(prepared.secrets).toEqual(['p4ss', 'sk']);
    expect(JSON.stringify(prepared.diagnostics)).not.toContain('p4ss');
    expect(prepared.storedText).toContain('${pw1}');
  });
});

describe('prepareScript', () => {
  it('decodes the script', () => {
    expect(prepareScript(stored({ sql: encode('INSERT INTO a SELECT 1') }), limits).statements).toHaveLength(1);
    expect(prepareScript(stored({ sql: '' }), limits)).toMatchObject({ storedText: '', statements: [] });
  });

  it('takes the runtime mode from SET, then dynamic properties, then the config', () => {
    const config = { format: 1, content: encode('flink:\n  table:\n    mode: batch\n') };
    const mode = (over: Partial<StoredScript>) => prepareScript(stored(over), limits).mode;
    expect(mode({ config })).toBe('batch');
    expect(mode({ config, dynamicProperties: '-Dexecution.runtime-mode=STREAMING' })).toBe('streaming');
    expect(mode({ config, dynamicProperties: '-Dexecution.runtime-mode=STREAMING', sql: 'SET execution.runtime-mode = BATCH' })).toBe(
      'batch',
    );
    expect(mode({})).toBe('streaming');
  });

  it('merges table options: environment, config, dynamic properties', () => {
    const prepared = prepareScript(
      stored({
        engineConf: encode('# conf\ntable.a: env\ntable.b: env\ntaskmanager.x: 1\n'),
        config: {
          format: 1,
          content: encode(
            "flink:\n  property:\n    table.b: conf\n    table:\n      c: 'conf'\n  table:\n    table.d: 7\n    catalog: cat\n    database: db\n",
          ),
        },
        dynamicProperties: `-Dtable.c="dyn amic"\n-D table.e = 'x'\n-Dother=1`,
      }),
      limits,
    );
    expect(prepared.options).toEqual({ 'table.a': 'env', 'table.b': 'conf', 'table.c': 'dyn amic', 'table.d': '7', 'table.e': 'x' });
    expect([prepared.catalog, prepared.database]).toEqual(['cat', 'db']);
  });

  it('reads dynamic properties as StreamPark does', () => {
    const { options } = prepareScript(stored({ dynamicProperties: `-Dtable.a="1" -Dtable.b="2"\n-Dtable.c=x-Dtable.d=y z` }), limits);
    expect(options).toEqual({ 'table.a': '1" -Dtable.b="2', 'table.c': 'x', 'table.d': 'y z' });
  });

  it('reads properties, HOCON and nested config.yaml', () => {
    const options = (over: Partial<StoredScript>) => prepareScript(stored(over), limits).options;
    expect(options({ config: { format: 2, content: encode('# c\nflink.property.table.a=1\nflink.property.table.b : 2\nbad') } })).toEqual({
      'table.a': '1',
      'table.b': '2',
    });
    const hocon =
      'flink {\n  property {\n    table.a = "1"\n    table.b: 2,\n  }\n  // c\n  table { # section\n  }\n}\nflink.property.table.c = 3';
    expect(options({ config: { format: 3, content: encode(hocon) } })).toEqual({ 'table.a': '1', 'table.b': '2', 'table.c': '3' });
    expect(options({ engineConf: encode('table:\n  exec:\n    a: true\n  list: [x, y]\n') })).toEqual({
      'table.exec.a': 'true',
      'table.list': 'x;y',
    });
    expect(options({ engineConf: encode('table.a: [x\ntable.b: 1\n') })).toEqual({ 'table.a': '[x', 'table.b': '1' });
  });

  it('goes on without a conf that says nothing', () => {
    for (const engineConf of [
      '/opt/flink-1.20.1/conf/config.yaml',
      '',
      '[',
      'eNrzabcdefghijklmnopqrstuvwxyzabcdefghij',
      '&a [*a]',
      '42',
      '- x',
    ]) {
      expect(prepareScript(stored({ engineConf }), limits).options).toEqual({});
    }
  });

  it('divides Spark scripts as it does others, and takes the configuration that decides about names', () => {
    const variables = [{ code: 'pw1', value: 'p4ss', secret: true }];
    const prepared = prepareScript(
      stored({
        engine: 'spark',
        sql: encode('SELECT ${pw1};\nMERGE INTO t USING s ON true WHEN MATCHED THEN DELETE -- no\n'),
        variables,
        engineConf: encode('spark.sql.warehouse.dir  hdfs://a/w\nspark.sql.defaultCatalog lake\nspark.executor.cores 2'),
        config: { format: 2, content: encode('spark.sql.warehouse.dir=hdfs://b/w') },
        dynamicProperties:
          '--conf spark.sql.warehouse.dir=hdfs://c/w\n-c spark.hadoop.fs.s3a.secret.key=k --conf spark.openlineage.namespace=n',
      }),
      limits,
    );
    expect(prepared).toMatchObject({ engine: 'spark', storedText: expect.stringContaining('${pw1}'), secrets: ['p4ss'], mode: 'batch' });
    expect(prepared.statements.map(({ text, line }) => [text, line])).toEqual([
      ['SELECT p4ss', 1],
      ['MERGE INTO t USING s ON true WHEN MATCHED THEN DELETE', 2],
    ]);
    expect(prepared.options).toEqual({ 'spark.sql.warehouse.dir': 'hdfs://c/w', 'spark.sql.defaultCatalog': 'lake' });
  });
});

describe('planKey', () => {
  const prepared = text('INSERT INTO a SELECT 1');

  it('is a hash that everything decides', () => {
    const key = planKey(prepared, 'build', 'k');
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(planKey({ ...prepared, options: {} }, 'build', Buffer.from('k'))).toBe(key);
    const others = [
      planKey(prepared, 'other', 'k'),
      planKey(prepared, 'build', 'l'),
      planKey({ ...prepared, mode: 'batch' }, 'build', 'k'),
      planKey({ ...prepared, catalog: 'c' }, 'build', 'k'),
      planKey({ ...prepared, options: { 'table.a': '1' } }, 'build', 'k'),
      planKey(text('INSERT INTO a SELECT 2'), 'build', 'k'),
    ];
    expect(new Set([key, ...others]).size).toBe(7);
  });

  it('does not depend on the order of options', () => {
    const [a, b] = [
      { 'table.a': '1', 'table.b': '2' },
      { 'table.b': '2', 'table.a': '1' },
    ];
    expect(planKey({ ...prepared, options: a }, 'x', 'k')).toBe(planKey({ ...prepared, options: b }, 'x', 'k'));
  });
});
