// Whatever subset of a history is looked at, the changes must be legal: a START before a terminal, one terminal per run,
// nothing after it, attempts counted upwards.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deadline } from '../../src/watch/watch.ts';
import { at, context, History, job, midnight } from '../support/history.ts';
import { assertLegal } from '../support/legal.ts';
import { Replay } from '../support/replay.ts';
import { sharedDir } from '../support/shared.ts';
import { readRecording, recordedDatabases } from '../support/timeline.ts';

const shared = sharedDir();

describe.skipIf(shared === undefined)('any subset of the looks at a recorded history', () => {
  test.each(recordedDatabases)('%s', (database) => {
    const recording = readRecording(shared ?? '', `${database}-full-history.jsonl`);
    const watched = recording.changes.filter((c) => /^t_(flink_app|spark_app|app_log|flink_log|flink_cluster)$/.test(c.table));
    fc.assert(
      fc.property(fc.infiniteStream(fc.integer({ min: 0, max: 7 })), (gaps) => {
        const run = new Replay(recording);
        let wait = 0;
        for (const change of watched) {
          run.tables.apply(change);
          if (wait-- <= 0) {
            run.look(change.t_ms);
            wait = gaps.next().value ?? 0;
          }
        }
        run.look((recording.changes.at(-1)?.t_ms ?? 0) + 3_600_000);
        for (const id of new Set(run.changes.map((c) => `${c.app.engine}:${c.app.id}`))) {
          assertLegal(run.changes.filter((c) => `${c.app.engine}:${c.app.id}` === id));
        }
      }),
      { numRuns: 12 },
    );
  });
});

describe('any sequence of rows at all', () => {
  const step = fc.record({
    state: fc.constantFrom(0, 1, 3, 3, 3, 5, 5, 5, 6, 7, 8, 9, 10, 13, 14, 15, 16, -9, 20, 99),
    jobId: fc.constantFrom(null, job('a'), job('b'), job('c')),
    moved: fc.boolean(),
    ended: fc.boolean(),
    started: fc.boolean(),
    restartCount: fc.integer({ min: 0, max: 3 }),
    optIn: fc.integer({ min: 0, max: 9 }).map((n) => n > 0),
    log: fc.constantFrom(null, null, 'start', 'failed', 'aborted', 'cancel'),
    clusterLost: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    gone: fc.integer({ min: 0, max: 40 }).map((n) => n === 0),
    pause: fc.constantFrom(0, 1, 5, 700, 2000),
  });

  test.each([1, 4, 6])('deploy mode %i', (deployMode) => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const h = new History({ deployMode });
        let now = 0;
        for (const s of steps) {
          now += s.pause;
          h.clusterLost = s.clusterLost;
          h.write({
            state: s.state,
            jobId: s.jobId,
            restartCount: s.restartCount,
            optIn: s.optIn,
            ...(s.moved ? { optionTime: at(now) } : {}),
            ...(s.started ? { startTime: at(now) } : {}),
            endTime: s.ended ? at(now) : null,
          });
          if (s.log === 'cancel') h.log('cancel', now);
          else if (s.log !== null) {
            const exception = s.log === 'failed' ? 'boom' : s.log === 'aborted' ? 'CancellationException' : null;
            h.log('start', now, { success: s.log === 'start', exception, clusterId: `application_${now}` });
          }
          const row = h.row;
          if (s.gone) h.row = null;
          h.look(now);
          expect(h.look(now).changes, 'a second look').toEqual([]);
          const due = h.tracker === null ? null : deadline(h.tracker, context);
          expect(due === null || due > midnight + now * 1000, 'a deadline is in the future').toBe(true);
          h.row = row;
        }
        assertLegal(h.changes);
      }),
      { numRuns: 300 },
    );
  });
});
