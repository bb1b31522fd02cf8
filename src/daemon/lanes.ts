// The lanes of the configured destinations: started, exchanged and stopped as the settings say at each poll.
import { type Lane, type LaneStatus, type Sender, startLane } from '../outbox/outbox.ts';
import type { DestinationSettings } from '../settings/settings.ts';
import { concurrencyOf, createTransport, type Transport, timeoutOf } from '../transports/transports.ts';
import type { Context } from './context.ts';
import { reportNote } from './delivery-notes.ts';
import type { HeldLease } from './lease.ts';

export interface Lanes {
  /** Makes the running lanes equal to the destinations; a changed address or token takes effect with the next send. */
  apply(destinations: readonly DestinationSettings[]): void;
  /** New events were written. */
  wake(): void;
  /** Resolves when no lane has anything it could send now. */
  idle(): Promise<ReadonlyMap<string, LaneStatus>>;
  status(): ReadonlyMap<string, LaneStatus>;
  stop(limitMs: number): Promise<void>;
}

interface Running {
  readonly lane: Lane;
  transport: Transport;
  settings: DestinationSettings;
}

/** What lanes need of what the parts share. */
export type LanesContext = Pick<Context, 'extension' | 'state' | 'version' | 'log' | 'metrics' | 'conditions'>;

/**
 * @param onPaused called when a destination refuses everything
 * @param paced waited for before each send
 */
export function createLanes(
  context: LanesContext,
  lease: Pick<HeldLease, 'holds' | 'holdsIn' | 'lost' | 'inherited'>,
  onPaused: () => void,
  paced?: (signal: AbortSignal) => Promise<void>,
): Lanes {
  const running = new Map<string, Running>();
  /** Removed, with requests in flight: not started again before those are over. */
  const ending = new Set<string>();
  const takenAt = Date.now();

  const start = (settings: DestinationSettings): Running => {
    const entry: Omit<Running, 'lane'> = {
      transport: createTransport(settings, { version: context.version, output: process.stdout, extension: context.extension }),
      settings,
    };
    const lane = startLane({
      destination: settings.name,
      state: context.state,
      sender: () => slowed((running.get(settings.name) ?? entry).transport, paced),
      concurrency: concurrencyOf(settings),
      guard: lease.holdsIn,
      active: lease.holds,
      lost: lease.lost,
      inheritedUntil: lease.inherited ? takenAt + timeoutOf(settings) : 0,
      onPaused,
      report: (note) => reportNote(context, settings.name, note),
    });
    return { lane, ...entry };
  };

  const exchange = (entry: Running, settings: DestinationSettings) => {
    const old = entry.transport;
    entry.transport = createTransport(settings, { version: context.version, output: process.stdout, extension: context.extension });
    entry.settings = settings;
    entry.lane.resume();
    void old.close();
  };

  const status = () => new Map([...running].map(([name, { lane }]) => [name, lane.status()]));

  return {
    apply(destinations) {
      const wanted = new Map(destinations.map((d) => [d.name, d]));
      for (const [name, { lane, transport }] of running) {
        if (wanted.has(name)) continue;
        running.delete(name);
        context.log.info({ stage: 'outbox', destination: name }, 'destination removed; its events stay in the outbox');
        ending.add(name);
        void lane
          .stop(5_000)
          .then(() => transport.close())
          .finally(() => ending.delete(name));
      }
      for (const [name, settings] of wanted) {
        const entry = running.get(name);
        if (ending.has(name)) continue;
        if (entry === undefined) {
          running.set(name, start(settings));
          context.log.info({ stage: 'outbox', destination: name, type: settings.type }, 'destination in use');
        } else if (JSON.stringify(entry.settings) !== JSON.stringify(settings)) {
          context.log.info({ stage: 'outbox', destination: name }, 'settings of the destination changed');
          exchange(entry, settings);
        }
      }
    },
    wake() {
      for (const { lane } of running.values()) lane.wake();
    },
    async idle() {
      await Promise.all([...running.values()].map(({ lane }) => lane.idle()));
      return status();
    },
    status,
    async stop(limitMs) {
      const entries = [...running.values()];
      running.clear();
      await Promise.all(
        entries.map(async ({ lane, transport }) => {
          await lane.stop(limitMs);
          await transport.close();
        }),
      );
    },
  };
}

const slowed = (sender: Sender, paced: ((signal: AbortSignal) => Promise<void>) | undefined): Sender =>
  paced === undefined
    ? sender
    : {
        send: async (event, signal) => {
          await paced(signal);
          return sender.send(event, signal);
        },
      };
