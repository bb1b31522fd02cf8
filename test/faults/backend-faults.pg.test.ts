// Each way in which a backend can fail, against a real server that fails so: nothing is lost or condemned, the order of each
// application holds, it is not hammered, and when it is healed everything arrives.
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { enqueue, type LaneNote, outboxStats, startLane } from '../../src/outbox/outbox.ts';
import type { HttpDestination } from '../../src/transports/http.ts';
import { createTransport } from '../../src/transports/transports.ts';
import { eventOf, idOf } from '../outbox/events.ts';
import { openTestState, type TestState } from '../state/open.ts';
import { requireServer } from '../support/databases.ts';
import { destinationOf } from '../support/destination.ts';
import { until } from '../support/until.ts';
import { makeCertificate } from '../transports/certificate.ts';
import { type IllBackend, illHttp, illTcp, type Misbehaviour } from './backends.ts';

const suite = await requireServer('postgres');
const [keys, perKey, concurrency, timeoutMs] = [6, 3, 4, 600];
/** What a lane may try in the first seconds: what is in flight at once, and a probe after about 1, 2 and 4 s. */
const mostAttempts = concurrency + 6;

interface Row {
  readonly name: string;
  readonly start: () => Promise<IllBackend>;
  readonly condition: 'down' | 'paused' | 'up';
  /** Settings beyond the address, while it is ill and afterwards. */
  readonly ill?: Partial<HttpDestination>;
  readonly healed?: Partial<HttpDestination>;
  /** The events are taken although it is ill. */
  readonly takes?: true;
}

const answer =
  (status: number, headers: Record<string, string> = {}, body = ''): Misbehaviour =>
  (response) =>
    response.writeHead(status, headers).end(body);
const page = '<html><body><h1>502 Bad Gateway</h1></body></html>';
const html = { 'content-type': 'text/html' };
const certificate = makeCertificate();
const drip = (begin: string) => (socket: Socket) => {
  socket.write(begin);
  const timer = setInterval(() => socket.write('x'), 50);
  socket.on('close', () => clearInterval(timer));
};

const rows: readonly Row[] = [
  { name: 'refuses connections', start: () => illTcp('refuse'), condition: 'down' },
  {
    name: 'has a name that does not resolve',
    start: () => illHttp(answer(201)),
    condition: 'paused',
    ill: { url: 'http://lineage.invalid:8090' },
    healed: {},
  },
  { name: 'accepts and says nothing', start: () => illTcp(() => undefined), condition: 'down' },
  { name: 'reads the event and says nothing', start: () => illHttp(() => undefined), condition: 'down' },
  {
    name: 'hangs in the middle of an error',
    start: () => illHttp((response) => response.writeHead(500, { 'content-length': '9' }).write('half')),
    condition: 'down',
  },
  { name: 'drips its status line', start: () => illTcp(drip('HTTP/1.1 2')), condition: 'down' },
  { name: 'drips its headers', start: () => illTcp(drip('HTTP/1.1 201 Created\r\nx-slow: ')), condition: 'down' },
  {
    name: 'drips the body of an error',
    start: () =>
      illHttp((response) => {
        response.writeHead(503);
        const timer = setInterval(() => response.write('x'), 50);
        response.on('close', () => clearInterval(timer));
      }),
    condition: 'down',
  },
  { name: 'closes without an answer', start: () => illTcp((socket) => socket.once('data', () => socket.end())), condition: 'down' },
  {
    name: 'resets without an answer',
    start: () => illTcp((socket) => socket.once('data', () => socket.resetAndDestroy())),
    condition: 'down',
  },
  { name: 'speaks another protocol', start: () => illTcp((socket) => socket.write('220 mail ready\r\n')), condition: 'down' },
  { name: 'storms 429 with Retry-After', start: () => illHttp(answer(429, { 'retry-after': '2' })), condition: 'down' },
  { name: 'storms 429 without', start: () => illHttp(answer(429)), condition: 'down' },
  { name: 'answers 500', start: () => illHttp(answer(500, {}, 'NullPointerException')), condition: 'down' },
  { name: 'is a gateway with an error page', start: () => illHttp(answer(502, html, page)), condition: 'down' },
  { name: 'is a login page', start: () => illHttp(answer(200, html, page)), condition: 'paused' },
  { name: 'redirects', start: () => illHttp(answer(302, { location: 'https://elsewhere/login' })), condition: 'paused' },
  {
    name: 'takes the event and resets in the middle of its answer',
    start: () =>
      illHttp((response, _request, take) => {
        take();
        response.writeHead(201, { 'content-length': '100' });
        response.write('half', () => setTimeout(() => response.socket?.resetAndDestroy(), 20));
      }),
    condition: 'up',
    takes: true,
  },
  {
    name: 'refuses the token until it is rotated',
    start: () => illHttp(answer(401)),
    condition: 'paused',
    ill: { token: 'expired' },
    healed: { token: 'fresh' },
  },
  {
    name: 'has a certificate of an authority that is not known',
    start: () => illHttp(answer(500), { key: certificate?.privateKey ?? '', cert: certificate?.certificate ?? '' }),
    condition: 'paused',
    ill: {},
    healed: { ca: certificate?.certificate ?? '' },
  },
];

