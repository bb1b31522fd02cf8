// JDBC catalogs on a real PostgreSQL, through a user that may do no more than read one table.
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTable } from '../../src/catalogs/ddl.ts';
import { openCatalog } from '../../src/catalogs/open.ts';
import { type CatalogTable, Unreadable } from '../../src/catalogs/table.ts';
import { createTestDatabase, onServer, requireServer, type TestDatabase } from '../support/databases.ts';

const suite = await requireServer('postgres');
const user = `r${Date.now().toString(36)}`;

suite('a JDBC catalog of PostgreSQL', () => {
  let database: TestDatabase;
  const onDatabase = async (statements: string) => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(statements).finally(() => client.end());
  };
  beforeAll(async () => {
    database = await createTestDatabase('postgres');
    await onServer('postgres', `create role ${user} login password 'x'`);
    await onDatabase(`create table "all types" (
        a bool, b int2, c int4, d int8, e float4, f float8, g numeric, h numeric(12, 3), i char(3), j varchar, k varchar(20), l text,
        m date, n time, o timestamp, p timestamp(3), q timestamptz, r bytea, s uuid, t jsonb, u int4[], v varchar(9)[],
        "编号" serial, "W" int, primary key ("W", "编号"));
      comment on column "all types".k is 'it''s';
      create schema crm; create table crm.people (id int); create table hidden (x int);
      grant usage on schema crm to ${user}; grant select on "all types", crm.people to ${user}`);
  });
  afterAll(async () => {
    await onDatabase(`drop owned by ${user}`);
    await onServer('postgres', `drop role ${user}`);
    await database.drop();
  });

  async function read(table: string, name = database.name): Promise<CatalogTable | undefined | string> {
    const entry = { catalog: 'crm', team: undefined, timeout: 5_000, maxAge: 1_000, type: 'jdbc', credentials: 'settings' } as const;
    const reader = openCatalog({ ...entry, url: `postgres://${user}:x@127.0.0.1:5432/postgres?application_name=lineage` }, undefined);
    try {
      return await reader.read(['crm', name, table], AbortSignal.timeout(10_000));
    } catch (error) {
      return error instanceof Unreadable ? `${error.concerns}: ${error.message}` : String(error);
    } finally {
      reader.close();
    }
  }

  it('tells columns in the types of Flink, and the key, to a user that is not the owner', async () => {
    const table = await read('all types');
    expect(typeof table === 'object' ? createTable(['crm', 'd', 't'], table).split('\n').slice(1) : table).toEqual(
      `  \`a\` BOOLEAN,
  \`b\` SMALLINT,
  \`c\` INT,
  \`d\` BIGINT,
  \`e\` FLOAT,
  \`f\` DOUBLE,
  \`g\` DECIMAL(38, 18),
  \`h\` DECIMAL(12, 3),
  \`i\` CHAR(3),
  \`j\` STRING,
  \`k\` VARCHAR(20) COMMENT 'it''s',
  \`l\` STRING,
  \`m\` DATE,
  \`n\` TIME(6),
  \`o\` TIMESTAMP(6),
  \`p\` TIMESTAMP(3),
  \`q\` TIMESTAMP_LTZ(6),
  \`r\` BYTES,
  \`s\` VARCHAR(36),
  \`t\` STRING,
  \`u\` ARRAY<INT>,
  \`v\` ARRAY<STRING>,
  \`编号\` INT,
  \`W\` INT,
  PRIMARY KEY (\`W\`, \`编号\`) NOT ENFORCED
)`.split('\n'),
    );
  });

  it('knows schemas by the first part of the name', async () => {
    expect(await read('crm.people')).toHaveProperty('columns', [{ name: 'id', type: 'INT', comment: undefined }]);
    expect(await read('people')).toBeUndefined();
    expect(await read('hidden')).toBeUndefined();
    expect(await read('x', 'nosuch')).toBe('table: the database refuses (3D000)');
  });
});
