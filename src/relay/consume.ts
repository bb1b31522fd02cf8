// The consumer of the topics. kafkajs joins, rebalances and comes back by itself; what it says is passed on as notes, because it calls every
// normal rebalance an error.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Consumer, Kafka } from 'kafkajs';
import type { Batch } from './forward.ts';

export interface ConsumeParts {
  readonly kafka: Kafka;
  readonly topics: readonly string[];
  readonly group: string;
  /** Where a group begins that has no offsets: the beginning, the end, or a time (ms since the epoch), which also moves a group that has some. */
  readonly from: 'earliest' | 'latest' | number;
  readonly handle: (batch: Batch) => Promise<void>;
  readonly report: (note: ConsumeNote) => void;
  readonly signal: AbortSignal;
}

export type ConsumeNote =
  | { readonly kind: 'joined'; readonly partitions: Readonly<Record<string, readonly number[]>> }
  | { readonly kind: 'down'; readonly reason: string };

/** Longest absence before the group gives the partitions to others. */
const sessionMs = 30_000;
/** Partitions handled side by side. */
const partitionsAtOnce = 16;

/**
 * Consumes until the signal is aborted; brokers that are away are waited for.
 * @throws Error when offsets cannot be set, or the group is refused (authorization)
 */
export async function consume(parts: ConsumeParts): Promise<void> {
  const { kafka, group, signal } = parts;
  if (typeof parts.from === 'number') await seek(kafka, group, parts.topics, parts.from);
  const consumer = kafka.consumer({
    groupId: group,
    sessionTimeout: sessionMs,
    heartbeatInterval: 3_000,
    rebalanceTimeout: sessionMs,
    maxWaitTimeInMs: 500,
    retry: { retries: 8, initialRetryTime: 300, maxRetryTime: 10_000, restartOnFailure: async () => !signal.aborted },
  });
  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => parts.report({ kind: 'joined', partitions: payload.memberAssignment }));
  consumer.on(consumer.events.CRASH, ({ payload }) =>
    parts.report({ kind: 'down', reason: payload.error.message.split('\n', 1)[0] ?? '' }),
  );
  await connected(consumer, parts);
  if (!signal.aborted) {
    await consumer.subscribe({ topics: [...parts.topics], fromBeginning: parts.from !== 'latest' });
    await consumer.run({
      autoCommit: true,
      autoCommitInterval: 1_000,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: partitionsAtOnce,
      eachBatch: (batch) => parts.handle(batch),
    });
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
  // Leaves the group and commits what was answered.
  await consumer.disconnect();
}

/** The first connection: tried until the brokers answer. */
async function connected(consumer: Consumer, { report, signal }: ConsumeParts): Promise<void> {
  for (let wait = 1_000; !signal.aborted; wait = Math.min(30_000, wait * 2)) {
    try {
      return await consumer.connect();
    } catch (error) {
      report({ kind: 'down', reason: error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : 'error' });
      await sleep(wait, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Moves the group to the first message at or after a time; it must have no member. */
async function seek(kafka: Kafka, groupId: string, topics: readonly string[], time: number): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    for (const topic of topics) {
      const partitions = await admin.fetchTopicOffsetsByTimestamp(topic, time);
      await admin.setOffsets({ groupId, topic, partitions });
    }
  } finally {
    await admin.disconnect();
  }
}
