// The disk of the own tables runs full: a server of the test's own on a small file system of its own. The daemon says so once, nothing is lost,
// and it goes on by itself when there is room again.
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lives } from '../e2e/scene.ts';
import { noPlanner, startTestDaemon } from '../support/daemon.ts';
import { requireServer } from '../support/databases.ts';
import { startLineageReceiver } from '../support/lineage-receiver.ts';
import { jobId, openSmallConsole, realClock } from '../support/smallconsole.ts';
import type { Family } from '../support/streampark.ts';
import { until } from '../support/until.ts';
import { codesOf, isWell } from './codes.ts';
import { type OwnServer, ownServer, requirePrograms } from './ownserver.ts';

const apps = Array.from({ length: 60 }, (_, i) => i + 1);
const full = ['STATE_NOT_WRITABLE', 'STATE_UNREACHABLE'];

for (const family of ['postgres', 'mysql'] as const) await diskSuite(family);

async function diskSuite(family: Family): Promise<void> {
  const suite = (await requireServer(family)) === describe ? requirePrograms(family) : describe.skip;
  suite(`a full disk under ${family}`, () => {
    let folder = '';
    let small = false;
    let server: OwnServer;
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'spl-disk-'));
      small = mounted(folder);
      if (small) server = await ownServer(family, [], folder);
    }, 240_000);
    afterAll(async () => {
      await server?.stop('SIGKILL');
      if (small) execFileSync('umount', ['-l', folder]);
      rmSync(folder, { recursive: true, force: true });
    });

    it('is waited for', async ({ skip }) => {
      skip(!small, 'no small file system can be mounted here');
      const console = await openSmallConsole(family, realClock());
      const receiver = await startLineageReceiver();
      await server.database('own');
      const daemon = startTestDaemon({
        database: console.database,
        schema: 'own',
        planner: noPlanner(),
        leaseTtlMs: 10_000,
        env: { STATE_URL: server.url('own'), GRAVITINO_ADDRESS: receiver.url, POLL_INTERVAL: '100ms', SOURCE_TIMEZONE: 'UTC' },
      });
      const stop = daemon.run();
      const seen = () => [...new Map(receiver.events.map((e) => [`${e.run?.runId} ${e.eventType} ${e.eventTime}`, e])).values()];
      const told = (life: string) =>
        until(
          () => `${life}: ${lives(seen()).filter((l) => l.endsWith(life)).length}`,
          () => lives(seen()).filter((l) => l.endsWith(life)).length === apps.length,
          120_000,
        );
      try {
        for (const id of apps) await console.app({ id, name: `app${id}`, columns: { job_type: 1 } });
        for (const id of apps) await console.run(id, jobId(id));
        await told(': START RUNNING');
        const bytes = fillUp(join(folder, 'filler'));
        for (const id of apps) await console.ended(id, 9);
        const raised = () => daemon.daemon.readiness().reasons.find(({ code }) => full.includes(code))?.code;
        await until('trouble', () => raised() !== undefined, 60_000);
        const first = raised();
        rmSync(join(folder, 'filler'));
        // A server may have given up altogether.
        if (
          await server.query('select 1').then(
            () => false,
            () => true,
          )
        ) {
          await server.stop();
          await server.start();
        }
        await told(': START RUNNING ABORT');
        await until('well', () => isWell(daemon), 90_000);
        expect(lives(seen())).toHaveLength(apps.length);
        expect(codesOf(daemon).filter((code) => !full.includes(code))).toEqual([]);
        expect(codesOf(daemon)).toContain('STATE_NOT_WRITABLE');
        process.stderr.write(
          `${family}: disk filled with ${Math.round(bytes / 1024 / 1024)} MiB, ${first}; ${seen().length} events checked\n`,
        );
      } finally {
        expect(await stop()).toBeUndefined();
        await receiver.close();
        await console.drop();
      }
    }, 600_000);
  });
}

/** Mounts a small file system; false where that is not allowed. */
function mounted(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=110m', 'none', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Writes until there is no room; gives how much. */
function fillUp(file: string): number {
  const handle = openSync(file, 'w');
  let bytes = 0;
  try {
    for (const size of [1024 * 1024, 4096, 512]) {
      const piece = Buffer.alloc(size, 1);
      try {
        for (;;) bytes += writeSync(handle, piece);
      } catch {
        // full for pieces of this size
      }
    }
  } finally {
    closeSync(handle);
  }
  return bytes;
}
