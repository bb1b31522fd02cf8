// The recorded histories, end to end: a real database is written as the console wrote it, the real daemon polls it, plans
// with the real planner and delivers to a real http server. What arrives is compared with what was done to the console.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createValidator } from '../../src/openlineage/openlineage.ts';
import type { Planner } from '../../src/plan/plan.ts';
import { ownSchemas } from '../schemas/files.ts';
import { ownTablesOf, startTestDaemon, warmPlanner } from '../support/daemon.ts';
import { type LineageEvent, type ReceivedRequest, startLineageReceiver } from '../support/lineage-receiver.ts';
import { openRecordedConsole, type RecordedConsole } from '../support/recordedconsole.ts';
import { sharedDir } from '../support/shared.ts';
import type { DumpName } from '../support/streampark.ts';
import { type ExpectedSink, sinksOf, withLineage } from './lineagescripts.ts';
import { mysqlHistories } from './mysqlhistories.ts';
import { postgresHistories } from './postgreshistories.ts';
import type { RecordedHistory, RecordedRun } from './recordedruns.ts';

const histories: Readonly<Record<DumpName, RecordedHistory>> = { ...mysqlHistories, ...postgresHistories };

/** When the daemon looks: after each transaction, or at this interval of recorded time. */
type Polling = 'at every change' | number;

interface Replay {
  /** The scripts of `orders_enrich` and `bounded_batch` are exchanged for ones with lineage. */
  readonly swapped: boolean;
  readonly polling: Polling;
  /** The daemon is stopped and another started, again and again. */
  readonly replaced?: boolean;
}

interface Replayed {
  readonly events: readonly LineageEvent[];
  readonly requests: readonly ReceivedRequest[];
  /** Everything the daemon wrote anywhere: log lines, own tables, requests. */
  readonly written: string;
  readonly lines: readonly Readonly<Record<string, unknown>>[];
}

/** Value of the desensitized variable doris.password in all recordings. */
const secret = 's3cr3t';

/** Transactions after which the daemon is replaced by another, on the same own tables. */
const replacedAfter = 7;

async function replay(console: RecordedConsole, planner: Planner, { polling, replaced = false }: Replay): Promise<Replayed> {
  const receiver = await startLineageReceiver();
  const own = ownTablesOf(console.database);
  const { t0, changes, zoneOffsetMs } = console.recording;
  let t = 0;
  const start = () =>
    startTestDaemon({
      database: console.database,
      schema: own.schema,
      planner,
      now: () => t0 + t,
      // A daemon that is replaced at the very first start has no two polls from which to learn the zone.
      env: { GRAVITINO_ADDRESS: receiver.url, SOURCE_TIMEZONE: !replaced ? 'auto' : zoneOffsetMs === 0 ? 'UTC' : '+08:00' },
    });
  let daemon = start();
  let before = '';
  try {
    let next = 0;
    for (const [i, transaction] of console.transactions.entries()) {
      if (replaced && i % replacedAfter === 0) {
        await daemon.close();
        before += daemon.text();
        daemon = start();
      }
      const written = transaction.at(-1)?.t_ms ?? 0;
      if (typeof polling === 'number') {
        for (; written > next; next += polling) {
          t = next;
          await daemon.step();
        }
        await console.write(transaction);
      } else {
        await console.write(transaction);
        t = written;
        await daemon.step();
      }
    }
    t = Math.max(next, changes.at(-1)?.t_ms ?? 0);
    await daemon.step();
    const written = before + daemon.text() + (await own.dump()) + JSON.stringify(receiver.requests);
    return { events: receiver.events, requests: receiver.requests, written, lines: daemon.lines };
  } finally {
    await daemon.close();
    await receiver.close();
    await own.drop();
  }
}

