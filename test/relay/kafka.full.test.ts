// The relay as a program on a real Kafka: killed, without its broker, without its server, two in a group. The broker takes half a minute to start.
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foreignEvents } from '../support/checked.ts';
import { type KafkaBroker, startKafka } from '../support/kafka.ts';
import { type LineageReceiver, startLineageReceiver } from '../support/lineage-receiver.ts';
import { buildProgram, type Program, startProgram } from '../support/program.ts';
import { sharedDir } from '../support/shared.ts';
import { until } from '../support/until.ts';

const shared = sharedDir();
if (shared === undefined) process.stderr.write('not tested: the relay on Kafka (the shared harness is missing)\n');

const runId = (n: number) => `018bcfe5-687b-77f4-927b-${n.toString(16).padStart(12, '0')}`;
const event = (run: number, n: number) => ({
  eventType: n === 0 ? 'START' : 'RUNNING',
  eventTime: new Date(Date.parse('2026-01-01T00:00:00Z') + n * 1_000).toISOString(),
  producer: 'https://example.com/p',
  schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent',
  run: { runId: runId(run) },
  job: { namespace: 'n', name: `j${run}` },
});

describe.skipIf(shared === undefined)('the relay', () => {
  let broker: KafkaBroker;
  let topics = 0;
  const relays: Program[] = [];
  beforeAll(async () => {
    buildProgram();
    broker = await startKafka(shared ?? '');
  }, 300_000);
  afterAll(async () => {
    for (const relay of relays) relay.kill('SIGKILL');
    await broker?.stop();
  });

  const relay = (topic: string, server: LineageReceiver, args: readonly string[] = []): Program => {
    const made = startProgram(['relay', ...args], {
      RELAY_KAFKA: JSON.stringify({ brokers: broker.address, topics: [topic], group: `g-${topic}` }),
      DESTINATIONS: JSON.stringify([{ name: 'out', type: 'http', preset: 'marquez', url: server.url, timeout: '5s' }]),
      HTTP_PORT: '0',
      LOG_LEVEL: 'info',
    });
    relays.push(made);
    return made;
  };
  /** Runs and events of a topic, sent as a producer of the OpenLineage clients does: one key per run. */
  const filled = async (runs: number, each: number): Promise<string> => {
    topics += 1;
    const topic = `relay-${process.pid}-${topics}`;
    await broker.createTopic(topic);
    for (let n = 0; n < each; n++) {
      await broker.write(
        topic,
        Array.from({ length: runs }, (_, run) => ({ key: `run:n/j${run}`, value: JSON.stringify(event(run, n)) })),
      );
    }
    return topic;
  };
  /** What was taken of each run, repetitions left out: its events in their order, none missing. */
  const complete = (server: LineageReceiver, runs: number, each: number) => {
    for (let run = 0; run < runs; run++) {
      const times = server.events.filter((one) => one.run?.runId === runId(run)).map((one) => one.eventTime);
      expect([...new Set(times)], `run ${run}`).toEqual(Array.from({ length: each }, (_, n) => event(run, n).eventTime));
    }
  };
  const distinct = (server: LineageReceiver) => new Set(server.events.map((one) => `${one.run?.runId} ${one.eventTime}`)).size;

  it('is killed again and again, loses its server and its broker, and everything arrives in order', { timeout: 400_000 }, async () => {
    const server = await startLineageReceiver();
    server.except(foreignEvents);
    const [runs, each] = [20, 40];
    const topic = await filled(runs, each);
    for (let kill = 0; kill < 3; kill++) {
      const before = distinct(server);
      const killed = relay(topic, server);
      await until(
        () => `progress ${killed.stderr()}`,
        () => distinct(server) > before + 20 || distinct(server) === runs * each,
        60_000,
      );
      killed.kill('SIGKILL');
      await killed.ended;
    }
    server.behave({ kind: 'status', status: 503 });
    const last = relay(topic, server);
    await delay(8_000);
    server.behave({ kind: 'take' });
    await broker.stop();
    await delay(2_000);
    await broker.start();
    await until(
      () => `all events, ${distinct(server)} of ${runs * each}: ${last.stderr()}`,
      () => distinct(server) === runs * each,
      150_000,
    );
    complete(server, runs, each);
    last.kill('SIGTERM');
    const ended = await last.ended;
    expect(ended.code, ended.stderr).toBe(0);
    process.stdout.write(`relay: ${server.events.length - runs * each} of ${runs * each} events twice\n`);
    await server.close();
  });

  it('shares the partitions between two, and the one that stays takes over', { timeout: 300_000 }, async () => {
    const server = await startLineageReceiver();
    server.except(foreignEvents);
    const [runs, each] = [20, 10];
    const topic = await filled(runs, each);
    const [one, two] = [relay(topic, server), relay(topic, server)];
    await until(
      () => `half: ${one.stderr()} ${two.stderr()}`,
      () => distinct(server) > 60,
      90_000,
    );
    one.kill('SIGKILL');
    await one.ended;
    await until(
      () => `all: ${two.stderr()}`,
      () => distinct(server) === runs * each,
      120_000,
    );
    complete(server, runs, each);
    two.kill('SIGTERM');
    await two.ended;
    await server.close();
  });

  it('keeps what nobody can take among the dead letters', { timeout: 200_000 }, async () => {
    const server = await startLineageReceiver();
    server.except(foreignEvents);
    const topic = await filled(2, 1);
    await broker.write(topic, [
      { key: 'k', value: 'hello' },
      { key: 'k', value: JSON.stringify({ ...event(5, 0), eventType: 'PAUSE' }) },
      { key: 'k', value: JSON.stringify(event(6, 0)) },
    ]);
    const running = relay(topic, server);
    await until(
      () => `three events: ${running.stderr()}`,
      () => distinct(server) === 3,
      90_000,
    );
    running.kill('SIGTERM');
    await running.ended;
    const letters = await broker.read(`${topic}.dead-letters`);
    expect(letters.map(({ key, value }) => [key, value])).toEqual([
      ['k', 'hello'],
      ['k', JSON.stringify({ ...event(5, 0), eventType: 'PAUSE' })],
    ]);
    await server.close();
  });
});
