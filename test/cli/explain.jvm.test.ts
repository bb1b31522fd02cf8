// `explain` as text and JSON, through the real planner.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explainedLines } from '../../src/cli/explain/lines.ts';
import { type Explained, explainScript } from '../../src/cli/explain/result.ts';
import type { NamedLineage } from '../../src/identity/identity.ts';
import { createNames } from '../../src/names/names.ts';
import { createPlanner, javaWorker, type Planner, plannerLib, prepareText } from '../../src/plan/plan.ts';
import { readSettings } from '../../src/settings/settings.ts';

const names = createNames(readSettings(undefined, {}).identity, { now: Date.now, notify: () => undefined });
let planner: Planner;
beforeAll(() => {
  const source = javaWorker({ java: undefined, heap: '256m', lib: plannerLib, env: process.env });
  planner = createPlanner({ source, report: () => {}, timeoutMs: 60_000 });
  planner.start();
});
afterAll(() => planner.stop());

const explain = (sql: string): Promise<Explained> =>
  explainScript(planner, names, () => prepareText({ sql, variables: [], engineVersion: null }, { maxScriptBytes: 2 ** 21 }));

const tables = `CREATE TABLE orders (id BIGINT, amount DOUBLE, city STRING) WITH ('connector' = 'kafka', 'topic' = 'orders', 'properties.bootstrap.servers' = 'k:9092');
CREATE TABLE cities (city STRING, country STRING) WITH ('connector' = 'jdbc', 'url' = 'jdbc:mysql://h:3306/crm', 'table-name' = 'cities');
CREATE TABLE totals (country STRING, total DOUBLE, kind STRING) WITH ('connector' = 'doris', 'fenodes' = 'fe:8030', 'table.identifier' = 'dw.totals');
`;

describe('columns in the text', () => {
  it('stand one per line, what touches all of them once', async () => {
    const result = await explain(`${tables}INSERT INTO totals SELECT c.country, SUM(o.amount), 'x' FROM orders AS o
JOIN cities AS c ON o.city = c.city WHERE o.id > 0 GROUP BY c.country;`);
    const lines = explainedLines('s.sql', result, { withColumns: true });
    expect(lines.slice(lines.indexOf('    columns'))).toEqual([
      '    columns',
      '      country  cities.country',
      '      total    orders.amount (aggregation)',
      '      kind     -',
      '      rows     orders.city (join), cities.city (join), orders.id (filter), cities.country (group by)',
      '',
    ]);
    expect(explainedLines('s.sql', result, { withColumns: false }).join('\n')).not.toContain('columns');
  });

  it('are said to be unknown where they are', async () => {
    const result = await explain(`${tables}INSERT INTO totals SELECT * FROM lake.ods.missing`);
    expect(explainedLines('s.sql', result, { withColumns: true })).toContain('    columns: not known');
  });
});

describe('a location that nobody told', () => {
  const script = (catalog: string) =>
    `CREATE CATALOG lake WITH (${catalog});\n${tables}CREATE TABLE lake.ods.o (id BIGINT, amount DOUBLE, city STRING);
INSERT INTO lake.ods.o SELECT * FROM orders;\nINSERT INTO totals SELECT city, amount, city FROM lake.ods.o;`;

  it('is a warning, once per table', async () => {
    const { diagnostics, pipelines } = await explain(script("'type' = 'hive', 'warehouse' = 'hdfs://nn/wh'"));
    expect(pipelines.map(({ sink }) => sink.name)).toEqual(['/wh/ods.db/o', 'dw.totals']);
    expect(diagnostics.filter(({ code }) => code === 'LOCATION_ASSUMED').map(({ message }) => message)).toEqual([
      'the location of lake.ods.o is assumed from the layout of its warehouse: hdfs://nn /wh/ods.db/o',
    ]);
  });

  it('is none where the layout is the rule', async () => {
    const { diagnostics } = await explain(script("'type' = 'iceberg', 'catalog-type' = 'hadoop', 'warehouse' = 'hdfs://nn/wh'"));
    expect(diagnostics.map(({ code }) => code)).toEqual([]);
  });
});

