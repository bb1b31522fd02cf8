// Histories: a world and a list of steps, made from a seed; played on a simulated console.
import { type AppPlan, Console, type SimApp, type World, type Write } from './console.ts';
import { ending } from './ending.ts';
import { keeping } from './keeping.ts';
import { type Random, seeded } from './random.ts';
import { type Action, starting } from './starting.ts';

/** Time passes, then one thing happens. */
export type Step =
  | { readonly kind: 'poll'; readonly after: number }
  | { readonly kind: 'act'; readonly after: number; readonly app: number; readonly action: string; readonly seed: number };

export interface History {
  readonly world: World;
  readonly steps: readonly Step[];
}

const actions: Readonly<Record<string, Action>> = { ...starting, ...ending, ...keeping };

function worldOf(random: Random): World {
  const release = random.pick(['2.1.7', 'dev'] as const);
  const flink = (): AppPlan => {
    const deployMode = random.pick([0, 1, 1, 2, 3, 4, 4, 5, 6]);
    return {
      engine: 'flink',
      deployMode,
      restartSize: random.pick([0, 0, 2]),
      fixedJobId: (deployMode === 4 || deployMode === 6) && random.chance(25),
    };
  };
  const spark = (): AppPlan => ({ engine: 'spark', deployMode: random.pick([2, 3]), restartSize: random.pick([0, 2]), fixedJobId: false });
  return {
    release,
    times: random.pick(['rounded', 'cut', 'milliseconds'] as const),
    skew: random.pick([0, 0, 300, -1500, 4000]),
    apps: [flink(), ...(random.chance(50) ? [flink()] : []), ...(release === 'dev' && random.chance(60) ? [spark()] : [])],
  };
}

/** Milliseconds between two steps: the writes of one action are milliseconds apart, people take longer, and sometimes nobody does anything for long. */
const pauses = [15, 50, 120, 400, 1000, 1000, 2500, 5000, 5000, 20_000, 60_000, 700_000];

/** A history of `length` actions. What is done depends on what is possible, so the console is played while it is made. */
export function historyOf(seed: number, length = 60): History {
  const random = seeded(seed);
  const world = worldOf(random);
  const console = new Console(world);
  const steps: Step[] = [];
  const watching = random.pick([20, 40, 60, 85]);
  for (let n = 0; n < length; n++) {
    const after = random.pick(pauses);
    if (random.chance(watching)) {
      steps.push({ kind: 'poll', after });
      console.advance(after);
    }
    const app = random.int(console.apps.length);
    const pause = random.pick(pauses);
    console.advance(pause);
    const action = choose(console, console.apps[app] as SimApp, random);
    if (action === null) continue;
    const step: Step = { kind: 'act', after: pause, app, action, seed: random.int(2 ** 31) };
    steps.push(step);
    perform(console, step);
  }
  return { world, steps };
}

function choose(console: Console, app: SimApp, random: Random): string | null {
  const possible = Object.entries(actions).filter(([, action]) => action.possible(console, app));
  let ticket = random.int(
    Math.max(
      1,
      possible.reduce((sum, [, { weight }]) => sum + weight, 0),
    ),
  );
  for (const [name, { weight }] of possible) {
    ticket -= weight;
    if (ticket < 0) return name;
  }
  return null;
}

/** Does one step; one that is not possible (any more) is left out. */
function perform(console: Console, step: Extract<Step, { kind: 'act' }>): void {
  const app = console.apps[step.app];
  const action = actions[step.action];
  if (app === undefined || action?.possible(console, app) !== true) return;
  action.act(console, app, seeded(step.seed));
}

export interface Player {
  /** At every poll of the history, and in the end when all has come to rest. */
  readonly onPoll: (console: Console) => void;
  readonly onWrite?: (write: Write) => void;
}

/** After the last step everything that was on its way arrives, and every grace time passes. */
export const ends: readonly Step[] = [
  { kind: 'poll', after: 200_000 },
  { kind: 'poll', after: 3_600_000 },
  { kind: 'poll', after: 3_600_000 },
];

/** Plays a history from its beginning. */
export function play(history: History, player: Player): Console {
  const console = new Console(history.world, player.onWrite);
  for (const step of [...history.steps, ...ends]) {
    console.advance(step.after);
    if (step.kind === 'poll') player.onPoll(console);
    else perform(console, step);
  }
  return console;
}
