// The queues of a lane, its back-off and the condition of a destination, as values.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoffMs, eventBackoff, longestRetryAfterMs, pauseBackoff, waitMs } from '../../src/outbox/backoff.ts';
import { afterFailure, afterPause, type Condition, type Failure, probeNow, up } from '../../src/outbox/condition.ts';
import { KeyQueues } from '../../src/outbox/queues.ts';
import type { WaitingRow } from '../../src/outbox/rows.ts';

const row = (seq: number, key = 'k', more: Partial<WaitingRow> = {}): WaitingRow => ({
  seq,
  key,
  eventId: `e${seq}`,
  type: 'START',
  runId: 'r',
  payload: 'x',
  attempts: 0,
  serverErrors: 0,
  nextAt: 0,
  ...more,
});

describe('queues', () => {
  it('give each key its rows in order, one at a time, whatever happens', () => {
    const step = fc.record({ what: fc.constantFrom('take', 'sent', 'fail', 'pause', 'read', 'time'), which: fc.nat(5) });
    fc.assert(
      fc.property(fc.array(fc.record({ key: fc.nat(3) }), { maxLength: 40 }), fc.array(step, { maxLength: 200 }), (rows, steps) => {
        const table = rows.map(({ key }, index) => row(index + 1, `k${key}`));
        const waiting = new Map(table.map((one) => [one.seq, one]));
        const queues = new KeyQueues();
        const flying: WaitingRow[] = [];
        const sent: WaitingRow[] = [];
        let now = 0;
        const read = () => {
          const cut = new Set<string>();
          for (const one of waiting.values()) if (!cut.has(one.key) && queues.offer(one, now) !== 'held') cut.add(one.key);
        };
        const step1 = (what: string, which: number) => {
          const at = which % Math.max(1, flying.length);
          if (what === 'read') read();
          else if (what === 'time') {
            now += 10;
            queues.unblock(now);
          } else if (what === 'take') {
            const taken = queues.take();
            if (taken !== undefined) flying.push(taken.row);
          } else if (flying.length > 0) {
            const [one] = flying.splice(at, 1) as [WaitingRow];
            if (what === 'pause') queues.putBack(one);
            else if (what === 'fail') {
              waiting.set(one.seq, { ...one, nextAt: now + 10 });
              queues.block(one, now + 10);
            } else {
              sent.push(one);
              waiting.delete(one.seq);
              queues.free(one.key);
              queues.forget(one.seq);
            }
          }
          expect(new Set(flying.map((one) => one.key)).size).toBe(flying.length);
        };
        for (const { what, which } of steps) step1(what, which);
        for (let round = 0; waiting.size > 0 && round < 500; round++) for (const what of ['time', 'read', 'take', 'sent']) step1(what, 0);
        expect(sent).toHaveLength(table.length);
        for (const key of new Set(table.map((one) => one.key))) {
          const seqs = sent.filter((one) => one.key === key).map((one) => one.seq);
          expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
        }
        expect([queues.rows, queues.chars, queues.ready]).toEqual([0, 0, 0]);
      }),
    );
  });

  it('take a row that was committed late before those read earlier', () => {
    const queues = new KeyQueues();
    for (const seq of [5, 9, 3]) queues.offer(row(seq), 0);
    expect(queues.take()?.row.seq).toBe(3);
  });

  it('hold at most a thousand rows of a key, and let others in', () => {
    const queues = new KeyQueues();
    const offered = Array.from({ length: 1_001 }, (_, n) => queues.offer(row(n + 1), 0));
    expect(offered.lastIndexOf('held')).toBe(999);
    expect(offered[1_000]).toBe('full');
    expect(queues.fullKeys()).toEqual(['k']);
    expect(queues.offer(row(2_000, 'other'), 0)).toBe('held');
    expect(queues.ready).toBe(2);
  });

  it('fold only heartbeats, only of the same run, only when a newer one waits', () => {
    const queues = new KeyQueues();
    const heartbeat = (seq: number, runId: string | null) => row(seq, 'k', { type: 'RUNNING', runId });
    for (const one of [heartbeat(1, 'a'), heartbeat(2, 'b'), heartbeat(3, 'a'), heartbeat(4, null), heartbeat(5, null)])
      queues.offer(one, 0);
    const order: [number, number[]][] = [];
    for (let taken = queues.take(); taken !== undefined; taken = queues.take()) {
      order.push([taken.row.seq, taken.superseded.map((one) => one.seq)]);
      queues.free('k');
    }
    expect(order).toEqual([
      [2, [1]],
      [3, []],
      [4, []],
      [5, []],
    ]);
  });
});

