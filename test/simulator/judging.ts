// Judges the histories of many seeds, up to the first that breaks a rule.
import { historyOf } from './histories.ts';
import { judge, storyOf } from './story.ts';

export interface Judgement {
  readonly histories: number;
  readonly runs: number;
  readonly changes: number;
  /** The shortest story of the first failing seed. */
  readonly failure: string | null;
}

/** Judges the seeds from `first` on. */
export function judgeSeeds(first: number, count: number): Judgement {
  let [runs, changes] = [0, 0];
  for (let seed = first; seed < first + count; seed++) {
    const history = historyOf(seed);
    const verdict = judge(history);
    runs += verdict.runs;
    changes += verdict.reported.length;
    if (verdict.broken !== null) return { histories: seed - first + 1, runs, changes, failure: storyOf(seed, history) };
  }
  return { histories: count, runs, changes, failure: null };
}
