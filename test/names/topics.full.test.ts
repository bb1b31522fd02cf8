// Topics behind a pattern, looked up in a real broker.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Kafka, logLevel } from 'kafkajs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryRoot, sharedDir } from '../support/shared.ts';
import { ask, settingsFor, shown } from './tablessuite.ts';

const shared = sharedDir();
if (shared === undefined) process.stderr.write('not tested: topics of a real broker (the shared harness is missing)\n');

describe.skipIf(shared === undefined)('topics behind a pattern', () => {
  const port = 21_000 + (process.pid % 2_000) * 2;
  const broker = `127.0.0.1:${port}`;
  const env = { ...process.env, KAFKA_PORT: String(port), HARNESS_HOME: join(repositoryRoot, 'build', 'harness-kafka') };
  const script = (name: string, ...args: string[]) =>
    spawnSync(join(shared ?? '', 'harness/kafka', name), args, { env, encoding: 'utf8', timeout: 240_000 });

  beforeAll(async () => {
    const started = script('start');
    if (started.status !== 0) throw new Error(`the broker did not start: ${started.stderr}`);
    const admin = new Kafka({ brokers: [broker], logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    await admin.createTopics({
      topics: ['orders.eu', 'orders.us', 'orders', 'items', '__consumer_offsets_of_mine'].map((topic) => ({ topic })),
    });
    await admin.disconnect();
  }, 300_000);
  afterAll(() => void script('stop', '--reset'), 60_000);

  const table = (pattern: string) => ({
    connector: 'kafka',
    'properties.bootstrap.servers': `${broker},other:9092`,
    'topic-pattern': pattern,
  });

  it('are those that it matches as a whole', async () => {
    const settings = settingsFor([{ url: `kafka://${broker}` }]);
    expect(shown(await ask(settings, table('orders\\..+')))).toEqual([`kafka://${broker} orders.eu`, `kafka://${broker} orders.us`]);
    expect(shown(await ask(settings, table('nothing.*')))[0]).toContain('(nothing there matches)');
  });

  it('may be asked for elsewhere than the table says', async () => {
    const settings = settingsFor([{ url: `kafka://${broker}`, namespace: 'kafka://proxy:9092' }]);
    const proxied = { ...table('(orders|items)'), 'properties.bootstrap.servers': 'proxy:9092' };
    expect(shown(await ask(settings, proxied))).toEqual(['kafka://proxy:9092 items', 'kafka://proxy:9092 orders']);
  });

  it('are left out when no broker answers or the login is refused, without a word of the password', async () => {
    const nobody = await ask(settingsFor([{ url: 'kafka://127.0.0.1:1', namespace: `kafka://${broker}`, timeout: '2s' }]), table('a.*'));
    expect(shown(nobody)[0]).toMatch(/PATTERN_UNRESOLVED: .*\(the look-up failed: .+\)$/);
    const login = await ask(settingsFor([{ url: `kafka://me:Geheim@${broker}`, timeout: '2s' }]), table('a.*'));
    expect(shown(login)[0]).toMatch(/the look-up failed/);
    expect(JSON.stringify([nobody, login])).not.toContain('Geheim');
  });
});
