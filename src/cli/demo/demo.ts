// `demo`: the real daemon and the real planner on an embedded database, with a receiver of its own. Ends by itself.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { createDaemon, type Daemon } from '../../daemon/daemon.ts';
import { createPglite, embeddedDatabase } from '../../database/database.ts';
import { awaitSignal, Conditions, createLog, createMetrics, type Log } from '../../ops/ops.ts';
import { readSettings, type Settings } from '../../settings/settings.ts';
import { openEmbeddedState } from '../../state/state.ts';
import { sourceOf } from '../../watch/watch.ts';
import type { ExitCode } from '../cli.ts';
import { logPlanner, plannerFrom } from '../planner.ts';
import { installationRoot, version } from '../version.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { graphLines, lifeLines } from './report.ts';
import { createApps, setAddress, story } from './story.ts';

const pollMs = 300;
/** Time between two steps of the story: a few polls. */
const stepMs = 1_000;
/** Longest wait for the last event. */
const patienceMs = 60_000;

const say = (line = '') => process.stdout.write(`${line}\n`);

/** An embedded database from the image that `npm run setup` made; without one it takes some seconds longer. */
async function openPglite() {
  const build = join(installationRoot, 'build');
  const image = existsSync(build) ? readdirSync(build).find((name) => /^pglite-.*\.tgz$/.test(name)) : undefined;
  return createPglite(image === undefined ? undefined : new Blob([readFileSync(join(build, image))]));
}

export async function demoCommand(keep: boolean): Promise<ExitCode> {
  say('streampark-lineage demo: an embedded StreamPark-shaped database, the real daemon, the real planner, a local receiver');
  say();
  const settings = readSettings(undefined, { STREAMPARK_LINEAGE_POLL_INTERVAL: `${pollMs}ms` });
  const log = createLog(process.env['STREAMPARK_LINEAGE_LOG_LEVEL'] ?? 'silent');
  const [receiver, sourceLite, stateLite] = await Promise.all([startReceiver(), openPglite(), openPglite()]);
  const database = embeddedDatabase<unknown>(sourceLite);
  for (const statement of readFileSync(join(installationRoot, 'sql', 'demo', 'streampark.sql'), 'utf8').split(/;\s*\n/)) {
    if (statement.trim() !== '') await sql.raw(statement).execute(database.db);
  }
  await createApps(database.db);
  const { daemon, stop } = await startDaemon(settings, log, sourceLite, stateLite);
  try {
    await setAddress(database.db, receiver.url);
    say('The story:');
    for (const { says, act } of story) {
      say(`  · ${says}`);
      await act(database.db);
      await sleep(stepMs);
    }
    await quiet(receiver, daemon);
    report(receiver);
    if (!complete(receiver)) {
      process.stderr.write('The story is not complete. STREAMPARK_LINEAGE_LOG_LEVEL=info shows what the daemon says.\n');
    }
    if (!keep) return complete(receiver) ? 0 : 1;
    say(`The daemon keeps running; its receiver is ${receiver.url}/api/lineage. Ctrl-C ends it.`);
    const { signalled, dispose } = awaitSignal(log);
    await signalled;
    dispose();
    return 0;
  } finally {
    await stop();
    await database.close();
    await receiver.close();
  }
}

async function startDaemon(
  settings: Settings,
  log: Log,
  sourceLite: Awaited<ReturnType<typeof createPglite>>,
  stateLite: Awaited<ReturnType<typeof createPglite>>,
): Promise<{ daemon: Daemon; stop: () => Promise<void> }> {
  const metrics = createMetrics();
  const planner = plannerFrom(settings, logPlanner(log, metrics));
  const source = sourceOf(embeddedDatabase(sourceLite), { schema: 'public', optIn: settings.optIn });
  const daemon = createDaemon({
    settings,
    source,
    openState: () => openEmbeddedState(stateLite),
    planner,
    log,
    metrics,
    conditions: new Conditions(log, Date.now, (code) => metrics.conditions.inc({ code })),
    now: Date.now,
    version,
    holder: 'demo',
  });
  const abort = new AbortController();
  const ended = daemon.run(abort.signal);
  return {
    daemon,
    stop: async () => {
      abort.abort();
      await ended;
    },
  };
}

/** Waits until every event of the story has arrived: nothing new for a while and nothing left to plan or send. */
async function quiet(receiver: Receiver, daemon: Daemon): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (Date.now() < deadline) {
    const before = receiver.events.length;
    await daemon.settled();
    await sleep(3 * pollMs);
    if (receiver.events.length === before && complete(receiver)) return;
  }
}

/** The last things the story leads to: two jobs ended, one restarted, one failed submission, one Spark application. */
function complete(receiver: Receiver): boolean {
  const ended = (job: string, type: string) => receiver.events.some((e) => e.job.name === job && e.eventType === type);
  return (
    ended('orders_to_doris', 'ABORT') && ended('broken_job', 'FAIL') && ended('daily_report', 'COMPLETE') && ended('crm_to_lake', 'FAIL')
  );
}

function report(receiver: Receiver): void {
  say();
  say(`What the receiver got: ${receiver.events.length} events.`);
  say();
  say('The graph, sink by sink with exactly the inputs that reach it:');
  say();
  for (const line of graphLines(receiver.events)) say(line);
  say('The runs:');
  say();
  for (const line of lifeLines(receiver.events)) say(line);
  say();
}
