// Which StreamPark database this is: own tables that belong to another one must not be used.
import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { AnySchema, Features } from './features.ts';
import { filled, type RawRow, time } from './normalise.ts';

/** Equal for one database over restarts and fail-overs behind one address, different for a restored copy. */
export interface Fingerprint {
  /**
   * Identity of the server, MySQL's server_uuid or PostgreSQL's system identifier, and its address in the settings: a copy made from
   * the files of a server (a snapshot) has its identity too, and MariaDB has none.
   */
  readonly server: string;
  readonly database: string;
  /** Smallest create_time of users and teams, raw: when StreamPark was installed. */
  readonly createdAt: string | null;
}

/** Whether two fingerprints are of one database; an unknown installation time tells nothing. */
export function sameSource(a: Fingerprint, b: Fingerprint): boolean {
  const time = a.createdAt === null || b.createdAt === null || a.createdAt === b.createdAt;
  return a.server === b.server && a.database === b.database && time;
}

async function value(db: Kysely<AnySchema>, query: ReturnType<typeof sql<RawRow>>): Promise<string | null> {
  const { rows } = await query.execute(db);
  return filled(rows[0]?.['value']);
}

/** Reads the fingerprint. @param address `host:port/database` of the settings */
export async function readFingerprint(
  database: Database<AnySchema>,
  features: Features,
  schema: string,
  address: string,
): Promise<Fingerprint> {
  const { db, family } = database;
  const server = [await serverIdentity(database), address.replace(/\/.*$/, '')].filter((part) => part !== null).join(' ');
  const name =
    family === 'mysql'
      ? await value(db, sql<RawRow>`select database() as value`)
      : await value(db, sql<RawRow>`select current_database() as value`);
  const times: string[] = [];
  for (const table of ['t_user', 't_team']) {
    if (features.catalog.get(table)?.get('create_time')?.readable !== true) continue;
    const oldest = time(await value(db, sql<RawRow>`select min(create_time) as value from ${sql.table(table)}`));
    if (oldest !== null) times.push(oldest);
  }
  times.sort();
  return { server, database: family === 'mysql' ? `${name}` : `${name}.${schema}`, createdAt: times[0] ?? null };
}

async function serverIdentity({ db, family, embedded }: Database<AnySchema>): Promise<string | null> {
  if (embedded) return 'embedded';
  if (family === 'mysql') {
    const { rows } = await sql<RawRow>`show variables like 'server_uuid'`.execute(db);
    return filled(rows[0]?.['Value']);
  }
  try {
    return await value(db, sql<RawRow>`select cast(system_identifier as text) as value from pg_control_system()`);
  } catch {
    return null; // pg_control_system() may be revoked
  }
}
