// What the printed grants depend on, read from the database: names, columns, owner, and who is logged in.
import { type Kysely, sql } from 'kysely';
import type { Database, SqlFamily } from '../database/database.ts';
import { explain, type Login } from './failures.ts';
import { readColumns } from './reads.ts';

/** What the grants depend on. */
export interface GrantFacts {
  readonly family: SqlFamily;
  /** Database (MySQL) or schema (PostgreSQL) of StreamPark's tables. */
  readonly source: string;
  /** Database (MySQL) or schema (PostgreSQL) of the own tables. */
  readonly state: string;
  /** Tables of StreamPark with the columns they have. */
  readonly columns: ReadonlyMap<string, readonly string[]>;
  /** PostgreSQL: owner of t_flink_app, who alone may alter it. */
  readonly owner: string | undefined;
  /** t_setting and t_variable are read through views. */
  readonly views: boolean;
}

/**
 * Reads the facts; best as an administrator, because MySQL shows nobody a column he has no right on.
 * @param state database (MySQL) or schema (PostgreSQL) of the own tables
 * @throws SourceError
 */
export async function readGrantFacts(database: Database<unknown>, state: string, views: boolean): Promise<GrantFacts> {
  const { db, family, label } = database;
  try {
    const login = await readLogin(db, family);
    const names = sql.join(Object.keys(readColumns));
    const query =
      family === 'mysql'
        ? sql<{ t: string; c: string }>`
            select table_name as t, column_name as c from information_schema.columns
             where table_schema = database() and table_name in (${names}) order by table_name, ordinal_position`
        : sql<{ t: string; c: string }>`
            select c.relname::text as t, a.attname::text as c
              from pg_class c join pg_attribute a on a.attrelid = c.oid
             where c.relnamespace = (select oid from pg_namespace where nspname = current_schema())
               and c.relname in (${names}) and a.attnum > 0 and not a.attisdropped
             order by c.relname, a.attnum`;
    const columns = new Map<string, string[]>();
    for (const { t, c } of (await query.execute(db)).rows) columns.set(t, [...(columns.get(t) ?? []), c]);
    return { family, source: login.source, state, columns, owner: login.owner, views };
  } catch (error) {
    throw explain(error, 'reading the columns of the tables', label, 'Run the command as an administrator of the database.');
  }
}

/** Asks the database who is logged in. Needs no right. */
export async function readLogin(db: Kysely<unknown>, family: SqlFamily): Promise<Login> {
  const query =
    family === 'mysql'
      ? sql<{ login: string; source: string | null; owner: string | null }>`
          select current_user() as login, database() as source, null as owner`
      : sql<{ login: string; source: string | null; owner: string | null }>`
          select current_user::text as login, current_schema()::text as source,
                 (select pg_get_userbyid(c.relowner)::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
                   where n.nspname = current_schema() and c.relname = 't_flink_app') as owner`;
  const row = (await query.execute(db)).rows[0];
  const login = row?.login ?? '';
  const q = quoting(family);
  const at = login.lastIndexOf('@');
  const user = family === 'mysql' ? `${q.name(login.slice(0, at))}@${q.name(login.slice(at + 1))}` : q.name(login);
  return { family, user, source: row?.source ?? '', owner: row?.owner ?? undefined };
}

export interface Quoting {
  name(text: string): string;
  user(text: string): string;
}

/** Quotes names, and users as they stand in a grant: on MySQL from any host. */
export function quoting(family: SqlFamily): Quoting {
  const mark = family === 'mysql' ? '`' : '"';
  const name = (text: string) => `${mark}${text.replaceAll(mark, mark + mark)}${mark}`;
  return { name, user: (text) => (family === 'mysql' ? `${name(text)}@${name('%')}` : name(text)) };
}
