import { describe, expect, it } from 'vitest';
import { checkPlanner, majorOf } from '../../src/cli/check/planner.ts';
import { plannerProbe } from '../../src/cli/check/probe.ts';
import { readSettings } from '../../src/settings/settings.ts';

const check = (env: Record<string, string>) => {
  const settings = readSettings(undefined, env);
  // the other parts of the context are not looked at by this check
  return checkPlanner({ planner: plannerProbe(settings, process.env) } as Parameters<typeof checkPlanner>[0]);
};

describe('the planner as check sees it', () => {
  it('starts a worker that plans', async () => {
    const results = await check({});
    expect(results.map((result) => result.level)).toEqual(['ok', 'ok', 'ok']);
    expect(results[2]?.detail).toMatch(/^Flink 2\.\d+\.\d+ on Java \d+.*, ready after \d+\.\d s$/);
  });

  it('names a Java that is missing, and one that is none', async () => {
    expect((await check({ STREAMPARK_LINEAGE_PLANNER_JAVA: '/nowhere/java' }))[0]).toMatchObject({
      level: 'fail',
      code: 'PLANNER_UNAVAILABLE',
      detail: '/nowhere/java is not there',
    });
    expect((await check({ STREAMPARK_LINEAGE_PLANNER_JAVA: '/bin/echo' }))[0]).toMatchObject({
      level: 'fail',
      detail: expect.stringContaining('not the answer of a Java'),
    });
  });

  it('reads versions', () => {
    expect(majorOf('openjdk version "17.0.9" 2023-10-17')).toBe(17);
    expect(majorOf('java version "1.8.0_392"')).toBe(8);
    expect(majorOf('openjdk version "21" 2023-09-19')).toBe(21);
    expect(majorOf('nonsense')).toBeUndefined();
  });
});
