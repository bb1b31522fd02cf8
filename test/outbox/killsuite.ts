// Delivery killed in the middle, by real processes and a real receiver; run for each family by kill.*.test.ts.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { enqueue, outboxStats } from '../../src/outbox/outbox.ts';
import { openTestState } from '../state/open.ts';
import { requireServer, type TestFamily } from '../support/databases.ts';
import { startReceiver } from '../transports/receiver.ts';
import { eventOf, idOf } from './events.ts';

const script = fileURLToPath(new URL('./lanechild.ts', import.meta.url));

export async function killSuite(family: TestFamily): Promise<void> {
  const suite = await requireServer(family);
  suite(`kill -9 on ${family}`, () => {
    it('loses nothing, repeats the same bytes, and keeps the order of each key', async () => {
      const [keys, perKey] = [40, 40];
      const test = await openTestState(family);
      const receiver = await startReceiver();
      for (let key = 0; key < keys; key++) {
        const events = Array.from({ length: perKey }, (_, n) => eventOf(`${key}/${n}`, n === perKey - 1 ? 'COMPLETE' : 'START', `r${key}`));
        await test.state.transaction((tx) => enqueue(tx, events, [{ name: 'd', kinds: 'both' }], `k${key}`, 1));
      }
      const start = () =>
        spawn(process.execPath, ['--import', 'tsx', script, test.options.url, test.options.schema, receiver.url], { stdio: 'inherit' });
      const children: ChildProcess[] = [];
      try {
        for (const [, share] of [0.1, 0.35, 0.6].entries()) {
          // A stand-by waits beside the active one, and takes over when it is killed.
          while (children.length < 2) children.push(start());
          await expect.poll(() => receiver.received.length, { timeout: 60_000, interval: 2 }).toBeGreaterThan(keys * perKey * share);
          const victims = children.splice(0, share === 0.35 ? 2 : 1);
          for (const victim of victims) victim.kill('SIGKILL');
          await Promise.all(victims.map((victim) => victim.exitCode ?? victim.signalCode ?? once(victim, 'exit')));
        }
        while (children.length < 2) children.push(start());
        const { db } = test.state.database;
        const waiting = async () => (await outboxStats(db))[0]?.waiting;
        await expect.poll(waiting, { timeout: 60_000, interval: 50 }).toBe(0);
        expect((await outboxStats(db))[0]).toMatchObject({ sent: keys * perKey, dead: 0, skipped: 0 });

        const bodies = new Map<string, string>();
        const last = new Map<string, number>();
        for (const { body } of receiver.received) {
          const id = idOf(body);
          expect(bodies.get(id) ?? body).toBe(body);
          bodies.set(id, body);
          const [key = '', n = ''] = id.split('/');
          // The next one, or a step back to what was not settled when the sender died.
          expect(Number(n)).toBeLessThanOrEqual((last.get(key) ?? -1) + 1);
          last.set(key, Number(n));
        }
        expect(bodies.size).toBe(keys * perKey);
        expect([...last.values()]).toEqual(Array.from({ length: keys }, () => perKey - 1));
        expect(receiver.received.length).toBeGreaterThanOrEqual(keys * perKey);
      } finally {
        for (const child of children) child.kill('SIGKILL');
        await receiver.close();
        await test.drop();
      }
    });
  });
}
