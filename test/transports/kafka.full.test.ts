// Kafka under a lane of the outbox while the broker is restarted: nothing lost, the order of each application kept.
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTransport } from '../../src/transports/transports.ts';
import { destinationOf } from '../support/destination.ts';
import { type KafkaBroker, startKafka } from '../support/kafka.ts';
import { sharedDir } from '../support/shared.ts';

const shared = sharedDir();
if (shared === undefined) process.stderr.write('not tested: a restart of Kafka (the shared harness is missing)\n');

describe.skipIf(shared === undefined)('a restart of the broker', () => {
  let broker: KafkaBroker;
  beforeAll(async () => {
    broker = await startKafka(shared ?? '');
  }, 300_000);
  afterAll(() => broker?.stop());

  it.each([[{ compression: 'none' }], [{ compression: 'gzip' }]])(
    'loses nothing and keeps the order: %j',
    async (more) => {
      const topic = `restart-${more.compression}`;
      await broker.createTopic(topic);
      const transport = createTransport(destinationOf({ type: 'kafka', brokers: broker.address, topic, timeout: '10s', ...more }), {
        version: 'x',
        output: process.stdout,
      });
      const apps = ['a', 'b', 'c', 'd', 'e', 'f'];
      const perApp = 150;
      let troubles = 0;
      // As a lane does it: one event of an application at a time, repeated until it is taken.
      const deliver = async (app: string) => {
        for (let n = 0; n < perApp; ) {
          const event = JSON.stringify({ app, n, run: {}, job: { namespace: 'ns', name: app } });
          const result = await transport.send(event, new AbortController().signal);
          expect(result.kind).toMatch(/sent|later/);
          if (result.kind === 'sent') n += 1;
          else {
            troubles += 1;
            await delay(250);
          }
          await delay(20);
        }
      };
      const delivering = Promise.all(apps.map(deliver));
      await delay(1_500);
      await broker.stop();
      await delay(4_000);
      await broker.start();
      await delivering;
      expect(troubles).toBeGreaterThan(0);
      const messages = await broker.read(topic);
      for (const app of apps) {
        const numbers = messages.filter(({ key }) => key === `run:ns/${app}`).map(({ value }) => (JSON.parse(value) as { n: number }).n);
        expect([...new Set(numbers)]).toEqual(Array.from({ length: perApp }, (_, n) => n));
        // A repetition may only be of what was in doubt: no number comes after one that is greater by more than one.
        for (const [i, n] of numbers.entries()) expect(n).toBeGreaterThanOrEqual((numbers[i - 1] ?? 0) - 1);
        process.stdout.write(`${topic} ${app}: ${numbers.length - perApp} doubled\n`);
      }
      await transport.close();
    },
    300_000,
  );
});
