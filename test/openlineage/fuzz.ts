// Rows as nobody would write them, through the pure stages: whatever stands in a column, nothing throws, and what comes out is a
// valid event of bounded size, or nothing.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { expect } from 'vitest';
import { PlanError } from '../../src/errors/errors.ts';
import type { NamedLineage } from '../../src/identity/identity.ts';
import { createValidator, freezeRun, identityText, jobName, runEvents } from '../../src/openlineage/openlineage.ts';
import { maskText, prepareScript } from '../../src/plan/plan.ts';
import { appRowOf, logRowOf } from '../../src/watch/normalise.ts';
import { type Change, type Engine, type LogRow, learnZone, type Tracker, track, zoneClock } from '../../src/watch/watch.ts';
import { type Random, seeded } from '../simulator/random.ts';
import { repositoryRoot } from '../support/shared.ts';
import { lineage } from './arbitraries.ts';

const now = Date.UTC(2026, 9, 1, 12);
const maxBytes = 64 * 1024;
/** Widths of the own columns that take text from StreamPark's rows. */
const widths = { jobId: 64, yarnId: 128, logId: 20, optionTime: 40, createTime: 40 } as const;

const strange = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfff',
  '\u202etxt',
  '🦆'.repeat(40),
  '__proto__',
  'constructor',
  'NaN',
  '-0',
  '1e400',
  '9'.repeat(40),
  '0000-00-00 00:00:00',
  '9999-12-31 23:59:59.999999',
  '-4712-01-01 00:00:00',
  '2026-02-30T99:99:99Z',
  "'; drop table t_flink_app; --",
  '${a}${b',
  '${${a}}',
  '\r\n\t\u2028\u0085',
  'é'.normalize('NFD'),
] as const;

const value = (random: Random): unknown => {
  const kind = random.int(14);
  if (kind < 6) return random.pick(strange);
  if (kind === 6) return null;
  if (kind === 7) return undefined;
  if (kind === 8) return random.pick([-9, -1, 0, 1, 2, 5, 7, 255, 2 ** 31, Number.MAX_SAFE_INTEGER, Number.NaN, -0.5]);
  if (kind === 9) return random.pick([0n, -1n, 2n ** 63n - 1n, 2n ** 64n]);
  if (kind === 10) return random.chance(50);
  if (kind === 11) return Buffer.from(Array.from({ length: random.int(12) }, () => random.int(256)));
  if (kind === 12) return random.pick(strange).repeat(random.pick([1, 3, 300, random.int(400) === 0 ? 20_000 : 30]));
  return String.fromCharCode(...Array.from({ length: random.int(30) }, () => random.int(0x10000)));
};

const clockText = (at: number) => new Date(at).toISOString().slice(0, 19).replace('T', ' ');
/** Mostly what a console would write, so that runs begin and end; else anything. */
const or = (random: Random, sound: unknown): unknown => (random.chance(70) ? sound : value(random));

function rawRow(random: Random, id: string, at: number): Record<string, unknown> {
  return {
    id,
    create_time: or(random, '2026-01-01 00:00:00'),
    team_id: or(random, 100000),
    user_id: or(random, 100000),
    name: value(random),
    job_type: or(random, random.int(4)),
    deploy_mode: or(random, random.int(7)),
    state: or(random, random.pick([0, 3, 3, 5, 5, 7, 8, 9, 10, 13, 14, -9])),
    option_state: or(random, 0),
    tracking: or(random, 1),
    release: or(random, 1),
    job_id: or(random, random.pick(['a', 'b', 'c']).repeat(32)),
    cluster_id: or(random, 'application_1_0001'),
    yarn_id: value(random),
    start_time: or(random, clockText(at - random.int(100_000))),
    end_time: or(random, random.chance(50) ? null : clockText(at)),
    option_time: or(random, clockText(at - random.int(5_000))),
    restart_count: or(random, random.int(3)),
    flink_cluster_id: or(random, 7),
    version_id: or(random, 1),
  };
}

const rawLog = (random: Random, id: string, appId: string, at: number): Record<string, unknown> => ({
  id,
  app_id: appId,
  job_type: or(random, 1),
  option_name: or(random, random.pick([1, 1, 3])),
  success: or(random, random.chance(60)),
  cluster_id: or(random, 'application_1_0001'),
  create_time: or(random, clockText(at)),
  exception: value(random),
});

const storedScript = (random: Random): string => {
  const text = `CREATE TABLE a (x INT) WITH ('connector' = '${String(value(random))}', 'password' = 's3cr3t-${random.int(9)}');
    INSERT INTO b SELECT ${String(value(random))} FROM a;`;
  const packed = deflateSync(Buffer.from(text, 'utf8'));
  if (random.chance(40)) return packed.toString('base64');
  if (random.chance(20)) return packed.subarray(0, random.int(packed.length)).toString('base64');
  return random.chance(50) ? text : String(value(random));
};

export interface FuzzResult {
  readonly rows: number;
  readonly runs: number;
  readonly events: number;
}

/** Feeds at least `rows` rows; throws on the first that does not hold, naming its seed. */
export async function fuzz(rows: number, seed: number): Promise<FuzzResult> {
  const folder = join(repositoryRoot, 'schemas');
  const schemas = Object.fromEntries(readdirSync(folder).map((name) => [name, JSON.parse(readFileSync(join(folder, name), 'utf8'))]));
  const parts: Parts = {
    validate: createValidator(schemas),
    lineages: fc.sample(lineage, { numRuns: 60, seed }),
  };
  const result = { rows: 0, runs: 0, events: 0 };
  for (let story = seed; result.rows < rows; story++) {
    try {
      await one(seeded(story), result, parts);
    } catch (cause) {
      throw new Error(`story ${story}: ${cause instanceof Error ? cause.stack : String(cause)}`, { cause });
    }
  }
  return result;
}

