import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createValidator,
  type FrozenRun,
  freezeRun,
  type Moment,
  type OutgoingEvent,
  runEvents,
} from '../../src/openlineage/openlineage.ts';
import { ownSchemas } from '../schemas/files.ts';
import { frozenRun, life, moment } from './arbitraries.ts';
import { eventOptions, lineage, ordersRun, startedAt } from './orders.ts';

interface Body {
  eventTime: string;
  eventType?: string;
  run?: { runId: string; facets: Record<string, Record<string, unknown>> };
  job: { namespace: string; name: string; facets: Record<string, Record<string, unknown>> };
  inputs: { namespace: string; name: string; facets: Record<string, Record<string, unknown>> }[];
  outputs: { namespace: string; name: string; facets: Record<string, Record<string, unknown>> }[];
}

const body = (event: OutgoingEvent | undefined): Body => JSON.parse(event?.json ?? 'null') as Body;
const run = freezeRun(ordersRun);
const outline = (events: readonly OutgoingEvent[]) => events.map((event) => `${event.type} ${body(event).job.name}`);
const start: Moment = { type: 'START', at: startedAt };
const later = { ...eventOptions, previousAt: startedAt, now: startedAt + 60_000 };
const fail: Moment = { type: 'FAIL', at: startedAt + 30_000, message: 'login with s3cr3t refused', reason: 'FAILED' };

describe('order', () => {
  const children = ['orders_enrich.orders_wide', 'orders_enrich.lake.dw.orders_per_customer'];

  test('START: parent, job events, children', () => {
    expect(outline(runEvents(run, start, eventOptions))).toEqual([
      'START orders_enrich',
      ...children.map((name) => `JOB ${name}`),
      ...children.map((name) => `START ${name}`),
    ]);
  });

  test('RUNNING: parent, children; the end: children, parent', () => {
    expect(outline(runEvents(run, { type: 'RUNNING', at: startedAt }, later))).toEqual([
      'RUNNING orders_enrich',
      ...children.map((n) => `RUNNING ${n}`),
    ]);
    for (const type of ['COMPLETE', 'FAIL', 'ABORT'] as const) {
      expect(outline(runEvents(run, { type, at: startedAt }, later))).toEqual([
        ...children.map((n) => `${type} ${n}`),
        `${type} orders_enrich`,
      ]);
    }
  });

  test('naming app: the children only, under the name of the application, with the ids of the proposal', () => {
    const named = freezeRun({ ...ordersRun, naming: 'app' });
    const events = runEvents(named, start, eventOptions);
    expect(outline(events)).toEqual(['START orders_enrich', 'START orders_enrich']);
    expect(events.map((event) => event.runId)).toEqual(run.children.map((child) => child.runId));
    expect(events.every((event) => body(event).run?.facets['parent'] === undefined)).toBe(true);
  });

  test('without lineage there is the application alone', () => {
    const alone = freezeRun({ ...ordersRun, lineage: null, notes: ['SQL_GONE'] });
    const [started, failed] = [...runEvents(alone, start, eventOptions), ...runEvents(alone, fail, later)];
    expect([started?.type, failed?.type]).toEqual(['START', 'FAIL']);
    expect(body(started).run?.facets['streampark_app']).toMatchObject({ tier: 'none', notes: ['SQL_GONE'] });
    expect(body(failed)).toMatchObject({ inputs: [], outputs: [] });
  });
});

