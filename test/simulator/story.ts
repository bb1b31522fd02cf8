// Checks one history, and cuts one that fails down to the steps that it takes.
import type { Change } from '../../src/watch/watch.ts';
import type { Console, Write } from './console.ts';
import { ends, type History, play, type Step } from './histories.ts';
import { check } from './invariants.ts';
import { type Reported, Sampled } from './sampled.ts';
import { Witness } from './witness.ts';

export interface Verdict {
  /** null = all invariants hold. */
  readonly broken: string | null;
  readonly story: readonly string[];
  readonly runs: number;
  readonly reported: readonly Reported[];
}

/** Plays a history through the tracker and checks it. `onPoll` comes after each poll, with what that poll found. */
export function judge(history: History, player: Partial<Judged> = {}): Verdict {
  const witness = new Witness();
  const sampled = new Sampled();
  let broken: string | null = null;
  const console = play(history, {
    ...(player.onWrite === undefined ? {} : { onWrite: player.onWrite }),
    onPoll: (console) => {
      if (broken !== null) return;
      const known = sampled.reported.length;
      try {
        sampled.poll(console);
      } catch (error) {
        broken = firstLine(error);
      }
      witness.poll(console, sampled.columnGone);
      const found = sampled.reported.slice(known);
      console.say(`    POLL ${found.map(({ change }) => words(change)).join(', ')}`);
      player.onPoll?.(console, found);
    },
  });
  if (broken === null) {
    try {
      check(console, witness, sampled.reported);
    } catch (error) {
      broken = firstLine(error);
    }
  }
  return { broken, story: console.story, runs: console.runs.length, reported: sampled.reported };
}

export interface Judged {
  readonly onWrite: (write: Write) => void;
  readonly onPoll: (console: Console, found: readonly Reported[]) => void;
}

const words = (change: Change): string => {
  const end = 'how' in change ? ` ${change.how} ${change.reason}${change.reconstructed ? ' reconstructed' : ''}` : '';
  return `${change.app.engine}:${change.app.id} #${change.attempt} ${change.kind}${end}`;
};

const firstLine = (error: unknown): string => (error instanceof Error ? error.message.split('\n').slice(0, 3).join(' ') : String(error));

/** Leaves out steps as long as the rest still does the same. */
export function smallest(history: History, same: (steps: readonly Step[]) => boolean): History {
  let { steps } = history;
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < steps.length; ) {
      const fewer = [...steps.slice(0, from), ...steps.slice(from + size)];
      if (same(fewer)) steps = fewer;
      else from += size;
    }
  }
  return { ...history, steps };
}

/** What an invariant says without the run it says it of. */
const ruleOf = (broken: string): string => broken.replace(/\d+/g, '').replace(/flink:|spark:/g, '');

/** The story of a failing seed, as short as it gets. */
export function storyOf(seed: number, history: History): string {
  const first = judge(history);
  const rule = ruleOf(first.broken ?? '');
  const small = smallest(history, (steps) => ruleOf(judge({ ...history, steps }).broken ?? '') === rule);
  const { broken, story } = judge(small);
  const world = JSON.stringify(small.world);
  return [`seed ${seed}: ${broken}`, world, ...story, `(${small.steps.length} steps and ${ends.length} polls at the end)`].join('\n');
}