describe('one table under two names', () => {
  const jdbc = `CREATE TABLE unqualified (id BIGINT) WITH ('connector' = 'jdbc', 'url' = 'jdbc:postgresql://pg/app', 'table-name' = 'orders');\n`;
  const cdc = `CREATE TABLE changes (id BIGINT, PRIMARY KEY (id) NOT ENFORCED) WITH (
    'connector' = 'postgres-cdc', 'hostname' = 'pg', 'database-name' = 'app', 'schema-name' = 'public', 'table-name' = 'orders');\n`;
  const sink = `CREATE TABLE copy (id BIGINT) WITH ('connector' = 'kafka', 'topic' = 'copy', 'properties.bootstrap.servers' = 'k:9092');\n`;
  const divided = ({ diagnostics }: Explained) => diagnostics.filter(({ code }) => code === 'NAMES_DIVIDED').map(({ message }) => message);

  it('is a warning where a script has both, or where two scripts do', async () => {
    const both = await explain(`${cdc}${jdbc}${sink}INSERT INTO copy SELECT c.id FROM changes AS c JOIN unqualified AS u ON c.id = u.id;`);
    expect(divided(both)).toHaveLength(1);
    expect(divided(both)[0]).toMatch(/app\.(public\.)?orders .* and .* app\.(public\.)?orders .* are one table under two names$/);
    const before: NamedLineage[] = [];
    const together = (sql: string) =>
      explainScript(planner, names, () => prepareText({ sql, variables: [], engineVersion: null }, { maxScriptBytes: 2 ** 21 }), before);
    expect(divided(await together(`${cdc}${sink}INSERT INTO copy SELECT id FROM changes;`))).toEqual([]);
    expect(divided(await together(`${jdbc}${sink}INSERT INTO copy SELECT id FROM unqualified;`))).toHaveLength(1);
    expect(divided(await together(`${jdbc}${sink}INSERT INTO copy SELECT id FROM unqualified;`))).toEqual([]);
  });

  it('is none where the default schema is completed', async () => {
    const { identity } = readSettings('identity: { completeDefaultSchema: true }', {});
    const completed = createNames(identity, { now: Date.now, notify: () => undefined });
    const result = await explainScript(planner, completed, () =>
      prepareText(
        {
          sql: `${cdc}${jdbc}${sink}INSERT INTO copy SELECT c.id FROM changes AS c JOIN unqualified AS u ON c.id = u.id;`,
          variables: [],
          engineVersion: null,
        },
        { maxScriptBytes: 2 ** 21 },
      ),
    );
    expect(divided(result)).toEqual([]);
    expect(result.pipelines[0]?.inputs.map(({ name }) => name)).toEqual(['app.public.orders']);
  });
});

