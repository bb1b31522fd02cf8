// Own tables in a test database of their own, on a real server.
import { openState, type State, type StateOptions } from '../../src/state/state.ts';
import { createTestDatabase, type TestFamily } from '../support/databases.ts';

export interface TestState {
  readonly state: State;
  readonly options: StateOptions;
  drop(): Promise<void>;
}

/** Opens migrated own tables; `drop` closes and removes them. */
export async function openTestState(family: TestFamily): Promise<TestState> {
  const database = await createTestDatabase(family);
  const options = { url: database.url, schema: family === 'mysql' ? database.name : 'streampark_lineage' };
  const state = await openState(options);
  return {
    state,
    options,
    drop: async () => {
      await state.close();
      await database.drop();
    },
  };
}
