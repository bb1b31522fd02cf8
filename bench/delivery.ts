// Delivery throughput: a lane over the real outbox next to a raw undici loop that posts the same bytes to the same
// receiver (another process), once answering at once and once after 5 ms, which is still quick for a lineage server.
// `npx tsx bench/delivery.ts [mysql|postgres] [events]`; needs the local test servers.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Agent, request } from 'undici';
import type { OutgoingEvent } from '../src/openlineage/openlineage.ts';
import { enqueue, startLane } from '../src/outbox/outbox.ts';
import { createTransport } from '../src/transports/transports.ts';
import { openTestState } from '../test/state/open.ts';
import type { TestFamily } from '../test/support/databases.ts';
import { destinationOf } from '../test/support/destination.ts';

const self = fileURLToPath(import.meta.url);
const bytes = 3_500;
const apps = 500;

if (process.argv[2] === 'receiver') receive(Number(process.argv[3]));
else await measure((process.argv[2] ?? 'postgres') as TestFamily, Number(process.argv[3] ?? 20_000));

function receive(delayMs: number): void {
  const server = createServer((incoming, response) => {
    const answer = () => response.writeHead(201, { 'content-length': '0' }).end();
    incoming.resume().on('end', () => (delayMs === 0 ? answer() : setTimeout(answer, delayMs)));
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}

async function measure(family: TestFamily, count: number): Promise<void> {
  const test = await openTestState(family);
  for (const delayMs of [0, 5]) {
    const child = fork(self, ['receiver', String(delayMs)], { execArgv: process.execArgv });
    const [port] = (await once(child, 'message')) as [number];
    const url = `http://127.0.0.1:${port}`;
    for (const connections of [1, 4, 16]) {
      const events = Array.from({ length: delayMs === 0 ? count : Math.min(count, 200 * connections) }, (_, n) => eventOf(n));
      await raw(url, events.slice(0, 1_000), connections);
      const before = await raw(url, events, connections);
      const lane = await through(test, url, events, connections);
      const loop = (before + (await raw(url, events, connections))) / 2;
      const percent = Math.round((100 * lane) / loop);
      console.log(
        `${family}, receiver ${delayMs} ms, ${connections} in flight: raw ${Math.round(loop)}/s, lane ${Math.round(lane)}/s (${percent} %)`,
      );
    }
    child.kill();
  }
  await test.drop();
}

function eventOf(n: number): OutgoingEvent {
  const body = { eventType: 'START', n, filler: '' };
  body.filler = 'x'.repeat(bytes - JSON.stringify(body).length);
  return { id: `e${n}`, kind: 'run', type: 'START', runId: `r${n % apps}`, terminal: false, at: n, json: JSON.stringify(body) };
}

/** Events per second of the plain loop. */
async function raw(url: string, events: readonly OutgoingEvent[], connections: number): Promise<number> {
  const dispatcher = new Agent({ connections, pipelining: 1 });
  const headers = { 'content-type': 'application/json' };
  let next = 0;
  const begun = performance.now();
  const post = async () => {
    for (let event = events[next++]; event !== undefined; event = events[next++]) {
      const response = await request(`${url}/api/v1/lineage`, { method: 'POST', body: event.json, headers, dispatcher });
      await response.body.dump();
    }
  };
  await Promise.all(Array.from({ length: connections }, post));
  const perSecond = (1000 * events.length) / (performance.now() - begun);
  await dispatcher.close();
  return perSecond;
}

/** Events per second of a lane that finds them all waiting, until the last one is settled. */
async function through(
  test: Awaited<ReturnType<typeof openTestState>>,
  url: string,
  events: readonly OutgoingEvent[],
  connections: number,
) {
  const { db } = test.state.database;
  await db.deleteFrom('outbox').execute();
  for (let app = 0; app < apps; app++) {
    const own = events.filter((_, n) => n % apps === app);
    await test.state.transaction((tx) => enqueue(tx, own, [{ name: 'd', kinds: 'both' }], `flink:${app}`, Date.now()));
  }
  const transport = createTransport(destinationOf({ type: 'http', url, concurrency: connections, batch: 'off' }), {
    version: 'bench',
    output: process.stdout,
  });
  const begun = performance.now();
  const lane = startLane({
    destination: 'd',
    state: test.state,
    sender: () => transport,
    concurrency: connections,
    guard: async () => true,
  });
  await lane.idle();
  const perSecond = (1000 * events.length) / (performance.now() - begun);
  await lane.stop(1_000);
  await transport.close();
  const left = await db.selectFrom('outbox').select('seq').where('state', '!=', 'sent').execute();
  if (left.length > 0) throw new Error(`${left.length} events were not sent`);
  return perSecond;
}
