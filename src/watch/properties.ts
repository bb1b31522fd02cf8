// The property texts of applications and what they are submitted with, for the engines' own listeners.
import { type Kysely, sql } from 'kysely';
import type { AnySchema, AppTable, Features } from './features.ts';
import { number, type RawRow, text, time } from './normalise.ts';
import type { Engine } from './rows.ts';

/** Where each engine's properties stand. */
export const propertyColumns: Readonly<Record<Engine, string>> = { flink: 'dynamic_properties', spark: 'app_properties' };

export interface AppProperties {
  readonly engine: Engine;
  readonly id: string;
  readonly createTime: string;
  readonly name: string;
  readonly state: number;
  readonly optionState: number;
  /** The column as it stands; null = NULL. */
  readonly properties: string | null;
}

const idsAtOnce = 1_000;

/** The table of an engine, when it has the column and it may be read. */
export function propertyTable(features: Features, engine: Engine): AppTable | null {
  const table = engine === 'flink' ? features.flink : features.spark;
  if (table === null) return null;
  return features.catalog.get(table.table)?.get(propertyColumns[engine])?.readable === true ? table : null;
}

/** Rows by id; empty where the engine has no such column. */
export async function readProperties(
  db: Kysely<AnySchema>,
  features: Features,
  engine: Engine,
  ids: readonly string[],
): Promise<AppProperties[]> {
  const table = propertyTable(features, engine);
  if (table === null) return [];
  const columns = ['id', 'create_time', 'name', 'state', 'option_state'].map((alias) => {
    const found = table.columns.find((column) => column.alias === alias);
    return found === undefined ? sql`null as ${sql.ref(alias)}` : sql`${sql.ref(found.name)} as ${sql.ref(alias)}`;
  });
  const result: AppProperties[] = [];
  for (let i = 0; i < ids.length; i += idsAtOnce) {
    const list = ids.slice(i, i + idsAtOnce).map((id) => sql.raw(BigInt(id).toString()));
    const { rows } = await sql<RawRow>`select ${sql.join(columns)}, ${sql.ref(propertyColumns[engine])} as properties
      from ${sql.table(table.table)} where id in (${sql.join(list)}) order by id`.execute(db);
    result.push(
      ...rows.map((row) => ({
        engine,
        id: String(row['id']),
        createTime: time(row['create_time']) ?? '',
        name: text(row['name']) ?? '',
        state: number(row['state']) ?? 0,
        optionState: number(row['option_state']) ?? 0,
        properties: text(row['properties']),
      })),
    );
  }
  return result;
}
