// A process with the real daemon, which polls when it is told the time on stdin and answers `done`, until it is killed:
// node --import tsx daemonchild.ts <database url> <schema> <receiver>
import { createInterface } from 'node:readline';
import { createPlanner } from '../../src/plan/plan.ts';
import { startTestDaemon } from '../support/daemon.ts';

const [url = '', schema = '', receiver = ''] = process.argv.slice(2);
let now = 0;
// The applications of these histories are JARs: nothing is ever planned.
const planner = createPlanner({
  source: {
    build: () => 'none',
    command: () => {
      throw new Error('no planner here');
    },
  },
  timeoutMs: 1_000,
  report: () => undefined,
});
const daemon = startTestDaemon({
  database: { url },
  schema,
  planner,
  now: () => now,
  env: { SOURCE_TIMEZONE: 'UTC', GRAVITINO_ADDRESS: receiver, EVENTS_HEARTBEAT: '30d' },
});
process.stdout.write('up\n');
for await (const line of createInterface({ input: process.stdin })) {
  now = Number(line);
  // The lease of the one that was killed has to run out first.
  while ((await daemon.daemon.poll()) !== 'leader') await new Promise((resolve) => setTimeout(resolve, 50));
  await daemon.daemon.settled();
  process.stdout.write('done\n');
}
await daemon.close();
