// What an operator sees of a running program: where it listens, why it is not ready, what its metrics say.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { requireServer } from '../support/databases.ts';
import { processesOf } from '../support/processes.ts';
import { buildProgram, opsAddress, readiness, startProgram } from '../support/program.ts';
import { jobId } from '../support/smallconsole.ts';
import { until } from '../support/until.ts';
import { inPlace } from './place.ts';
import { copyScript } from './scene.ts';

const suite = await requireServer('mysql');

/** Addresses on which these processes accept TCP connections, as the kernel writes them (hexadecimal, host byte order). */
function listening(pids: readonly number[]): string[] {
  const sockets = new Set(
    pids.flatMap((pid) =>
      readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
        try {
          return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
        } catch {
          return [];
        }
      }),
    ),
  );
  return ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/net/${table}`, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter((cells) => cells[3] === '0A' && sockets.has(cells[9] ?? ''))
      .map((cells) => (cells[1] ?? '').split(':')[0] ?? ''),
  );
}

const loopback = '0100007F';

async function metric(at: string, name: string): Promise<number> {
  const text = await (await fetch(`${at}/metrics`)).text();
  const line = text.split('\n').find((l) => l.startsWith(`streampark_lineage_${name} `));
  if (line === undefined) throw new Error(`no ${name} in\n${text}`);
  return Number(line.split(' ').at(-1));
}

suite('the running program', () => {
  beforeAll(() => buildProgram());

  it('listens on loopback only, tells of its lease and its planner, and counts a planner that is killed', async () => {
    await inPlace('mysql', async ({ console, start }) => {
      await console.app({ id: 1, name: 'orders', script: copyScript('a', 'b') });
      const program = start(['run']);
      const at = await opsAddress(program);
      await until('the planner', async () => (await metric(at, 'planner_up{flink="bundled"}').catch(() => 0)) === 1, 100_000);
      const pids = processesOf(program.pid);
      expect(pids).toHaveLength(2);
      expect(listening(pids)).toEqual([loopback]);
      expect(await metric(at, 'leader')).toBe(1);
      expect(await metric(at, 'lease_changes_total{change="taken"}')).toBe(1);
      expect(await metric(at, 'lease_changes_total{change="lost"}')).toBe(0);
      expect(await metric(at, 'planner_restarts_total')).toBe(0);
      expect(await metric(at, 'planner_resident_memory_bytes')).toBeGreaterThan(50 * 1024 ** 2);

      await console.run(1, jobId(1));
      await until('a plan', async () => (await metric(at, 'plans_total{result="plan",code=""}').catch(() => 0)) === 1, 100_000);
      process.kill(pids[1] as number, 'SIGKILL');
      await until('the restart', async () => (await metric(at, 'planner_restarts_total')) === 1);
      expect(program.stderr()).toContain('"code":"PLANNER_RESTARTED"');
      await until('the next planner', async () => (await metric(at, 'planner_up{flink="bundled"}').catch(() => 0)) === 1, 100_000);
      expect(await readiness(at)).toMatchObject({ status: 200, role: 'leader', reasons: [] });
    });
  }, 240_000);

  it('is not ready for a reason that says what to do, and shows it in the metrics', async () => {
    const program = startProgram(['run'], {
      SOURCE_URL: 'mysql://u:hunter2@127.0.0.1:9/streampark',
      GRAVITINO_ADDRESS: 'http://127.0.0.1:9',
      HTTP_PORT: '0',
    });
    try {
      const at = await opsAddress(program);
      await until('a reason', async () => (await readiness(at)).reasons[0]?.code === 'SOURCE_UNREACHABLE');
      const { status, role, reasons } = await readiness(at);
      expect({ status, role }).toEqual({ status: 503, role: 'starting' });
      expect(reasons).toMatchObject([{ cure: expect.stringContaining('source.url'), since: expect.stringMatching(/^\d{4}-.*Z$/) }]);
      expect(await metric(at, 'problem_standing{code="SOURCE_UNREACHABLE"}')).toBe(1);
      expect(await metric(at, 'leader')).toBe(0);
    } finally {
      program.kill('SIGTERM');
      await program.ended;
    }
  });
});
