// Planners of several versions, on workers in Node that speak the protocol: which one plans what, and when each runs.

import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { PlanError } from '../../src/errors/errors.ts';
import {
  createPlanners,
  type Planner,
  type PlannerEvent,
  prepareText,
  type VersionSource,
  type WorkerSource,
} from '../../src/plan/plan.ts';
import { repositoryRoot } from '../support/shared.ts';

const fakeWorker = join(repositoryRoot, 'test/support/fake-worker.mjs');

const open: Planner[] = [];
afterEach(() => Promise.all(open.splice(0).map((planner) => planner.stop())));

const worker = (flink: string): WorkerSource => ({
  build: () => `build of ${flink}`,
  command: () => ({ file: process.execPath, args: [fakeWorker, 'hello', flink], env: {} }),
});
const version = (name: string, flink: string): VersionSource => ({ version: name, source: worker(flink) });

function setup(versions: readonly VersionSource[], idleMs = 60_000) {
  const events: PlannerEvent[] = [];
  const planner = createPlanners({
    source: worker('2.3.0'),
    versions,
    idleMs,
    timeoutMs: 20_000,
    backOff: { firstMs: 20, maxMs: 100 },
    report: (event) => events.push(event),
  });
  open.push(planner);
  planner.start();
  return { planner, events };
}

const script = (verb: string, engineVersion: string | null) => {
  const prepared = prepareText({ sql: '', variables: [], engineVersion }, { maxScriptBytes: 1_000 });
  return { ...prepared, statements: [{ text: verb, line: 1, column: 1 }] };
};
const notes = async (planned: ReturnType<Planner['plan']>) =>
  (await planned).diagnostics.filter(({ code }) => code === 'PLANNER_VERSION').map(({ message }) => message);
const running = (planner: Planner) => planner.others().map((each) => each.version);

describe('planners of several versions', () => {
  it('plan a script with the version it runs on', { timeout: 30_000 }, async () => {
    const { planner, events } = setup([version('1.17', '1.17.2'), version('1.20.1', '1.20.1')]);
    expect(running(planner)).toEqual([]);
    const planned = ['1.17.1', '1.20', '2.3', null].map((each) => planner.plan(script('ANSWER', each)));
    expect((await Promise.all(planned)).map(({ flinkVersion }) => flinkVersion)).toEqual(['1.17.2', '1.20.1', '2.3.0', '2.3.0']);
    expect(await Promise.all(planned.map(notes))).toEqual([[], [], [], []]);
    expect(running(planner)).toContain('1.20.1');
    expect(planner.build({ engine: 'flink', engineVersion: '1.17' })).toBe('build of 1.17.2');
    expect(planner.build({ engine: 'flink', engineVersion: null })).toBe('build of 2.3.0');
    const ready = events.filter((event) => event.kind === 'state' && event.state.kind === 'ready');
    expect(ready.map((event) => event.version).sort()).toEqual(['1.17', '1.20.1', undefined]);
  });

  it('fall back to the bundled one and say so', { timeout: 30_000 }, async () => {
    const unusable: WorkerSource = {
      build: () => 'never used',
      command: () => {
        throw new PlanError('PLANNER_UNAVAILABLE', 'the folder is empty');
      },
    };
    const { planner } = setup([{ version: '1.16', source: unusable }]);
    expect(await notes(planner.plan(script('ANSWER', '1.18.1')))).toEqual([
      'the script runs on Flink 1.18.1 and was planned with 2.3.0: no planner of that version is configured',
    ]);
    expect(await notes(planner.plan(script('ANSWER', '1.16.3')))).toEqual([
      'the script runs on Flink 1.16.3 and was planned with 2.3.0: that of 1.16 cannot be used: the folder is empty',
    ]);
    expect(planner.build({ engine: 'flink', engineVersion: '1.16.3' })).toBe('build of 2.3.0');
    expect(running(planner)).toEqual([]);
  });

  it('run while they have scripts, and start again', { timeout: 30_000 }, async () => {
    const { planner } = setup([version('1.17', '1.17.2')], 30);
    const first = planner.plan(script('SLOW 100', '1.17'));
    expect(running(planner)).toEqual(['1.17']);
    const process = Object.keys((await first).catalogs);
    await vi.waitFor(() => expect(running(planner)).toEqual([]), { timeout: 10_000 });
    const again = await planner.plan(script('ANSWER', '1.17'));
    expect(again.flinkVersion).toBe('1.17.2');
    expect(Object.keys(again.catalogs)).not.toEqual(process);
  });

  it('make room for each other, but not while they plan', { timeout: 30_000 }, async () => {
    const { planner } = setup([version('1.15', '1.15.4'), version('1.17', '1.17.2'), version('1.20', '1.20.1')]);
    await planner.plan(script('ANSWER', '1.15'));
    expect(running(planner)).toEqual(['1.15']);
    const slow = planner.plan(script('SLOW 300', '1.17'));
    expect(running(planner)).toEqual(['1.17']);
    const other = planner.plan(script('ANSWER', '1.20'));
    expect(running(planner)).toEqual(['1.17', '1.20']);
    expect((await slow).flinkVersion).toBe('1.17.2');
    expect((await other).flinkVersion).toBe('1.20.1');
  });

  it('that do not start let their scripts wait, and nobody else', { timeout: 30_000 }, async () => {
    const dead: WorkerSource = { build: () => 'x', command: () => ({ file: '/nowhere/java', args: [], env: {} }) };
    const { planner } = setup([{ version: '1.17', source: dead }]);
    await expect(planner.plan(script('ANSWER', '1.17'))).rejects.toMatchObject({ code: 'PLANNER_UNAVAILABLE' });
    expect(planner.others()).toMatchObject([{ version: '1.17', state: { kind: 'unavailable' } }]);
    expect((await planner.plan(script('ANSWER', '2.3.1'))).flinkVersion).toBe('2.3.0');
  });
});
