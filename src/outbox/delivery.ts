// One lane per destination: reads waiting events, sends the head of each order key, settles answers in batches.
// A crash between a send and its settlement sends the same bytes again; nothing is lost and the order of a key holds,
// because the rows of a key are sent one after the other and settled in that order.
import { setMaxListeners } from 'node:events';
import { stateError } from '../state/state.ts';
import type { SendResult } from './answer.ts';
import { backoffMs, eventBackoff, waits } from './backoff.ts';
import { type Bell, createBell, realSleep } from './bell.ts';
import { type Condition, probeNow, up } from './condition.ts';
import type { Lane, LaneParts, LaneStatus } from './lane.ts';
import { KeyQueues } from './queues.ts';
import { Reader } from './reader.ts';
import { type Settlement, settle, type WaitingRow } from './rows.ts';
import { judge } from './verdict.ts';

/** Without a wake-up the table is looked at this often. */
const pollMs = 3_000;
/** Answers are settled together this often; what was answered within it may be sent twice after a crash. */
const settleEveryMs = 50;
/** Answers not yet settled beyond which no more is sent: the own database is away. */
const mostUnsettled = 2_000;
/** The own database is tried again after this time at the latest. */
const longestDatabaseWaitMs = 30_000;
/** So many failures of the own database in a row end a wait for `idle`. */
const failuresUntilIdle = 3;

/** Starts the lane of a destination. It runs until `stop`, or until the guard refuses. */
export function startLane(parts: LaneParts): Lane {
  return new RunningLane(parts);
}

class RunningLane implements Lane {
  readonly #parts: LaneParts;
  readonly #now: () => number;
  readonly #random: () => number;
  readonly #queues = new KeyQueues();
  readonly #reader: Reader;
  readonly #bell: Bell;
  readonly #abort = new AbortController();
  readonly #idlers = new Set<(status: LaneStatus) => void>();
  /** Per failing event: how many events had been taken at its last counted failure. */
  readonly #takenAtError = new Map<number, number>();
  readonly #ended: Promise<void>;
  #taken = 0;
  #inFlight = 0;
  #condition: Condition = up;
  #unsettled: Settlement[] = [];
  #settleAt = 0;
  #lookAt = 0;
  #databaseFailures = 0;
  /** Not to be touched before this instant, after a failure. */
  #databaseAt = 0;
  #stopping = false;
  #running = true;

