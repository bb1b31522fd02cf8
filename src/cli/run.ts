// `run` and `once`: put the daemon together, start it, stop it.
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { createDaemon, type Daemon } from '../daemon/daemon.ts';
import {
  awaitSignal,
  Conditions,
  createLog,
  createMetrics,
  type Log,
  type Metrics,
  type Part,
  startOpsServer,
  stopParts,
} from '../ops/ops.ts';
import type { Settings } from '../settings/settings.ts';
import { openState } from '../state/state.ts';
import { openSource } from '../watch/watch.ts';
import type { ExitCode } from './cli.ts';
import { stateOptionsOf } from './connect.ts';
import { logPlanner, plannerFrom } from './planner.ts';
import { version } from './version.ts';

/** Everything must have stopped within this time after SIGTERM. */
const stopLimitMs = 9_000;

interface Assembled {
  readonly daemon: Daemon;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly conditions: Conditions;
}

function assemble(settings: Settings): Assembled {
  const state = stateOptionsOf(settings);
  const log = createLog(settings.log.level);
  const metrics = createMetrics();
  metrics.build.set({ version }, 1);
  const conditions = new Conditions(log, Date.now, (code) => metrics.conditions.inc({ code }));
  const daemon = createDaemon({
    settings,
    source: openSource(settings),
    openState: () => openState(state),
    planner: plannerFrom(settings, logPlanner(log, metrics)),
    log,
    metrics,
    conditions,
    now: Date.now,
    version,
    holder: `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`,
  });
  return { daemon, log, metrics, conditions };
}

/** The daemon, until SIGTERM or SIGINT. */
export async function runCommand(settings: Settings): Promise<ExitCode> {
  const { daemon, log, metrics, conditions } = assemble(settings);
  const server = await startOpsServer(settings.http.host, settings.http.port, {
    metrics: () => {
      metrics.standing.reset();
      for (const { code } of conditions.list()) metrics.standing.inc({ code });
      return metrics.registry.metrics();
    },
    readiness: () => daemon.readiness(),
  });
  const { signalled, dispose } = awaitSignal(log);
  log.info({ version, http: `${settings.http.host}:${server.port}` }, 'streampark-lineage started');
  const abort = new AbortController();
  const ended = daemon.run(abort.signal);
  const parts: Part[] = [
    { name: 'http', stop: () => server.close() },
    {
      name: 'daemon',
      stop: () => {
        abort.abort();
        return ended;
      },
    },
  ];
  const failure = await Promise.race([
    signalled.then(() => undefined),
    ended.then(
      () => undefined,
      (error: unknown) => ({ error }),
    ),
  ]);
  const clean = await stopParts(parts, stopLimitMs, log);
  dispose();
  if (failure !== undefined) throw failure.error;
  log.info(clean ? 'stopped' : 'stopped, but not everything in time');
  // A part that hangs must not keep the process: its work is on disk.
  if (!clean) setImmediate(() => process.exit(1));
  return clean ? 0 : 1;
}

/** One poll, then the outbox as far as it goes. */
export async function onceCommand(settings: Settings): Promise<ExitCode> {
  const { daemon, log } = assemble(settings);
  const { signalled, dispose } = awaitSignal(log);
  const abort = new AbortController();
  void signalled.then(() => abort.abort());
  try {
    const { undelivered, undecided } = await daemon.once(abort.signal);
    if (undelivered > 0) process.stderr.write(`${undelivered} events stay undelivered; see \`outbox stats\`\n`);
    if (undecided > 0) process.stderr.write(`${undecided} runs wait for the planner; see \`check\`\n`);
    return undelivered + undecided > 0 ? 1 : 0;
  } finally {
    dispose();
  }
}
