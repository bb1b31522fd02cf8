// What a lane does with the rows of a leader that was cut off, and when its own lease is lost; run by takeover.*.test.ts.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { enqueue, type Lane, type LaneNote, type LaneParts, outboxStats, type SendResult, startLane } from '../../src/outbox/outbox.ts';
import { openTestState, type TestState } from '../state/open.ts';
import { requireServer, type TestFamily } from '../support/databases.ts';
import { eventOf, scriptedSender } from './events.ts';

export async function takeoverSuite(family: TestFamily): Promise<void> {
  const suite = await requireServer(family);
  suite(`take-over on ${family}`, () => {
    let test: TestState;
    let running: Lane | undefined;
    const notes: LaneNote[] = [];
    beforeEach(async () => {
      test = await openTestState(family);
    });
    afterEach(async () => {
      await running?.stop(500);
      await test.drop();
    });
    const put = (key: string, ...ids: string[]) =>
      test.state.transaction((tx) =>
        enqueue(
          tx,
          ids.map((id) => eventOf(id, 'START')),
          [{ name: 'd', kinds: 'both' }],
          key,
          1,
        ),
      );
    const lane = (parts: Pick<LaneParts, 'sender'> & Partial<LaneParts>): Lane => {
      running = startLane({
        destination: 'd',
        state: test.state,
        concurrency: 4,
        guard: async () => true,
        report: (note) => notes.push(note),
        ...parts,
      });
      return running;
    };

    it('holds back what another may be sending still, and nothing else', async () => {
      await put('inherited', 'a1', 'a2');
      const inheritedUntil = Date.now() + 1_500;
      const sentAt = new Map<string, number>();
      const sender = scriptedSender((id) => {
        sentAt.set(id, Date.now());
        return { kind: 'sent' };
      });
      const started = lane({ sender: () => sender, inheritedUntil });
      await started.idle();
      await put('inherited', 'a3');
      await put('fresh', 'b1');
      started.wake();
      await started.idle();
      expect(sender.ids).toEqual(['b1']);
      await expect.poll(() => sender.ids, { timeout: 10_000 }).toEqual(['b1', 'a1', 'a2', 'a3']);
      expect(sentAt.get('a1')).toBeGreaterThanOrEqual(inheritedUntil);
    });

    it('gives up what is in flight when the lease is lost, and settles nothing of it', async () => {
      await put('k1', 'a1');
      await put('k2', 'b1');
      const lost = new AbortController();
      let givenUp = 0;
      const hanging = {
        send: (_event: string, signal: AbortSignal) =>
          new Promise<SendResult>((resolve) =>
            signal.addEventListener('abort', () => {
              givenUp += 1;
              resolve({ kind: 'later', reason: 'aborted', serverError: false });
            }),
          ),
      };
      const started = lane({ sender: () => hanging, lost: lost.signal });
      await expect.poll(() => started.status().inFlight).toBe(2);
      lost.abort();
      expect(givenUp).toBe(2);
      await expect.poll(() => started.status().running).toBe(false);
      expect(notes).toContainEqual({ kind: 'leaseLost' });
      await put('k3', 'c1');
      started.wake();
      await sleep(200);
      expect(givenUp).toBe(2);
      expect(await outboxStats(test.state.database.db)).toMatchObject([{ waiting: 3, sent: 0 }]);
    });

    it('waits no longer than any wait can be when the clock is set back by a day', async () => {
      let clock = Date.now() + 86_400_000;
      let away = true;
      const sender = scriptedSender(() => (away ? { kind: 'later', reason: 'no', serverError: false } : { kind: 'sent' }));
      await put('k1', 'a1');
      const started = lane({ sender: () => sender, now: () => clock });
      await expect.poll(() => started.status().condition, { timeout: 10_000 }).toBe('up');
      await started.idle();
      expect(sender.ids).toEqual(['a1']);
      away = false;
      clock = Date.now();
      await expect.poll(() => sender.ids, { timeout: 10_000 }).toEqual(['a1', 'a1']);
      await expect.poll(async () => (await outboxStats(test.state.database.db))[0]?.sent).toBe(1);
    });
  });
}
