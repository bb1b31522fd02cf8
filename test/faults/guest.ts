// The daemon's user on a server of the test's own, and what an administrator may do to it.
import mysql from 'mysql2/promise';
import pg from 'pg';
import type { OwnServer } from './ownserver.ts';

/** Its password is `first`. The user `holder` takes up connections. */
export async function create({ family, query }: OwnServer): Promise<void> {
  for (const user of ['guest', 'holder'])
    await query(family === 'mysql' ? `create user ${user} identified by 'first'` : `create role ${user} login password 'first'`);
}

/** All it needs, on these two. */
export async function grant({ family, query }: OwnServer, source: string, own: string): Promise<void> {
  if (family === 'mysql') {
    await query(`grant select on ${source}.* to guest; grant all on ${own}.* to guest`);
    return;
  }
  await query(`grant create on database ${source} to guest`);
  await query('grant select on all tables in schema public to guest', source);
}

export async function password({ family, query }: OwnServer, text: string): Promise<void> {
  await query(family === 'mysql' ? `alter user guest identified by '${text}'` : `alter role guest password '${text}'`);
}

/** As a restart, a fail-over or a firewall ends them. */
export async function endSessions({ family, query }: OwnServer): Promise<void> {
  await query(
    family === 'mysql' ? 'kill connection user guest' : `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'guest'`,
  );
}

/** As after a fail-over to a replica: the sessions are new, and they may not write. */
export async function readOnly(server: OwnServer, on: boolean): Promise<void> {
  const { family, query } = server;
  if (family === 'mysql') await query(`set global read_only = ${on ? 1 : 0}`);
  else await query(`alter role guest set default_transaction_read_only = ${on ? 'on' : 'off'}`);
  await endSessions(server);
}

/** Takes up all connections until the daemon has none left. */
export async function takeEveryConnection(server: OwnServer): Promise<(() => Promise<unknown>)[]> {
  const { family, query } = server;
  const held: (() => Promise<unknown>)[] = [];
  const sessions = async () => {
    const list = family === 'mysql' ? 'information_schema.processlist where user' : 'pg_stat_activity where usename';
    return Number((await query(`select count(*) as n from ${list} = 'guest'`))[0]?.['n']);
  };
  do {
    await endSessions(server);
    for (;;) {
      const close = await hold(server);
      if (close === undefined) break;
      held.push(close);
    }
  } while ((await sessions()) > 0);
  return held;
}

/** Undefined when the server refuses for want of connections. */
async function hold({ family, url }: OwnServer): Promise<(() => Promise<unknown>) | undefined> {
  const address = url(family === 'mysql' ? '' : 'postgres', 'holder', 'first');
  try {
    if (family === 'mysql') {
      const connection = await mysql.createConnection(address);
      return () => connection.end();
    }
    const client = new pg.Client(address);
    client.on('error', () => undefined);
    await client.connect();
    return () => client.end();
  } catch {
    return undefined;
  }
}
