// What an answer means for the row, for its key and for the destination. Pure.
import { TransportError } from '../errors/errors.ts';
import type { SendResult } from './answer.ts';
import { eventBackoff, waitMs } from './backoff.ts';
import { afterFailure, afterPause, type Chance, type Condition, up } from './condition.ts';
import type { LaneNote } from './lane.ts';
import type { Settlement, WaitingRow } from './rows.ts';

/** A 5xx condemns an event after so many attempts between which other events were taken. */
const serverErrorsUntilDead = 10;
/** So does no answer at all; a bad network needs more patience. */
const silencesUntilDead = 50;
/**
 * A 5xx after so many attempts condemns it even if nothing else was there to be taken: with the back-off that is after more
 * than two days, and the only job of an installation must not wait for ever.
 */
const attemptsUntilDead = 1_000;

export interface Verdict {
  readonly settlement: Settlement;
  /** The next of the key may go; the key waits; the same row stays at the head. */
  readonly key: 'free' | 'block' | 'putBack';
  readonly condition: Condition;
  readonly notes: readonly LaneNote[];
}

export interface Circumstances {
  readonly condition: Condition;
  readonly probe: boolean;
  /** Other events were taken by the destination since the last failure that was counted against this one. */
  readonly othersTaken: boolean;
  readonly tookMs: number;
  readonly chance: Chance;
}

/** Judges one answer. */
export function judge(row: WaitingRow, result: SendResult, about: Circumstances): Verdict {
  const { payload: _, ...event } = row;
  const { condition: before, probe, chance } = about;
  switch (result.kind) {
    case 'sent':
      return {
        settlement: { kind: 'sent', seq: row.seq },
        key: 'free',
        condition: up,
        notes: [{ kind: 'sent', event, tookMs: about.tookMs }, ...recovery(before)],
      };
    case 'never':
      return { ...dead(row, result.reason, row.serverErrors), condition: up, notes: [deadNote(row, result.reason), ...recovery(before)] };
    case 'paused': {
      const condition = afterPause(before, result.reason, probe, chance);
      return {
        settlement: { kind: 'waiting', seq: row.seq, error: result.reason, serverErrors: row.serverErrors, nextAt: 0 },
        key: 'putBack',
        condition,
        notes: change(before, condition),
      };
    }
    case 'later': {
      const serverErrors = row.serverErrors + (about.othersTaken && result.busy !== true ? 1 : 0);
      const condemned = condemns(row, result, serverErrors);
      if (condemned !== undefined) {
        const reason = `${result.reason} (${condemned})`;
        return { ...dead(row, reason, serverErrors), condition: before, notes: [deadNote(row, reason)] };
      }
      const nextAt = chance.now + waitMs(eventBackoff, row.attempts + 1, result.retryAfterMs, chance.random);
      const condition = afterFailure(before, { key: row.key, probe, ...result }, chance);
      const error = new TransportError('TRANSPORT_LATER', result.reason);
      return {
        settlement: { kind: 'waiting', seq: row.seq, error: result.reason, serverErrors, nextAt },
        key: 'block',
        condition,
        notes: [{ kind: 'later', event, error, nextAt }, ...change(before, condition)],
      };
    }
  }
}

/** Why a failure for now is one for good; undefined when it is not. */
function condemns(row: WaitingRow, { serverError, busy }: SendResult & { kind: 'later' }, counted: number): string | undefined {
  if (busy === true) return undefined;
  if (counted >= (serverError ? serverErrorsUntilDead : silencesUntilDead)) return `${counted} times while other events were taken`;
  return serverError && row.attempts + 1 >= attemptsUntilDead ? `${row.attempts + 1} times` : undefined;
}

const dead = (row: WaitingRow, error: string, serverErrors: number): Pick<Verdict, 'settlement' | 'key'> => ({
  settlement: { kind: 'dead', seq: row.seq, error, serverErrors },
  key: 'free',
});

function deadNote({ payload: _, ...event }: WaitingRow, reason: string): LaneNote {
  return { kind: 'dead', event, error: new TransportError('TRANSPORT_REFUSED', reason) };
}

const recovery = (before: Condition): LaneNote[] => (before.kind === 'up' ? [] : [{ kind: 'up' }]);

/** One note per change, none per failed probe. */
function change(before: Condition, after: Condition): LaneNote[] {
  if (after.kind === 'up' || after.kind === before.kind) return [];
  const code = after.kind === 'paused' ? 'TRANSPORT_PAUSED' : 'TRANSPORT_LATER';
  return [{ kind: after.kind, error: new TransportError(code, after.reason), probeAt: after.probeAt }];
}
