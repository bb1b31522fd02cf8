// A leader that is frozen (SIGSTOP, a paused virtual machine) inside a transaction keeps its locks, and the database cannot know. The server
// ends a session that does nothing inside a transaction, so another takes over; what the frozen one had begun is not written.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { acquireLease, loadCursor, openState } from '../../src/state/state.ts';
import { ownTablesOf } from '../support/daemon.ts';
import { requireServer } from '../support/databases.ts';
import { openSmallConsole } from '../support/smallconsole.ts';
import type { Family } from '../support/streampark.ts';
import { until } from '../support/until.ts';
import { type ChildProgram, childProgram } from './children.ts';

/** Declares the test for one family; it takes as long as the server is patient. */
export async function frozenLeaderSuite(family: Family): Promise<void> {
  const suite = await requireServer(family);
  suite(`a leader frozen inside of a transaction, on ${family}`, () => {
    let program: ChildProgram;
    beforeAll(async () => {
      program = await childProgram('frozenchild');
    });
    afterAll(() => program?.close());

    it('does not keep another from taking over, and writes nothing when it goes on', async () => {
      const console = await openSmallConsole(family);
      const own = ownTablesOf(console.database);
      const { url } = console.database;
      const state = await openState({ url, schema: own.schema });
      const said: string[] = [];
      const frozen = program.start((line) => said.push(line));
      try {
        frozen.say(JSON.stringify({ url, schema: own.schema }));
        await until('locked', () => said.includes('locked'), 60_000);
        frozen.signal('SIGSTOP');
        await until(
          'another has the lease',
          async () => {
            const asked = state.transaction((tx) => acquireLease(tx, 'daemon', 'other', 60_000));
            return (await asked.catch(() => undefined))?.held === true;
          },
          100_000,
        );
        frozen.signal('SIGCONT');
        frozen.say('go on');
        await until('an answer', () => said.length === 2, 30_000);
        expect(said[1]).toMatch(/^refused STATE_/);
        expect(await loadCursor(state.database.db, 't_app_log')).toBeUndefined();
        expect(await own.query('select holder from own.lease')).toEqual([{ holder: 'other' }]);
      } finally {
        frozen.signal('SIGKILL');
        await frozen.ended;
        await state.close();
        await own.drop();
        await console.drop();
      }
    });
  });
}
