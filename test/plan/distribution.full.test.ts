// Flink distributions as they are downloaded, as `planner.flinkHome`: with the planner in `opt`, and with nothing but the loader that has it inside.
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plannerFrom } from '../../src/cli/planner.ts';
import { extractLineage } from '../../src/lineage/lineage.ts';
import { prepareText } from '../../src/plan/plan.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { flinkDistribution } from '../support/flink-distribution.ts';

const version = '1.20.1';
const root = mkdtempSync(join(tmpdir(), 'spl-distribution-'));
let whole: string;

beforeAll(async () => {
  whole = await flinkDistribution(version);
}, 600_000);
afterAll(() => rmSync(root, { recursive: true }));

/** Without `opt`, and with the jar of a connector whose classes are none of Flink's. */
function slim(): string {
  const folder = join(root, 'slim');
  cpSync(join(whole, 'lib'), join(folder, 'lib'), { recursive: true });
  symlinkSync('/nowhere/connector.jar', join(folder, 'lib', 'flink-sql-connector-kafka-3.3.0-1.20.jar'));
  return folder;
}

const script = `
CREATE TABLE s (id BIGINT, v STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'kafka', 'topic' = 's');
CREATE TABLE t (id BIGINT, v STRING) WITH ('connector' = 'doris', 'table.identifier' = 'dw.t');
CREATE FUNCTION mask AS 'com.example.Mask';
INSERT INTO t SELECT id, mask(MAX(v)) FROM TABLE(TUMBLE(TABLE s, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY id, window_start, window_end;
INSERT INTO t SELECT a, b FROM s MATCH_RECOGNIZE (ORDER BY ts MEASURES x.id AS a, y.v AS b PATTERN (x y) DEFINE x AS x.v = 'x', y AS y.v = 'y');
INSERT INTO t SELECT missing FROM s;`;

describe.each([
  ['as it is downloaded', () => whole],
  ['without opt', slim],
])('a Flink distribution %s', (_, folder) => {
  it('plans with its own planner', async () => {
    const planner = plannerFrom(readSettings(undefined, { STREAMPARK_LINEAGE_PLANNER_FLINK_HOME: folder() }), () => undefined);
    planner.start();
    try {
      const planned = await planner.plan(prepareText({ sql: script, variables: [], engineVersion: version }, { maxScriptBytes: 2 ** 20 }));
      expect(planned.flinkVersion).toBe(version);
      expect(planned.diagnostics.map(({ code, line }) => [code, line])).toEqual([['PLAN_PARSE', 7]]);
      const { pipelines } = extractLineage(planned);
      expect(pipelines.map(({ tier, inputs, columns }) => [tier, inputs[0]?.facts.path[2], Object.keys(columns?.columns ?? {})])).toEqual([
        ['plan', 's', ['id', 'v']],
        ['plan', 's', ['id', 'v']],
        ['text', 's', []],
      ]);
    } finally {
      await planner.stop();
    }
  });
});
