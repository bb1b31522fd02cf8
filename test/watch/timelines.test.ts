// The recorded histories of real consoles, replayed at every row change and sampled as the daemon does it. What must come
// out is what was done to each console, not what its rows suggest.
import { describe, expect, test } from 'vitest';
import type { Change } from '../../src/watch/watch.ts';
import { replay, words } from '../support/replay.ts';
import { sharedDir } from '../support/shared.ts';
import { readRecording, recordedDatabases, recordingsOf } from '../support/timeline.ts';

const shared = sharedDir();
if (shared === undefined) process.stderr.write('not tested: the recorded timelines of real consoles are not beside the checkout\n');

const run = (name: string, end?: string): string[] => [
  `${name}: submitted`,
  `${name}: running`,
  ...(end === undefined ? [] : [`${name}: ended ${end}`]),
];
const canceled = 'orders_enrich: ended abort CANCELED';

/** What happened in each recorded run beyond `starting`; runs that are not listed changed no run. */
const happened: Readonly<Record<string, readonly string[]>> = {
  '01b': ['orders_enrich: vanished'],
  '04': run('orders_enrich'),
  '04x': ['orders_enrich: submissionFailed'],
  '08': [canceled],
  '09': run('orders_enrich'),
  '10': run('bounded_batch', 'complete FINISHED'),
  '11': run('failing_job', 'fail FAILED'),
  '12': ['missing_sink: submissionFailed'],
  '13': ['orders_enrich: ended complete FINISHED'],
  '14': run('orders_enrich'),
  '16': [canceled],
  '17': run('orders_enrich'),
  '19': [...run('orders_copy', 'abort DELETED'), 'orders_copy: vanished'],
  '20': ['mapped_app: adopted mapped', 'mapped_app: ended abort CANCELED'],
  '27': ['bounded_batch: discarded'],
  '28': [...run('lost_app'), 'lost_app: lost'],
  '30': [
    ...run('after_migration', 'complete FINISHED'),
    ...run('bounded_batch', 'complete FINISHED'),
    'bounded_copy: vanished',
    'after_migration: vanished',
  ],
  '31': ['bounded_batch: discarded'],
  '33': run('bounded_batch', 'complete FINISHED'),
};

/** Releases 2.1 restart for real, and stop with savepoint by a cancel. */
const happenedIn217: Readonly<Record<string, readonly string[]>> = {
  '11': Array.from({ length: 4 }, () => run('failing_job', 'fail FAILED')).flat(),
  '13': [canceled],
};

/** The one recording in which a bounded job went from STARTING to FINISHED within a second. */
const happenedOnce: Readonly<Record<string, readonly string[]>> = {
  'postgres-2.1.7-30': happened['30']?.filter((line) => line !== 'after_migration: running') ?? [],
};

const told = (changes: readonly Change[]): string[] => changes.map(words).filter((line) => !line.endsWith(': starting'));

/**
 * How each run of an application ended: what must not depend on when one looks. Whether an end was seen as FAILED or only
 * by its automatic restart, and whether RUNNING was seen, may.
 */
function outcomes(changes: readonly Change[]): string[] {
  return changes.flatMap((c) => {
    if (c.kind === 'submissionFailed') return [`${c.app.name} refused`];
    if (c.kind === 'ended' || c.kind === 'missed') return [`${c.app.name} ${c.how}`];
    return [];
  });
}

