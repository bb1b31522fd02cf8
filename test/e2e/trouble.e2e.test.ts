// Lineage servers, planners and scripts that are in trouble: each gives one coded line, a counter, and no other effect.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { plannerFrom } from '../../src/cli/planner.ts';
import type { Planner } from '../../src/plan/plan.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { warmPlanner } from '../support/daemon.ts';
import { requireServer } from '../support/databases.ts';
import type { Behaviour } from '../support/lineage-receiver.ts';
import { startLineageReceiver } from '../support/lineage-receiver.ts';
import { encoded, jobId } from '../support/smallconsole.ts';
import { until } from '../support/until.ts';
import { coded, copyScript, counter, expectCodes, inScene, lives, type Scene, type SceneOptions } from './scene.ts';

const suite = await requireServer('postgres');
const problems = 'streampark_lineage_problems_total';

let planner: Planner;
beforeAll(async () => {
  planner = await warmPlanner();
});
afterAll(() => planner?.stop());

const scene = (play: (scene: Scene) => Promise<void>, options: Partial<SceneOptions> = {}) =>
  inScene({ family: 'postgres', planner, ...options }, play);

const lively = ['orders.b: START RUNNING COMPLETE', 'orders: START RUNNING COMPLETE'];

suite('a lineage server in trouble', () => {
  const cases: readonly [string, Behaviour, string][] = [
    ['hangs', { kind: 'hang' }, 'TRANSPORT_LATER'],
    ['answers 503', { kind: 'status', status: 503 }, 'TRANSPORT_LATER'],
    ['asks for patience', { kind: 'status', status: 429, headers: { 'retry-after': '1' } }, 'TRANSPORT_LATER'],
    ['answers with a page', { kind: 'html' }, 'TRANSPORT_PAUSED'],
    ['refuses the token', { kind: 'status', status: 401 }, 'TRANSPORT_PAUSED'],
    ['is not at this path', { kind: 'status', status: 404 }, 'TRANSPORT_PAUSED'],
  ];
  it.each(cases)('that %s loses nothing', async (_, behaviour, code) => {
    const ofFile = await startLineageReceiver();
    try {
      await scene(
        async ({ console, receiver: ofTable, daemon, own, poll }) => {
          // A destination of the file may have a short time limit; one of t_setting may get another token.
          const [ill, sound] = behaviour.kind === 'hang' ? [ofFile, ofTable] : [ofTable, ofFile];
          ill.behave(behaviour);
          await console.setting('lineage.gravitino.address', ofTable.url);
          await console.app({ id: 1, name: 'orders', script: copyScript('a', 'b') });
          await console.app({ id: 2, name: 'more', script: copyScript('c', 'd') });
          await poll();
          await console.run(1, jobId(1));
          await console.run(2, jobId(2));
          await until(code, async () => {
            await poll();
            return (await counter(daemon, problems, { code })) > 0;
          });
          await console.ended(1, 10);
          for (let i = 0; i < 5; i += 1) await poll();
          expectCodes(daemon, [code]);
          const ofOrders = (line: string) => line.startsWith('orders');
          expect(lives(sound.events).filter(ofOrders).sort()).toEqual(lively);

          ill.behave({ kind: 'take' });
          // A paused destination is tried again when its settings change; one that is down by itself.
          await console.setting('lineage.gravitino.token', 'another');
          await until('delivery', async () => {
            await poll();
            await sleep(100);
            return (await own.query("select seq from own.outbox where state = 'waiting'")).length === 0;
          });
          expect(lives(ill.events).filter(ofOrders).sort()).toEqual(lively);
          expectCodes(daemon, [code]);
          expect(daemon.lines.filter((line) => line.msg.startsWith('over: '))).toHaveLength(1);
        },
        { address: false, file: `destinations: [{ name: lab, type: http, url: '${ofFile.url}', timeout: 500ms }]` },
      );
    } finally {
      await ofFile.close();
    }
  });

  it('that is gone gets everything when it is back, in order', () =>
    scene(async ({ console, receiver, daemon, own, poll }) => {
      await console.app({ id: 1, name: 'orders', script: copyScript('a', 'b') });
      await poll();
      await receiver.close();
      for (let run = 1; run <= 3; run += 1) {
        await console.run(1, jobId(run));
        await poll();
        await console.ended(1, 10);
        await poll();
      }
      await until('down', () => coded(daemon).length > 0);
      await receiver.open();
      await until('delivery', async () => {
        await poll();
        return (await own.query("select * from own.outbox where state <> 'sent'")).length === 0;
      });
      expect(lives(receiver.events)).toEqual(
        [1, 2, 3].flatMap(() => ['orders: START RUNNING COMPLETE', 'orders.b: START RUNNING COMPLETE']),
      );
      expectCodes(daemon, ['TRANSPORT_LATER']);
    }));

  it('that refuses an event for good leaves it as a dead letter and takes the rest', () =>
    scene(async ({ console, receiver, daemon, own, poll }) => {
      await console.app({ id: 1, name: 'orders' });
      await poll();
      receiver.except({ 'cycle-start': 'the START was refused', 'cycle-early': 'the START was refused' });
      receiver.behave({ kind: 'status', status: 422 });
      await console.run(1, jobId(1));
      await poll();
      receiver.behave({ kind: 'take' });
      await console.ended(1, 10);
      await poll();
      expect(lives(receiver.events)).toEqual(['orders: COMPLETE']);
      expect((await own.query("select type from own.outbox where state = 'dead' order by seq")).map((row) => row['type'])).toEqual([
        'START',
        'RUNNING',
      ]);
      expectCodes(daemon, ['SQL_GONE', 'TRANSPORT_REFUSED', 'TRANSPORT_REFUSED']);
    }));
});

