// The corpus of events in test/fixtures/events: one file per story of a run, every kind of event that is emitted, for ourselves and
// for implementers of consumers. After an intended change: UPDATE_GOLDEN=1 npx vitest run <this file>, then read the diff.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type EventOptions,
  type FreezeInput,
  freezeRun,
  identityText,
  type Moment,
  nameUuid,
  runEvents,
} from '../../src/openlineage/openlineage.ts';
import { repositoryRoot } from '../support/shared.ts';
import { app, eventOptions, ordersRun, startedAt } from './orders.ts';

const minutes = (count: number) => startedAt + count * 60_000;
const start: Moment = { type: 'START', at: startedAt };
const running: Moment = { type: 'RUNNING', at: minutes(1) };
const failed: Moment = { type: 'FAIL', at: minutes(90), reason: 'FAILED', message: 'Connection refused: kafka-1/10.0.0.7:9092' };
const noLineage = { lineage: null, sql: null, sqlId: null, sqlVersion: null };
const failedStart: Partial<FreezeInput> = {
  ...noLineage,
  identity: identityText({ kind: 'flink-log', createTime: app.createTime, logId: '7' }),
  evidence: { ...ordersRun.evidence, jobId: null },
};

interface Story {
  readonly about: string;
  readonly run?: Partial<FreezeInput>;
  readonly moments: readonly Moment[];
  readonly options?: Partial<EventOptions>;
}

const stories: Readonly<Record<string, Story>> = {
  finished: {
    about: 'START, RUNNING, heartbeat, COMPLETE',
    moments: [start, running, { type: 'RUNNING', at: minutes(361) }, { type: 'COMPLETE', at: minutes(400), reason: 'FINISHED' }],
  },
  failed: {
    about: 'ends as FAILED',
    run: { sourceUrl: 'https://console:10000/#/flink/app/detail?appId=100042' },
    moments: [start, running, failed],
  },
  aborted: { about: 'cancelled by a person', moments: [start, running, { type: 'ABORT', at: minutes(5), reason: 'CANCELED' }] },
  restarted: {
    about: 'an end that had to be inferred',
    moments: [start, { type: 'ABORT', at: minutes(5), reason: 'RESTARTED', reconstructed: true }],
  },
  'failed-submission': {
    about: 'no job came of it: the application alone',
    run: failedStart,
    moments: [start, { ...failed, at: startedAt }],
  },
  adopted: { about: 'was running when it was first seen', moments: [start, { type: 'RUNNING', at: minutes(2_000) }] },
  continued: {
    about: 'goes on after it was given up',
    run: { identity: `flink-job:8dfd3c7a6b1c4cf0a7c0d1a1f9f0d1c2:revived:1`, previousRunId: '9f0f3a52-6c0d-3a3e-8f63-6f1d2a5f9b10' },
    moments: [start, running],
  },
  batch: {
    about: 'a bounded job',
    run: { processing: 'BATCH' },
    moments: [start, { type: 'COMPLETE', at: minutes(3), reason: 'FINISHED' }],
  },
  spark: {
    about: 'a Spark application: no datasets',
    run: {
      ...noLineage,
      app: { ...app, engine: 'spark', deployMode: 2 },
      processing: 'BATCH',
      identity: 'spark-app:application_1764569000000_0001',
      engineVersion: '3.5.1',
    },
    moments: [start, running, { type: 'COMPLETE', at: minutes(3), reason: 'SUCCEEDED' }],
  },
  'without-lineage': {
    about: 'the script was gone before it was planned',
    run: { ...noLineage, notes: ['SQL_GONE'] },
    moments: [start, running],
  },
  'naming-app': {
    about: 'events.jobNaming: app, as StreamPark PR #4498 names',
    run: { naming: 'app' },
    moments: [start, running, { type: 'COMPLETE', at: minutes(3), reason: 'FINISHED' }],
  },
  cut: {
    about: 'events.maxBytes is small: what can be looked up elsewhere is cut',
    run: { sql: `-- ${'long '.repeat(2_000)}` },
    moments: [start, failed],
    options: { maxBytes: 4_096 },
  },
};

function linesOf([name, { run, moments, options }]: readonly [string, Story]): string[] {
  // Each story is a run of its own.
  const jobId = nameUuid(name).replaceAll('-', '');
  const evidence = { ...ordersRun.evidence, jobId };
  const frozen = freezeRun({ ...ordersRun, identity: `flink-job:${jobId}`, evidence, ...run });
  let previousAt: number | null = null;
  return moments.flatMap((moment) => {
    const made = runEvents(frozen, moment, { ...eventOptions, now: minutes(10_000), ...options, previousAt });
    previousAt = made.at(-1)?.at ?? previousAt;
    return made.map(({ json }) => json);
  });
}

const folder = join(repositoryRoot, 'test/fixtures/events');

describe('the corpus of events', () => {
  it.each(Object.entries(stories))('%s', (name, story) => {
    const text = `${linesOf([name, story]).join('\n')}\n`;
    const file = join(folder, `${name}.ndjson`);
    if (process.env['UPDATE_GOLDEN'] === '1') {
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, text);
    }
    expect(text).toBe(readFileSync(file, 'utf8'));
  });

  it('holds every kind of event, and its README names every story', () => {
    const events = Object.entries(stories)
      .flatMap(linesOf)
      .map((line) => JSON.parse(line) as { eventType?: string; run?: { facets: { parent?: unknown } } });
    const kinds = new Set(
      events.map(
        ({ eventType, run }) =>
          `${eventType ?? 'JOB'} ${run === undefined ? '' : run.facets.parent === undefined ? 'application' : 'sink'}`,
      ),
    );
    expect([...kinds].sort()).toEqual(
      ['JOB ', ...['START', 'RUNNING', 'COMPLETE', 'FAIL', 'ABORT'].flatMap((type) => [`${type} application`, `${type} sink`])].sort(),
    );
    const readme = readFileSync(join(folder, 'README.md'), 'utf8');
    for (const [name, { about }] of Object.entries(stories)) expect(readme).toContain(`| \`${name}.ndjson\` | ${about} |`);
  });
});
