import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { PlanError } from '../../src/errors/errors.ts';
import { createPlanner, javaWorker, type Planner, type PlannerEvent, type PlannerOptions, prepareText } from '../../src/plan/plan.ts';
import { repositoryRoot } from '../support/shared.ts';

const fakeWorker = join(repositoryRoot, 'test/support/fake-worker.mjs');
const open: Planner[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((planner) => planner.stop()));
});

function setup(greeting = 'hello', over: Partial<PlannerOptions> = {}) {
  const events: PlannerEvent[] = [];
  const planner = createPlanner({
    source: { build: () => 'fake', command: () => ({ file: process.execPath, args: [fakeWorker, greeting], env: {} }) },
    report: (event) => events.push(event),
    timeoutMs: 20_000,
    backOff: { firstMs: 20, maxMs: 100 },
    ...over,
  });
  open.push(planner);
  planner.start();
  return { planner, events };
}

const limits = { maxScriptBytes: 4 * 1024 * 1024 };
/** What the fake worker does is the first statement; the DDL form lets it through the splitter. */
const script = (verb: string) => {
  const prepared = prepareText({ sql: '', variables: [], engineVersion: null }, limits);
  return { ...prepared, statements: [{ text: verb, line: 1, column: 1 }], secrets: ['p4ss'] };
};
const ready = (planner: Planner) => vi.waitFor(() => expect(planner.state().kind).toBe('ready'), { timeout: 20_000, interval: 5 });
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'planned',
    (error: unknown) => (error instanceof PlanError ? error.code : `other: ${String(error)}`),
  );
