// The proxy: an endpoint for OpenLineage clients before the durable outbox. Its rows stand under destination names of their own, so that it may
// share the own tables with a daemon; of several proxies on the same tables all receive and one delivers.
import { setTimeout as sleep } from 'node:timers/promises';
import { createLanes, type HeldLease, type Lanes, type LanesContext, leaseTtlMs, takeLease } from '../daemon/daemon.ts';
import { type CodedError, ConfigError } from '../errors/errors.ts';
import type { Readiness } from '../ops/ops.ts';
import { purgeOutbox } from '../outbox/outbox.ts';
import type { DestinationSettings, Settings } from '../settings/settings.ts';
import { eventKindsOf } from '../transports/transports.ts';
import { type ReceiverOptions, startReceiver } from './receive.ts';
import { createSpool } from './spool.ts';

export interface ProxyParts extends LanesContext {
  readonly destinations: readonly DestinationSettings[];
  readonly receiver: Omit<ReceiverOptions, 'answered'>;
  readonly retention: Settings['outbox'];
  readonly now: () => number;
  /** Unique per process. */
  readonly holder: string;
}

export interface Proxy {
  readonly port: number;
  readiness(): Readiness;
  /** Answers what is under way, then gives deliveries in flight `limitMs`. */
  stop(limitMs: number): Promise<void>;
}

const prefix = 'relay:';
/** Width of the column. */
const longestName = 64;
const leaseEveryMs = 5_000;
const retentionEveryMs = 3_600_000;

/**
 * Starts the proxy.
 * @throws ConfigError without destinations, or when the address cannot be bound
 */
export async function startProxy(parts: ProxyParts): Promise<Proxy> {
  const destinations = parts.destinations.map((one) => ({ ...one, name: relayed(one.name) }));
  if (destinations.length === 0) throw new ConfigError('CONFIG_INVALID', 'relay --listen: no destination is configured');
  let lanes: Lanes | undefined;
  let lease: HeldLease | undefined;
  const spool = createSpool(
    parts.state,
    destinations.map((one) => ({ name: one.name, kinds: eventKindsOf(one) })),
    parts.now,
    () => lanes?.wake(),
  );
  const receiver = await startReceiver(
    { ...parts.receiver, answered: (status) => parts.metrics.relayRequests.inc({ status: String(status) }) },
    spool,
  );

  const stopping = new AbortController();
  const deliver = async () => {
    if (lease?.lost.aborted === true) await yieldUp(0);
    if (lease !== undefined) return;
    const outcome = await takeLease(parts.state, parts.holder, leaseTtlMs, 'relay');
    if (outcome.kind === 'standby') {
      parts.conditions.raise('STATE_LEASE_HELD', 'lease', `${outcome.holder} delivers; this proxy receives`);
      return;
    }
    parts.conditions.clear('STATE_LEASE_HELD', 'lease');
    lease = outcome.lease;
    lanes = createLanes(parts, lease, () => undefined);
    lanes.apply(destinations);
  };
  const yieldUp = async (limitMs: number) => {
    const [ending, held] = [lanes, lease];
    lanes = undefined;
    lease = undefined;
    await ending?.stop(limitMs);
    await held?.release().catch(() => undefined);
  };
  let retainedAt = 0;
  const upkeep = async () => {
    // also when the clock was set back
    if (lease === undefined || Math.abs(parts.now() - retainedAt) < retentionEveryMs) return;
    retainedAt = parts.now();
    const { keepSent, keepDead } = parts.retention;
    for (const state of ['sent', 'dead'] as const) {
      const before = parts.now() - (state === 'dead' ? keepDead : keepSent);
      for (const { name } of destinations) await purgeOutbox(parts.state.database.db, { state, before, destination: name });
    }
  };
  const loop = async () => {
    while (!stopping.signal.aborted) {
      try {
        await deliver();
        await upkeep();
        parts.conditions.clear('STATE_UNREACHABLE', 'state');
      } catch (error) {
        parts.conditions.raise('STATE_UNREACHABLE', 'state', (error as CodedError).message, 'error');
      }
      await sleep(leaseEveryMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const running = loop();

  return {
    port: receiver.port,
    readiness() {
      const reasons = parts.conditions.list().map(({ code, message }) => ({ code, message }));
      return {
        ready: !reasons.some(({ code }) => code === 'STATE_UNREACHABLE'),
        role: lease === undefined ? 'standby' : 'leader',
        reasons,
      };
    },
    async stop(limitMs) {
      stopping.abort();
      await receiver.close();
      await running;
      await yieldUp(limitMs);
    },
  };
}

function relayed(name: string): string {
  const full = `${prefix}${name}`;
  if (full.length > longestName)
    throw new ConfigError('CONFIG_INVALID', `destination ${name}: a relayed one has at most ${longestName - prefix.length} letters`);
  return full;
}