suite('a backend that', () => {
  let test: TestState;
  beforeAll(async () => {
    test = await openTestState('postgres');
  });
  afterAll(() => test.drop());

  it.concurrent.each(certificate === undefined ? rows.slice(0, -1) : rows)('$name', async (row) => {
    const backend = await row.start();
    const name = row.name.replaceAll(' ', '-');
    const to = (more: Partial<HttpDestination> = {}) =>
      createTransport(
        { ...destinationOf({ name, type: 'http', url: backend.url, timeout: `${timeoutMs}ms`, concurrency, batch: 'off' }), ...more },
        { version: '1', output: process.stdout },
      );
    let transport = to(row.ill);
    for (let key = 0; key < keys; key++)
      await test.state.transaction((tx) =>
        enqueue(
          tx,
          Array.from({ length: perKey }, (_, n) => eventOf(`${key}/${n}`, 'START', `${name}-${key}`)),
          [{ name, kinds: 'both' }],
          `k${key}`,
          1,
        ),
      );
    const notes: LaneNote[] = [];
    const lane = startLane({
      destination: name,
      state: test.state,
      sender: () => transport,
      concurrency,
      guard: async () => true,
      report: (note) => notes.push(note),
    });
    const mine = async () => (await outboxStats(test.state.database.db)).find((one) => one.destination === name);
    try {
      if (row.takes === undefined) {
        await until(`${row.condition}: ${JSON.stringify(lane.status())}`, () => lane.status().condition === row.condition, 20_000);
        const before = backend.attempts();
        await sleep(2_500);
        expect(backend.attempts()).toBeLessThanOrEqual(mostAttempts);
        expect(backend.attempts() - before).toBeLessThanOrEqual(4);
        expect(await mine()).toMatchObject({ waiting: keys * perKey, sent: 0, dead: 0 });
        await backend.heal();
        const old = transport;
        transport = to(row.healed);
        lane.resume();
        await old.close();
      }
      await until(`all: ${JSON.stringify(lane.status())}`, async () => (await mine())?.sent === keys * perKey, 60_000);
      const ids = backend.taken.map(idOf);
      expect(new Set(ids).size).toBe(keys * perKey);
      for (let key = 0; key < keys; key++)
        expect(ids.filter((id) => id.startsWith(`${key}/`))).toEqual(Array.from({ length: perKey }, (_, n) => `${key}/${n}`));
      expect(backend.most()).toBeLessThanOrEqual(concurrency);
      // Said once when it went away and once when it was back.
      const said = notes.map(({ kind }) => kind).filter((kind) => kind === 'down' || kind === 'paused' || kind === 'up');
      expect(said).toEqual(row.condition === 'up' ? [] : [row.condition, 'up']);
      expect(lane.status().condition).toBe('up');
    } finally {
      await lane.stop(200);
      await transport.close();
      await backend.close();
    }
  });

  it('holds up nothing at the other destinations', async () => {
    const [ill, sound] = [await illHttp(() => undefined), await illHttp(answer(201))];
    await sound.heal();
    const names = ['ill', 'sound'];
    const events = Array.from({ length: 300 }, (_, n) => eventOf(`e${n}`, 'START', `both-${n}`));
    await test.state.transaction((tx) =>
      enqueue(
        tx,
        events,
        names.map((name) => ({ name, kinds: 'both' as const })),
        'k',
        1,
      ),
    );
    const lanes = names.map((name) => {
      const url = name === 'ill' ? ill.url : sound.url;
      const transport = createTransport(destinationOf({ name, type: 'http', url, concurrency, batch: 'off' }), {
        version: '1',
        output: process.stdout,
      });
      const lane = startLane({ destination: name, state: test.state, sender: () => transport, concurrency, guard: async () => true });
      return { lane, transport };
    });
    try {
      await until('a request that hangs', () => ill.attempts() > 0);
      await until('the other is done', () => sound.taken.length === events.length, 60_000);
      expect(sound.taken.map(idOf)).toEqual(events.map(({ id }) => id));
      expect([ill.attempts(), lanes[0]?.lane.status().inFlight]).toEqual([1, 1]);
    } finally {
      for (const { lane, transport } of lanes) {
        await lane.stop(100);
        await transport.close();
      }
      await ill.close();
      await sound.close();
    }
  });
});