/** The formula, written down once more. */
function uuid(text: string): string {
  const md5 = createHash('md5').update(text, 'utf8').digest();
  md5[6] = ((md5[6] as number) & 0x0f) | 0x30;
  md5[8] = ((md5[8] as number) & 0x3f) | 0x80;
  return md5.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

interface Expected {
  readonly job: string;
  readonly types: readonly string[];
  readonly starts: readonly number[];
  readonly runningAt: number | undefined;
  readonly ends: readonly number[];
}

/** What polls of this kind must report of a run; undefined where they cannot have seen anything of it. */
function expectedOf(run: RecordedRun, t0: number, polling: Polling): Expected | undefined {
  /** t of the first poll at or after t. */
  const polled = (at: number) => (typeof polling === 'number' ? Math.ceil(at / polling) * polling : at);
  const { end, running, proof } = run;
  if (end?.deleted === true && polled(proof) >= end.seen) return undefined;
  const runningAt = running !== undefined && polled(running[0]) < running[1] ? t0 + polled(running[0]) : undefined;
  const dates = [end?.at, typeof polling === 'number' ? end?.restarted : undefined].filter((date) => date !== undefined);
  const ends = end === undefined ? [] : dates.length === 0 ? [t0 + polled(end.seen)] : dates.map(Date.parse);
  return {
    job: run.job,
    types: ['START', ...(runningAt === undefined ? [] : ['RUNNING']), ...(end === undefined ? [] : [end.type])],
    starts: (typeof polling === 'number' ? run.starts : run.starts.slice(0, 1)).map(Date.parse),
    runningAt,
    // An end that the second-wise times put before RUNNING was seen is dated 1 ms after it.
    ends: ends.map((date) => Math.max(date, (runningAt ?? 0) + (runningAt === undefined ? 0 : 1))),
  };
}

const times = (events: readonly LineageEvent[]) => events.map((event) => Date.parse(event.eventTime));

function checkRun(run: RecordedRun, expected: Expected, id: string, all: readonly LineageEvent[]): void {
  const events = all.filter((event) => event.run?.runId === id);
  const label = `${run.job} ${run.identity}`;
  expect([label, events.map((event) => event.eventType)]).toEqual([label, expected.types]);
  const [start, second, third] = times(events);
  expect([label, expected.starts]).toEqual([label, expect.arrayContaining([start])]);
  if (expected.runningAt !== undefined) expect([label, second]).toEqual([label, expected.runningAt]);
  const end = expected.runningAt === undefined ? second : third;
  if (run.end !== undefined) expect([label, expected.ends]).toEqual([label, expect.arrayContaining([end])]);
}

function checkParent(run: RecordedRun, events: readonly LineageEvent[], namespace: string): void {
  for (const event of events.filter((e) => e.run?.runId === uuid(run.identity))) {
    expect(event.job).toMatchObject({ namespace, name: run.job, facets: { jobType: { jobType: 'APPLICATION', integration: 'FLINK' } } });
    expect([event.inputs, event.outputs]).toEqual([[], []]);
    const version = { v1: 1, v2: 2, batch: undefined }[run.script ?? 'batch'];
    if (version !== undefined) expect(event.run?.facets['streampark_app']).toMatchObject({ sqlVersion: version });
    if (event.eventType !== 'FAIL') continue;
    const message = String(event.run?.facets['errorMessage']?.['message']);
    expect(message.startsWith(run.end?.message ?? 'The application ended as ')).toBe(true);
    expect(Buffer.byteLength(message)).toBeLessThanOrEqual(4096);
  }
}

function checkChild(
  run: RecordedRun,
  { job, sink, inputs }: ExpectedSink,
  id: string,
  events: readonly LineageEvent[],
  namespace: string,
): void {
  for (const event of events.filter((e) => e.run?.runId === id)) {
    expect(event.job).toMatchObject({
      namespace,
      name: `${run.job}.${job}`,
      facets: { jobType: { jobType: 'JOB', integration: 'FLINK' } },
    });
    expect(event.run?.facets['parent']).toMatchObject({ run: { runId: uuid(run.identity) }, job: { namespace, name: run.job } });
    expect(event.outputs.map((d) => [d.namespace, d.name])).toEqual([sink]);
    expect(event.inputs.map((d) => [d.namespace, d.name])).toEqual(inputs);
  }
}

/** The parent begins before its children and ends after them, and each run of an application ends before the next begins. */
function checkOrder(runs: readonly RecordedRun[], events: readonly LineageEvent[], childIds: ReadonlyMap<string, readonly string[]>): void {
  const place = (id: string, type: (event: LineageEvent) => boolean) => events.findIndex((e) => e.run?.runId === id && type(e));
  const start = (id: string) => place(id, (e) => e.eventType === 'START');
  const end = (id: string) => place(id, (e) => ['COMPLETE', 'FAIL', 'ABORT'].includes(e.eventType ?? ''));
  for (const job of new Set(runs.map((run) => run.job))) {
    const ids = runs.filter((run) => run.job === job).map((run) => uuid(run.identity));
    for (const [i, id] of ids.entries()) {
      for (const child of childIds.get(id) ?? []) {
        expect(start(id)).toBeLessThan(start(child));
        if (end(id) >= 0) expect(end(child)).toBeLessThan(end(id));
      }
      const next = ids[i + 1];
      if (next !== undefined && start(id) >= 0 && start(next) >= 0) expect(end(id)).toBeLessThan(start(next));
    }
  }
}

function check(name: DumpName, console: RecordedConsole, { events, written }: Replayed, { polling, swapped }: Replay): void {
  const { runs, prodFrom = Number.POSITIVE_INFINITY } = histories[name];
  const childIds = new Map<string, string[]>();
  const seen: RecordedRun[] = [];
  for (const run of runs) {
    const expected = expectedOf(run, console.recording.t0, polling);
    if (expected === undefined) continue;
    seen.push(run);
    const namespace = run.proof >= prodFrom ? 'prod' : 'streampark';
    checkRun(run, expected, uuid(run.identity), events);
    checkParent(run, events, namespace);
    for (const sink of swapped && run.script !== undefined ? sinksOf[run.script] : []) {
      const id = uuid(`${run.identity}:${sink.sink.join('/')}`);
      childIds.set(uuid(run.identity), [...(childIds.get(uuid(run.identity)) ?? []), id]);
      checkRun(run, expected, id, events);
      checkChild(run, sink, id, events, namespace);
    }
  }
  const known = new Set([...seen.map((run) => uuid(run.identity)), ...[...childIds.values()].flat()]);
  expect(events.filter((event) => !known.has(event.run?.runId ?? '')).map((event) => [event.job.name, event.eventType])).toEqual([]);
  checkOrder(seen, events, childIds);
  expect(written).not.toContain(secret);
}

async function checkValid(events: readonly LineageEvent[]): Promise<void> {
  const validate = createValidator(ownSchemas());
  for (const event of events) expect(await validate(event)).toEqual([]);
}

/** Declares the tests of one recorded database. */
export function timelineSuite(name: DumpName): void {
  const shared = sharedDir();
  if (shared === undefined) process.stderr.write(`not tested: the recorded history ${name} (shared fixtures are missing)\n`);

  describe.skipIf(shared === undefined)(`${name}, replayed`, () => {
    let planner: Planner;
    beforeAll(async () => {
      planner = await warmPlanner();
    });
    afterAll(() => planner?.stop());

    const apps = new Set(name.startsWith('mysql') ? ['100001', '100002'] : ['10000', '10001']);
    const play = async (how: Replay, then: (console: RecordedConsole, replayed: Replayed) => Promise<void> = async () => undefined) => {
      const console = await openRecordedConsole(shared ?? '', name, how.swapped ? withLineage(apps) : undefined);
      try {
        const replayed = await replay(console, planner, how);
        check(name, console, replayed, how);
        await then(console, replayed);
      } finally {
        await console.drop();
      }
    };

    it('untouched scripts, a poll after every write', () =>
      play({ swapped: false, polling: 'at every change' }, async (console, replayed) => {
        expect(await console.contents()).toEqual(console.dumped);
        await checkValid(replayed.events);
        // The address comes from the environment, the token from t_setting as soon as it stands there.
        const tokens = replayed.requests.map((request) => request.headers.authorization);
        const first = tokens.indexOf('Bearer tok-123');
        expect(new Set(tokens.slice(0, first))).toEqual(new Set([undefined]));
        expect(new Set(tokens.slice(first))).toEqual(new Set(['Bearer tok-123']));
        expect(replayed.requests.every((request) => request.path === '/api/lineage')).toBe(true);
      }));

    it('untouched scripts, a poll every 5 s', () => play({ swapped: false, polling: 5_000 }));

    it('scripts with lineage, a poll after every write', () =>
      play({ swapped: true, polling: 'at every change' }, (_, replayed) => checkValid(replayed.events)));

    it('scripts with lineage, a poll every 5 s', () => play({ swapped: true, polling: 5_000 }));

    it('scripts with lineage, a poll after every write, by a new daemon again and again', () =>
      play({ swapped: true, polling: 'at every change', replaced: true }));
  });
}
