// Kafka to a lineage server: each message is posted in the order of its partition and key, and its offset is committed after the answer. A message
// that nobody can take goes to the dead letters with its reason; a server that is away holds the partition back for as long as it takes.
import type { EachBatchPayload, KafkaMessage } from 'kafkajs';
import type { SendResult } from '../outbox/outbox.ts';
import { acceptEvent } from './accept.ts';

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

const firstBackoffMs = 500;
const longestBackoffMs = 30_000;
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
      const key = orderOf(message, partition);
      const mine = (chains.get(key) ?? Promise.resolve()).then(async () => {
        if (!gone() && (await delivery.deliver({ topic, partition, offset: message.offset, key: message.key, value: message.value })))
          settle(index);
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

/** Messages with a key keep its order; those without are of the run they tell of, else of the partition. */
function orderOf({ key, value }: KafkaMessage, partition: number): string {
  if (key !== null && key !== undefined && key.length > 0) return `key:${key.toString('base64')}`;
  const parsed = parse(value);
  if ('problem' in parsed) return `partition:${partition}`;
  const accepted = acceptEvent(parsed.text, parsed.value);
  return 'problem' in accepted ? `partition:${partition}` : accepted.orderKey;
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
        await parts.sleep(backoff(attempt, parts.random), signal);
      }
    }
    return false;
  };

  return {
    /** True when the message is done with; false when the partition or the process ended first. */
    async deliver(message: Omit<DeadLetter, 'reason'>): Promise<boolean> {
      const parsed = parse(message.value);
      if ('problem' in parsed) return buried({ ...message, reason: parsed.problem });
      const accepted = acceptEvent(parsed.text, parsed.value);
      if ('problem' in accepted) return buried({ ...message, reason: accepted.problem });
      const [fault] = parts.validate === null ? [] : await parts.validate(parsed.value);
      if (fault !== undefined) return buried({ ...message, reason: `${fault.path}: ${fault.message}` });
      let serverErrors = 0;
      for (let attempt = 1; !gone(); attempt += 1) {
        const takenBefore = taken;
        const result = await parts.send(parsed.text, signal);
        if (result.kind === 'sent') {
          taken += 1;
          parts.report({ kind: 'sent' });
          return true;
        }
        if (result.kind === 'never') return buried({ ...message, reason: result.reason });
        if (gone()) return false;
        parts.report({ kind: result.kind, reason: result.reason, attempt });
        const wait = result.kind === 'paused' ? pausedMs : Math.max(backoff(attempt, parts.random), result.retryAfterMs ?? 0);
        await parts.sleep(wait, signal);
        if (result.kind === 'later' && result.serverError && taken > takenBefore) serverErrors += 1;
        if (serverErrors >= mostServerErrors) return buried({ ...message, reason: `${result.reason}, ${mostServerErrors} times` });
      }
      return false;
    },
  };
}

function parse(value: Buffer | null): { readonly text: string; readonly value: unknown } | { readonly problem: string } {
  if (value === null) return { problem: 'the message is empty' };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(value);
    return { text, value: JSON.parse(text) };
  } catch {
    return { problem: 'the message is not JSON' };
  }
}

const backoff = (attempt: number, random: () => number): number =>
  Math.min(longestBackoffMs, firstBackoffMs * 2 ** Math.min(attempt - 1, 10)) * (0.75 + random() / 2);
