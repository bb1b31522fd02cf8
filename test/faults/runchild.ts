// A process with the real daemon in its own loop, on applications without scripts, until it is killed. It is told where everything is by
// one line of JSON on stdin and writes its log, a JSON line each, to stdout.
import { createInterface } from 'node:readline';
import { noPlanner, startTestDaemon } from '../support/daemon.ts';

export interface RunPlace {
  readonly url: string;
  readonly stateUrl: string;
  readonly schema: string;
  readonly receiver: string;
  readonly holder: string;
  readonly leaseTtlMs: number;
  readonly timeoutMs: number;
}

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
process.stdout.write('"up"\n');
const place = JSON.parse(String((await lines.next()).value)) as RunPlace;
const destination = {
  name: 'lab',
  type: 'http',
  url: place.receiver,
  timeout: `${place.timeoutMs}ms`,
  headers: { 'x-from': place.holder },
};
const daemon = startTestDaemon({
  database: { url: place.url },
  schema: place.schema,
  planner: noPlanner(),
  holder: place.holder,
  leaseTtlMs: place.leaseTtlMs,
  statementTimeoutMs: 2_000,
  onLine: (line) => process.stdout.write(line),
  file: JSON.stringify({ destinations: [destination] }),
  env: { STATE_URL: place.stateUrl, SOURCE_TIMEZONE: 'UTC', POLL_INTERVAL: '200ms' },
});
daemon.run();