describe('back-off', () => {
  it('doubles from 1 s to 5 min, with jitter downwards', () => {
    const at = (attempt: number, random: number) => backoffMs(eventBackoff, attempt, () => random);
    expect([1, 2, 3, 9, 10, 1_000].map((n) => at(n, 0.999999))).toEqual([1_000, 2_000, 4_000, 256_000, 300_000, 300_000]);
    expect([1, 2, 1_000].map((n) => at(n, 0))).toEqual([500, 1_000, 150_000]);
    expect(backoffMs(pauseBackoff, 1, () => 0.999999)).toBe(30_000);
  });

  it('waits as long as asked, but not for ever', () => {
    expect(waitMs(eventBackoff, 1, 60_000, () => 0)).toBe(60_000);
    expect(waitMs(eventBackoff, 9, 1_000, () => 0)).toBe(128_000);
    expect(waitMs(eventBackoff, 1, 1e12, () => 0)).toBe(longestRetryAfterMs);
  });
});

describe('condition', () => {
  const chance = { now: 1_000, random: () => 0.999999 };
  const failure = (key: string, serverError: boolean, more: Partial<Failure> = {}): Failure => ({
    key,
    reason: 'r',
    serverError,
    probe: false,
    ...more,
  });
  const seen = (...failures: Failure[]) => failures.reduce<Condition>((before, one) => afterFailure(before, one, chance), up);

  it('goes down after three failures in a row, but not for 5xx to one key', () => {
    expect(seen(failure('a', false), failure('a', false)).kind).toBe('up');
    expect(seen(failure('a', false), failure('a', false), failure('a', false))).toMatchObject({ kind: 'down', probes: 1, probeAt: 2_000 });
    expect(seen(...Array.from({ length: 20 }, () => failure('a', true))).kind).toBe('up');
    expect(seen(failure('a', true), failure('b', true), failure('a', true)).kind).toBe('down');
  });

  it('lengthens the wait with each failed probe, and not with answers that were under way', () => {
    const down = seen(failure('a', false), failure('b', false), failure('c', false));
    expect(afterFailure(down, failure('d', false), chance)).toBe(down);
    expect(afterFailure(down, failure('d', false, { probe: true }), chance)).toMatchObject({ probes: 2, probeAt: 3_000 });
    expect(afterFailure(down, failure('d', false, { probe: true, retryAfterMs: 70_000 }), chance)).toMatchObject({ probeAt: 71_000 });
  });

  it('pauses at once, probes slowly, and at once when told', () => {
    const paused = afterPause(up, 'http 401', false, chance);
    expect(paused).toEqual({ kind: 'paused', reason: 'http 401', probes: 1, probeAt: 31_000 });
    expect(afterPause(paused, 'other', false, chance)).toBe(paused);
    expect(afterPause(paused, 'http 403', true, chance)).toMatchObject({ probes: 2, probeAt: 61_000, reason: 'http 403' });
    expect(afterFailure(paused, failure('a', false, { probe: true }), chance)).toMatchObject({ kind: 'down', probes: 1 });
    expect(probeNow(paused, 5)).toMatchObject({ kind: 'paused', probeAt: 5 });
    expect(probeNow(up, 5)).toBe(up);
  });
});
