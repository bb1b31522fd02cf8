// A scene for end-to-end tests: a small console on a real database, the real daemon, a real lineage server, one clock.
import { expect } from 'vitest';
import type { Extension } from '../../src/extension/extension.ts';
import type { Planner } from '../../src/plan/plan.ts';
import { type OwnTables, ownTablesOf, startTestDaemon, type TestDaemon, type TestDaemonOptions } from '../support/daemon.ts';
import { makeLeastUser } from '../support/leastuser.ts';
import { type LineageEvent, type LineageReceiver, startLineageReceiver } from '../support/lineage-receiver.ts';
import { openSmallConsole, type SmallConsole } from '../support/smallconsole.ts';
import type { Family } from '../support/streampark.ts';

export interface Scene {
  readonly console: SmallConsole;
  readonly receiver: LineageReceiver;
  readonly own: OwnTables;
  readonly daemon: TestDaemon;
  /** Lets the clock go on and polls; everything that follows from the poll is done when it resolves. */
  poll(afterMs?: number): Promise<void>;
  /** Another daemon in the place of the first, on the same own tables. */
  restart(): Promise<void>;
}

export interface SceneOptions {
  readonly family: Family;
  readonly planner: Planner;
  readonly env?: Readonly<Record<string, string>>;
  readonly file?: string;
  /** Closed with the first daemon. */
  readonly extension?: Extension | undefined;
  /** The daemon logs in as a user with the documented grants and nothing more. */
  readonly least?: boolean;
  /** Without it t_setting alone says where the lineage server is. */
  readonly address?: false;
}

/** Plays in a fresh scene and takes it down. */
export async function inScene(
  { family, planner, env, file, address, least, extension }: SceneOptions,
  play: (scene: Scene) => Promise<void>,
): Promise<void> {
  const [console, receiver] = await Promise.all([openSmallConsole(family), startLineageReceiver()]);
  const own = ownTablesOf(console.database);
  const user = least === true ? await makeLeastUser(console.database, own.schema) : undefined;
  const options: TestDaemonOptions = {
    database: user ?? console.database,
    schema: own.schema,
    planner,
    extension,
    now: () => console.clock.now,
    env: { SOURCE_TIMEZONE: 'UTC', ...(address === false ? {} : { GRAVITINO_ADDRESS: receiver.url }), ...env },
    ...(file === undefined ? {} : { file }),
  };
  let daemon = startTestDaemon(options);
  try {
    await play({
      console,
      receiver,
      own,
      get daemon() {
        return daemon;
      },
      async poll(afterMs = 1_000) {
        console.clock.now += afterMs;
        await daemon.step();
      },
      async restart() {
        await daemon.close();
        daemon = startTestDaemon(options);
      },
    });
  } finally {
    await daemon.close();
    await receiver.close();
    await own.drop();
    await console.drop();
    await user?.drop();
  }
}

/** Each run in the order of its first event: `orders: START RUNNING ABORT`. */
export function lives(events: readonly LineageEvent[]): string[] {
  const runs = new Map<string, string[]>();
  for (const event of events) {
    const id = event.run?.runId ?? '';
    const life = runs.get(id) ?? [`${event.job.name}:`];
    runs.set(id, [...life, event.eventType ?? 'JOB']);
  }
  return [...runs.values()].map((life) => life.join(' '));
}

/** Times of the events of one job, in ms. */
export const timesOf = (events: readonly LineageEvent[], job: string): number[] =>
  events.filter((event) => event.job.name === job).map((event) => Date.parse(event.eventTime));

/** Lines with a code, without the ones that say that something is over. */
export const coded = (daemon: TestDaemon): { code: string; msg: string }[] =>
  daemon.lines
    .filter((line) => line['code'] !== undefined && line.level !== 'debug' && !line.msg.startsWith('over: '))
    .map((line) => ({ code: String(line['code']), msg: line.msg }));

/** Exactly these codes were logged, one line each. */
export function expectCodes(daemon: TestDaemon, codes: readonly string[]): void {
  const lines = coded(daemon);
  expect(
    lines.map((line) => line.code),
    JSON.stringify(lines, null, 1),
  ).toEqual(codes);
}

/** Current value of a counter with these labels. */
export async function counter(daemon: TestDaemon, name: string, labels: Readonly<Record<string, string>>): Promise<number> {
  const metric = daemon.metrics.registry.getSingleMetric(name);
  if (metric === undefined) throw new Error(`no metric ${name}`);
  const { values } = await metric.get();
  return values.filter((v) => Object.entries(labels).every(([k, l]) => v.labels[k] === l)).reduce((sum, v) => sum + v.value, 0);
}

const kafka = (topic: string) =>
  `WITH ('connector' = 'kafka', 'topic' = '${topic}', 'properties.bootstrap.servers' = 'broker:9092', 'format' = 'json')`;

/** Copies one topic into another: one sink, one input. */
export const copyScript = (from: string, to: string): string => `CREATE TABLE src (id BIGINT, v STRING) ${kafka(from)};
CREATE TABLE ${to.replaceAll('-', '_')} (id BIGINT, v STRING) ${kafka(to)};
INSERT INTO ${to.replaceAll('-', '_')} SELECT id, v FROM src;
`;