describe('content', () => {
  test('the parent has no datasets; each child exactly its own', () => {
    const [parent, , , wide, perCustomer] = runEvents(run, start, eventOptions).map(body);
    expect(parent).toMatchObject({ inputs: [], outputs: [], job: { facets: { jobType: { jobType: 'APPLICATION' } } } });
    expect(wide?.inputs.map((d) => d.name)).toEqual(['orders', 'crm.customers']);
    expect(wide?.outputs.map((d) => d.name)).toEqual(['dw.orders_wide']);
    expect(perCustomer?.inputs.map((d) => d.name)).toEqual(['orders']);
    expect(wide?.run?.facets['parent']).toMatchObject({
      run: { runId: parent?.run?.runId },
      job: { namespace: 'streampark', name: 'orders_enrich' },
      root: { run: { runId: parent?.run?.runId } },
    });
  });

  test('a heartbeat keeps all datasets and the output schema, without column lineage and input schemas', () => {
    const [, full] = runEvents(run, { type: 'COMPLETE', at: startedAt }, later).map(body);
    const [, , beat] = runEvents(run, { type: 'RUNNING', at: startedAt }, later).map(body);
    const only = (keys: string[]) => (dataset: { facets: Record<string, unknown> }) => ({
      ...dataset,
      facets: Object.fromEntries(keys.flatMap((key) => (dataset.facets[key] === undefined ? [] : [[key, dataset.facets[key]]]))),
    });
    expect(beat?.inputs).toEqual(full?.inputs.map(only(['symlinks', 'dataSource'])));
    expect(beat?.outputs).toEqual(full?.outputs.map(only(['schema', 'symlinks', 'dataSource'])));
    expect(beat?.outputs[0]?.facets['schema']).toBeDefined();
    expect(beat?.job.facets).toEqual(full?.job.facets);
  });

  test('only FAIL has an error message; it is masked, cut, and there even when StreamPark kept none', () => {
    const message = (m: Moment) => runEvents(run, m, later).map((event) => body(event).run?.facets['errorMessage']?.['message']);
    expect(message(fail)).toEqual(Array(3).fill('login with ****** refused'));
    expect(message({ ...fail, message: ' ' })).toEqual(
      Array(3).fill('The application ended as FAILED; StreamPark keeps no message for it.'),
    );
    expect(message({ ...fail, type: 'ABORT' })).toEqual([undefined, undefined, undefined]);
    const [long] = message({ ...fail, message: 's3cr3t😀'.repeat(5000) }) as string[];
    expect(Buffer.byteLength(JSON.stringify(long)) - 2).toBeLessThanOrEqual(4096);
    expect(long).not.toContain('s3cr');
    expect(long?.endsWith('… (cut)')).toBe(true);
  });

  test('one dataset read through two tables stands once, with what both know', () => {
    const [pipeline] = lineage.pipelines;
    if (pipeline === undefined) throw new Error('no pipeline');
    const [orders] = pipeline.inputs;
    if (orders === undefined) throw new Error('no input');
    const again = {
      ...orders,
      role: 'lookup' as const,
      dataset: { ...orders.dataset, symlinks: [{ namespace: 'x', name: 'y', type: 'TABLE' as const }] },
      columns: [
        { name: 'amount', type: 'STRING', kind: 'physical' as const },
        { name: 'note', type: 'STRING', kind: 'physical' as const },
      ],
    };
    const twice = { ...lineage, pipelines: [{ ...pipeline, inputs: [orders, again, orders] }] };
    const [, , child] = runEvents(freezeRun({ ...ordersRun, lineage: twice }), start, eventOptions).map(body);
    expect(child?.inputs).toHaveLength(1);
    expect(child?.inputs[0]?.facets['schema']?.['fields']).toEqual([
      { name: 'order_id', type: 'BIGINT', description: 'unique per shop' },
      { name: 'customer_id', type: 'BIGINT' },
      { name: 'amount', type: 'DECIMAL(10, 2)' },
      { name: 'ts', type: 'TIMESTAMP(3)' },
      { name: 'note', type: 'STRING' },
    ]);
    expect(child?.inputs[0]?.facets['symlinks']?.['identifiers']).toEqual([{ namespace: 'x', name: 'y', type: 'TABLE' }]);
  });

  test('an end says why and whether it was inferred', () => {
    const [child] = runEvents(run, { type: 'ABORT', at: startedAt, reason: 'RESTARTED', reconstructed: true }, later).map(body);
    expect(child?.run?.facets['streampark_app']).toMatchObject({ endReason: 'RESTARTED', reconstructed: true, tier: 'plan' });
  });
});

