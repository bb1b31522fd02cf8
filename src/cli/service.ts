// What commands that run until they are told to stop have in common: the port with metrics and health, signals, and the end.
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { awaitSignal, Conditions, createMetrics, type Log, type Metrics, type Readiness, startOpsServer, stopParts } from '../ops/ops.ts';
import type { Settings } from '../settings/settings.ts';
import type { ExitCode } from './cli.ts';
import { version } from './version.ts';

/** Everything must have stopped within this time after SIGTERM. */
const stopLimitMs = 9_000;

/** What every part that works on its own is given. */
export interface Surroundings {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly conditions: Conditions;
  readonly now: () => number;
  readonly version: string;
  /** Unique per process. */
  readonly holder: string;
}

export function surroundings(log: Log): Surroundings {
  const metrics = createMetrics();
  metrics.build.set({ version }, 1);
  const conditions = new Conditions(log, Date.now, (code) => metrics.conditions.inc({ code }));
  return { log, metrics, conditions, now: Date.now, version, holder: `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}` };
}

export interface Service {
  readonly name: string;
  readiness(): Readiness;
  /** Works until `stop`. Rejects when it cannot go on. */
  run(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Runs a service until SIGTERM or SIGINT.
 * @throws CodedError PORT_IN_USE, ConfigError when the port cannot be bound; what the service threw
 */
export async function serve(
  service: Service,
  { http }: Settings,
  { log, metrics, conditions }: Surroundings,
  started: string,
): Promise<ExitCode> {
  const server = await opsServer(service, () =>
    startOpsServer(http.host, http.port, {
      metrics: () => {
        metrics.standing.reset();
        for (const { code } of conditions.list()) metrics.standing.inc({ code });
        return metrics.registry.metrics();
      },
      readiness: () => service.readiness(),
    }),
  );
  const { signalled, dispose } = awaitSignal(log);
  log.info({ version, http: `${http.host}:${server.port}` }, started);
  const failure = await Promise.race([
    signalled.then(() => undefined),
    service.run().then(
      () => undefined,
      (error: unknown) => ({ error }),
    ),
  ]);
  const clean = await stopParts([{ name: 'http', stop: () => server.close() }, service], stopLimitMs, log);
  dispose();
  if (failure !== undefined) throw failure.error;
  log.info(clean ? 'stopped' : 'stopped, but not everything in time');
  // A part that hangs must not keep the process: its work is on disk.
  if (!clean) setImmediate(() => process.exit(1));
  return clean ? 0 : 1;
}

/** A service that was put together holds ports and connections, which must not outlive a failed start. */
async function opsServer<T>(service: Service, start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    await service.stop();
    throw error;
  }
}
