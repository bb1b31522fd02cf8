// The rows that a lane holds in memory: one queue per order key, of which only the head may be sent. A key is ready,
// busy (its head is in flight) or blocked until an instant (its rows are then forgotten and read again).
import { waits } from './backoff.ts';
import type { WaitingRow } from './rows.ts';

/** Most rows held of one key, so that a long queue of one application does not fill the memory and shut out others. */
const maxPerKey = 1_000;

/** The head of a key, with rows before it that a newer heartbeat made superfluous. */
export interface Taken {
  readonly row: WaitingRow;
  readonly superseded: readonly WaitingRow[];
}

export class KeyQueues {
  readonly #queues = new Map<string, WaitingRow[]>();
  /** Keys whose head may go, in the order they became ready. */
  readonly #ready = new Set<string>();
  readonly #busy = new Set<string>();
  readonly #blocked = new Map<string, number>();
  /** Rows that must not be read again: held, in flight, or answered and not yet settled. */
  readonly #known = new Set<number>();
  #rows = 0;
  #chars = 0;

  /** Rows held, without those in flight. */
  get rows(): number {
    return this.#rows;
  }
  /** Characters of the payloads held. */
  get chars(): number {
    return this.#chars;
  }
  get ready(): number {
    return this.#ready.size;
  }
  get blocked(): number {
    return this.#blocked.size;
  }

  /** Takes a row into its queue. `full` and `blocked`: it was not taken, so no later row of its key may be offered in this pass. */
  offer(row: WaitingRow, now: number): 'held' | 'full' | 'blocked' {
    if (this.#known.has(row.seq)) return 'held';
    if (this.#blocked.has(row.key)) return 'blocked';
    const queue = this.#queues.get(row.key) ?? [];
    if (queue.length >= maxPerKey) return 'full';
    if (queue.length === 0 && !this.#busy.has(row.key) && waits(row.nextAt, now)) {
      this.#blocked.set(row.key, row.nextAt);
      return 'blocked';
    }
    // A row that was committed late stands before rows read earlier.
    const at = queue.findLastIndex((other) => other.seq < row.seq) + 1;
    queue.splice(at, 0, row);
    this.#queues.set(row.key, queue);
    this.#known.add(row.seq);
    this.#rows += 1;
    this.#chars += row.payload.length;
    if (!this.#busy.has(row.key)) this.#ready.add(row.key);
    return 'held';
  }

  /** Takes the head of the key that has waited longest; the key is busy until `free`, `block` or `putBack`. */
  take(): Taken | undefined {
    const [key] = this.#ready;
    if (key === undefined) return undefined;
    const queue = this.#queues.get(key) as WaitingRow[];
    const superseded: WaitingRow[] = [];
    while (isSuperseded(queue)) superseded.push(this.#shift(queue));
    const row = this.#shift(queue);
    this.#ready.delete(key);
    this.#busy.add(key);
    return { row, superseded };
  }

  /** The head of the key was answered for good: the next one may go. */
  free(key: string): void {
    this.#busy.delete(key);
    if ((this.#queues.get(key)?.length ?? 0) > 0) this.#ready.add(key);
    else this.#queues.delete(key);
  }

  /** The head goes back to its place. */
  putBack(row: WaitingRow): void {
    const queue = this.#queues.get(row.key) ?? [];
    queue.unshift(row);
    this.#queues.set(row.key, queue);
    this.#rows += 1;
    this.#chars += row.payload.length;
    this.free(row.key);
  }

  /** The key waits until `until`; its rows, the head included, are forgotten. */
  block(row: WaitingRow, until: number): void {
    const queue = this.#queues.get(row.key) ?? [];
    while (queue.length > 0) this.#known.delete(this.#shift(queue).seq);
    this.#queues.delete(row.key);
    this.#known.delete(row.seq);
    this.#busy.delete(row.key);
    this.#blocked.set(row.key, until);
  }

  /** Ends waits that are over; true when there was one, so that its rows must be read. */
  unblock(now: number): boolean {
    let some = false;
    for (const [key, until] of this.#blocked) {
      if (waits(until, now)) continue;
      this.#blocked.delete(key);
      some = true;
    }
    return some;
  }

  /** Instant at which the first wait is over. */
  nextUnblock(): number | undefined {
    let next: number | undefined;
    for (const until of this.#blocked.values()) if (next === undefined || until < next) next = until;
    return next;
  }

  /** Keys that have no room for another row. */
  fullKeys(): string[] {
    return [...this.#queues].filter(([, queue]) => queue.length >= maxPerKey).map(([key]) => key);
  }

  /** The row is settled on disk, so it cannot be read again. */
  forget(seq: number): void {
    this.#known.delete(seq);
  }

  #shift(queue: WaitingRow[]): WaitingRow {
    const row = queue.shift() as WaitingRow;
    this.#rows -= 1;
    this.#chars -= row.payload.length;
    return row;
  }
}

/** Whether the head is a heartbeat and a newer one of the same run waits behind it: each repeats the full state. */
function isSuperseded(queue: readonly WaitingRow[]): boolean {
  const head = queue[0];
  if (head === undefined || head.type !== 'RUNNING' || head.runId === null) return false;
  return queue.some((other) => other !== head && other.type === 'RUNNING' && other.runId === head.runId);
}