describe('times', () => {
  const time = (m: Moment, now: number, previousAt: number | null) => runEvents(run, m, { ...eventOptions, now, previousAt })[0]?.at;

  test('are when it happened, never ahead of the clock, never before the previous event', () => {
    expect(time(start, startedAt + 5000, null)).toBe(startedAt);
    expect(time({ ...start, at: startedAt + 9000 }, startedAt + 5000, null)).toBe(startedAt + 5000);
    expect(time({ type: 'RUNNING', at: startedAt - 1 }, startedAt + 5000, startedAt)).toBe(startedAt);
    expect(time({ type: 'COMPLETE', at: startedAt + 2000 }, startedAt + 9000, startedAt + 5000)).toBe(startedAt + 5001);
  });

  test('an end in the second of the start is 1 ms after it', () => {
    expect(time({ type: 'FAIL', at: startedAt }, startedAt + 5000, startedAt)).toBe(startedAt + 1);
    expect(time({ type: 'FAIL', at: startedAt }, startedAt + 5000, null)).toBe(startedAt + 1);
  });
});

describe('any run, any life', () => {
  const validate = createValidator(ownSchemas());
  const replay = (frozen: FrozenRun, moments: readonly { moment: Moment; now: number }[], maxBytes = 1 << 30) => {
    let previousAt: number | null = null;
    const all: OutgoingEvent[] = [];
    moments.forEach(({ moment: m, now }, sequence) => {
      const events = runEvents(frozen, m, { ...eventOptions, now, previousAt, sequence, maxBytes });
      previousAt = events[0]?.at ?? previousAt;
      all.push(...events);
    });
    return all;
  };

  test('order is legal: the parent frames its children, times never fall, nothing follows the end, ids are unique', () => {
    fc.assert(
      fc.property(frozenRun, life, (frozen, moments) => {
        const events = replay(frozen, moments);
        const runs = events.filter((event) => event.kind === 'run');
        const ofRun = (id: string) => runs.filter((event) => event.runId === id);
        for (const { runId } of frozen.children) {
          const types = ofRun(runId).map((event) => event.type);
          expect(types[0]).toBe('START');
          expect(types.filter((type) => type === 'START')).toHaveLength(1);
          expect(ofRun(runId).findIndex((event) => event.terminal)).toBeOneOf([-1, types.length - 1]);
        }
        if (frozen.naming === 'sink') {
          expect(runs[0]?.runId).toBe(frozen.runId);
          if (runs.some((event) => event.terminal)) expect(runs.at(-1)).toMatchObject({ runId: frozen.runId, terminal: true });
          const firstChild = events.findIndex((event) => event.runId !== null && event.runId !== frozen.runId);
          const lastJob = events.findLastIndex((event) => event.kind === 'job');
          expect(events.filter((event) => event.kind === 'job')).toHaveLength(frozen.children.length);
          if (firstChild >= 0) expect(lastJob).toBeLessThan(firstChild);
        }
        const times = events.map((event) => event.at);
        expect(times).toEqual([...times].sort((a, b) => a - b));
        const ended = events.find((event) => event.terminal);
        if (ended !== undefined) expect(ended.at).toBeGreaterThan(times[0] ?? Number.POSITIVE_INFINITY);
        expect(events.every((event) => body(event).eventTime === new Date(event.at).toISOString())).toBe(true);
        expect(new Set(events.map((event) => event.id)).size).toBe(events.length);
      }),
    );
  });

  test('every event is valid and without a null', async () => {
    await fc.assert(
      fc.asyncProperty(frozenRun, life, async (frozen, moments) => {
        for (const event of replay(frozen, moments)) {
          const parsed: unknown = JSON.parse(event.json);
          expect(await validate(parsed)).toEqual([]);
          expect(event.json).not.toContain('\n');
          JSON.stringify(parsed, (_, value: unknown) => {
            if (value === null) throw new Error(`null in ${event.json}`);
            return value;
          });
        }
      }),
    );
  }, 60_000);

  test('the same input gives the same bytes, also from the run as it was stored', () => {
    fc.assert(
      fc.property(frozenRun, moment, (frozen, m) => {
        const stored = JSON.parse(JSON.stringify(frozen)) as FrozenRun;
        expect(runEvents(stored, m, later)).toEqual(runEvents(frozen, m, later));
      }),
    );
  });

  test('events stay within the limit, or hold nothing more that may be cut', () => {
    fc.assert(
      fc.property(frozenRun, moment, fc.integer({ min: 0, max: 6000 }), (frozen, m, maxBytes) => {
        const whole = runEvents(frozen, m, later);
        runEvents(frozen, m, { ...later, maxBytes }).forEach((event, i) => {
          const [cut, full] = [body(event), body(whole[i])];
          const sides = ({ inputs, outputs }: Body) =>
            [inputs, outputs].map((side) => side.map(({ namespace, name }) => ({ namespace, name })));
          expect(sides(cut)).toEqual(sides(full));
          if (Buffer.byteLength(event.json) <= maxBytes) return;
          expect([...cut.inputs, ...cut.outputs].flatMap((d) => Object.keys(d.facets)).filter((key) => key !== 'symlinks')).toEqual([]);
          const query = cut.job.facets['sql']?.['query'];
          if (typeof query === 'string') expect(query.length).toBeLessThanOrEqual(60);
        });
      }),
    );
  });
});

