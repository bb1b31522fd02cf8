// The built program as a process: signals, exit codes, two daemons on one database.
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { requireServer } from '../support/databases.ts';
import { buildProgram, opsAddress, type Program, readiness, runProgram, startProgram } from '../support/program.ts';
import { jobId } from '../support/smallconsole.ts';
import { until } from '../support/until.ts';
import { inPlace, type Place } from './place.ts';
import { copyScript, lives } from './scene.ts';

const suite = await requireServer('postgres');

const place = (
  play: (place: Omit<Place, 'start'> & { run(env?: Readonly<Record<string, string>>): Program }) => Promise<void>,
): Promise<void> => inPlace('postgres', ({ start, ...rest }) => play({ ...rest, run: (env) => start(['run'], env) }));

const active = (program: Program) => until('active', () => program.stderr().includes('"active"'), 60_000);
const life = ['orders: START RUNNING', 'orders.b: START RUNNING'];

suite('the program', () => {
  beforeAll(() => buildProgram());

  it('leads alone: the second stands by, and takes over when the first is killed', () =>
    place(async ({ console, receiver, own, run }) => {
      await console.app({ id: 1, name: 'orders', script: copyScript('a', 'b') });
      const first = run();
      await active(first);
      const second = run();
      const [firstAt, secondAt] = [await opsAddress(first), await opsAddress(second)];
      await until('standby', async () => (await readiness(secondAt)).role === 'standby');
      expect(await readiness(firstAt)).toMatchObject({ status: 200, role: 'leader' });
      expect(await readiness(secondAt)).toMatchObject({ status: 200, role: 'standby', reasons: [{ code: 'STATE_LEASE_HELD' }] });
      await console.run(1, jobId(1));
      await until('the first run', () => lives(receiver.events).join() === life.join());
      // What was taken but not yet settled would be sent again.
      await until('its settlement', async () => (await own.query("select seq from own.outbox where state = 'waiting'")).length === 0);

      first.kill('SIGKILL');
      await console.cancel(1);
      await console.ended(1, 9);
      // The lease lasts 30 s, and a stand-by looks every 5 s.
      await until('the take-over', async () => (await readiness(secondAt)).role === 'leader', 90_000);
      await until('the end', () => lives(receiver.events).join() === life.map((line) => `${line} ABORT`).join());
      await sleep(500);
      expect(lives(receiver.events)).toEqual(life.map((line) => `${line} ABORT`));
      expect(second.stderr().match(/"STATE_LEASE_HELD"/g)).toHaveLength(2);
    }));

  it('hands over at once when it is stopped', () =>
    place(async ({ run }) => {
      const first = run();
      await active(first);
      const second = run();
      const secondAt = await opsAddress(second);
      await until('standby', async () => (await readiness(secondAt)).role === 'standby');
      first.kill('SIGTERM');
      expect((await first.ended).code).toBe(0);
      await until('the take-over', async () => (await readiness(secondAt)).role === 'leader', 25_000);
    }));

  it('ends within 10 s of SIGTERM with exit code 0, whatever it is doing', () =>
    place(async ({ console, receiver, run, own }) => {
      const stopped = async (program: Program) => {
        const asked = Date.now();
        program.kill('SIGTERM');
        const { code } = await program.ended;
        expect([code, Date.now() - asked < 10_000]).toEqual([0, true]);
      };
      const early = run();
      await until('its start', () => early.stderr().includes('started'));
      await stopped(early);

      receiver.behave({ kind: 'hang' });
      await console.app({ id: 1, name: 'orders', script: copyScript('a', 'b') });
      const sending = run();
      await active(sending);
      await console.run(1, jobId(1));
      await until('a request in flight', () => receiver.requests.length > 0, 60_000);
      await stopped(sending);

      receiver.behave({ kind: 'take' });
      const again = run();
      await until('delivery', () => lives(receiver.events).join() === life.join());
      expect(await own.query("select seq from own.outbox where state = 'dead'")).toEqual([]);
      await stopped(again);

      const waiting = run({ SOURCE_URL: 'postgres://nobody@127.0.0.1:9/nothing' });
      await until('the complaint', () => waiting.stderr().includes('SOURCE_UNREACHABLE'));
      await stopped(waiting);
    }));

  it('answers once with its exit codes', () =>
    place(async ({ console, receiver, own, env, run }) => {
      await console.app({ id: 1, name: 'orders', script: copyScript('a', 'b') });
      await console.run(1, jobId(1));
      const once = async (more: Record<string, string> = {}) => {
        const { code, stderr } = await runProgram(['once'], { ...env, ...more });
        return { code, stderr };
      };
      const { GRAVITINO_ADDRESS: _, ...unconfigured } = env;
      expect((await runProgram(['once'], unconfigured)).code).toBe(0);
      expect((await once({ SOURCE_URL: '' })).code).toBe(2);
      expect((await once({ POLL_INTERVAL: 'often' })).code).toBe(2);
      expect(await once({ SOURCE_URL: 'postgres://nobody@127.0.0.1:9/nothing' })).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('SOURCE_UNREACHABLE'),
      });

      receiver.behave({ kind: 'status', status: 503 });
      expect(await once()).toMatchObject({ code: 1, stderr: expect.stringContaining('undelivered') });
      receiver.behave({ kind: 'take' });
      await sleep(1_000);
      expect((await once()).code).toBe(0);
      expect(lives(receiver.events)).toEqual(life);
      expect((await once()).code).toBe(0);
      expect(receiver.events).toHaveLength(4);

      receiver.behave({ kind: 'hang' });
      await console.ended(1, 10);
      const hanging = startProgram(['once'], env);
      await until('a request in flight', () => receiver.requests.some((request) => request.status === undefined));
      const asked = Date.now();
      hanging.kill('SIGTERM');
      expect([(await hanging.ended).code, Date.now() - asked < 10_000]).toEqual([1, true]);
      receiver.behave({ kind: 'take' });

      const daemon = run();
      await active(daemon);
      expect(await once()).toMatchObject({ code: 1, stderr: expect.stringContaining('STATE_LEASE_HELD') });
      daemon.kill('SIGTERM');
      await daemon.ended;

      const row = { number: 999, name: 'future', checksum: 'x'.repeat(64), breaking: 1, steps: 1, started_at: 0, applied_at: 0 };
      await console.insert(`${own.schema}.migration`, row);
      expect(await once()).toMatchObject({ code: 3, stderr: expect.stringContaining('STATE_NEWER') });
      const refused = run();
      expect((await refused.ended).code).toBe(3);
    }));

  it('serves health, readiness and metrics', () =>
    place(async ({ console, receiver, run }) => {
      await console.app({ id: 1, name: 'orders', script: copyScript('a', 'b') });
      await console.run(1, jobId(1));
      const daemon = run();
      await until('delivery', () => lives(receiver.events).join() === life.join(), 60_000);
      const address = await opsAddress(daemon);
      expect((await fetch(`${address}/healthz`)).status).toBe(200);
      expect(await readiness(address)).toMatchObject({ status: 200, role: 'leader', reasons: [] });
      const metrics = await (await fetch(`${address}/metrics`)).text();
      expect(metrics).toMatch(/^streampark_lineage_leader 1$/m);
      expect(metrics).toMatch(/^streampark_lineage_deliveries_total\{destination="gravitino",result="sent"\} 4$/m);
      expect((await fetch(`${address}/nothing`)).status).toBe(404);
    }));
});
