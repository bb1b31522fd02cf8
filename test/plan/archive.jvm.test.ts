import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPlanner, javaWorker, type PlannerEvent, plannerLib, recordArchive } from '../../src/plan/plan.ts';

const lib = mkdtempSync(join(tmpdir(), 'spl-archive-'));
const archive = join(lib, 'worker.jsa');
const options = { java: undefined, heap: '256m', lib, env: process.env };

beforeAll(() => {
  cpSync(plannerLib, lib, { recursive: true, preserveTimestamps: true, filter: (path) => !path.endsWith('.jsa') });
});
afterAll(() => rmSync(lib, { recursive: true }));

/** Starts a worker with what lies in the folder, and says with which files it runs and what happened before. */
async function start() {
  const events: PlannerEvent[] = [];
  const planner = createPlanner({ source: javaWorker(options), timeoutMs: 30_000, report: (event) => events.push(event) });
  planner.start();
  try {
    while (planner.state().kind === 'starting') await sleep(20);
    const { kind, pid } = planner.state();
    const maps = existsSync('/proc/self/maps') ? readFileSync(`/proc/${pid}/maps`, 'utf8') : undefined;
    return { kind, isMapped: maps?.includes(archive), restarts: events.filter((event) => event.kind === 'restart').length };
  } finally {
    await planner.stop();
  }
}

describe('recordArchive', () => {
  it('makes an archive that a worker maps, and leaves nothing else', async () => {
    writeFileSync(`${archive}.new`, 'left over by a recording that was killed');
    const { file, bytes } = await recordArchive(options);
    expect(file).toBe(archive);
    expect(bytes).toBe(statSync(archive).size);
    expect(existsSync(`${archive}.new`)).toBe(false);
    expect(await start()).toMatchObject({ kind: 'ready', restarts: 0 });
    if (existsSync('/proc/self/maps')) expect((await start()).isMapped).toBe(true);
  });

  it('names what is missing', async () => {
    await expect(recordArchive({ ...options, java: '/nowhere/java' })).rejects.toMatchObject({
      code: 'PLANNER_UNAVAILABLE',
      message: expect.stringContaining('/nowhere/java cannot be started'),
    });
    await expect(recordArchive({ ...options, lib: tmpdir() })).rejects.toMatchObject({ code: 'PLANNER_UNAVAILABLE' });
    expect(existsSync(archive)).toBe(true);
  });
});

describe('a worker whose archive is of no use', () => {
  it('starts without it when it is damaged so that the JVM dies of it', async () => {
    cpSync(archive, `${archive}.good`, { preserveTimestamps: true });
    chmodSync(archive, 0o644);
    truncateSync(archive, Math.floor(statSync(archive).size * 0.4));
    expect(await start()).toMatchObject({ kind: 'ready', isMapped: false, restarts: 1 });
    renameSync(`${archive}.good`, archive);
  });

  it('starts without it when the jars were touched since', async () => {
    const jar = join(lib, 'worker.jar');
    writeFileSync(jar, readFileSync(jar));
    expect(await start()).toMatchObject({ kind: 'ready', restarts: 0 });
  });
});
