// The corpus on other Flink versions: their answers are those of the bundled planner, except where a script needs newer syntax. Every
// difference is printed, so that a new Flink shows what it changes.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPlanner, javaWorker, type Planner, plannerLib } from '../../src/plan/plan.ts';
import { type Answer, answerOf, type CorpusCase, comparable, corpus } from '../support/corpus.ts';
import { flinkJars } from '../support/flink-jars.ts';

const versions = (process.env['CORPUS_FLINK'] ?? '1.15.4,1.20.1,2.0.0').split(',');

/** Sorts as versions do: 1.9 before 1.20. */
const order = (version: string) => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major * 1_000 + minor;
};

/** What the script gives on this version; undefined where its syntax is newer. */
function expectedOn(version: string, { expected, since, before2 }: CorpusCase): Answer | undefined {
  if (since !== undefined && order(since) > order(version)) return undefined;
  return order(version) >= order('2.0') ? expected : { ...expected, ...before2 };
}

/** Lines that differ, with the sign of the side they are on. */
function differences(expected: Answer, found: Answer): string[] {
  const lines = (answer: Answer) =>
    JSON.stringify(comparable(answer), null, 1)
      .split('\n')
      .map((line) => line.trim());
  const [a, b] = [lines(expected), lines(found)];
  return [
    ...a.filter((line) => !b.includes(line)).map((line) => `- ${line}`),
    ...b.filter((line) => !a.includes(line)).map((line) => `+ ${line}`),
  ];
}

describe.each(versions)('the corpus on Flink %s', (version) => {
  const report: string[] = [];
  let planner: Planner;

  beforeAll(async () => {
    const flink = { version, folder: await flinkJars(version) };
    planner = createPlanner({
      source: javaWorker({ java: undefined, heap: '256m', lib: plannerLib, env: process.env, flink }),
      report: () => {},
      timeoutMs: 60_000,
    });
    planner.start();
  }, 600_000);
  afterAll(async () => {
    await planner.stop();
    process.stdout.write(`Flink ${version}: ${report.length === 0 ? 'as the bundled planner' : `differs\n${report.join('\n')}`}\n`);
  });

  it.each(corpus().map((each) => [each.name, each] as const))('%s', async (name, each) => {
    const found = await answerOf(planner, each.sql);
    const bundled = differences(each.expected, found);
    if (bundled.length > 0) report.push(`  ${name}`, ...bundled.map((line) => `    ${line}`));
    const expected = expectedOn(version, each);
    if (expected === undefined) expect(found.diagnostics.join()).toContain('PLAN_PARSE');
    else expect(comparable(found)).toEqual(comparable(expected));
  });
});