describe('models and vector search', () => {
  const ddl = `CREATE TABLE q (id BIGINT, e ARRAY<FLOAT>, txt STRING) WITH ('connector' = 'kafka', 'topic' = 'q', 'properties.bootstrap.servers' = 'k:1');
CREATE TABLE d (word STRING, v ARRAY<FLOAT>) WITH ('connector' = 'kafka', 'topic' = 'd', 'properties.bootstrap.servers' = 'k:1');
CREATE TABLE o (id BIGINT, txt STRING) WITH ('connector' = 'kafka', 'topic' = 'o', 'properties.bootstrap.servers' = 'k:1');
CREATE MODEL m INPUT (txt STRING) OUTPUT (label STRING) WITH ('provider' = 'openai');
`;
  const roles = ({ pipelines, skipped }: Explained) =>
    pipelines
      .map(({ tier, inputs }) => `${tier}: ${inputs.map(({ name, role }) => `${name} ${role}`).join(' + ')}`)
      .concat(skipped.map(({ table, role }) => `${table[2]} ${role}`));

  it.each([
    ['INSERT INTO o SELECT id, label FROM ML_PREDICT(TABLE q, MODEL m, DESCRIPTOR(txt));', ['plan: q scan', 'm model']],
    [
      "INSERT INTO o SELECT id, label FROM ML_PREDICT(INPUT => TABLE q, MODEL => MODEL m, ARGS => DESCRIPTOR(txt), CONFIG => MAP['async', 'false']);",
      ['plan: q scan', 'm model'],
    ],
    ['INSERT INTO o SELECT id, label FROM TABLE(ML_PREDICT(TABLE q, MODEL nosuch, DESCRIPTOR(txt)));', ['text: q scan', 'nosuch model']],
    [
      'INSERT INTO o SELECT q.id, r.word FROM q, LATERAL TABLE(VECTOR_SEARCH(TABLE d, DESCRIPTOR(v), q.e, 3)) AS r;',
      ['tree: q scan + d lookup'],
    ],
    [
      'INSERT INTO o SELECT q.id, r.word FROM q LEFT JOIN LATERAL TABLE(VECTOR_SEARCH(SEARCH_TABLE => TABLE d, COLUMN_TO_SEARCH => DESCRIPTOR(v), COLUMN_TO_QUERY => q.e, TOP_K => 3)) AS r ON TRUE;',
      ['tree: q scan + d lookup'],
    ],
    [
      'INSERT INTO o SELECT q.id, r.word FROM q, LATERAL TABLE(VECTOR_SEARCH(TABLE d, DESCRIPTOR(v), nosuch, 3)) AS r;',
      ['text: q scan + d lookup'],
    ],
  ])('%s', async (insert, expected) => {
    expect(roles(await explain(ddl + insert))).toEqual(expected);
  });

  it('say of a model that it is missing', async () => {
    const { diagnostics } = await explain(
      `${ddl}INSERT INTO o SELECT id, label FROM ML_PREDICT(TABLE q, MODEL c.d.nosuch, DESCRIPTOR(txt));`,
    );
    expect(diagnostics.filter(({ code }) => code === 'PLAN_PARSE').map(({ message }) => message)).toEqual([
      'Model c.d.nosuch is not defined in the script; its tables were taken from the text alone',
    ]);
  });
});

describe('a usual error', () => {
  const events = `CREATE TABLE e (id BIGINT, ts TIMESTAMP(3), v DOUBLE) WITH ('connector' = 'kafka', 'topic' = '\${topic}', 'properties.bootstrap.servers' = 'k:1');
CREATE TABLE s (id BIGINT, v DOUBLE) WITH ('connector' = 'kafka', 'topic' = 's', 'properties.bootstrap.servers' = 'k:1');
`;
  const variables = [{ code: 'topic', value: 'a-topic-with-a-long-name\n-and-a-line', secret: false }];
  const found = async (sql: string) => {
    const limits = { maxScriptBytes: 2 ** 21 };
    const { diagnostics } = await explainScript(planner, names, () =>
      prepareText({ sql: events + sql, variables, engineVersion: null }, limits),
    );
    return diagnostics.map(({ code, line, column, cure }) => `${code} ${line}:${column} ${cure?.split(' ').slice(0, 5).join(' ')}`);
  };

  it.each([
    [
      "INSERT INTO s SELECT id, SUM(v) FROM TABLE(TUMBLE(TABLE e, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY id, window_start, window_end;",
      'PLAN_COMPILE 3:1 Give the table a WATERMARK',
    ],
    ["INSERT INTO s SELECT id, SUM(v) FROM e GROUP BY id, TUMBLE(ts, INTERVAL '1' MINUTE);", 'PLAN_COMPILE 3:1 Give the table a WATERMARK'],
    ['INSERT INTO s SELECT id, v\n  FROM lake.ods.nosuch AS n JOIN e USING (id) WHERE n.x;', 'COLUMNS_INFERRED 3:1 undefined'],
    ['INSERT INTO s SELECT *\n  FROM lake.ods.nosuch;', 'PLAN_PARSE 4:8 Declare the table in the'],
    ['INSERT INTO s SELECT id, ROUND(v, id, 3, 4) FROM e;', 'PLAN_PARSE 3:26 Declare kind and type of'],
  ])('has its place in the stored text and its own cure: %s', async (sql, expected) => {
    expect(await found(sql)).toEqual([expected]);
  });
});
