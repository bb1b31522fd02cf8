// Column lineage through the real planner: every case of column-cases.ts, and what holds for all of them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { columnLineage, distillLineage, type NamedLineage, nameLineage } from '../../src/identity/identity.ts';
import { extractLineage, type Pipeline, type ScriptLineage } from '../../src/lineage/lineage.ts';
import {
  createPlanner,
  javaWorker,
  type Planner,
  type PreparedScript,
  plannerLib,
  prepareText,
  type SourceColumn,
} from '../../src/plan/plan.ts';
import { columnCases, tables } from './column-cases.ts';

const limits = { maxScriptBytes: 2 ** 21 };
const settings = { profile: 'openlineage', jdbcNameRule: '1.54' } as const;
let planner: Planner;

beforeAll(() => {
  const source = javaWorker({ java: undefined, heap: '256m', lib: plannerLib, env: process.env });
  planner = createPlanner({ source, report: () => {}, timeoutMs: 60_000 });
  planner.start();
});
afterAll(() => planner.stop());

interface Outcome {
  readonly lineage: ScriptLineage;
  readonly named: NamedLineage;
}

async function outcomeOf(sql: string, ddl = tables): Promise<Outcome> {
  return outcome(prepareText({ sql: ddl + sql, variables: [], engineVersion: null }, limits));
}

/** UPDATE and DELETE are nothing that StreamPark runs, so they are put before the planner past the preparation. */
async function batchOutcomeOf(statement: string): Promise<Outcome> {
  const prepared = prepareText({ sql: tables, variables: [], engineVersion: null }, limits);
  const statements = [...prepared.statements, { text: statement, line: 1, column: 1 }];
  return outcome({ ...prepared, statements, mode: 'batch' });
}

async function outcome(prepared: PreparedScript): Promise<Outcome> {
  const lineage = extractLineage(await planner.plan(prepared));
  return { lineage, named: nameLineage(distillLineage(lineage), settings) };
}

const use = (name: string, { subtype }: { readonly subtype: string }) => (subtype === 'IDENTITY' ? name : `${name} ${subtype}`);
const line = (column: string, uses: readonly string[]) => `${column}: ${[...uses].sort().join(', ')}`.trim();

/** The columns of a pipeline in the form of the cases; sources by their table in the script. */
function columnsOf({ columns, inputs }: Pipeline): string[] {
  const uses = (origins: readonly SourceColumn[]) =>
    origins.map((origin) => use(`${inputs[origin.source]?.facts.path[2]}.${origin.field}`, origin));
  if (columns === null) return ['unknown'];
  const lines = Object.entries(columns.columns).map(([column, origins]) => line(column, uses(origins)));
  return [...lines, ...(columns.influences.length === 0 ? [] : [line('*', uses(columns.influences))])];
}

const expected = (text: string) =>
  text.split(/\n(?! )/).map((each) => {
    const [column = '', uses = ''] = each.split(/:(.*)/s);
    const list = uses.split(',').map((part) => part.trim());
    return line(
      column,
      list.filter((part) => part !== ''),
    );
  });

/** Every outcome of the corpus, for the rules that hold for all. */
const outcomes = new Map<string, Outcome>();

