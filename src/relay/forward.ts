// Kafka to a lineage server: each message is posted in the order of its partition and key, and its offset is committed after the answer. A message
// that nobody can take goes to the dead letters with its reason; a server that is away holds the partition back for as long as it takes.
import type { EachBatchPayload, KafkaMessage } from 'kafkajs';
import { type Backoff, type SendResult, waitMs } from '../outbox/outbox.ts';
import { outlineOf } from './accept.ts';

export interface ForwardParts {
  readonly send: (json: string, signal: AbortSignal) => Promise<SendResult>;
  /** Keeps a message that cannot be delivered; tried again until it succeeds. */
  readonly bury: (letter: DeadLetter) => Promise<void>;
  readonly validate: ((event: unknown) => Promise<readonly { readonly path: string; readonly message: string }[]>) | null;
  /** Messages in flight at once, of different keys. */
  readonly concurrency: number;
  readonly report: (note: ForwardNote) => void;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly random: () => number;
}

export interface DeadLetter {
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly reason: string;
}

export type ForwardNote =
  | { readonly kind: 'sent' }
  | { readonly kind: 'dead'; readonly letter: DeadLetter }
  /** Told at each failed attempt. */
  | { readonly kind: 'later' | 'paused'; readonly reason: string; readonly attempt: number };

/** What the consumer of Kafka gives for a batch, as far as it is used here. */
export type Batch = Pick<EachBatchPayload, 'batch' | 'resolveOffset' | 'heartbeat' | 'commitOffsetsIfNecessary' | 'isRunning' | 'isStale'>;

const backoff: Backoff = { firstMs: 500, longestMs: 30_000 };
/** A destination that refuses everything (token, address) is asked this often. */
const pausedMs = 15_000;
const heartbeatMs = 2_000;
/** Answers 5xx for one message, while others are taken, after which it is the message's own fault. */
const mostServerErrors = 10;

/** Handles one batch of one partition; resolves when all of it is answered, or when the partition was taken away. */
export async function forwardBatch(batch: Batch, parts: ForwardParts, signal: AbortSignal): Promise<void> {
  const { messages, topic, partition } = batch.batch;
  const gone = () => signal.aborted || !batch.isRunning() || batch.isStale();
  const answered = new Array<boolean>(messages.length).fill(false);
  let resolved = 0;
  const settle = (index: number) => {
    answered[index] = true;
    // Only what lies before the first unanswered message may be committed.
    while (resolved < messages.length && answered[resolved] === true) {
      batch.resolveOffset((messages[resolved] as KafkaMessage).offset);
      resolved += 1;
    }
  };
  const beating = setInterval(() => {
    void batch
      .heartbeat()
      .then(() => batch.commitOffsetsIfNecessary())
      .catch(() => undefined);
  }, heartbeatMs);
  const delivery = createDelivery(parts, signal, gone);
  const chains = new Map<string, Promise<void>>();
  const flying = new Set<Promise<void>>();
  try {
    for (const [index, message] of messages.entries()) {
      while (flying.size >= parts.concurrency) await Promise.race(flying);
      if (gone()) break;
      const read = readMessage(message.value);
      const key = orderOf(message, read, partition);
      const mine = (chains.get(key) ?? Promise.resolve()).then(async () => {
        const { offset, key: own, value } = message;
        if (!gone() && (await delivery.deliver(read, { topic, partition, offset, key: own, value }))) settle(index);
      });
      chains.set(key, mine);
      const tracked = mine.finally(() => flying.delete(tracked));
      flying.add(tracked);
    }
    await Promise.all(flying);
  } finally {
    clearInterval(beating);
  }
  await batch.heartbeat();
}

/** A message as text and value with the order of its event, or why it is no event. */
type Read = { readonly text: string; readonly value: unknown; readonly orderKey: string } | { readonly problem: string };

function readMessage(bytes: Buffer | null): Read {
  if (bytes === null) return { problem: 'the message is empty' };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    const outline = outlineOf(value);
    return 'problem' in outline ? outline : { text, value, orderKey: outline.orderKey };
  } catch {
    return { problem: 'the message is not JSON' };
  }
}

/** Messages with a key keep its order; those without are of the run they tell of, else of the partition. */
function orderOf({ key }: KafkaMessage, read: Read, partition: number): string {
  if (key !== null && key !== undefined && key.length > 0) return `key:${key.toString('base64')}`;
  return 'problem' in read ? `partition:${partition}` : read.orderKey;
}

function createDelivery(parts: ForwardParts, signal: AbortSignal, gone: () => boolean) {
  /** Messages that were taken: a 5xx counts against a message only when others get through. */
  let taken = 0;

  const buried = async (letter: DeadLetter): Promise<boolean> => {
    for (let attempt = 1; !gone(); attempt += 1) {
      try {
        await parts.bury(letter);
        parts.report({ kind: 'dead', letter });
        return true;
      } catch (error) {
        const reason = `the dead letter cannot be kept: ${error instanceof Error ? error.message : 'error'}`;
        parts.report({ kind: 'later', reason, attempt });
        await parts.sleep(waitMs(backoff, attempt, undefined, parts.random), signal);
      }
    }
    return false;
  };

  return {
    /** True when the message is done with; false when the partition or the process ended first. */
    async deliver(read: Read, message: Omit<DeadLetter, 'reason'>): Promise<boolean> {
      if ('problem' in read) return buried({ ...message, reason: read.problem });
      const [fault] = parts.validate === null ? [] : await parts.validate(read.value);
      if (fault !== undefined) return buried({ ...message, reason: `${fault.path}: ${fault.message}` });
      let serverErrors = 0;
      for (let attempt = 1; !gone(); attempt += 1) {
        const takenBefore = taken;
        const result = await parts.send(read.text, signal);
        if (result.kind === 'sent') {
          taken += 1;
          parts.report({ kind: 'sent' });
          return true;
        }
        if (result.kind === 'never') return buried({ ...message, reason: result.reason });
        if (gone()) return false;
        parts.report({ kind: result.kind, reason: result.reason, attempt });
        const wait = result.kind === 'paused' ? pausedMs : waitMs(backoff, attempt, result.retryAfterMs, parts.random);
        await parts.sleep(wait, signal);
        if (result.kind === 'later' && result.serverError && taken > takenBefore) serverErrors += 1;
        if (serverErrors >= mostServerErrors) return buried({ ...message, reason: `${result.reason}, ${mostServerErrors} times` });
      }
      return false;
    },
  };
}
