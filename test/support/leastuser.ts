// The user that docs/grants.md describes for `run`, made for one test database: exactly the printed grants and nothing else.
import { randomBytes } from 'node:crypto';
import { grantSections, readGrantFacts, runUser } from '../../src/optin/optin.ts';
import { asUser, open, runScript } from '../optin/load.ts';
import { onServer } from './databases.ts';
import type { TestDatabase } from './streampark.ts';

export interface LeastUser {
  /** The database under this user's login. */
  readonly url: string;
  /** After the database is gone. */
  drop(): Promise<void>;
}

/** @param state database or schema of the own tables; made by the grants, still empty */
export async function makeLeastUser({ family, url }: Pick<TestDatabase, 'family' | 'url'>, state: string): Promise<LeastUser> {
  const user = `spl_least_${randomBytes(4).toString('hex')}`;
  const admin = open(url);
  try {
    const sections = grantSections(await readGrantFacts(admin, state, false)).filter(
      ({ title }) => title.startsWith(`${runUser}:`) && !title.includes('only with'),
    );
    const create = family === 'mysql' ? `create user '${user}'@'%' identified by 'pw'` : `create role "${user}" login password 'pw'`;
    const statements = sections.flatMap((section) => section.statements).map((text) => text.replaceAll(runUser, user));
    await runScript(url, [create, ...statements].join(';\n'));
  } finally {
    await admin.close();
  }
  return {
    url: asUser(url, user, 'pw'),
    drop: () => onServer(family, family === 'mysql' ? `drop user '${user}'@'%'` : `drop role "${user}"`),
  };
}
