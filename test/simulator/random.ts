// Random numbers that depend on a seed only.

export interface Random {
  /** From 0 up to, not including, `below`. */
  int(below: number): number;
  /** From `low` to `high`, both included. */
  between(low: number, high: number): number;
  chance(percent: number): boolean;
  pick<T>(items: readonly T[]): T;
}

/** A small generator with 32 bits of state (mulberry32 by Tommy Ettinger, public domain), good enough to choose among actions. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  };
  const int = (below: number) => next() % below;
  return {
    int,
    between: (low, high) => low + int(high - low + 1),
    chance: (percent) => int(100) < percent,
    pick: (items) => {
      const item = items[int(items.length)];
      if (item === undefined) throw new Error('nothing to pick from');
      return item;
    },
  };
}
