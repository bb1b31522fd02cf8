import { describe, expect, it } from 'vitest';
import { createKeyedQueue } from '../../src/daemon/queue.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

function gate() {
  let open: () => void = () => undefined;
  const wait = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { wait, open };
}

describe('createKeyedQueue', () => {
  it('runs tasks of one key one after the other and other keys beside them', async () => {
    const queue = createKeyedQueue(2, () => undefined);
    const [a, b] = [gate(), gate()];
    const seen: string[] = [];
    queue.add('x', async () => {
      seen.push('x1 begins');
      await a.wait;
      seen.push('x1 ends');
    });
    queue.add('x', async () => {
      seen.push('x2');
    });
    queue.add('y', async () => {
      seen.push('y begins');
      await b.wait;
    });
    await turn();
    expect(seen).toEqual(['x1 begins', 'y begins']);
    a.open();
    b.open();
    await queue.idle();
    expect(seen).toEqual(['x1 begins', 'y begins', 'x1 ends', 'x2']);
    expect(queue.size).toBe(0);
  });

  it('never runs more than its limit, and a key waits only once', async () => {
    const queue = createKeyedQueue(3, () => undefined);
    let running = 0;
    let most = 0;
    let done = 0;
    for (let i = 0; i < 20; i += 1) {
      queue.add(`k${i}`, async () => {
        running += 1;
        most = Math.max(most, running);
        await turn();
        running -= 1;
        done += 1;
      });
      queue.add('k19', async () => {
        done += 100;
      });
    }
    await queue.idle();
    expect(most).toBe(3);
    // k0 … k18 once each; k19 once at once and once more for all that were added while it ran
    expect(done).toBe(19 + 200);
  });

  it('goes on after a task that throws, and says which key it was', async () => {
    const failed: string[] = [];
    const queue = createKeyedQueue(1, (key, error) => failed.push(`${key}: ${(error as Error).message}`));
    let ran = false;
    queue.add('a', () => Promise.reject(new Error('broken')));
    queue.add('b', async () => {
      ran = true;
    });
    await queue.idle();
    expect(failed).toEqual(['a: broken']);
    expect(ran).toBe(true);
  });
});
