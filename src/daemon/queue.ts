// Work by key: tasks of one key run one after the other, different keys side by side up to a limit.

export interface KeyedQueue {
  /** Adds a task. A key that already has a task waiting (not running) is not added twice. */
  add(key: string, task: () => Promise<void>): void;
  /** Tasks that wait or run. */
  readonly size: number;
  /** Resolves when nothing waits or runs. */
  idle(): Promise<void>;
  /** Forgets what waits; running tasks finish. */
  clear(): void;
}

/** `onError` gets what a task throws; the queue goes on. */
export function createKeyedQueue(limit: number, onError: (key: string, error: unknown) => void): KeyedQueue {
  const waiting = new Map<string, () => Promise<void>>();
  const running = new Set<string>();
  let idlers: (() => void)[] = [];

  const settle = () => {
    if (waiting.size > 0 || running.size > 0) return;
    for (const done of idlers) done();
    idlers = [];
  };
  const next = () => {
    for (const [key, task] of waiting) {
      if (running.size >= limit) return;
      if (running.has(key)) continue;
      waiting.delete(key);
      running.add(key);
      void task()
        .catch((error: unknown) => onError(key, error))
        .finally(() => {
          running.delete(key);
          next();
          settle();
        });
    }
  };
  return {
    add(key, task) {
      if (!waiting.has(key)) waiting.set(key, task);
      next();
    },
    get size() {
      return waiting.size + running.size;
    },
    idle: () =>
      new Promise((resolve) => {
        idlers.push(resolve);
        settle();
      }),
    clear() {
      waiting.clear();
      settle();
    },
  };
}
