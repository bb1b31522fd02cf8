// Spark SQL scripts with answers derived by hand, read by the real worker and named by the registry.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { distillLineage, nameLineage } from '../../src/identity/identity.ts';
import { extractLineage } from '../../src/lineage/lineage.ts';
import { createPlanners, javaWorker, type Planner, plannerLib, prepareText, sparkLib } from '../../src/plan/plan.ts';
import { repositoryRoot } from '../support/shared.ts';

/** Configurations that many scripts run with. */
const presets: Readonly<Record<string, readonly string[]>> = {
  '@hive': [
    'spark.sql.catalogImplementation=hive',
    'spark.sql.warehouse.dir=hdfs://nn:8020/warehouse',
    'spark.hadoop.hive.metastore.uris=thrift://hms:9083',
  ],
  '@lake': [
    'spark.sql.catalog.lake=org.apache.iceberg.spark.SparkCatalog',
    'spark.sql.catalog.lake.type=hadoop',
    'spark.sql.catalog.lake.warehouse=s3a://lake/ice',
  ],
};

interface Case {
  readonly name: string;
  readonly conf: Readonly<Record<string, string>>;
  readonly sql: string;
  readonly edges: readonly string[];
  readonly skipped: readonly string[];
  readonly findings: readonly string[];
}

/** `=== name`, then lines `conf:`, `edge:`, `skipped:` and `finding:` among those of the script. */
function readCases(): Case[] {
  const text = readFileSync(join(repositoryRoot, 'test/fixtures/spark-sql/scripts.txt'), 'utf8');
  return text
    .split(/^=== /m)
    .slice(1)
    .map((part): Case => {
      const [name = '', ...lines] = part.split('\n');
      const told = (kind: string) => lines.filter((line) => line.startsWith(`${kind}:`)).map((line) => line.slice(kind.length + 1).trim());
      const items = told('conf').flatMap((line) => line.split(' ').flatMap((item) => presets[item] ?? [item]));
      return {
        name,
        conf: Object.fromEntries(items.map((item) => [item.slice(0, item.indexOf('=')), item.slice(item.indexOf('=') + 1)])),
        sql: lines.filter((line) => !/^(?:conf|edge|skipped|finding):/.test(line)).join('\n'),
        edges: told('edge'),
        skipped: told('skipped'),
        findings: told('finding'),
      };
    });
}

const java = { java: undefined, heap: '256m', env: process.env };
let planner: Planner;
beforeAll(() => {
  planner = createPlanners({
    source: javaWorker({ ...java, lib: plannerLib }),
    spark: javaWorker({ ...java, lib: sparkLib, engine: 'spark' }),
    versions: [],
    idleMs: 60_000,
    timeoutMs: 60_000,
    report: () => {},
  });
});
afterAll(() => planner.stop());

const plan = (sql: string, conf: Readonly<Record<string, string>>) =>
  planner.plan(prepareText({ sql, engine: 'spark', conf, variables: [], engineVersion: '3.5.1' }, { maxScriptBytes: 1_000_000 }));

async function read({ sql, conf }: Pick<Case, 'sql' | 'conf'>) {
  const lineage = extractLineage(await plan(sql, conf));
  const named = nameLineage(distillLineage(lineage), { profile: 'openlineage', jdbcNameRule: '1.54' });
  const shown = ({ dataset }: { readonly dataset: { readonly namespace: string; readonly name: string } }) =>
    `${dataset.namespace} ${dataset.name}`;
  return {
    edges: named.pipelines.map(({ sink, inputs }) => `${shown(sink)} <- ${inputs.map(shown).sort().join('; ')}`.trim()).sort(),
    skipped: named.skipped.map(({ role, reason }) => `${role} ${reason}`).sort(),
    findings: lineage.diagnostics.map(({ code }) => code as string).sort(),
    named,
    lineage,
  };
}

const sorted = (edge: string): string => {
  const [sink = '', inputs = ''] = edge.split('<-');
  return `${sink.trim()} <- ${inputs
    .split(';')
    .map((input) => input.trim())
    .sort()
    .join('; ')}`.trim();
};

describe('Spark SQL', () => {
  const cases = readCases();
  it('has its forty scripts', () => expect(cases.length).toBeGreaterThanOrEqual(40));

  it.each(cases)('$name', async (each) => {
    const { edges, skipped, findings } = await read(each);
    expect({ edges, skipped, findings }).toEqual({
      edges: each.edges.map(sorted).sort(),
      skipped: [...each.skipped].sort(),
      findings: [...each.findings].sort(),
    });
  });

  it('says where an error stands, and shows no secret in it', async () => {
    const { lineage } = await read({
      sql: "INSERT INTO a SELECT 1;\n  CREATE TABLE t USING jdbc OPTIONS (password 'geheim' url\n 'x') BOGUS",
      conf: {},
    });
    expect(lineage.diagnostics.map(({ code, line }) => [code, line])).toEqual([['PLAN_PARSE', 2]]);
    expect(JSON.stringify(lineage.diagnostics)).not.toContain('geheim');
  });

  it('reads no environment and no file of its own machine', async () => {
    const { named } = await read({ sql: 'INSERT INTO a SELECT * FROM csv.`file:/x/${env:PATH}${system:user.home}`', conf: {} });
    expect(JSON.stringify(named)).not.toMatch(/\/usr|\/root|\/home/);
  });

  it('refuses a statement that would take the parser hours, and reads the others', async () => {
    const deep = `INSERT INTO delta.\`s3a://b/t\` SELECT 1; INSERT INTO t SELECT ${'('.repeat(20_000)}1${')'.repeat(20_000)}`;
    const { edges, findings } = await read({ sql: deep, conf: {} });
    expect({ edges, findings }).toEqual({ edges: ['s3://b t <-'], findings: ['PLAN_PARSE'] });
  });

  it('says its build without a process, which changes the plan key', () => {
    const flink = planner.build({ engine: 'flink', engineVersion: null });
    expect(planner.build({ engine: 'spark', engineVersion: null })).toMatch(/^[0-9a-f]{16}$/);
    expect(planner.build({ engine: 'spark', engineVersion: null })).not.toBe(flink);
  });
});
