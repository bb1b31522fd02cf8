// 5,000 random scripts; RANDOM_SEED starts elsewhere. 10,000 scripts with names of their own leave the memory of one worker as it was.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SpokenWorker, startWorker } from '../support/planner-worker.ts';
import { expectTiersAgree } from '../support/random-scripts.ts';

let worker: SpokenWorker;
beforeAll(() => {
  worker = startWorker(2);
});
afterAll(async () => {
  worker.child.stdin.end();
  await worker.exitCode;
});

const first = Number(process.env['RANDOM_SEED'] ?? 1_000);

describe('random scripts', () => {
  it('give the tables that were put into them, by plan, tree and text', { timeout: 3_600_000 }, () =>
    expectTiersAgree(
      worker,
      Array.from({ length: Number(process.env['RANDOM_SCRIPTS'] ?? 5_000) }, (_, i) => first + i),
    ),
  );

  it('leave no memory behind', { timeout: 1_800_000 }, async () => {
    const script = (i: number) =>
      [
        `CREATE TABLE source_${i} (id BIGINT, column_${i} STRING) WITH ('connector' = 'kafka', 'topic' = 'topic_${i}')`,
        `CREATE FUNCTION function_${i} AS 'com.acme.F${i}'`,
        `CREATE TABLE sink_${i} (id BIGINT, v STRING) WITH ('connector' = 'doris', 'table.identifier' = 'db.t_${i}')`,
        `INSERT INTO sink_${i} SELECT id, function_${i}(column_${i}) || 'literal ${i}' FROM source_${i} WHERE id > ${i}`,
      ].map((text, line) => ({ text, line: line + 1, column: 1 }));
    const resident: number[] = [];
    for (let i = 0; i < 10_000; i += 2) {
      await Promise.all([worker.plan(script(i)), worker.plan(script(i + 1))]);
      if (i % 1_000 === 998) resident.push((await worker.ask({ cmd: 'stats' })).rss / 2 ** 20);
    }
    process.stdout.write(`RSS in MB per 1,000 scripts: ${resident.map((mb) => Math.round(mb)).join(' ')}\n`);
    // the first thousand fills the caches
    expect(Math.max(...resident.slice(5))).toBeLessThan(Math.max(...resident.slice(0, 5)) + 30);
  });
});
