// The Kafka broker of the shared harness, in a folder and on a port of its own. The first start resolves its jars.
import { spawn } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import kafkajs from 'kafkajs';
import { repositoryRoot } from './shared.ts';

export interface Message {
  readonly key: string | null;
  readonly value: string;
  readonly partition: number;
  readonly headers: Readonly<Record<string, string>>;
}

export interface KafkaBroker {
  readonly address: string;
  /** All messages of a topic, partition by partition in their order. */
  read(topic: string): Promise<Message[]>;
  /** Produces messages in their order; those of one key go to one partition. */
  write(topic: string, messages: readonly { readonly key: string; readonly value: string }[]): Promise<void>;
  createTopic(topic: string, settings?: Readonly<Record<string, string>>): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
}

async function freePorts(): Promise<number> {
  // The harness takes the port and the one after it.
  for (;;) {
    const first = createServer();
    await new Promise<void>((resolve) => first.listen(0, '127.0.0.1', resolve));
    const { port } = first.address() as AddressInfo;
    const second = createServer();
    const free = await new Promise<boolean>((resolve) => {
      second.once('error', () => resolve(false)).listen(port + 1, '127.0.0.1', () => resolve(true));
    });
    await new Promise((resolve) => first.close(resolve));
    if (free) {
      await new Promise((resolve) => second.close(resolve));
      return port;
    }
  }
}

/** Starts a broker without topics. */
export async function startKafka(shared: string): Promise<KafkaBroker> {
  const port = await freePorts();
  const env = { ...process.env, HARNESS_HOME: join(repositoryRoot, 'build', 'harness-kafka'), KAFKA_PORT: String(port) };
  const run = (script: string, ...args: string[]): Promise<void> =>
    new Promise((resolve, reject) => {
      const child = spawn(join(shared, 'harness', 'kafka', script), args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
      let said = '';
      child.stderr.on('data', (chunk) => {
        said += String(chunk);
      });
      child.once('error', reject);
      // `exit`, not `close`: the broker itself keeps what it inherited.
      child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`kafka ${script}: ${said.slice(-2000)}`))));
    });
  await run('stop', '--reset');
  await run('start');
  const address = `127.0.0.1:${port}`;
  const client = new kafkajs.Kafka({
    clientId: 'test',
    brokers: [address],
    logLevel: kafkajs.logLevel.NOTHING,
    retry: { retries: 12, maxRetryTime: 2_000 },
  });
  let readers = 0;

  return {
    address,
    stop: () => run('stop'),
    start: () => run('start'),
    async createTopic(topic, settings = {}) {
      const admin = client.admin();
      await admin.connect();
      const configEntries = Object.entries(settings).map(([name, value]) => ({ name, value }));
      await admin.createTopics({ topics: [{ topic, numPartitions: 3, configEntries }], waitForLeaders: false });
      // Leaders are there a moment later.
      for (let left = 50; left > 0; left--) {
        const [known] = (await admin.fetchTopicMetadata({ topics: [topic] }).catch(() => ({ topics: [] }))).topics;
        if (known?.partitions.every(({ leader }) => leader >= 0)) break;
        await delay(200);
      }
      await admin.disconnect();
    },
    async write(topic, messages) {
      const producer = client.producer({ createPartitioner: kafkajs.Partitioners.DefaultPartitioner });
      await producer.connect();
      await producer.send({ topic, messages: [...messages] });
      await producer.disconnect();
    },
    async read(topic) {
      const admin = client.admin();
      await admin.connect();
      const total = (await admin.fetchTopicOffsets(topic)).reduce((sum, { high }) => sum + Number(high), 0);
      await admin.disconnect();
      readers += 1;
      const consumer = client.consumer({ groupId: `reader-${readers}`, maxWaitTimeInMs: 200, retry: { retries: 20, maxRetryTime: 1_000 } });
      const messages: Message[] = [];
      if (total === 0) return messages;
      await consumer.connect();
      await consumer.subscribe({ topic, fromBeginning: true });
      await new Promise<void>((resolve, reject) => {
        consumer.on('consumer.crash', ({ payload }) => reject(payload.error));
        void consumer
          .run({
            eachMessage: async ({ partition, message }) => {
              const headers = Object.fromEntries(Object.entries(message.headers ?? {}).map(([name, value]) => [name, String(value)]));
              messages.push({ key: message.key?.toString() ?? null, value: message.value?.toString() ?? '', partition, headers });
              if (messages.length >= total) resolve();
            },
          })
          .catch(reject);
      });
      await consumer.disconnect();
      return messages;
    },
  };
}
