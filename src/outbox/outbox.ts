// Stage outbox: events -> rows -> one lane per destination. Keeps the order per application, backs off, keeps what was sent
// for a while, lets an operator see and send again what was refused. Knows no URL, no token and no protocol.
export type { Sender, SendResult } from './answer.ts';
export { type Backoff, waitMs } from './backoff.ts';
export { realSleep, type Sleep } from './bell.ts';
export { startLane } from './delivery.ts';
export { enqueue, type OutboxDestination } from './enqueue.ts';
export { type DestinationStats, listOutbox, type OutboxEntry, type OutboxFilter, outboxPayload, outboxStats } from './inspect.ts';
export type { Lane, LaneEvent, LaneNote, LaneParts, LaneStatus } from './lane.ts';
export { type PurgeFilter, purgeBatch, purgeOutbox, purgeSome } from './purge.ts';
export { type ReplaySelector, replay, resend } from './replay.ts';