interface Parts {
  readonly validate: ReturnType<typeof createValidator>;
  readonly lineages: readonly NamedLineage[];
}

/** Some polls of one application. */
async function one(random: Random, result: { rows: number; runs: number; events: number }, parts: Parts): Promise<void> {
  const engine: Engine = random.chance(80) ? 'flink' : 'spark';
  const id = random.pick(['1', '100001', '9223372036854775807', '-1']);
  let tracker: Tracker | null = null;
  let learned = null;
  const logs: LogRow[] = [];
  let at = now;
  for (let poll = random.between(2, 6); poll > 0; poll--) {
    at += random.int(700_000);
    const row = appRowOf(engine, rawRow(random, id, at), random.chance(90));
    if (random.chance(40)) logs.push(logRowOf(rawLog(random, String(logs.length + 1), id, at)));
    result.rows += 1;
    learned = learnZone(learned, row.optionTime === null ? [] : [row.optionTime], at - 5_000, at);
    const { toInstant } = zoneClock('auto', learned, random.pick(['UTC', 'SYSTEM', '+08:00', 'CST', '']), at);
    const seen = { row: random.chance(95) ? row : null, logs, clusterLost: random.chance(5), now: at };
    const tracked: ReturnType<typeof track> = track(tracker, seen, { lostGraceMs: 600_000, stuckAfterMs: 1_800_000, toInstant });
    const kept: Tracker | null = tracked.tracker;
    tracker = kept === null ? null : (JSON.parse(JSON.stringify(kept)) as Tracker);
    expect(tracker).toEqual(kept);
    for (const change of tracked.changes) await report(random, change, at, result, parts);
  }
}

async function report(random: Random, change: Change, at: number, result: { runs: number; events: number }, parts: Parts): Promise<void> {
  if (!('evidence' in change)) return;
  const { app, evidence } = change;
  for (const part of ['jobId', 'yarnId', 'logId', 'optionTime'] as const)
    expect(evidence[part]?.length ?? 0, part).toBeLessThanOrEqual(widths[part]);
  expect(app.createTime.length).toBeLessThanOrEqual(widths.createTime);
  expect(JSON.stringify([evidence, app.createTime])).not.toMatch(/\\u0000/);
  expect(evidence.startedAt).toBeLessThanOrEqual(at);
  const identity = identityText(evidence.identity, { continuation: evidence.continuation });
  const secret = 's3cr3t-value';
  const text = (): string | null => (random.chance(30) ? null : `${String(value(random))} ${secret}`);
  const mask = (given: string) => maskText(given, [secret]);
  const script = scriptOf(random, secret);
  const name = jobName('{team}/{app}', { engine: app.engine, id: app.id, app: app.name, team: app.teamId }, random.chance(20));
  const frozen = JSON.parse(
    JSON.stringify(
      freezeRun({
        identity,
        app,
        context: { teamName: String(value(random)), userName: String(value(random)), description: text() },
        attempt: change.attempt,
        evidence,
        previousRunId: null,
        namespace: 'streampark',
        jobName: name,
        naming: random.chance(80) ? 'sink' : 'app',
        processing: 'STREAMING',
        engineVersion: String(value(random)),
        sql: script,
        code: null,
        program: null,
        sqlId: '1',
        sqlVersion: 1,
        sourceUrl: null,
        lineage: random.chance(70) ? random.pick(parts.lineages) : null,
        builtIn: { catalog: 'default_catalog', database: 'default_database' },
        notes: [],
        mask,
        now: at,
      }),
    ),
  ) as ReturnType<typeof freezeRun>;
  result.runs += 1;
  for (const type of ['START', 'RUNNING', random.pick(['COMPLETE', 'FAIL', 'ABORT'] as const)] as const) {
    const moment = { type, at: evidence.startedAt, message: text(), reason: 'UNKNOWN' };
    for (const event of runEvents(frozen, moment, {
      now: at,
      previousAt: null,
      version: '0',
      maxBytes,
      maxFacetBytes: 1 << 30,
      lineageFacet: random.chance(20),
      mask,
    })) {
      result.events += 1;
      expect(Buffer.byteLength(event.json)).toBeLessThanOrEqual(maxBytes);
      expect(Buffer.from(event.json, 'utf8').toString('utf8') === event.json, 'well-formed').toBe(true);
      expect(event.json).not.toContain(secret);
      expect(event.id.length).toBeLessThanOrEqual(190);
      // A few: the schemas are the slow part.
      if (random.chance(4)) expect(await parts.validate(JSON.parse(event.json))).toEqual([]);
    }
  }
}

/** The masked text for the sql facet, or null; a script may be refused, but only with a code. */
function scriptOf(random: Random, secret: string): string | null {
  try {
    const prepared = prepareScript(
      {
        engine: random.chance(80) ? 'flink' : 'spark',
        sqlId: '1',
        sqlVersion: 1,
        sql: storedScript(random),
        variables: [
          { code: 'a', value: secret, secret: true },
          { code: String(value(random)), value: String(value(random)), secret: random.chance(50) },
        ],
        team: [],
        config: random.chance(30) ? { format: random.int(5), content: String(value(random)) } : null,
        dynamicProperties: random.chance(50) ? `-Dx=${String(value(random))}` : null,
        engineVersion: String(value(random)),
        engineConf: String(value(random)),
      },
      { maxScriptBytes: 100_000 },
    );
    return maskText(prepared.text, [...prepared.secrets, secret]);
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    expect(error.message).not.toContain(secret);
    return null;
  }
}
