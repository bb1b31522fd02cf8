// Produces events to a topic with the keys of the OpenLineage clients. kafkajs: one package without native code, and the client
// with the kinder failures (see docs/transports.md). It is loaded at the first use.
import type { Kafka, Producer } from 'kafkajs';
import { pem } from '../http/http.ts';
import type { SendResult } from '../outbox/outbox.ts';
import { coalesced, type SendMany } from './coalesce.ts';
import { classifyKafkaError } from './kafka-errors.ts';
import { messageKeyOf } from './kafka-key.ts';
import { readSecret, TokenTrouble } from './secret.ts';
import type { KafkaDestination, MayBegin, Transport } from './transport.ts';

// All messages of a batch for one partition become one record batch, which brokers limit to 1 MiB by default.
const batchLimits = { events: 500, chars: 400 * 1024 };
const acks = { all: -1, leader: 1, none: 0 } as const;

/** How a cluster is reached; `name` stands in messages. */
export type KafkaConnection = Pick<KafkaDestination, 'name' | 'brokers' | 'clientId' | 'tls' | 'sasl' | 'timeout'>;

/**
 * A way to make clients of a cluster; they connect at their first use. What they would log is for their user to tell.
 * @throws ConfigError when a certificate or key file cannot be read
 */
export function kafkaClient(connection: KafkaConnection): () => Promise<Kafka> {
  const ssl = tlsOf(connection);
  const { timeout } = connection;
  return async () => {
    const { default: kafkajs } = await import('kafkajs');
    return new kafkajs.Kafka({
      clientId: connection.clientId,
      brokers: [...connection.brokers],
      ssl,
      ...(connection.sasl === undefined ? {} : { sasl: await credentials(connection.sasl) }),
      connectionTimeout: Math.min(5_000, timeout),
      authenticationTimeout: Math.min(10_000, timeout),
      requestTimeout: Math.min(10_000, timeout),
      // Whoever uses it decides when to try again; what is here, some 5 s, bridges a change of leader and the making of a topic.
      retry: { retries: 5, initialRetryTime: 200, maxRetryTime: 2_000 },
      logLevel: kafkajs.logLevel.NOTHING,
    });
  };
}

/** @throws ConfigError when a certificate or key file cannot be read */
export function kafkaTransport(destination: KafkaDestination): Transport {
  const { topic, timeout, messageKey, headers } = destination;
  let producer: Promise<Producer> | undefined;

  const open = kafkaClient(destination);
  const connect = async (): Promise<Producer> => {
    const { default: kafkajs } = await import('kafkajs');
    const made = (await open()).producer({
      idempotent: destination.idempotent,
      maxInFlightRequests: 1,
      createPartitioner: kafkajs.Partitioners.DefaultPartitioner,
    });
    try {
      await made.connect();
      return made;
    } catch (error) {
      void made.disconnect().catch(() => undefined);
      throw error;
    }
  };
  /**
   * After any failure the producer is thrown away. kafkajs takes sequence numbers back when an answer is lost; the broker would
   * take the next, other message for a repetition of the first, answer "done" and drop it. A new producer may double a message.
   */
  const drop = (): void => {
    const old = producer;
    producer = undefined;
    void old?.then((made) => made.disconnect()).catch(() => undefined);
  };

  const produce = async (events: readonly string[], signal: AbortSignal, mayBegin: MayBegin): Promise<SendResult> => {
    const work = async (): Promise<void> => {
      const messages = events.map((value) => ({ key: messageKey ?? messageKeyOf(value), value, headers: { ...headers } }));
      producer ??= connect();
      const made = await producer;
      const { default: kafkajs } = await import('kafkajs');
      const compression = destination.compression === 'gzip' ? kafkajs.CompressionTypes.GZIP : kafkajs.CompressionTypes.None;
      if (signal.aborted || !mayBegin()) throw new Given('NOT_BEGUN');
      await made.send({ topic, messages, acks: acks[destination.acks], compression, timeout });
    };
    try {
      await limited(work(), timeout, signal);
      return { kind: 'sent' };
    } catch (error) {
      drop();
      return error instanceof TokenTrouble ? error.result : classifyKafkaError(error);
    }
  };
  const sendMany: SendMany = async (events, signal, mayBegin) => {
    const result = await produce(events, signal, mayBegin);
    if (result.kind !== 'never' || events.length === 1) return events.map(() => result);
    // One of them is at fault: each gets its own answer.
    const results: SendResult[] = [];
    for (const event of events) results.push(await produce([event], signal, mayBegin));
    return results;
  };

  const probe = async (signal: AbortSignal) => {
    const where = `${destination.brokers.join(',')} topic ${topic}`;
    try {
      const admin = (await open()).admin();
      try {
        await limited(admin.connect(), timeout, signal);
        const known = (await limited(admin.listTopics(), timeout, signal)).includes(topic);
        return { ok: true, detail: known ? `${where} is there` : `${where} does not exist yet; it is made if the brokers allow that` };
      } finally {
        void admin.disconnect().catch(() => undefined);
      }
    } catch (error) {
      const result = error instanceof TokenTrouble ? error.result : classifyKafkaError(error);
      return { ok: false, detail: `${where} ${result.kind === 'sent' ? '' : result.reason}` };
    }
  };

  return {
    kind: 'kafka',
    send: coalesced(sendMany, batchLimits),
    probe,
    close: async () => {
      const old = producer;
      producer = undefined;
      await old?.then((made) => made.disconnect()).catch(() => undefined);
    },
  };
}

class Given extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** kafkajs cannot be told to stop: what it still does is ignored. */
async function limited<T>(work: Promise<T>, ms: number, signal: AbortSignal): Promise<T> {
  let end: () => void = () => undefined;
  const limit = new Promise<never>((_, reject) => {
    const abort = () => reject(new Given('ABORTED'));
    const timer = setTimeout(() => reject(new Given('TIMEOUT')), ms);
    end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    end();
    work.catch(() => undefined);
  }
}

async function credentials({ mechanism, username, password, passwordFile }: NonNullable<KafkaDestination['sasl']>) {
  const secret = passwordFile === undefined ? (password ?? '') : await readSecret(passwordFile, 'password file');
  return { mechanism, username, password: secret } as { mechanism: 'plain'; username: string; password: string };
}

function tlsOf({ tls, name }: Pick<KafkaDestination, 'tls' | 'name'>) {
  if (typeof tls === 'boolean') return tls;
  const read = (option: 'ca' | 'cert' | 'key') => {
    const value = tls[option];
    return value === undefined ? {} : { [option]: pem(`destination ${name}`, `tls.${option}`, value) };
  };
  return { ...read('ca'), ...read('cert'), ...read('key'), ...(tls.serverName === undefined ? {} : { servername: tls.serverName }) };
}