suite('a planner in trouble', () => {
  it('makes runs wait, says so once, and gives up after planner.giveUpAfter', async () => {
    const missing = plannerFrom(readSettings(undefined, { STREAMPARK_LINEAGE_PLANNER_JAVA: '/nonexistent/java' }), () => undefined);
    missing.start();
    await until('unavailable', () => missing.state().kind === 'unavailable');
    await scene(
      async ({ console, receiver, daemon, own, poll }) => {
        await console.app({ id: 1, name: 'orders', script: copyScript('a', 'b') });
        await poll();
        await console.run(1, jobId(1));
        const started = console.clock.now - 1_000;
        for (let i = 0; i < 5; i += 1) await poll(11_000);
        expect(receiver.events).toEqual([]);
        expect(await own.query('select phase from own.run')).toEqual([{ phase: 'planning' }]);
        expectCodes(daemon, ['PLANNER_UNAVAILABLE']);
        await console.ended(1, 10);
        await poll(11_000);
        expect(receiver.events).toEqual([]);
        await poll(3_600_000);
        expect(lives(receiver.events)).toEqual(['orders: START RUNNING COMPLETE']);
        expect(Date.parse(receiver.events[0]?.eventTime ?? '')).toBe(started);
        expect(receiver.events[0]?.run?.facets['streampark_app']).toMatchObject({ notes: ['LINEAGE_UNAVAILABLE'] });
        await poll(11_000);
        const codes = coded(daemon).filter((line) => !line.msg.startsWith('still: '));
        expect(codes.map((line) => line.code)).toEqual(['PLANNER_UNAVAILABLE', 'LINEAGE_UNAVAILABLE']);
      },
      { planner: missing, env: { PLANNER_GIVE_UP_AFTER: '1h' } },
    );
    await missing.stop();
  });

  it('that comes back plans what waited', async () => {
    const late = plannerFrom(readSettings(undefined, {}), () => undefined);
    await scene(
      async ({ console, receiver, poll }) => {
        await console.app({ id: 1, name: 'orders', script: copyScript('a', 'b') });
        await poll();
        await console.run(1, jobId(1));
        await poll(11_000);
        await console.cancel(1);
        await console.ended(1, 9);
        await poll(11_000);
        await console.run(1, jobId(2));
        await poll(11_000);
        expect(receiver.events).toEqual([]);
        late.start();
        await until('ready', () => late.state().kind === 'ready', 60_000);
        await poll(11_000);
        expect(lives(receiver.events)).toEqual([
          'orders: START RUNNING ABORT',
          'orders.b: START RUNNING ABORT',
          'orders: START RUNNING',
          'orders.b: START RUNNING',
        ]);
      },
      { planner: late },
    );
    await late.stop();
  });
});

