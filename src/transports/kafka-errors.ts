// What an error of the Kafka client means: the message's fault, a passing trouble, or the fault of the destination. Pure.
import type { SendResult } from '../outbox/outbox.ts';
import { classifyError } from './classify.ts';

/** Nothing will make the brokers take this message. */
const refused: ReadonlySet<string> = new Set([
  'MESSAGE_TOO_LARGE',
  'RECORD_LIST_TOO_LARGE',
  'INVALID_RECORD',
  'CORRUPT_MESSAGE',
  'INVALID_TIMESTAMP',
]);

/** What a person must cure: topic, rights, credentials, settings that do not fit the cluster. */
const atFault: Readonly<Record<string, string>> = {
  UNKNOWN_TOPIC_OR_PARTITION: 'the topic does not exist',
  INVALID_TOPIC_EXCEPTION: 'the brokers refuse the name of the topic',
  TOPIC_AUTHORIZATION_FAILED: 'the user may not write to the topic',
  CLUSTER_AUTHORIZATION_FAILED: 'the user may not produce idempotently (grant IDEMPOTENT_WRITE or set idempotent: false)',
  TRANSACTIONAL_ID_AUTHORIZATION_FAILED: 'the user may not produce',
  SASL_AUTHENTICATION_FAILED: 'user or password is not accepted',
  UNSUPPORTED_SASL_MECHANISM: 'the brokers do not offer the SASL mechanism',
  ILLEGAL_SASL_STATE: 'the brokers ask for another way to authenticate',
  INVALID_REQUIRED_ACKS: 'the brokers refuse acks',
  UNSUPPORTED_COMPRESSION_TYPE: 'the brokers refuse the compression',
  UNSUPPORTED_VERSION: 'the brokers are too old',
  POLICY_VIOLATION: 'a policy of the brokers refuses the topic',
};

/** Names of client errors whose cause is the configuration. */
const clientAtFault: Readonly<Record<string, string>> = {
  KafkaJSSASLAuthenticationError: 'user or password is not accepted',
  KafkaJSNotImplemented: 'the client cannot do this',
};

/** Judges an error by its type and code alone: messages may hold addresses. */
export function classifyKafkaError(error: unknown): SendResult {
  const chain = [...causes(error)];
  for (const { type, name } of chain) {
    if (typeof type === 'string' && refused.has(type)) return { kind: 'never', reason: `kafka: ${type}` };
    const cure = (typeof type === 'string' ? atFault[type] : undefined) ?? (typeof name === 'string' ? clientAtFault[name] : undefined);
    if (cure !== undefined) return { kind: 'paused', reason: `kafka: ${cure} (${typeof type === 'string' ? type : name})` };
  }
  const protocol = chain.find(({ type }) => typeof type === 'string');
  if (protocol !== undefined) {
    // An error that the protocol calls passing says nothing against the message; any other might be about it.
    return { kind: 'later', reason: `kafka: ${protocol.type}`, serverError: protocol.retriable !== true };
  }
  const coded = chain.find(({ code }) => typeof code === 'string' && code !== '');
  if (coded !== undefined) return classifyError({ code: coded.code });
  return { kind: 'later', reason: `kafka: no answer (${String(chain.at(-1)?.name ?? 'unknown')})`, serverError: false };
}

interface Described {
  readonly type?: unknown;
  readonly code?: unknown;
  readonly name?: unknown;
  readonly retriable?: unknown;
}

/** The error and what it wraps, outermost first. */
function* causes(error: unknown): Generator<Described> {
  for (let at = error, depth = 0; typeof at === 'object' && at !== null && depth < 8; depth++) {
    yield at as Described;
    const { cause, originalError } = at as { cause?: unknown; originalError?: unknown };
    at = cause ?? originalError;
  }
}
