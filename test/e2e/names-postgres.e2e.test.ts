// Names that have to be looked up, through the whole daemon: patterns in a real database, catalogs on a server that comes late.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Planner } from '../../src/plan/plan.ts';
import { warmPlanner } from '../support/daemon.ts';
import { requireServer, serverUrls } from '../support/databases.ts';
import type { LineageEvent } from '../support/lineage-receiver.ts';
import { jobId } from '../support/smallconsole.ts';
import { coded, copyScript, inScene, lives } from './scene.ts';

const suite = await requireServer('postgres');

const cdcScript = (database: string) => `CREATE TABLE src (id BIGINT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'postgres-cdc',
  'hostname' = '127.0.0.1', 'database-name' = '${database}', 'schema-name' = 'public', 'table-name' = 't_flink_(app|sql)', 'password' = 'x');
CREATE TABLE copy (id BIGINT) WITH ('connector' = 'upsert-kafka', 'topic' = 'copy', 'properties.bootstrap.servers' = 'k:9092');
INSERT INTO copy SELECT id FROM src;`;
const childInputs = (events: readonly LineageEvent[]) =>
  [
    ...new Set(
      events.filter(({ outputs }) => (outputs ?? []).length > 0).map(({ inputs }) => JSON.stringify(inputs?.map(({ name }) => name))),
    ),
  ].map((text) => JSON.parse(text) as string[]);

suite('names that are looked up', () => {
  let planner: Planner;
  beforeAll(async () => {
    planner = await warmPlanner();
  });
  afterAll(() => planner?.stop());

  it('are the inputs of a run where the settings allow it', () =>
    inScene(
      {
        family: 'postgres',
        planner,
        env: { IDENTITY_EXPAND_PATTERNS: 'true', IDENTITY_CONNECTIONS: JSON.stringify([{ url: serverUrls.postgres }]) },
      },
      async ({ console, receiver, poll, daemon }) => {
        await console.app({ id: 1, name: 'copying', script: cdcScript(console.database.name) });
        await console.run(1, jobId(1));
        await poll(60_000);
        expect(childInputs(receiver.events)).toEqual([
          [`${console.database.name}.public.t_flink_app`, `${console.database.name}.public.t_flink_sql`],
        ]);
        expect(coded(daemon)).toEqual([]);
      },
    ));

  it('are left out with a warning that shows the pattern where they do not, and where nobody answers', async () => {
    const dead = {
      IDENTITY_EXPAND_PATTERNS: 'true',
      IDENTITY_CONNECTIONS: JSON.stringify([{ url: 'postgres://u:Geheim@127.0.0.1:1', namespace: 'postgres://127.0.0.1:5432' }]),
    };
    for (const env of [{}, dead]) {
      await inScene({ family: 'postgres', planner, env }, async ({ console, receiver, poll, daemon }) => {
        await console.app({ id: 1, name: 'copying', script: cdcScript(console.database.name) });
        await console.run(1, jobId(1));
        await poll(60_000);
        expect(childInputs(receiver.events)).toEqual([[]]);
        const why = env === dead ? ' (the look-up failed: ECONNREFUSED)' : '';
        expect(coded(daemon)).toContainEqual({
          code: 'PATTERN_UNRESOLVED',
          msg: `option 'table-name' is a pattern: t_flink_(app|sql)${why}`,
        });
        expect(coded(daemon).some(({ code }) => code === 'LOOKUP_FAILED')).toBe(env === dead);
        expect(JSON.stringify(daemon.lines)).not.toContain('Geheim');
      });
    }
  });

  it('are waited for where the catalogs of Gravitino decide about every name', async () => {
    let up = false;
    const server = createServer((_, response) => {
      if (!up) return void response.writeHead(503).end();
      response.end(
        JSON.stringify({
          code: 0,
          catalogs: [{ name: 'crm', provider: 'jdbc-mysql', properties: { 'jdbc-url': 'jdbc:mysql://db:3306' } }],
        }),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const env = {
      IDENTITY_PROFILE: 'gravitino',
      IDENTITY_GRAVITINO_METALAKE: 'lake',
      IDENTITY_GRAVITINO_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    };
    const script = copyScript('a', 'b').replace(
      /INSERT/,
      `CREATE TABLE customers (id BIGINT, v STRING) WITH ('connector' = 'jdbc', 'url' = 'jdbc:mysql://db/shop', 'table-name' = 'customers');\nINSERT`,
    );
    try {
      await inScene({ family: 'postgres', planner, env }, async ({ console, receiver, poll, daemon }) => {
        await console.app({ id: 1, name: 'orders', script: script.replace(/FROM src/, 'FROM customers') });
        await console.run(1, jobId(1));
        await poll(60_000);
        expect(receiver.events).toEqual([]);
        expect(coded(daemon).map(({ code }) => code)).toContain('LOOKUP_FAILED');
        up = true;
        await poll(60_000);
        expect(lives(receiver.events)).toEqual(['orders: START RUNNING', 'orders.b: START RUNNING']);
        expect(receiver.events.find(({ job }) => job.name === 'orders.b')?.inputs?.[0]).toMatchObject({
          namespace: 'lake',
          name: 'crm.shop.customers',
          facets: { symlinks: { identifiers: [{ namespace: 'mysql://db:3306', name: 'shop.customers', type: 'TABLE' }] } },
        });
      });
    } finally {
      server.close();
    }
  });
});
