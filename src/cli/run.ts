// `run` and `once`: put the daemon together, start it, stop it.
import { createDaemon, type Daemon } from '../daemon/daemon.ts';
import { awaitSignal, createLog } from '../ops/ops.ts';
import type { Settings } from '../settings/settings.ts';
import { openState } from '../state/state.ts';
import { openSource } from '../watch/watch.ts';
import type { ExitCode } from './cli.ts';
import { stateOptionsOf } from './connect.ts';
import { extensionFor } from './extension.ts';
import { logPlanner, plannerFrom } from './planner.ts';
import { type Surroundings, serve, surroundings } from './service.ts';

async function assemble(settings: Settings): Promise<{ readonly daemon: Daemon; readonly around: Surroundings }> {
  const state = stateOptionsOf(settings);
  const around = surroundings(createLog(settings.log.level));
  const daemon = createDaemon({
    ...around,
    settings,
    source: openSource(settings),
    openState: () => openState(state),
    planner: plannerFrom(settings, logPlanner(around.log, around.metrics)),
    extension: await extensionFor(settings, around),
  });
  return { daemon, around };
}

/** The daemon, until SIGTERM or SIGINT. */
export async function runCommand(settings: Settings): Promise<ExitCode> {
  const { daemon, around } = await assemble(settings);
  const abort = new AbortController();
  let ended: Promise<void> = Promise.resolve();
  const service = {
    name: 'daemon',
    readiness: () => daemon.readiness(),
    run: () => {
      ended = daemon.run(abort.signal);
      return ended;
    },
    stop: () => {
      abort.abort();
      return ended;
    },
  };
  return serve(service, settings, around, 'streampark-lineage started');
}

/** One poll, then the outbox as far as it goes. */
export async function onceCommand(settings: Settings): Promise<ExitCode> {
  const { daemon, around } = await assemble(settings);
  const { signalled, dispose } = awaitSignal(around.log);
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