describe('the job model', () => {
  const jobs = (input: typeof ordersRun) => runEvents(freezeRun(input), start, eventOptions).map(body);

  test('has tags on every job, and the declared dependencies on the run of the application alone', () => {
    const events = jobs(ordersRun);
    for (const event of events) {
      expect(event.job.facets['tags']).toMatchObject({
        tags: [
          { key: 'shop', value: 'true', source: 'STREAMPARK' },
          { key: 'gold', value: 'true', source: 'STREAMPARK' },
        ],
      });
    }
    const [parent, ...others] = events.filter((event) => event.run !== undefined);
    expect(parent?.run?.facets['jobDependencies']).toMatchObject({ upstream: [{ job: { namespace: 'streampark', name: 'orders_load' } }] });
    for (const event of others) expect(event.run?.facets['jobDependencies']).toBeUndefined();
  });

  test('says which run was before, and why that ended', () => {
    const [parent] = jobs(ordersRun);
    expect(parent?.run?.facets['streampark_app']).toMatchObject({ previousRunId: ordersRun.previousRunId, previousEnd: 'RESTARTED' });
    const [first] = jobs({ ...ordersRun, previousRunId: null, previousEnd: null, upstream: [] });
    expect(Object.keys(first?.run?.facets ?? {})).not.toContain('jobDependencies');
    expect(Object.keys(first?.run?.facets['streampark_app'] ?? {})).not.toContain('previousEnd');
  });

  test('says where the code of a built application is', () => {
    const project = { url: 'https://ada:pw@git.example.org/shop/jobs.git', branch: 'release-2', module: 'orders' };
    const [parent] = jobs({ ...ordersRun, lineage: null, context: { ...ordersRun.context, project } });
    expect(parent?.job.facets['sourceCodeLocation']).toMatchObject({
      type: 'git',
      url: 'https://git.example.org/shop/jobs.git',
      repoUrl: 'https://git.example.org/shop/jobs.git',
      branch: 'release-2',
      path: 'orders',
    });
    expect(parent?.job.facets['environmentVariables']).toBeUndefined();
  });
});