  constructor(parts: LaneParts) {
    this.#parts = parts;
    this.#now = parts.now ?? Date.now;
    this.#random = parts.random ?? Math.random;
    this.#bell = createBell(parts.sleep ?? realSleep);
    this.#reader = new Reader(parts.destination, this.#queues, parts.inheritedUntil ?? 0);
    // Each send in flight listens.
    setMaxListeners(0, this.#abort.signal);
    parts.lost?.addEventListener('abort', () => this.#leaseLost(), { once: true });
    this.#ended = this.#run();
  }

  wake(): void {
    this.#reader.wake();
    this.#bell.ring();
  }

  resume(): void {
    this.#condition = probeNow(this.#condition, this.#now());
    this.#bell.ring();
  }

  status(): LaneStatus {
    const condition = this.#condition;
    return {
      condition: condition.kind,
      reason: condition.kind === 'up' ? undefined : condition.reason,
      inFlight: this.#inFlight,
      blocked: this.#queues.blocked,
      running: this.#running,
    };
  }

  idle(): Promise<LaneStatus> {
    if (!this.#running) return Promise.resolve(this.status());
    return new Promise((resolve) => {
      this.#idlers.add(resolve);
      this.#bell.ring();
    });
  }

  async stop(limitMs: number): Promise<void> {
    this.#stopping = true;
    this.#bell.ring();
    const timer = setTimeout(() => this.#abort.abort(), limitMs);
    await this.#ended;
    clearTimeout(timer);
  }

  /** The only place that touches the table, one thing at a time: no read sees a row whose settlement is under way. */
  async #run(): Promise<void> {
    while (!this.#stopping || this.#inFlight > 0) {
      this.#lookAgain();
      await this.#attempt(async () => {
        await this.#settle();
        if (this.#mustRead()) await this.#reader.read(this.#parts.state.database.db, this.#now);
      });
      this.#dispatch();
      this.#answerIdlers();
      await this.#bell.wait(this.#nextWait());
    }
    this.#databaseAt = 0;
    await this.#attempt(() => this.#settle());
    this.#running = false;
    this.#answerIdlers();
  }

  /** Other processes write rows too, and keys come back from a wait: then all that waits is looked at again. */
  #lookAgain(): void {
    const now = this.#now();
    const back = this.#queues.unblock(now);
    if (!back && now < this.#lookAt && this.#lookAt - now <= pollMs) return;
    this.#reader.wake();
    this.#lookAt = now + pollMs;
  }

  /** Works on the table unless it has just failed. */
  async #attempt(work: () => Promise<void>): Promise<void> {
    if (this.#databaseWaits()) return;
    try {
      await work();
      this.#databaseFailures = 0;
    } catch (error) {
      this.#databaseFailures += 1;
      this.#databaseAt =
        this.#now() + backoffMs({ ...eventBackoff, longestMs: longestDatabaseWaitMs }, this.#databaseFailures, this.#random);
      this.#parts.report?.({ kind: 'database', error: stateError(error, this.#parts.state.database.label) });
    }
  }

  #databaseWaits(): boolean {
    return waits(this.#databaseAt, this.#now(), longestDatabaseWaitMs);
  }

  #answerIdlers(): void {
    if (this.#running && !this.#isIdle()) return;
    for (const resolve of this.#idlers) resolve(this.status());
    this.#idlers.clear();
  }

  #isIdle(): boolean {
    if (this.#databaseFailures >= failuresUntilIdle) return true;
    if (this.#inFlight > 0 || this.#unsettled.length > 0 || this.#mustRead()) return false;
    return !this.#maySend() || this.#queues.ready === 0;
  }

  #mustRead(): boolean {
    if (this.#stopping || this.#databaseWaits()) return false;
    if (this.#condition.kind !== 'up') return this.#queues.ready === 0 && this.#reader.wanted(true);
    return this.#reader.wanted(this.#inFlight < this.#parts.concurrency);
  }

  #dispatch(): void {
    while (this.#maySend()) {
      const taken = this.#queues.take();
      if (taken === undefined) return;
      for (const row of taken.superseded) this.#skip(row);
      this.#inFlight += 1;
      void this.#send(taken.row, this.#condition.kind !== 'up');
    }
  }

  #maySend(): boolean {
    if (this.#stopping || this.#unsettled.length >= mostUnsettled || this.#parts.active?.() === false) return false;
    if (this.#condition.kind === 'up') return this.#inFlight < this.#parts.concurrency;
    return this.#inFlight === 0 && !waits(this.#condition.probeAt, this.#now());
  }

  async #send(row: WaitingRow, probe: boolean): Promise<void> {
    const begun = this.#now();
    const result = await this.#result(row);
    this.#inFlight -= 1;
    // An answer that an abort cut off says nothing: the row stays as it was and is sent again by the next start.
    if (!(this.#abort.signal.aborted && result.kind === 'later')) this.#answered(row, result, probe, begun);
    this.#dispatch();
    if (this.#unsettled.length <= 1 || this.#inFlight === 0 || this.#mustRead()) this.#bell.ring();
  }

  /** A sender does not throw; if one does, the row must not hang in flight. */
  async #result(row: WaitingRow): Promise<SendResult> {
    try {
      return await this.#parts.sender().send(row.payload, this.#abort.signal, this.#parts.active);
    } catch (error) {
      return { kind: 'later', reason: `the sender failed: ${error instanceof Error ? error.name : 'unknown'}`, serverError: false };
    }
  }

  #answered(row: WaitingRow, result: SendResult, probe: boolean, begun: number): void {
    const now = this.#now();
    const othersTaken = this.#taken > (this.#takenAtError.get(row.seq) ?? 0);
    const verdict = judge(row, result, {
      condition: this.#condition,
      probe,
      othersTaken,
      tookMs: now - begun,
      chance: { now, random: this.#random },
    });
    if (result.kind === 'sent') this.#taken += 1;
    if (verdict.key === 'free') this.#takenAtError.delete(row.seq);
    else if (othersTaken) this.#takenAtError.set(row.seq, this.#taken);
    this.#condition = verdict.condition;
    this.#unsettled.push(verdict.settlement);
    if (verdict.key === 'free') this.#queues.free(row.key);
    else if (verdict.key === 'putBack') this.#queues.putBack({ ...row, attempts: row.attempts + 1 });
    else if (verdict.settlement.kind === 'waiting') {
      this.#reader.cut(row.key);
      this.#queues.block(row, verdict.settlement.nextAt);
    }
    for (const note of verdict.notes) this.#parts.report?.(note);
    if (result.kind === 'paused') this.#parts.onPaused?.(result.reason);
  }

  #skip(row: WaitingRow): void {
    const { payload: _, ...event } = row;
    this.#unsettled.push({ kind: 'skipped', seq: row.seq });
    this.#parts.report?.({ kind: 'skipped', event });
  }

  /** Writes the answers gathered so far, if it is time. When the lease is gone they are dropped and the lane ends. */
  async #settle(): Promise<void> {
    if (this.#unsettled.length === 0 || !this.#mustSettle()) return;
    const batch = this.#unsettled;
    this.#unsettled = [];
    try {
      const held = await this.#parts.state.transaction(async (tx) => {
        const holds = await this.#parts.guard(tx);
        if (holds) await settle(tx, batch, this.#now());
        return holds;
      });
      if (!held) return this.#leaseLost();
    } catch (error) {
      this.#unsettled = [...batch, ...this.#unsettled];
      throw error;
    }
    for (const { kind, seq } of batch) if (kind !== 'waiting') this.#queues.forget(seq);
    this.#settleAt = this.#now() + settleEveryMs;
  }

  #mustSettle(): boolean {
    const left = this.#settleAt - this.#now();
    // Longer than the interval: the clock was set back.
    return left <= 0 || left > settleEveryMs || this.#inFlight === 0 || this.#stopping;
  }

  #leaseLost(): void {
    if (this.#stopping && this.#abort.signal.aborted) return;
    this.#stopping = true;
    this.#abort.abort();
    this.#bell.ring();
    if (this.#running) this.#parts.report?.({ kind: 'leaseLost' });
  }

  /** How long nothing has to be done, if nobody rings. */
  #nextWait(): number {
    const now = this.#now();
    if (this.#stopping && this.#inFlight === 0) return 0;
    if (this.#databaseWaits()) return this.#databaseAt - now;
    const times = [this.#lookAt];
    if (this.#unsettled.length > 0) times.push(this.#settleAt);
    if (this.#mustRead()) times.push(now);
    const unblock = this.#queues.nextUnblock();
    if (unblock !== undefined) times.push(unblock);
    if (this.#condition.kind !== 'up' && this.#inFlight === 0 && this.#queues.ready > 0) times.push(this.#condition.probeAt);
    return Math.max(0, Math.min(...times) - now);
  }
}
