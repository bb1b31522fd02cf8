// An event that a destination never takes is written off in the end, whatever way it fails, and nothing else is.
import { describe, expect, it } from 'vitest';
import type { SendResult } from '../../src/outbox/outbox.ts';
import type { WaitingRow } from '../../src/outbox/rows.ts';
import { judge } from '../../src/outbox/verdict.ts';

const later = (more: Partial<SendResult & { kind: 'later' }>): SendResult => ({ kind: 'later', reason: 'no', serverError: false, ...more });

/** Attempts until the event is written off, at most `limit`. */
function attemptsUntilDead(answer: SendResult, othersTaken: boolean, limit = 5_000): number | 'never' {
  const head = { seq: 1, key: 'k', eventId: 'e', type: 'START', runId: 'r', payload: 'x', nextAt: 0 };
  let row: WaitingRow = { ...head, attempts: 0, serverErrors: 0 };
  for (let attempt = 1; attempt <= limit; attempt++) {
    const { settlement } = judge(row, answer, {
      condition: { kind: 'up', failures: 0, failedKeys: [] },
      probe: false,
      othersTaken,
      tookMs: 1,
      chance: { now: 1, random: () => 0.5 },
    });
    if (settlement.kind === 'dead') return attempt;
    if (settlement.kind !== 'waiting') throw new Error(`settled as ${settlement.kind}`);
    row = { ...row, attempts: row.attempts + 1, serverErrors: settlement.serverErrors };
  }
  return 'never';
}

describe('an event that fails again and again', () => {
  const cases: readonly [what: string, answer: SendResult, besideOthers: number | 'never', alone: number | 'never'][] = [
    ['5xx', later({ serverError: true }), 10, 1_000],
    ['no answer', later({}), 50, 'never'],
    ['429', later({ busy: true, retryAfterMs: 1_000 }), 'never', 'never'],
    ['503 with Retry-After', later({ serverError: true, retryAfterMs: 1_000 }), 10, 1_000],
  ];
  it.each(cases)('with %s', (_, answer, besideOthers, alone) => {
    expect([attemptsUntilDead(answer, true), attemptsUntilDead(answer, false)]).toEqual([besideOthers, alone]);
  });
});
