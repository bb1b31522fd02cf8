// The proxy on real own tables, posted to and posting over real http; run by proxy.mysql.test.ts and proxy.pg.test.ts.
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { Conditions, createLog, createMetrics } from '../../src/ops/ops.ts';
import { type Proxy as RelayProxy, startProxy } from '../../src/relay/relay.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { openTestState, type TestState } from '../state/open.ts';
import { foreignEvents } from '../support/checked.ts';
import { requireServer, type TestFamily } from '../support/databases.ts';
import { type LineageReceiver, startLineageReceiver } from '../support/lineage-receiver.ts';
import { until } from '../support/until.ts';

const runId = (n: number) => `018bcfe5-687b-77f4-927b-${n.toString(16).padStart(12, '0')}`;
const event = (run: number, eventType: string, second = 0) => ({
  eventType,
  eventTime: `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`,
  producer: 'https://example.com/producer',
  schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent',
  run: { runId: runId(run) },
  job: { namespace: 'n', name: `j${run}` },
  inputs: [],
  outputs: [],
});

export async function proxySuite(family: TestFamily): Promise<void> {
  const suite = await requireServer(family);
  suite(`the proxy on ${family}`, () => {
    const open: (() => Promise<unknown>)[] = [];
    afterEach(async () => {
      for (const close of open.splice(0).reverse()) await close();
    });
    const tables = async (): Promise<TestState> => {
      const state = await openTestState(family);
      open.push(() => state.drop());
      return state;
    };
    const server = async (): Promise<LineageReceiver> => {
      const made = await startLineageReceiver();
      made.except(foreignEvents);
      open.push(() => made.close());
      return made;
    };
    const start = async (state: TestState, url: string, more: { token?: string; maxBytes?: number } = {}): Promise<RelayProxy> => {
      const log = createLog('silent');
      const metrics = createMetrics();
      const { destinations, outbox } = readSettings(`destinations: [{name: out, type: http, preset: marquez, url: "${url}"}]`, {});
      const proxy = await startProxy({
        state: state.state,
        log,
        metrics,
        conditions: new Conditions(log, Date.now, () => undefined),
        version: '0.0.0',
        destinations,
        receiver: { host: '127.0.0.1', port: 0, token: more.token, maxBytes: more.maxBytes ?? 1_000_000, validate: null },
        retention: outbox,
        now: Date.now,
        holder: `test-${Math.random()}`,
      });
      open.push(() => proxy.stop(2_000));
      return proxy;
    };
    const post = (
      proxy: RelayProxy,
      body: string | Uint8Array<ArrayBuffer>,
      path = '/api/v1/lineage',
      headers: Record<string, string> = {},
    ) =>
      fetch(`http://127.0.0.1:${proxy.port}${path}`, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });

    test('takes events and batches, and delivers each once, a run in its order', async () => {
      const out = await server();
      const proxy = await start(await tables(), out.url);
      expect((await post(proxy, JSON.stringify(event(1, 'START')))).status).toBe(201);
      // The answer was lost, the client sends again.
      expect((await post(proxy, JSON.stringify(event(1, 'START')))).status).toBe(201);
      expect((await post(proxy, JSON.stringify(event(1, 'RUNNING', 1)), '/api/lineage')).status).toBe(201);
      expect(
        (
          await post(proxy, new Uint8Array(gzipSync(JSON.stringify(event(1, 'RUNNING', 2)))), '/api/lineage/', {
            'content-encoding': 'gzip',
          })
        ).status,
      ).toBe(201);
      const batch = [event(1, 'COMPLETE', 3), event(2, 'START'), event(2, 'FAIL', 1)];
      const answer = await post(proxy, JSON.stringify(batch), '/api/v1/lineage/batch');
      expect([answer.status, await answer.json()]).toEqual([
        201,
        { status: 'success', summary: { received: 3, successful: 3, failed: 0 } },
      ]);
      await until('six events', async () => out.events.length >= 6);
      const of = (run: number) =>
        out.events.filter((one) => one.run?.runId === runId(run)).map((one) => `${one.eventType} ${one.eventTime.slice(17, 19)}`);
      expect(of(1)).toEqual(['START 00', 'RUNNING 01', 'RUNNING 02', 'COMPLETE 03']);
      expect(of(2)).toEqual(['START 00', 'FAIL 01']);
      expect(out.events).toHaveLength(6);
    });

    test('what is no event is refused with its reason, and nothing is stored', async () => {
      const out = await server();
      const state = await tables();
      const proxy = await start(state, out.url, { token: 'client-token', maxBytes: 2_000 });
      const auth = { authorization: 'Bearer client-token' };
      const status = async (body: string, path?: string, headers: Record<string, string> = auth) =>
        (await post(proxy, body, path, headers)).status;
      const good = JSON.stringify(event(1, 'START'));
      expect(await status(good, undefined, {})).toBe(401);
      expect(await status(good, undefined, { authorization: 'Bearer client-tokem' })).toBe(401);
      expect(await status('hello')).toBe(400);
      expect(await status('[]')).toBe(400);
      expect(await status('{}', '/api/v1/lineage/batch')).toBe(400);
      expect(await status(JSON.stringify([event(1, 'START'), { ...event(2, 'START'), run: {} }]), '/api/v1/lineage/batch')).toBe(400);
      expect(await status(good, '/elsewhere')).toBe(404);
      expect(await status(JSON.stringify({ ...event(1, 'START'), filler: 'x'.repeat(3_000) }))).toBe(413);
      expect(await status(good, undefined, { ...auth, 'content-encoding': 'br' })).toBe(415);
      expect(await status(good, undefined, { ...auth, 'content-encoding': 'gzip' })).toBe(400);
      expect((await fetch(`http://127.0.0.1:${proxy.port}/api/v1/lineage`)).status).toBe(405);
      expect(await state.state.database.db.selectFrom('outbox').select('seq').execute()).toEqual([]);
      expect(await status(good)).toBe(201);
    });

    test('a lineage server that is away loses nothing; what was answered is delivered by the next start', async () => {
      const out = await server();
      const state = await tables();
      out.behave({ kind: 'status', status: 503 });
      const first = await start(state, out.url);
      const sent = Array.from({ length: 200 }, (_, n) => event(n % 20, n < 20 ? 'START' : 'RUNNING', Math.floor(n / 20)));
      const answers = await Promise.all(sent.map((one) => post(first, JSON.stringify(one))));
      expect(new Set(answers.map((one) => one.status))).toEqual(new Set([201]));
      open.pop();
      await first.stop(0);
      out.behave({ kind: 'take' });
      const before = out.events.length;
      await start(state, out.url);
      await until('all events', async () => out.events.length - before >= 200);
      const after = out.events.slice(before);
      for (let run = 0; run < 20; run++) {
        const times = after.filter((one) => one.run?.runId === runId(run)).map((one) => one.eventTime);
        expect(times).toEqual([...times].sort());
        expect(times).toHaveLength(10);
      }
    });

    test('of two proxies on the same tables both receive and one delivers', async () => {
      const out = await server();
      const state = await tables();
      const [one, two] = [await start(state, out.url), await start(state, out.url)];
      await Promise.all([post(one, JSON.stringify(event(1, 'START'))), post(two, JSON.stringify(event(2, 'START')))]);
      await until('both events', async () => out.events.length >= 2, 15_000);
      expect(out.events.map((event) => event.run?.runId).sort()).toEqual([runId(1), runId(2)]);
      expect([one.readiness().role, two.readiness().role].sort()).toEqual(['leader', 'standby']);
    });
  });
}
