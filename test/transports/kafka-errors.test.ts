// Errors of the Kafka client, as they are nested when they reach us.
import kafkajs from 'kafkajs';
import { describe, expect, it } from 'vitest';
import { classifyKafkaError } from '../../src/transports/kafka-errors.ts';
import { messageKeyOf } from '../../src/transports/kafka-key.ts';

const protocol = (type: string, retriable: boolean) =>
  new kafkajs.KafkaJSProtocolError({ type, code: 1, retriable, name: 'x', message: 'at kafka-1:9092' } as unknown as Error);
const exceeded = (inner: Error) => new kafkajs.KafkaJSNumberOfRetriesExceeded(inner, { retryCount: 2, retryTime: 1 });

describe('classifyKafkaError', () => {
  it.each([
    ['MESSAGE_TOO_LARGE', false, 'never'],
    ['INVALID_RECORD', false, 'never'],
    ['TOPIC_AUTHORIZATION_FAILED', false, 'paused'],
    ['CLUSTER_AUTHORIZATION_FAILED', false, 'paused'],
    ['UNKNOWN_TOPIC_OR_PARTITION', true, 'paused'],
    ['SASL_AUTHENTICATION_FAILED', false, 'paused'],
    ['NOT_ENOUGH_REPLICAS', true, 'later'],
    ['NOT_LEADER_FOR_PARTITION', true, 'later'],
    ['OUT_OF_ORDER_SEQUENCE_NUMBER', false, 'later'],
    ['UNKNOWN', false, 'later'],
  ])('%s', (type, retriable, kind) => {
    for (const error of [protocol(type, retriable), exceeded(protocol(type, retriable))]) {
      const result = classifyKafkaError(error);
      expect(result).toMatchObject({ kind, ...(kind === 'later' ? { serverError: !retriable } : {}) });
      expect(JSON.stringify(result)).toContain(type);
      expect(JSON.stringify(result)).not.toContain('kafka-1');
    }
  });

  it('knows credentials, TLS, names and the network', () => {
    expect(classifyKafkaError(Object.assign(new Error('bad password hunter2'), { name: 'KafkaJSSASLAuthenticationError' }))).toEqual({
      kind: 'paused',
      reason: 'kafka: user or password is not accepted (KafkaJSSASLAuthenticationError)',
    });
    const connection = (code: string) => new kafkajs.KafkaJSConnectionError('Connection error: x', { broker: 'b:1', code });
    expect(classifyKafkaError(exceeded(connection('ENOTFOUND')))).toMatchObject({ kind: 'paused' });
    expect(classifyKafkaError(connection('DEPTH_ZERO_SELF_SIGNED_CERT'))).toMatchObject({ kind: 'paused' });
    expect(classifyKafkaError(connection('ECONNREFUSED'))).toEqual({
      kind: 'later',
      reason: 'no answer (ECONNREFUSED)',
      serverError: false,
    });
    for (const nonsense of [undefined, null, 'text', new Error('x'), {}]) expect(classifyKafkaError(nonsense).kind).toBe('later');
  });
});

describe('messageKeyOf', () => {
  const job = (name: string) => ({ namespace: 'ns', name });
  it.each([
    [{ run: { facets: { parent: { job: job('p'), root: { job: job('r') } } } }, job: job('j') }, 'run:ns/r'],
    [{ run: { facets: { parent: { job: job('p') } } }, job: job('j') }, 'run:ns/p'],
    [{ run: {}, job: job('j') }, 'run:ns/j'],
    [{ job: job('j') }, 'job:ns/j'],
    [{ dataset: job('d') }, 'dataset:ns/d'],
    [{}, 'job:/'],
  ])('%j', (event, key) => {
    expect(messageKeyOf(JSON.stringify(event))).toBe(key);
  });
});
