// Fills the queues of a lane from the table. A pass begins at the first waiting row and goes up in batches; the next pass
// begins at the first again, because a transaction with a smaller seq may commit after one with a larger.
import type { StateDb } from '../state/state.ts';
import type { KeyQueues } from './queues.ts';
import { lastWaiting, readWaiting } from './rows.ts';

const smallestBatch = 16;
const firstBatch = 64;
const largestBatch = 512;
/** Aimed size of a batch, and how much is held before reading stops (characters of payload). */
const batchChars = 2_000_000;
const heldChars = 8_000_000;
/** Below this number of rows a pass goes on, so that no sender waits for the database. */
const lowWater = 640;
/** Below this number a new pass may begin; it reads the rows that are held once more. */
const newPassBelow = 64;
const exceptKeys = 100;

export class Reader {
  readonly #destination: string;
  readonly #queues: KeyQueues;
  #after = 0;
  #batch = firstBatch;
  #passing = true;
  #again = false;
  /** Keys of which a row was left out in this pass, so that no later one may be taken either. */
  readonly #cut = new Set<string>();
  /** Some of them were cut for want of room. */
  #crowded = false;
  /** The rows up to this one were there before; undefined until it was looked up. */
  #inherited: number | undefined;
  readonly #inheritedUntil: number;

  /** @param inheritedUntil the rows that wait now are not offered before this instant, ms since the epoch */
  constructor(destination: string, queues: KeyQueues, inheritedUntil: number) {
    this.#destination = destination;
    this.#queues = queues;
    this.#inheritedUntil = inheritedUntil;
  }

  /** There may be rows that no pass has seen. */
  wake(): void {
    this.#again = true;
  }

  /** Rows of the key were forgotten: this pass must not take its later ones. */
  cut(key: string): void {
    this.#cut.add(key);
  }

  /** Everything that waits was seen, or left out because its key waits. */
  get finished(): boolean {
    return !this.#passing && !this.#again;
  }

  /** Whether a batch should be read now. */
  wanted(capacity: boolean): boolean {
    const { rows, chars, ready } = this.#queues;
    const low = rows < (this.#passing ? lowWater : newPassBelow);
    if (this.finished && !(this.#crowded && low)) return false;
    return (low || (capacity && ready === 0)) && chars < heldChars;
  }

  /** Reads one batch. */
  async read(db: StateDb, now: () => number): Promise<void> {
    this.#inherited ??= this.#inheritedUntil > now() ? await lastWaiting(db, this.#destination) : 0;
    if (!this.#passing) this.#begin();
    for (const key of this.#queues.fullKeys()) this.#cutFull(key);
    const limit = this.#batch;
    const rows = await readWaiting(db, this.#destination, this.#after, [...this.#cut].slice(0, exceptKeys), limit);
    const at = now();
    for (const row of rows) {
      if (this.#cut.has(row.key)) continue;
      const heldBack = row.seq <= this.#inherited && row.nextAt < this.#inheritedUntil;
      const offered = this.#queues.offer(heldBack ? { ...row, nextAt: this.#inheritedUntil } : row, at);
      if (offered === 'full') this.#cutFull(row.key);
      else if (offered === 'blocked') this.#cut.add(row.key);
    }
    this.#after = rows.at(-1)?.seq ?? this.#after;
    this.#passing = rows.length === limit;
    const chars = rows.reduce((sum, row) => sum + row.payload.length, 0);
    if (chars > 0) this.#batch = Math.max(smallestBatch, Math.min(largestBatch, Math.floor((batchChars * rows.length) / chars)));
  }

  #cutFull(key: string): void {
    this.#cut.add(key);
    this.#crowded = true;
  }

  #begin(): void {
    this.#after = 0;
    this.#passing = true;
    this.#again = false;
    this.#cut.clear();
    this.#crowded = false;
  }
}
