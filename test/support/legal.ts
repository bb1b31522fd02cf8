// The legal order of the changes of one application: a START before a terminal, one terminal per run, nothing after it,
// attempts counted upwards.
import assert from 'node:assert/strict';
import type { Change } from '../../src/watch/watch.ts';

/** Throws on the first illegal change of one application. */
export function assertLegal(changes: readonly Change[]): void {
  let attempt = 0;
  let open: { attempt: number; startedAt: number } | null = null;
  let announced: number | null = null;
  for (const change of changes) {
    const where = (rule: string) => `#${change.attempt} ${change.kind}: ${rule}`;
    switch (change.kind) {
      case 'starting':
        assert(open === null, where('a run is open'));
        assert(change.attempt > attempt, where(`attempt ${attempt} was before`));
        attempt = change.attempt;
        announced = attempt;
        break;
      case 'discarded':
        assert(announced === change.attempt, where('it was not announced'));
        announced = null;
        break;
      case 'submitted':
      case 'adopted':
      case 'missed':
      case 'submissionFailed':
        assert(open === null, where('a run is open'));
        assert(announced === change.attempt || change.attempt > attempt, where(`attempt ${attempt} was before`));
        attempt = change.attempt;
        announced = null;
        if ('at' in change) assert(change.at >= change.evidence.startedAt, where('it is before its start'));
        open = change.kind === 'submitted' || change.kind === 'adopted' ? { attempt, startedAt: change.evidence.startedAt } : null;
        break;
      case 'ended':
        assert(open?.attempt === change.attempt, where('it is not open'));
        assert(change.at >= (open?.startedAt ?? 0), where('it is before its start'));
        open = null;
        break;
      case 'running':
      case 'lost':
      case 'revived':
        assert(open?.attempt === change.attempt, where('it is not open'));
        break;
      case 'vanished':
        assert(open === null, where('a run is open'));
        [attempt, announced] = [0, null];
        break;
      case 'optedOut':
        break;
    }
  }
}
