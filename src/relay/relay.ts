// OpenLineage events of any producer: from Kafka topics to a lineage server, and from HTTP clients into a durable outbox.
export { type AcceptedEvent, acceptEvent } from './accept.ts';
export { type ConsumeNote, consume } from './consume.ts';
export { type DeadLetter, type ForwardNote, type ForwardParts, forwardBatch } from './forward.ts';
export { letterFile, letterTopic } from './letters.ts';
export { type Proxy, type ProxyParts, startProxy } from './proxy.ts';
export { startReceiver } from './receive.ts';
export { createSpool } from './spool.ts';
