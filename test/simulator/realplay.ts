// A simulated history through everything that is real: database, daemon, planner, http server.
import type { Planner } from '../../src/plan/plan.ts';
import { ownTablesOf, startTestDaemon } from '../support/daemon.ts';
import { type LineageEvent, startLineageReceiver } from '../support/lineage-receiver.ts';
import type { Family } from '../support/streampark.ts';
import type { Write } from './console.ts';
import { compare, Expected, received } from './expected.ts';
import { type History, historyOf } from './histories.ts';
import { openRealTables, type ShapeName } from './realtables.ts';
import { judge } from './story.ts';

/** What happens in one go: writes, then a poll at a moment. */
interface Scene {
  readonly writes: readonly Write[];
  readonly now: number;
}

export interface RealHistory {
  readonly history: History;
  readonly scenes: readonly Scene[];
  readonly expected: Expected;
  readonly story: readonly string[];
}

/** Plays a history without a database, and keeps what is to be written and what is to arrive. */
export function prepare(family: Family, seed: number, length?: number): RealHistory {
  const made = historyOf(seed, length);
  // A column of MySQL keeps whole seconds.
  const times = family === 'mysql' && made.world.times === 'milliseconds' ? 'cut' : made.world.times;
  const history = { ...made, world: { ...made.world, times } };
  const scenes: Scene[] = [];
  const expected = new Expected();
  let writes: Write[] = [];
  const { broken, story } = judge(history, {
    onWrite: (write) => void writes.push(write),
    onPoll: (console, found) => {
      expected.found(console, found);
      scenes.push({ writes, now: console.now });
      writes = [];
    },
  });
  if (broken !== null) throw new Error(`seed ${seed}: ${broken}\n${story.join('\n')}`);
  return { history, scenes, expected, story };
}

/** What a comparison needs of a history. */
type Played = Pick<RealHistory, 'story'> & { readonly expected: Pick<Expected, 'lives'> };

/** Throws with the story when something else arrived than what happened. */
export function compareWith(real: Played, seed: number, events: readonly LineageEvent[], lines: readonly string[] = []): void {
  try {
    compare(real.expected.lives, received(events));
  } catch (error) {
    throw new Error([`seed ${seed}: ${error instanceof Error ? error.message : error}`, ...real.story, ...lines].join('\n'));
  }
}

/**
 * Plays it with the daemon in this process, which looks at each poll. Gives how many runs arrived.
 * @param shape by default the tables are those of the history's release
 */
export async function playReal(family: Family, seed: number, planner: Planner, shape?: ShapeName): Promise<number> {
  const real = prepare(family, seed);
  const tables = await openRealTables(family, shape ?? real.history.world.release);
  const receiver = await startLineageReceiver();
  const own = ownTablesOf(tables.database);
  let now = 0;
  const env = { SOURCE_TIMEZONE: 'UTC', GRAVITINO_ADDRESS: receiver.url, EVENTS_HEARTBEAT: '30d' };
  const daemon = startTestDaemon({ database: tables.database, schema: own.schema, planner, now: () => now, env });
  try {
    for (const scene of real.scenes) {
      await tables.write(scene.writes);
      now = scene.now;
      await daemon.step();
    }
    const lines = daemon.lines.filter(({ level }) => level === 'warn' || level === 'error').map((line) => JSON.stringify(line));
    compareWith(real, seed, receiver.events, lines);
    return real.expected.lives.length;
  } finally {
    await daemon.close();
    await receiver.close();
    await own.drop();
    await tables.drop();
  }
}
