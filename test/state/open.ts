// Own tables in a test database of their own, on a real server. Every statement that runs over them is looked at: one
// outside of the common subset of the databases fails the suite.
import type { Kysely, KyselyPlugin } from 'kysely';
import { openState, type State, type StateOptions, type StateSchema, stateOver } from '../../src/state/state.ts';
import { createTestDatabase, type TestFamily } from '../support/databases.ts';
import { violations } from './sqlsubset.ts';

export interface TestState {
  readonly state: State;
  readonly options: StateOptions;
  /** Closes and removes them; throws when a statement was outside of the subset. */
  drop(): Promise<void>;
}

/** Opens migrated own tables. */
export async function openTestState(family: TestFamily): Promise<TestState> {
  const database = await createTestDatabase(family);
  const options = { url: database.url, schema: family === 'mysql' ? database.name : 'streampark_lineage' };
  const opened = await openState(options);
  const bad = new Set<string>();
  const db = opened.database.db.withPlugin(listening(opened.database.db, (sql) => violations(sql).length > 0 && bad.add(sql)));
  return {
    state: stateOver({ ...opened.database, db }, opened.schema),
    options,
    drop: async () => {
      await opened.close();
      await database.drop();
      if (bad.size > 0) throw new Error(`outside of the common SQL subset: ${[...bad].join('; ')}`);
    },
  };
}

/** Shows each statement as it is compiled, and changes nothing. */
function listening(db: Kysely<StateSchema>, hear: (sql: string) => unknown): KyselyPlugin {
  return {
    transformQuery: ({ node, queryId }) => {
      hear(db.getExecutor().compileQuery(node, queryId).sql);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
}
