// A process with the real daemon that is told what to do, a line at a time, on stdin: first where everything is (JSON), then the time
// of each poll (ms since the epoch). It answers `done` to each, and `point <name>` whenever it leaves a trace outside of itself.
import { createInterface } from 'node:readline';
import { createPlanner } from '../../src/plan/plan.ts';
import { startTestDaemon } from '../support/daemon.ts';
import { countPoints, type Stop } from './stoppoints.ts';

export interface Place {
  readonly url: string;
  readonly schema: string;
  readonly receiver: string;
  /** The script of the planner's worker. */
  readonly worker: string;
  readonly stop?: Stop;
}

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const next = async (): Promise<string> => String((await lines.next()).value ?? '');

process.stdout.write('up\n');
const place = JSON.parse(await next()) as Place;
countPoints((name) => process.stdout.write(`point ${name}\n`), place.stop);
let now = 0;
const planner = createPlanner({
  source: { build: () => 'fake', command: () => ({ file: process.execPath, args: [place.worker], env: {} }) },
  timeoutMs: 20_000,
  report: () => undefined,
});
const daemon = startTestDaemon({
  database: { url: place.url },
  schema: place.schema,
  planner,
  now: () => now,
  env: { SOURCE_TIMEZONE: 'UTC', GRAVITINO_ADDRESS: place.receiver, EVENTS_HEARTBEAT: '1h', OUTBOX_KEEP_SENT: '7d' },
});
planner.start();
for (let line = await next(); line !== ''; line = await next()) {
  now = Number(line);
  if ((await daemon.daemon.poll()) !== 'leader') throw new Error('another process is active');
  await daemon.daemon.settled();
  process.stdout.write('done\n');
}
await daemon.close();
await planner.stop();
