// A script over tables that only a JDBC catalog knows, from the database to the names: the same as those of the connector `jdbc` for these tables.
import mysql from 'mysql2/promise';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withCatalogs } from '../../src/catalogs/catalogs.ts';
import { type Explained, explainScript } from '../../src/cli/explain/result.ts';
import { createNames } from '../../src/names/names.ts';
import { createPlanner, javaWorker, type Planner, plannerLib, prepareText, surroundingsOf } from '../../src/plan/plan.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { createTestDatabase, requireServer, type TestDatabase } from '../support/databases.ts';

let planner: Planner;
beforeAll(() => {
  const source = javaWorker({ java: undefined, heap: '256m', lib: plannerLib, env: process.env });
  planner = withCatalogs(createPlanner({ source, report: () => {}, timeoutMs: 60_000 }), Date.now);
  planner.start();
});
afterAll(() => planner.stop());

const families = [
  { family: 'postgres', jdbc: 'jdbc:postgresql://127.0.0.1:5432', user: 'postgres', people: 'public.people', target: 'crm.target' },
  { family: 'mysql', jdbc: 'jdbc:mysql://127.0.0.1:3306', user: 'root', people: 'people', target: 'target' },
] as const;

async function execute(family: 'postgres' | 'mysql', { url }: TestDatabase, statements: readonly string[]): Promise<void> {
  const [run, end] = await connect(family, url);
  for (const statement of statements) await run(statement).catch((error) => end().finally(() => Promise.reject(error)));
  await end();
}

async function connect(family: 'postgres' | 'mysql', url: string): Promise<[(statement: string) => Promise<unknown>, () => Promise<void>]> {
  if (family === 'mysql') {
    const connection = await mysql.createConnection(url);
    return [(statement) => connection.query(statement), () => connection.end()];
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return [(statement) => client.query(statement), () => client.end()];
}

for (const { family, jdbc, user, people, target } of families) {
  const suite = await requireServer(family);
  suite(`a JDBC catalog of ${family}`, () => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await createTestDatabase(family);
      await execute(family, database, [
        ...(family === 'postgres' ? ['create schema crm'] : []),
        'create table people (id bigint primary key, name varchar(40), born date)',
        `create table ${target} (id bigint primary key, label varchar(40))`,
      ]);
    });
    afterAll(() => database.drop());

    function explain(sql: string, catalogs: readonly unknown[]): Promise<Explained> {
      const settings = readSettings(undefined, { STREAMPARK_LINEAGE_CATALOGS: JSON.stringify(catalogs) });
      const names = createNames(settings.identity, { now: Date.now, notify: () => undefined });
      const limits = { maxScriptBytes: 2 ** 20 };
      return explainScript(planner, names, () =>
        prepareText({ sql, variables: [], engineVersion: null }, limits, surroundingsOf(settings)),
      );
    }
    const query = "SELECT id, UPPER(name) FROM source WHERE born > DATE '2000-01-01'";

    it('gives the names and columns of the connector', async () => {
      const catalog = `CREATE CATALOG my WITH ('type' = 'jdbc', 'default-database' = '${database.name}', 'username' = 'u', 'password' = 'geheim', 'base-url' = '${jdbc}');\n`;
      const [from, to] = ['people', target].map((table) => `my.\`${database.name}\`.\`${table}\``);
      const found = await explain(`${catalog}INSERT INTO ${to} ${query.replace('source', from ?? '')};`, [
        { catalog: 'my', type: 'jdbc', url: database.url },
      ]);
      const declared = (name: string, columns: string, table: string) =>
        `CREATE TABLE ${name} (${columns}) WITH ('connector' = 'jdbc', 'url' = '${jdbc}/${database.name}', 'table-name' = '${table}', 'username' = '${user}');\n`;
      const written = await explain(
        `${declared('source', 'id BIGINT, name STRING, born DATE', people)}${declared('target', 'id BIGINT, label STRING', target)}INSERT INTO target ${query};`,
        [],
      );
      const told = ({ tier, pipelines }: Explained) => ({
        tier,
        pipelines: pipelines.map(({ inputs, sink, columns }) => ({
          tables: [...inputs, sink].map(({ namespace, name }) => `${namespace} ${name}`),
          columns: Object.entries(columns).map(([column, origins]) => [column, ...origins.map(({ field }) => field)]),
        })),
      });
      expect(found.diagnostics).toEqual([]);
      expect(new Map(found.external?.map(({ table, way }) => [table[2], way]))).toEqual(
        new Map([
          ['people', 'jdbc'],
          [target, 'jdbc'],
        ]),
      );
      expect(told(found)).toEqual(told(written));
      expect(told(found)).toEqual({
        tier: 'plan',
        pipelines: [
          {
            tables: [
              `${family === 'postgres' ? 'postgres://127.0.0.1:5432' : 'mysql://127.0.0.1:3306'} ${database.name}.${people}`,
              `${family === 'postgres' ? 'postgres://127.0.0.1:5432' : 'mysql://127.0.0.1:3306'} ${database.name}.${target}`,
            ],
            columns: [
              ['id', 'id', 'born'],
              ['label', 'name', 'born'],
            ],
          },
        ],
      });
    });
  });
}