const pidOf = async (promise: ReturnType<Planner['plan']>) => Number(Object.keys((await promise).catalogs)[0]?.slice(3));
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('a planner', () => {
  it('waits while the worker starts, plans, and reports its states', async () => {
    const { planner, events } = setup();
    expect(planner.state().kind).toBe('starting');
    expect(planner.build({ engine: 'flink', engineVersion: null })).toBe('fake');
    const planned = await planner.plan(script('ANSWER'));
    expect(planned).toMatchObject({ flinkVersion: '2.3.0', inserts: [], builtIn: { catalog: 'default_catalog' } });
    expect(planned.diagnostics.map((d) => d.code)).toEqual(['PLAN_NO_INSERT']);
    expect(planner.state()).toMatchObject({ kind: 'ready', flink: '2.3.0' });
    expect(events.map((e) => e.kind === 'state' && e.state.kind)).toEqual(['starting', 'ready']);
  });

  it('plans many scripts, two at a time, each with its own answer', async () => {
    const { planner } = setup();
    await Promise.all(Array.from({ length: 200 }, () => planner.plan(script('ANSWER'))));
    const slow = await Promise.all(['SLOW 300', 'ANSWER', 'ANSWER'].map((verb) => planner.plan(script(verb)).then(() => verb)));
    expect(slow).toEqual(['SLOW 300', 'ANSWER', 'ANSWER']);
  });

  it('kills a worker that takes too long, refuses the script and plans the one beside it again', async () => {
    const { planner, events } = setup('hello', { timeoutMs: 300 });
    await ready(planner);
    const [hung, beside, waiting] = await Promise.all([
      codeOf(planner.plan(script('HANG'))),
      codeOf(planner.plan(script('SLOW 250'))),
      codeOf(planner.plan(script('ANSWER'))),
    ]);
    expect([hung, beside, waiting]).toEqual(['PLAN_TIMEOUT', 'planned', 'planned']);
    const victim = setup('hello', { timeoutMs: 400 });
    await ready(victim.planner);
    const first = codeOf(victim.planner.plan(script('HANG')));
    await sleep(200);
    expect(await codeOf(victim.planner.plan(script('SLOW 300')))).toBe('planned');
    expect(await first).toBe('PLAN_TIMEOUT');
    // with compiling, without, and when it was only to be read
    expect(events.filter((e) => e.kind === 'restart')).toHaveLength(3);
  });

  it('asks for less when compiling a script brings the worker down', async () => {
    const { planner } = setup('hello', { timeoutMs: 300 });
    await ready(planner);
    const outcomes = await Promise.all(['HANG_COMPILING', 'DIE_COMPILING', 'ANSWER'].map((verb) => codeOf(planner.plan(script(verb)))));
    expect(outcomes).toEqual(['planned', 'planned', 'planned']);
  });

  it('has a script only read that brings the worker down even so, and says why', async () => {
    const { planner } = setup('hello', { timeoutMs: 300 });
    await ready(planner);
    const planned = await Promise.all(['HANG_VALIDATING', 'DIE_VALIDATING', 'ANSWER'].map((verb) => planner.plan(script(verb))));
    expect(planned.map(({ diagnostics: [first] }) => [first?.code, first?.severity])).toEqual([
      ['PLAN_TIMEOUT', 'warning'],
      ['PLAN_CRASH', 'warning'],
      ['PLAN_NO_INSERT', 'warning'],
    ]);
    expect(planned[0]?.diagnostics[0]?.message).toBe('the script was not planned within 300 ms; its tables were taken from the text alone');
  });

  it('condemns only the script that kills the worker again and again, alone', async () => {
    const { planner } = setup();
    await ready(planner);
    const outcomes = await Promise.all(['DIE', 'SLOW 200', 'ANSWER', 'DIE', 'ANSWER'].map((verb) => codeOf(planner.plan(script(verb)))));
    expect(outcomes).toEqual(['PLAN_CRASH', 'planned', 'planned', 'PLAN_CRASH', 'planned']);
  });

  it('plans again after a kill from outside', async () => {
    const { planner } = setup();
    const pid = await pidOf(planner.plan(script('ANSWER')));
    const slow = planner.plan(script('SLOW 200'));
    await sleep(50);
    process.kill(pid, 'SIGKILL');
    const other = await pidOf(slow);
    expect(other).not.toBe(pid);
    process.kill(other, 'SIGKILL');
    await vi.waitFor(() => expect(planner.state().kind).toBe('starting'));
    expect(await pidOf(planner.plan(script('ANSWER')))).not.toBe(other);
  });

  it('names failures of the worker without secrets and without its stack', async () => {
    const { planner, events } = setup();
    await expect(planner.plan(script('FAIL'))).rejects.toMatchObject({ code: 'PLAN_INTERNAL', message: "'password' = '******' is null" });
    await expect(planner.plan(script('GARBAGE'))).rejects.toMatchObject({
      code: 'PLAN_INTERNAL',
      message: expect.stringContaining('statements'),
    });
    expect(events).toContainEqual({ kind: 'log', line: '[warning] not json' });
    expect(await codeOf(planner.plan(script('ANSWER')))).toBe('planned');
  });

  it('refuses answers without end', async () => {
    const { planner } = setup();
    await expect(planner.plan(script('FLOOD'))).rejects.toMatchObject({ code: 'PLAN_CRASH', message: expect.stringContaining('67108864') });
    expect(await codeOf(planner.plan(script('ANSWER')))).toBe('planned');
  });

  it('replaces a worker that has grown, without a script noticing', async () => {
    const { planner } = setup('hello', { recycleAbove: 1_000 });
    const first = await pidOf(planner.plan(script('RSS 1001')));
    const early = await Promise.all(Array.from({ length: 98 }, () => pidOf(planner.plan(script('RSS 1001')))));
    // large from the start is no growth
    expect(new Set(early)).toEqual(new Set([first]));
    const later = await Promise.all(Array.from({ length: 20 }, () => pidOf(planner.plan(script('RSS 999')))));
    expect(new Set(later).size).toBe(1);
    await planner.plan(script('RSS 1001'));
    expect(await pidOf(planner.plan(script('RSS 999')))).not.toBe(first);
  });

  it('replaces the worker after a number of scripts', async () => {
    const { planner } = setup('hello', { recycleAfter: 3 });
    const pids = await Promise.all(Array.from({ length: 7 }, () => pidOf(planner.plan(script('ANSWER')))));
    expect(new Set(pids.slice(0, 3)).size).toBe(1);
    expect(new Set(pids).size).toBe(3);
    await vi.waitFor(() => expect(isAlive(pids[0] as number)).toBe(false));
  });

  it('drops scripts that nobody waits for any more', async () => {
    const { planner } = setup('hello', { timeoutMs: 2_000 });
    await ready(planner);
    const controller = new AbortController();
    const running = planner.plan(script('SLOW 300'), controller.signal);
    const others = [planner.plan(script('SLOW 300')), planner.plan(script('ANSWER'), controller.signal), planner.plan(script('ANSWER'))];
    const outcome = Promise.allSettled([running, ...others]);
    controller.abort(new Error('not wanted'));
    expect((await outcome).map((o) => o.status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled']);
    await expect(planner.plan(script('ANSWER'), controller.signal)).rejects.toThrow('not wanted');
  });

  it('ends its worker on stop and refuses what waits', async () => {
    const { planner } = setup();
    const pid = await pidOf(planner.plan(script('ANSWER')));
    const waiting = codeOf(planner.plan(script('HANG')));
    await planner.stop();
    expect([await waiting, isAlive(pid), planner.state().kind]).toEqual(['PLANNER_UNAVAILABLE', false, 'unavailable']);
    expect(await codeOf(planner.plan(script('ANSWER')))).toBe('PLANNER_UNAVAILABLE');
  });
});

describe('a planner without a worker', () => {
  it.each([
    ['exit', 'it ended with exit code 1; UnsupportedClassVersionError: too old'],
    ['protocol2', 'it does not speak protocol 1'],
    ['silent', 'it was not ready within 200 ms'],
  ])('says why and tries again: %s', async (greeting, detail) => {
    const { planner, events } = setup(greeting, { startTimeoutMs: greeting === 'silent' ? 200 : 20_000 });
    await expect(planner.plan(script('ANSWER'))).rejects.toMatchObject({ code: 'PLANNER_UNAVAILABLE' });
    expect(planner.state()).toEqual({ kind: 'unavailable', detail: `the planner process is gone: ${detail}` });
    expect(await codeOf(planner.plan(script('ANSWER')))).toBe('PLANNER_UNAVAILABLE');
    await vi.waitFor(() => expect(events.filter((e) => e.kind === 'restart').length).toBeGreaterThan(2), { timeout: 10_000 });
    expect(events.filter((e) => e.kind === 'state')).toHaveLength(2);
  });

  it('says so when there is no Java or no jar, before and after start', async () => {
    const noJava = setup('', { source: { build: () => 'x', command: () => ({ file: '/nowhere/java', args: [], env: {} }) } });
    await expect(noJava.planner.plan(script('ANSWER'))).rejects.toThrow('/nowhere/java cannot be started (ENOENT)');
    const source = javaWorker({ java: undefined, heap: '256m', lib: '/nowhere', env: {} });
    const noJars = setup('', { source });
    await expect(noJars.planner.plan(script('ANSWER'))).rejects.toThrow('/nowhere/worker.jar is missing');
    expect(noJars.planner.build({ engine: 'flink', engineVersion: null })).toBe('missing');
    const idle = createPlanner({ source, report: () => {}, timeoutMs: 1 });
    await expect(idle.plan(script('ANSWER'))).rejects.toThrow('the planner was not started');
  });

  it('comes back by itself', async () => {
    let isThere = false;
    const { planner } = setup('', {
      source: {
        build: () => 'x',
        command: () => (isThere ? { file: process.execPath, args: [fakeWorker], env: {} } : { file: '/nowhere/java', args: [], env: {} }),
      },
    });
    expect(await codeOf(planner.plan(script('ANSWER')))).toBe('PLANNER_UNAVAILABLE');
    isThere = true;
    await ready(planner);
    expect(await codeOf(planner.plan(script('ANSWER')))).toBe('planned');
  });
});

describe('the worker process', () => {
  it('does not outlive a program that is killed', { timeout: 30_000 }, async () => {
    const program = `
      import { createPlanner } from ${JSON.stringify(join(repositoryRoot, 'src/plan/plan.ts'))};
      const planner = createPlanner({
        source: { build: () => 'x', command: () => ({ file: process.execPath, args: [${JSON.stringify(fakeWorker)}], env: {} }) },
        report: ({ kind, state }) => kind === 'state' && state.kind === 'ready' && console.log(state.build),
        timeoutMs: 1000,
      });
      planner.start();`;
    const parent = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
      cwd: repositoryRoot,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [output] = (await new Promise((resolve) => parent.stdout.once('data', (chunk) => resolve([chunk])))) as [Buffer];
    const pid = Number(output.toString().replace('pid-', ''));
    expect(isAlive(pid)).toBe(true);
    parent.kill('SIGKILL');
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 5_000 });
  });
});