describe('columns', () => {
  it.each(columnCases.map((each) => [each.title, each] as const))('%s', async (title, { sql, columns, mode }) => {
    const outcome = mode === 'batch' ? await batchOutcomeOf(sql) : await outcomeOf(sql);
    outcomes.set(title, outcome);
    expect(outcome.lineage.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(outcome.lineage.pipelines).toHaveLength(1);
    expect(outcome.lineage.pipelines.flatMap(columnsOf)).toEqual(expected(columns));
  });

  it('were planned with both tiers, which agree', () => {
    const all = [...outcomes.values()];
    const codes = all.flatMap(({ lineage }) => lineage.diagnostics.map(({ code }) => code));
    expect(codes.filter((code) => code === 'PLAN_TREE_DIFFERS' || code === 'COLUMNS_UNKNOWN')).toEqual([]);
    const compiled = all.filter(({ lineage }) => lineage.pipelines.every(({ tier }) => tier === 'plan'));
    expect(compiled.length).toBeGreaterThan(0.8 * columnCases.length);
  });

  it('come from inputs of the pipeline only', () => {
    for (const { named } of outcomes.values()) {
      for (const pipeline of named.pipelines) {
        const inputs = new Set(pipeline.inputs.map(({ dataset }) => `${dataset.namespace} ${dataset.name}`));
        const origins = Object.values(columnLineage(pipeline)).flat();
        expect(origins.filter(({ namespace, name }) => !inputs.has(`${namespace} ${name}`))).toEqual([]);
      }
    }
  });
});

/** Named columns of the one pipeline, as `dataset.field`, with what touches whole rows put in. */
const named = ({ named: { pipelines } }: Outcome) =>
  pipelines.map((pipeline) =>
    Object.entries(columnLineage(pipeline)).map(([column, origins]) =>
      line(
        column,
        origins.map((origin) => use(`${origin.name}.${origin.field}`, origin)),
      ),
    ),
  );

describe('named columns', () => {
  it('have what touches rows under every column', async () => {
    const outcome = await outcomeOf('INSERT INTO t SELECT order_id, currency, 1 FROM orders WHERE off > 3');
    expect(named(outcome)).toEqual([
      ['id: orders.off FILTER, orders.order_id', 'v: orders.currency, orders.off FILTER', 'x: orders.off FILTER'],
    ]);
  });

  it('leave out a source that the planner pruned', async () => {
    const outcome = await outcomeOf(
      'INSERT INTO u SELECT order_id, currency FROM orders UNION ALL SELECT pay_id, means FROM payments WHERE FALSE',
    );
    expect(named(outcome)).toEqual([['id: orders.order_id', 'v: orders.currency']]);
    expect(outcome.lineage.diagnostics.map(({ code, severity }) => [code, severity])).toEqual([['PLAN_PRUNED', 'warning']]);
    expect(outcome.lineage.diagnostics[0]?.message).toContain('payments');
  });

  it('leave out a source without identity', async () => {
    const ddl = `${tables}CREATE TABLE gen (id BIGINT, v STRING) WITH ('connector' = 'datagen');\n`;
    const outcome = await outcomeOf('INSERT INTO u SELECT g.id, currency FROM gen g JOIN orders o ON g.id = o.order_id', ddl);
    expect(named(outcome)).toEqual([['id: orders.order_id JOIN', 'v: orders.currency, orders.order_id JOIN']]);
  });

  it('name every topic of a list', async () => {
    const ddl = `${tables}CREATE TABLE many (id BIGINT, v STRING)
      WITH ('connector' = 'kafka', 'topic' = 'm1;m2', 'properties.bootstrap.servers' = 'k:9092');\n`;
    expect(named(await outcomeOf("INSERT INTO u SELECT id, 'x' FROM many WHERE v <> ''", ddl))).toEqual([
      ['id: m1.id, m1.v FILTER, m2.id, m2.v FILTER', 'v: m1.v FILTER, m2.v FILTER'],
    ]);
  });

  it('tell two reads of one table with different hints apart', async () => {
    const sql = `INSERT INTO u SELECT a.order_id, b.currency FROM orders /*+ OPTIONS('topic' = 'old') */ a
      JOIN orders b ON a.order_id = b.user_id`;
    expect(named(await outcomeOf(sql))).toEqual([
      ['id: old.order_id, old.order_id JOIN, orders.user_id JOIN', 'v: old.order_id JOIN, orders.currency, orders.user_id JOIN'],
    ]);
  });

  it('unite INSERTs into one sink', async () => {
    const sql = `INSERT INTO u SELECT order_id, currency FROM orders;
INSERT INTO u SELECT pay_id, means FROM payments WHERE paid > 0;`;
    expect(named(await outcomeOf(sql))).toEqual([
      ['id: orders.order_id, payments.paid FILTER, payments.pay_id', 'v: orders.currency, payments.means, payments.paid FILTER'],
    ]);
  });

  it('of every INSERT of a statement set are its own', async () => {
    const sql = `EXECUTE STATEMENT SET BEGIN
INSERT INTO u SELECT order_id, currency FROM orders WHERE off > 1;
INSERT INTO t SELECT pay_id, means, paid FROM payments; END;`;
    expect(named(await outcomeOf(sql))).toEqual([
      ['id: orders.off FILTER, orders.order_id', 'v: orders.currency, orders.off FILTER'],
      ['id: payments.pay_id', 'v: payments.means', 'x: payments.paid'],
    ]);
  });
});

describe('what is too much or not known', () => {
  it('is said, and the tables stay', async () => {
    const width = 400;
    const fields = Array.from({ length: width }, (_, i) => `c${i}`);
    const ddl = `CREATE TABLE wide (${fields.map((f) => `${f} STRING`).join(', ')}) WITH ('connector' = 'doris', 'fenodes' = 'f:1', 'table.identifier' = 'a.wide');
${Array.from({ length: 60 }, (_, i) => `CREATE TABLE s${i} (${fields.map((f) => `${f} STRING`).join(', ')}) WITH ('connector' = 'kafka', 'topic' = 's${i}', 'properties.bootstrap.servers' = 'k:1');`).join('\n')}
`;
    const sql = `INSERT INTO wide ${Array.from({ length: 60 }, (_, i) => `SELECT * FROM s${i}`).join(' UNION ALL ')}`;
    const { lineage, named } = await outcomeOf(sql, ddl);
    expect(lineage.diagnostics.map(({ code, line, message }) => [code, line, message])).toEqual([
      ['COLUMNS_UNKNOWN', 62, 'the columns have too many origins'],
    ]);
    expect(named.pipelines[0]?.inputs).toHaveLength(60);
    expect(named.pipelines[0]?.columns).toEqual({});
  });

  it('does not take long where it is nearly too much', async () => {
    const fields = Array.from({ length: 1500 }, (_, i) => `c${i}`);
    const ddl = `CREATE TABLE a (${fields.map((f) => `${f} STRING`).join(', ')}) WITH ('connector' = 'kafka', 'topic' = 'a', 'properties.bootstrap.servers' = 'k:1');
CREATE TABLE b (${fields.map((f) => `${f} STRING`).join(', ')}) WITH ('connector' = 'kafka', 'topic' = 'b', 'properties.bootstrap.servers' = 'k:1');
`;
    const sql = `INSERT INTO b SELECT ${fields.map((f) => `UPPER(${f})`).join(', ')} FROM a WHERE c1 || ${fields.slice(0, 300).join(' || ')} <> ''`;
    const { lineage } = await outcomeOf(sql, ddl);
    expect(lineage.diagnostics).toEqual([]);
    expect(Object.keys(lineage.pipelines[0]?.columns?.columns ?? {})).toHaveLength(1500);
    expect(lineage.pipelines[0]?.columns?.influences).toHaveLength(300);
  });
});