suite('a planner that was away while a variable was changed', () => {
  it('does not name datasets that the run never used', async () => {
    const late = plannerFrom(readSettings(undefined, {}), () => undefined);
    await scene(
      async ({ console, receiver, daemon, poll }) => {
        await console.variable('topic', 'before');
        await console.app({ id: 1, name: 'orders', script: copyScript('a', 'b').replace("'topic' = 'b'", "'topic' = '${topic}'") });
        await poll();
        await console.run(1, jobId(1));
        await poll();
        await console.update('t_variable', { variable_code: 'topic' }, { variable_value: 'after' });
        late.start();
        await until('ready', () => late.state().kind === 'ready', 60_000);
        await poll(11_000);
        expect(lives(receiver.events)).toEqual(['orders: START RUNNING']);
        expect(coded(daemon).map((line) => line.code)).toContain('SQL_GONE');
        await console.ended(1, 10);
        await poll();
        await console.run(1, jobId(2));
        await poll();
        const outputs = receiver.events.flatMap((event) => event.outputs.map((dataset) => dataset.name));
        expect(new Set(outputs)).toEqual(new Set(['after']));
      },
      { planner: late },
    );
    await late.stop();
  });
});

suite('a script in trouble', () => {
  const kafka = `WITH ('connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'broker:9092', 'format' = 'json')`;
  const source = `CREATE TABLE a (id BIGINT) ${kafka};`;
  const cases: readonly [what: string, script: string, code: string, sinks: readonly string[], others?: readonly string[]][] = [
    ['that does not parse', `${source} INSERT INTO a SELEC id FROM a;`, 'PLAN_PARSE', []],
    [
      'that reads a table nobody created',
      `${source} INSERT INTO a SELECT id FROM nowhere;`,
      'COLUMNS_INFERRED',
      ['a'],
      ['CONNECTOR_UNKNOWN'],
    ],
    ['without an INSERT', source, 'PLAN_NO_INSERT', []],
    [
      'with an unknown connector',
      `${source} CREATE TABLE b (id BIGINT) WITH ('connector' = 'teleport'); INSERT INTO b SELECT id FROM a;`,
      'CONNECTOR_UNKNOWN',
      [],
    ],
    [
      'with an unknown variable',
      `CREATE TABLE a (id BIGINT) ${kafka.replace("'t'", "'t', 'properties.group.id' = '${nobody.knows}'")}; CREATE TABLE b (id BIGINT) ${kafka.replace("'t'", "'u'")}; INSERT INTO b SELECT id FROM a;`,
      'VARIABLE_UNKNOWN',
      ['b'],
    ],
  ];
  it.each(cases)('%s gives one line', (_, script, code, sinks, others = []) =>
    scene(async ({ console, receiver, daemon, poll }) => {
      await console.app({ id: 1, name: 'orders', script });
      await console.app({ id: 2, name: 'sound', script: copyScript('c', 'd') });
      await poll();
      for (let i = 0; i < 3; i += 1) {
        await console.starting(1);
        await poll();
        await console.submitted(1, jobId(10 + i));
        await poll();
        await console.state(1, 5);
        for (let n = 0; n < 5; n += 1) await poll();
        if (i === 0) expectCodes(daemon, [code, ...others]);
        await console.ended(1, 10);
        await poll();
      }
      await console.run(2, jobId(2));
      await poll();
      expect(lives(receiver.events)).toEqual([
        ...[0, 1, 2].flatMap(() => ['orders', ...sinks.map((sink) => `orders.${sink}`)].map((job) => `${job}: START RUNNING COMPLETE`)),
        'sound: START RUNNING',
        'sound.d: START RUNNING',
      ]);
      expect(receiver.events[0]?.run?.facets['streampark_app']).toMatchObject({ notes: expect.arrayContaining([code]) });
      expect(
        (await counter(daemon, problems, { code })) + (await counter(daemon, 'streampark_lineage_skipped_tables_total', { code })),
      ).toBeGreaterThan(0);
    }),
  );

  it('that is stored damaged gives one line', () =>
    scene(async ({ console, receiver, daemon, poll }) => {
      await console.app({ id: 1, name: 'orders' });
      await console.insert('t_flink_sql', { id: 9, app_id: 1, sql: encoded(copyScript('a', 'b')).slice(0, 100), version: 1, candidate: 0 });
      await poll();
      await console.starting(1);
      for (let i = 0; i < 5; i += 1) await poll();
      await console.submitted(1, jobId(1));
      for (let i = 0; i < 5; i += 1) await poll();
      expect(lives(receiver.events)).toEqual(['orders: START']);
      expect(receiver.events[0]?.run?.facets['streampark_app']).toMatchObject({ notes: ['SQL_CORRUPT'] });
      expectCodes(daemon, ['SQL_CORRUPT']);
      expect(await counter(daemon, problems, { code: 'SQL_CORRUPT' })).toBeGreaterThan(0);
    }));
});
