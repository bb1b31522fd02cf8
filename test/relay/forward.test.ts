// Messages of one partition on their way to a server: order, offsets, back-off, dead letters.
import { expect, test } from 'vitest';
import type { SendResult } from '../../src/outbox/outbox.ts';
import { type DeadLetter, type ForwardNote, forwardBatch } from '../../src/relay/relay.ts';

const runId = (n: number) => `018bcfe5-687b-77f4-927b-${n.toString(16).padStart(12, '0')}`;
const event = (run: number, n: number) =>
  JSON.stringify({
    eventType: 'RUNNING',
    eventTime: '2026-01-01T00:00:00Z',
    run: { runId: runId(run) },
    job: { namespace: 'n', name: 'j' },
    n,
  });

interface Message {
  readonly key?: string;
  readonly value: string | null;
}

/** A batch as the consumer gives it, offsets from 0. */
function batchOf(messages: readonly Message[]) {
  const resolved: string[] = [];
  const state = { running: true, stale: false, heartbeats: 0 };
  return {
    resolved,
    state,
    batch: {
      batch: {
        topic: 't',
        partition: 3,
        messages: messages.map(({ key, value }, i) => ({
          offset: String(i),
          key: key === undefined ? null : Buffer.from(key),
          value: value === null ? null : Buffer.from(value),
          timestamp: '0',
          attributes: 0,
        })),
      } as never,
      resolveOffset: (offset: string) => void resolved.push(offset),
      heartbeat: async () => {
        state.heartbeats += 1;
      },
      commitOffsetsIfNecessary: async () => undefined,
      isRunning: () => state.running,
      isStale: () => state.stale,
    },
  };
}

function parts(send: (json: string) => Promise<SendResult>) {
  const letters: DeadLetter[] = [];
  const notes: ForwardNote[] = [];
  const slept: number[] = [];
  return {
    letters,
    notes,
    slept,
    parts: {
      send,
      bury: async (letter: DeadLetter) => void letters.push(letter),
      validate: null,
      concurrency: 4,
      report: (note: ForwardNote) => void notes.push(note),
      sleep: async (ms: number) => void slept.push(ms),
      // The longest of each pause.
      random: () => 0.999_999,
    },
  };
}
const never = new AbortController().signal;
const later: SendResult = { kind: 'later', reason: 'http 503', serverError: true };

test('posts the bytes as they came, a run in its order, and resolves every offset once', async () => {
  const messages = Array.from({ length: 60 }, (_, n) => ({ value: event(n % 5, n) }));
  const { batch, resolved, state } = batchOf(messages);
  const got: string[] = [];
  let flying = 0;
  let most = 0;
  const { parts: given } = parts(async (json) => {
    flying += 1;
    most = Math.max(most, flying);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 4));
    flying -= 1;
    got.push(json);
    return { kind: 'sent' };
  });
  await forwardBatch(batch, given, never);
  for (let run = 0; run < 5; run++) {
    expect(got.filter((json) => json.includes(runId(run)))).toEqual(messages.filter((_, n) => n % 5 === run).map(({ value }) => value));
  }
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(4);
  expect(resolved).toEqual(messages.map((_, i) => String(i)));
  expect(state.heartbeats).toBeGreaterThan(0);
});

test('no offset beyond an unanswered message is resolved', async () => {
  const { batch, resolved } = batchOf([{ value: event(1, 0) }, { value: event(2, 1) }, { value: event(3, 2) }]);
  let release: () => void = () => undefined;
  const first = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { parts: given } = parts(async (json) => {
    if (json.includes(runId(1))) await first;
    return { kind: 'sent' };
  });
  const done = forwardBatch(batch, given, never);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(resolved).toEqual([]);
  release();
  await done;
  expect(resolved).toEqual(['0', '1', '2']);
});

test('a server that is away is waited for with growing pauses, one that says how long at least that long', async () => {
  const { batch, resolved } = batchOf([{ value: event(1, 0) }]);
  const answers: SendResult[] = [
    later,
    later,
    { ...later, retryAfterMs: 90_000 },
    { kind: 'paused', reason: 'http 401' },
    { kind: 'sent' },
  ];
  const { parts: given, slept, notes } = parts(async () => answers.shift() as SendResult);
  await forwardBatch(batch, given, never);
  expect(slept).toEqual([500, 1_000, 90_000, 15_000]);
  expect(notes.map((note) => note.kind)).toEqual(['later', 'later', 'later', 'paused', 'sent']);
  expect(resolved).toEqual(['0']);
});

test('what nobody can take is kept with its reason, and the next message goes on', async () => {
  const bad = [{ value: null }, { value: 'hello' }, { value: '{}' }, { value: '\u0000' }, { key: 'k', value: event(1, 9) }];
  const { batch, resolved } = batchOf([...bad, { value: event(2, 1) }]);
  const { parts: given, letters } = parts(async (json) =>
    json.includes('"n":9') ? { kind: 'never', reason: 'http 400: no' } : { kind: 'sent' },
  );
  await forwardBatch(batch, given, never);
  letters.sort((a, b) => Number(a.offset) - Number(b.offset));
  expect(letters.map(({ offset, reason }) => [offset, reason])).toEqual([
    ['0', 'the message is empty'],
    ['1', 'the message is not JSON'],
    ['2', '/eventTime is not a date-time'],
    ['3', 'the message is not JSON'],
    ['4', 'http 400: no'],
  ]);
  expect(letters[4]).toMatchObject({ topic: 't', partition: 3, key: Buffer.from('k'), value: Buffer.from(event(1, 9)) });
  expect(resolved).toEqual(['0', '1', '2', '3', '4', '5']);
});

test('a message that the server fails on again and again, while it takes others, is kept too', async () => {
  const { batch, resolved } = batchOf([{ value: event(1, 0) }, ...Array.from({ length: 40 }, (_, n) => ({ value: event(2, n + 1) }))]);
  const { parts: given, letters } = parts(async (json) => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    return json.includes(runId(1)) ? later : { kind: 'sent' };
  });
  given.sleep = async () => {
    await new Promise((resolve) => setTimeout(resolve, 3));
    return undefined;
  };
  await forwardBatch(batch, given, never);
  expect(letters).toMatchObject([{ offset: '0', reason: 'http 503, 10 times' }]);
  expect(resolved).toHaveLength(41);
});

test('a partition that is taken away ends the work without resolving what was not answered', async () => {
  const { batch, resolved, state } = batchOf([{ value: event(1, 0) }, { value: event(1, 1) }]);
  const { parts: given } = parts(async () => {
    state.stale = true;
    return later;
  });
  await forwardBatch(batch, given, never);
  expect(resolved).toEqual([]);
});

test('a dead letter that cannot be kept holds its message back', async () => {
  const { batch, resolved } = batchOf([{ value: 'x' }]);
  const { parts: given, notes } = parts(async () => ({ kind: 'sent' }));
  let tries = 0;
  given.bury = async () => {
    tries += 1;
    if (tries < 3) throw new Error('disk full');
  };
  await forwardBatch(batch, given, never);
  expect(notes.map((note) => note.kind)).toEqual(['later', 'later', 'dead']);
  expect(resolved).toEqual(['0']);
});
