// Checks one history, and cuts one that fails down to the steps that it takes.
import type { History, Step } from './histories.ts';
import { ends, play } from './histories.ts';
import { check } from './invariants.ts';
import { Sampled } from './sampled.ts';
import { Witness } from './witness.ts';

export interface Verdict {
  /** null = all invariants hold. */
  readonly broken: string | null;
  readonly story: readonly string[];
  readonly runs: number;
  readonly changes: number;
}

/** Plays a history through the tracker and checks it. */
export function judge(history: History): Verdict {
  const witness = new Witness();
  const sampled = new Sampled();
  let broken: string | null = null;
  const console = play(history, {
    onPoll: (console) => {
      if (broken !== null) return;
      witness.poll(console);
      const known = sampled.reported.length;
      try {
        sampled.poll(console);
      } catch (error) {
        broken = firstLine(error);
      }
      const found = sampled.reported.slice(known).map(({ change }) => {
        const end = 'how' in change ? ` ${change.how} ${change.reason}${change.reconstructed ? ' reconstructed' : ''}` : '';
        return `${change.app.engine}:${change.app.id} #${change.attempt} ${change.kind}${end}`;
      });
      console.say(`    POLL ${found.join(', ')}`);
    },
  });
  if (broken === null) {
    try {
      check(console, witness, sampled.reported);
    } catch (error) {
      broken = firstLine(error);
    }
  }
  return { broken, story: console.story, runs: console.runs.length, changes: sampled.reported.length };
}

const firstLine = (error: unknown): string => (error instanceof Error ? error.message.split('\n').slice(0, 3).join(' ') : String(error));

/** Leaves out steps as long as the history still breaks the same kind of rule. */
export function smallest(history: History, same: (broken: string) => boolean): History {
  let steps: readonly Step[] = history.steps;
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < steps.length; ) {
      const fewer = [...steps.slice(0, from), ...steps.slice(from + size)];
      const { broken } = judge({ ...history, steps: fewer });
      if (broken !== null && same(broken)) steps = fewer;
      else from += size;
    }
    if (size === 1) break;
  }
  return { ...history, steps };
}

/** What an invariant says without the run it says it of. */
const ruleOf = (broken: string): string => broken.replace(/\d+/g, '').replace(/flink:|spark:/g, '');

/** The story of a failing seed, as short as it gets. */
export function storyOf(seed: number, history: History): string {
  const first = judge(history);
  const small = smallest(history, (broken) => ruleOf(broken) === ruleOf(first.broken ?? ''));
  const { broken, story } = judge(small);
  const world = JSON.stringify(small.world);
  return [`seed ${seed}: ${broken}`, world, ...story, `(${small.steps.length} steps and ${ends.length} polls at the end)`].join('\n');
}
