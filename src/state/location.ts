// Where the own tables live: a database of their own on MySQL, a schema of their own on PostgreSQL; made when missing.
import { type Kysely, sql } from 'kysely';
import { familyOf, type SqlFamily } from '../database/database.ts';
import type { StateSchema } from './schema.ts';

/** A name that needs no quoting on either family; checked because it becomes part of a statement. */
const plainName = /^[a-z_][a-z0-9_]{0,62}$/;

/**
 * The two URLs of a state location: of the server before the database or schema exists, and of the tables.
 * On MySQL the database of `url` is replaced by `schema`; on PostgreSQL `url` stays and `schema` becomes the search path.
 * @throws TypeError when `schema` is no plain name
 */
export function locate(url: string, schema: string): { readonly server: string; readonly tables: string } {
  if (!plainName.test(schema)) throw new TypeError(`not a name for a schema: ${JSON.stringify(schema)}`);
  if (familyOf(url) !== 'mysql') return { server: url, tables: url };
  const [server, tables] = [new URL(url), new URL(url)];
  server.pathname = '/';
  tables.pathname = `/${schema}`;
  return { server: server.href, tables: tables.href };
}

/** Whether the database or schema is there; asked before creating, because creating needs a privilege even when it is. */
export async function schemaExists(connection: Kysely<StateSchema>, schema: string): Promise<boolean> {
  const found = await sql<{ name: string }>`
    select schema_name as name from information_schema.schemata where schema_name = ${schema}`.execute(connection);
  return found.rows.length > 0;
}

/** The statement that makes the database or schema. */
export function creationOf(family: SqlFamily, schema: string): string {
  return family === 'mysql'
    ? `create database if not exists ${schema} default character set utf8mb4 collate utf8mb4_bin`
    : `create schema if not exists ${schema}`;
}

/** The statement that removes it; only for an empty one. */
export function removalOf(family: SqlFamily, schema: string): string {
  return family === 'mysql' ? `drop database ${schema}` : `drop schema ${schema} restrict`;
}
