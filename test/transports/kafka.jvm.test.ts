// The kafka transport on a real broker. A restart under load, and lanes: kafka.full.test.ts.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTransport, type Transport } from '../../src/transports/transports.ts';
import { destinationOf } from '../support/destination.ts';
import { type KafkaBroker, startKafka } from '../support/kafka.ts';
import { sharedDir } from '../support/shared.ts';

const shared = sharedDir();
if (shared === undefined) process.stderr.write('not tested: the kafka transport on a broker (the shared harness is missing)\n');
const signal = new AbortController().signal;

describe.skipIf(shared === undefined)('kafka transport', () => {
  let broker: KafkaBroker;
  const open: Transport[] = [];
  beforeAll(async () => {
    broker = await startKafka(shared ?? '');
  }, 300_000);
  afterEach(() => Promise.all(open.splice(0).map((transport) => transport.close())));
  afterAll(() => broker?.stop());
  const to = (topic: string, more: Record<string, unknown> = {}): Transport => {
    const destination = destinationOf({ type: 'kafka', brokers: broker.address, topic, timeout: '20s', ...more });
    const transport = createTransport(destination, { version: 'x', output: process.stdout });
    open.push(transport);
    return transport;
  };
  const job = (name: string) => ({ namespace: 'ns', name });
  const child = (app: string, n: number) =>
    JSON.stringify({ n, run: { runId: 'c', facets: { parent: { job: job(app), root: { job: job(app) } } } }, job: job(`${app}.sink`) });

  it('keeps the order of each application, under the key of the OpenLineage clients', async () => {
    const transport = to('ordered', { headers: { source: 'streampark' } });
    expect(await transport.probe(signal)).toMatchObject({ ok: true, detail: expect.stringContaining('does not exist yet') });
    const apps = ['a', 'b', 'c', 'd'];
    const events = apps.flatMap((app) => Array.from({ length: 25 }, (_, n) => child(app, n)));
    const results = await Promise.all(events.map((event) => transport.send(event, signal)));
    expect(results).toEqual(events.map(() => ({ kind: 'sent' })));
    await transport.send(JSON.stringify({ run: {}, job: job('a') }), signal);
    await transport.send(JSON.stringify({ job: job('a') }), signal);
    await transport.send(JSON.stringify({ dataset: job('t') }), signal);
    const messages = await broker.read('ordered');
    for (const app of apps) {
      const own = messages.filter(({ key, value }) => key === `run:ns/${app}` && value.includes('"n"'));
      expect(own.map(({ value }) => value)).toEqual(Array.from({ length: 25 }, (_, n) => child(app, n)));
      expect(new Set(own.map(({ partition }) => partition)).size).toBe(1);
    }
    expect(messages.slice().map(({ key }) => key)).toEqual(expect.arrayContaining(['job:ns/a', 'dataset:ns/t']));
    expect(messages.every(({ headers }) => headers['source'] === 'streampark')).toBe(true);
    expect(messages).toHaveLength(103);
    expect(await transport.probe(signal)).toMatchObject({ ok: true, detail: expect.stringContaining('is there') });
  });

  it('takes a fixed key, gzip and other acks', async () => {
    for (const more of [{ compression: 'gzip' }, { acks: 'leader', idempotent: false }, { acks: 'none', idempotent: 'false' }]) {
      expect(await to('plain', { messageKey: 'all', ...more }).send(child('a', 1), signal)).toEqual({ kind: 'sent' });
    }
    await expect.poll(() => broker.read('plain'), { timeout: 20_000 }).toHaveLength(3);
    for (const message of await broker.read('plain')) expect(message).toMatchObject({ key: 'all', value: child('a', 1) });
  });

  it('refuses for good what the brokers find too large, and only that', async () => {
    await broker.createTopic('small', { 'max.message.bytes': '2000' });
    const transport = to('small');
    const large = JSON.stringify({ job: job('a'), fill: 'x'.repeat(5_000) });
    const results = await Promise.all([child('a', 1), large, child('a', 2)].map((event) => transport.send(event, signal)));
    expect(results).toEqual([{ kind: 'sent' }, { kind: 'never', reason: 'kafka: MESSAGE_TOO_LARGE' }, { kind: 'sent' }]);
    // What went well in the batch that failed goes once more, each alone.
    expect([...new Set((await broker.read('small')).map(({ value }) => value))]).toEqual([child('a', 1), child('a', 2)]);
  });

  it('says whose fault it is when nothing gets through', async () => {
    const gone = to('t', { brokers: ['127.0.0.1:1'], timeout: '5s' });
    expect(await gone.send(child('a', 1), signal)).toEqual({ kind: 'later', reason: 'no answer (ECONNREFUSED)', serverError: false });
    expect(await gone.probe(signal)).toMatchObject({ ok: false });
    expect(await to('t', { brokers: 'no-such-host.invalid:9092', timeout: '5s' }).send(child('a', 1), signal)).toMatchObject({
      kind: 'paused',
    });
    expect(await to('t', { tls: true, timeout: '5s' }).send(child('a', 1), signal)).toMatchObject({
      kind: expect.stringMatching(/later|paused/),
    });
    const sasl = { mechanism: 'plain', username: 'u', password: 'very-secret' };
    const asked = await to('t', { sasl, timeout: '5s' }).send(child('a', 1), signal);
    expect(asked.kind).toMatch(/later|paused/);
    expect(JSON.stringify(asked)).not.toContain('very-secret');
    const file = await to('t', { sasl: { mechanism: 'plain', username: 'u', passwordFile: '/absent' } }).send(child('a', 1), signal);
    expect(file).toMatchObject({ kind: 'paused', reason: expect.stringContaining('password file') });
    const aborted = AbortSignal.abort();
    expect(await to('t').send(child('a', 1), aborted)).toMatchObject({ kind: 'later' });
  });
});
