// The one UPDATE: it changes a column only if it still holds exactly the text that was read, and only while the console holds no copy of
// the row that it would write back.
import { sql } from 'kysely';
import { type AppProperties, appTables, type Engine, propertyColumns, type Source, sourceError } from '../watch/watch.ts';

/** States in which the console neither submits nor stops; elsewhere it writes whole rows from copies. */
const calmStates: Readonly<Record<Engine, readonly number[]>> = {
  flink: [0, 5, 7, 9, 10, 13, 16, 18, 20, -9],
  spark: [0, 6, 7, 8, 9, 12, 14, -9],
};

/** Whether the row may be written now. */
export const isCalm = (app: Pick<AppProperties, 'engine' | 'state' | 'optionState'>): boolean =>
  app.optionState === 0 && calmStates[app.engine].includes(app.state);

/**
 * Writes the column of one application.
 * @returns false when the row changed meanwhile: nothing was written
 * @throws SourceError, such as SOURCE_PRIVILEGE
 */
export async function writeProperties(source: Source, app: AppProperties, next: string | null): Promise<boolean> {
  const { engine, id, properties } = app;
  const column = sql.ref(propertyColumns[engine]);
  const text = sql`${properties}`;
  const unchanged =
    source.database.family === 'mysql'
      ? sql`cast(${column} as binary) <=> cast(${text} as binary)`
      : sql`${column} is not distinct from ${sql`cast(${text} as text)`}`;
  const calm = sql`state in (${sql.join(calmStates[engine].map((state) => sql.lit(state)))}) and option_state = 0`;
  const statement = sql`update ${sql.table(appTables[engine])} set ${column} = ${next}
    where id = ${sql.raw(BigInt(id).toString())} and ${calm} and ${unchanged}`;
  try {
    const { numAffectedRows = 0n } = await statement.execute(source.database.db);
    return numAffectedRows > 0n;
  } catch (error) {
    throw sourceError(error, source.label);
  }
}