describe.skipIf(shared === undefined)('recorded timelines', () => {
  const dir = shared ?? '';
  for (const database of recordedDatabases) {
    const full = shared === undefined ? undefined : readRecording(dir, `${database}-full-history.jsonl`);
    describe(database, () => {
      test.each(shared === undefined ? [] : recordingsOf(dir, database))('%s', (file) => {
        const recording = readRecording(dir, file);
        const number = /-(\d\d[a-z]?)-/.exec(file.slice(database.length))?.[1] ?? '';
        const old = database.endsWith('2.1.7') ? happenedIn217[number] : undefined;
        const expected = happenedOnce[`${database}-${number}`] ?? old ?? happened[number] ?? [];
        const first = recording.changes[0]?.seq ?? Number.POSITIVE_INFINITY;
        const before = full?.changes.filter((c) => c.seq < first) ?? [];
        const adopted = told(replay({ ...recording, changes: [] }, 'every change', before).changes);
        expect(told(replay(recording, 'every change', before).changes).slice(adopted.length)).toEqual(expected);

        const exact = outcomes(replay(recording, 'every change', before).changes);
        const sampled = outcomes(replay(recording, 5000, before).changes);
        // Deleted half a second after its success write, log rows included: between two polls nothing is left of it.
        expect(number === '19' ? exact.filter((o) => o !== 'orders_copy abort') : exact).toEqual(
          number === '19' ? sampled.filter((o) => o !== 'orders_copy abort') : sampled,
        );
      });

      test('full history: every run has the same end however often one looks', () => {
        if (full === undefined) return;
        const exact = outcomes(replay(full, 'every change').changes).filter((o) => o !== 'orders_copy abort');
        for (const every of [1000, 5000]) {
          const sampled = outcomes(replay(full, every).changes).filter((o) => o !== 'orders_copy abort');
          expect([...sampled].sort()).toEqual([...exact].sort());
        }
      });
    });
  }

  test('mysql-dev, full history, change by change', () => {
    const changes = told(replay(readRecording(dir, 'mysql-dev-full-history.jsonl'), 'every change').changes);
    expect(changes.filter((line) => line.startsWith('orders_enrich'))).toEqual([
      'orders_enrich: submissionFailed',
      'orders_enrich: submissionFailed',
      'orders_enrich: vanished',
      ...run('orders_enrich', 'abort CANCELED'),
      ...run('orders_enrich', 'complete FINISHED'),
      ...run('orders_enrich', 'abort CANCELED'),
      ...run('orders_enrich'),
    ]);
    expect(changes.filter((line) => line.startsWith('failing_job'))).toEqual([
      ...run('failing_job', 'fail FAILED'),
      'failing_job: discarded',
      'failing_job: discarded',
      'failing_job: discarded',
    ]);
    expect(changes.filter((line) => line.startsWith('bounded_batch'))).toEqual([
      ...run('bounded_batch', 'complete FINISHED'),
      'bounded_batch: discarded',
      ...run('bounded_batch', 'complete FINISHED'),
      'bounded_batch: discarded',
    ]);
    expect(changes.filter((line) => line.startsWith('lost_app'))).toEqual([
      ...run('lost_app'),
      'lost_app: lost',
      'lost_app: ended abort CANCELED',
    ]);
    expect(changes.filter((line) => line.startsWith('k8s_app'))).toEqual(['k8s_app: discarded']);
    for (const name of ['kafka_to_doris', 'yarn_session_app', 'spark_orders', 'unbuilt_app', 'big_sql']) {
      expect(changes.filter((line) => line.startsWith(`${name}:`))).toEqual([]);
    }
  });

  test('true times and ids: the first run of orders_enrich', () => {
    const changes = replay(readRecording(dir, 'mysql-dev-full-history.jsonl'), 'every change').changes;
    const [submitted, ended] = ['submitted', 'ended'].map((kind) => changes.find((c) => c.kind === kind && c.app.name === 'orders_enrich'));
    expect(submitted).toMatchObject({
      attempt: 3,
      evidence: {
        identity: { kind: 'flink-job', jobId: 'c4aec600bc5f475d8ab086ddb731facb' },
        startedAt: Date.parse('2026-11-30T22:08:22Z'),
        optionTime: '2026-12-01 06:07:28',
      },
    });
    expect(ended).toMatchObject({ attempt: 3, how: 'abort', at: Date.parse('2026-11-30T22:08:58Z') });
  });
});
