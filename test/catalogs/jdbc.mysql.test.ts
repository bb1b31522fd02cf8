// JDBC catalogs on a real MariaDB, through a user that may do no more than read one table.
import mysql from 'mysql2/promise';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTable } from '../../src/catalogs/ddl.ts';
import { openCatalog } from '../../src/catalogs/open.ts';
import { type CatalogTable, Unreadable } from '../../src/catalogs/table.ts';
import type { CatalogSettings } from '../../src/settings/settings.ts';
import { createTestDatabase, onServer, requireServer, type TestDatabase } from '../support/databases.ts';

const suite = await requireServer('mysql');
const user = `r${Date.now().toString(36)}`;
const password = "p@ss/w'ord";

suite('a JDBC catalog of MariaDB', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase('mysql');
    const connection = await mysql.createConnection({ uri: database.url });
    await connection.query(`create table \`all types\` (
      a tinyint(1), b tinyint, c tinyint unsigned, d smallint unsigned, e mediumint, f int, g int unsigned, h bigint,
      i bigint unsigned, j decimal(12, 3), k decimal(12, 3) unsigned, l float, m double, n char(3), o varchar(20) comment 'it''s',
      p longtext, q json, r date, s datetime(3), t timestamp, u time, v varbinary(9), w blob, x enum('y', 'z'), y bit(1),
      \`编号\` int not null, z2 int not null, primary key (z2, \`编号\`))`);
    await connection.query('create table hidden (x int)');
    await connection.end();
    await onServer('mysql', `create user '${user}'@'%' identified by '${password.replace("'", "''")}'`);
    await onServer('mysql', `grant select on ${database.name}.\`all types\` to '${user}'@'%'`);
  });
  afterAll(async () => {
    await onServer('mysql', `drop user if exists '${user}'@'%'`);
    await database.drop();
  });

  const common = { catalog: 'crm', team: undefined, timeout: 5_000, maxAge: 1_000, type: 'jdbc' } as const;
  const address = `${user}:${encodeURIComponent(password)}@127.0.0.1:3306`;
  const ours: CatalogSettings = { ...common, url: `mysql://${address}`, credentials: 'settings' };
  const theirs: CatalogSettings = { ...common, url: undefined, credentials: 'script' };
  async function read(entry: CatalogSettings, table: string, options?: Record<string, string>): Promise<CatalogTable | undefined | string> {
    try {
      const reader = openCatalog(entry, options && { type: 'jdbc', options });
      try {
        return await reader.read(['crm', database.name, table], AbortSignal.timeout(10_000));
      } finally {
        reader.close();
      }
    } catch (error) {
      return error instanceof Unreadable ? `${error.concerns}: ${error.message}` : String(error);
    }
  }

  it('tells columns in the types of Flink, and the key', async () => {
    const table = await read(ours, 'all types');
    expect(typeof table === 'object' ? createTable(['crm', 'd', 't'], table).split('\n').slice(1) : table).toEqual(
      `  \`a\` BOOLEAN,
  \`b\` TINYINT,
  \`c\` SMALLINT,
  \`d\` INT,
  \`e\` INT,
  \`f\` INT,
  \`g\` BIGINT,
  \`h\` BIGINT,
  \`i\` DECIMAL(20, 0),
  \`j\` DECIMAL(12, 3),
  \`k\` DECIMAL(13, 3),
  \`l\` FLOAT,
  \`m\` DOUBLE,
  \`n\` CHAR(3),
  \`o\` VARCHAR(20) COMMENT 'it''s',
  \`p\` STRING,
  \`q\` STRING,
  \`r\` DATE,
  \`s\` TIMESTAMP(3),
  \`t\` TIMESTAMP(0),
  \`u\` TIME(0),
  \`v\` BYTES,
  \`w\` BYTES,
  \`x\` STRING,
  \`y\` BOOLEAN,
  \`编号\` INT,
  \`z2\` INT,
  PRIMARY KEY (\`z2\`, \`编号\`) NOT ENFORCED
)`.split('\n'),
    );
  });

  it('has no table that is not there or not shown', async () => {
    expect(await read(ours, 'nosuch')).toBeUndefined();
    expect(await read(ours, 'hidden')).toBeUndefined();
  });

  it("is read with the script's user where the settings say so, and not else", async () => {
    const base = { 'base-url': 'jdbc:mysql://127.0.0.1:3306/', username: user, password };
    expect(await read(theirs, 'all types', base)).toHaveProperty('primaryKey', ['z2', '编号']);
    expect(await read(theirs, 'all types')).toBe(
      'catalog: the script defines no JDBC catalog of MySQL, MariaDB or PostgreSQL under this name',
    );
    expect(await read(theirs, 'all types', { ...base, 'base-url': 'jdbc:oracle:thin:@h:1521' })).toMatch(/^catalog: the script defines no/);
    expect(await read({ ...ours, url: 'mysql://nobody:x@127.0.0.1:3306' }, 'all types', base)).toBe(
      'catalog: the database refuses (ER_ACCESS_DENIED_ERROR)',
    );
    expect(await read({ ...ours, url: 'mysql://127.0.0.1:1' }, 'all types', base)).toBe('catalog: the database refuses (ECONNREFUSED)');
  });
});
