// A place for the built program: a small console on a real database, a real lineage server, and processes that are killed at the end.
import { type OwnTables, ownTablesOf } from '../support/daemon.ts';
import { type LineageReceiver, startLineageReceiver } from '../support/lineage-receiver.ts';
import { type Program, startProgram } from '../support/program.ts';
import { openSmallConsole, realClock, type SmallConsole } from '../support/smallconsole.ts';
import type { Family } from '../support/streampark.ts';

export interface Place {
  readonly console: SmallConsole;
  readonly receiver: LineageReceiver;
  readonly own: OwnTables;
  readonly env: Readonly<Record<string, string>>;
  /** Starts a command that is killed at the end, whatever happens. */
  start(args: readonly string[], env?: Readonly<Record<string, string>>): Program;
}

/** Plays in a fresh place and takes it down. */
export async function inPlace(family: Family, play: (place: Place) => Promise<void>, clock = realClock()): Promise<void> {
  const [console, receiver] = await Promise.all([openSmallConsole(family, clock), startLineageReceiver()]);
  const own = ownTablesOf(console.database);
  const env = {
    SOURCE_URL: console.database.url,
    STATE_SCHEMA: own.schema,
    GRAVITINO_ADDRESS: receiver.url,
    POLL_INTERVAL: '100ms',
    SOURCE_TIMEZONE: 'UTC',
    HTTP_PORT: '0',
  };
  const programs: Program[] = [];
  try {
    await play({
      console,
      receiver,
      own,
      env,
      start(args, more = {}) {
        const program = startProgram(args, { ...env, ...more });
        programs.push(program);
        return program;
      },
    });
  } finally {
    for (const program of programs) program.kill('SIGKILL');
    await Promise.all(programs.map((program) => program.ended));
    await receiver.close();
    await own.drop();
    await console.drop();
  }
}
