// The REST readers against real http servers that answer as the APIs are published, and as no server should.
import { mkdtempSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createTable } from '../../src/catalogs/ddl.ts';
import { openCatalog } from '../../src/catalogs/open.ts';
import { Unreadable } from '../../src/catalogs/table.ts';
import type { TablePath } from '../../src/plan/plan.ts';
import { type CatalogSettings, readSettings } from '../../src/settings/settings.ts';
import { type Answers, type CatalogServer, icebergOrders, paimonUsers, startCatalogServer } from '../support/catalog-server.ts';

let server: CatalogServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const entryOf = (fields: Record<string, unknown>): CatalogSettings => {
  const [entry] = readSettings(undefined, { STREAMPARK_LINEAGE_CATALOGS: JSON.stringify([{ catalog: 'lake', ...fields }]) }).catalogs;
  return entry as CatalogSettings;
};
const orders: TablePath = ['lake', 'ods', 'orders'];
const config = { defaults: { prefix: 'other' }, overrides: { prefix: 'prod' } };
const icebergAnswers: Answers = {
  '/v1/config?warehouse=wh': config,
  '/v1/config': { defaults: {}, overrides: {} },
  '/v1/prod/namespaces/ods/tables/orders?snapshots=refs': icebergOrders,
  '/v1/prod/namespaces/base%1Fods%1Feu/tables/orders?snapshots=refs': icebergOrders,
  '/v1/namespaces/ods/tables/orders?snapshots=refs': icebergOrders,
  '/v1/namespaces/ods/tables/a%2Fb%20%E8%A1%A8?snapshots=refs': icebergOrders,
};

async function read(entry: CatalogSettings, path: TablePath = orders, definition?: Record<string, string>, signal?: AbortSignal) {
  const reader = openCatalog(entry, definition && { type: definition['type'] ?? null, options: definition });
  try {
    return await reader.read(path, signal ?? AbortSignal.timeout(10_000));
  } finally {
    reader.close();
  }
}
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => 'read',
    (error: unknown) => (error instanceof Unreadable ? `${error.concerns}: ${error.message}` : String((error as Error).name)),
  );

describe('an Iceberg REST catalog', () => {
  it('tells the current schema, keys, partitions and the location of a table', async () => {
    server = await startCatalogServer(icebergAnswers);
    const table = await read(entryOf({ type: 'iceberg-rest', uri: server.uri, warehouse: 'wh' }));
    expect(server.asked).toEqual(['GET /v1/config?warehouse=wh', 'GET /v1/prod/namespaces/ods/tables/orders?snapshots=refs']);
    expect(table && createTable(orders, table)).toBe(`CREATE TABLE \`lake\`.\`ods\`.\`orders\` (
  \`id\` BIGINT COMMENT 'the order''s number',
  \`amount\` DECIMAL(10, 2),
  \`dt\` STRING,
  \`address\` ROW<\`city\` STRING, \`geo\`\`x\` ARRAY<DOUBLE>>,
  \`attrs\` MAP<STRING, TIMESTAMP_LTZ(6)>,
  PRIMARY KEY (\`id\`) NOT ENFORCED
) PARTITIONED BY (\`dt\`) WITH ('location' = 's3://lake/ice/ods.db/orders')`);
  });

  it('is asked for nested namespaces, below the base of the catalog, and for any name', async () => {
    server = await startCatalogServer(icebergAnswers);
    const entry = entryOf({ type: 'iceberg-rest', uri: `${server.uri}/`, warehouse: 'wh' });
    expect(await read(entry, ['lake', 'ods.eu', 'orders'], { type: 'iceberg', 'base-namespace': 'base' })).toBeDefined();
    expect(await read(entryOf({ type: 'iceberg-rest', uri: server.uri }), ['lake', 'ods', 'a/b 表'])).toBeDefined();
    expect(await read(entry, ['lake', 'ods', 'absent'])).toBeUndefined();
    const before = server.asked.length;
    expect(await refusal(read(entry, ['lake', 'ods', '..']))).toBe('table: the name is none of a table');
    expect(server.asked.slice(before)).toEqual(['GET /v1/config?warehouse=wh']);
  });

  it('gets a token, one from a file, or one for a credential, and other headers', async () => {
    const token = 'tok-4711';
    server = await startCatalogServer(icebergAnswers, { token, credential: 'me:s3cr:et' });
    const file = join(mkdtempSync(join(tmpdir(), 'catalog-')), 'token');
    writeFileSync(file, `${token}\n`);
    const base = { type: 'iceberg-rest', uri: server.uri };
    for (const way of [{ token }, { tokenFile: file }, { credential: 'me:s3cr:et' }, { headers: { authorization: `Bearer ${token}` } }]) {
      expect(await read(entryOf({ ...base, ...way }))).toBeDefined();
    }
    expect(server.asked.filter((line) => line.startsWith('POST'))).toEqual(['POST /v1/oauth/tokens']);
    expect(await refusal(read(entryOf({ ...base, token: 'wrong' })))).toBe('catalog: answered with http 401');
    expect(await refusal(read(entryOf({ ...base, credential: 'me:wrong' })))).toBe('catalog: answered with http 401');
    expect(await refusal(read(entryOf({ ...base, tokenFile: `${file}.gone` })))).toBe('catalog: the token file cannot be read (ENOENT)');
  });

  it.each<[string, string, (response: ServerResponse) => void]>([
    ['fails', 'catalog: answered with http 503', (r) => r.writeHead(503).end('{"secret":"x"}')],
    ['points elsewhere', 'catalog: answered with http 302', (r) => r.writeHead(302, { location: 'http://192.0.2.1/' }).end()],
    ['is a web page', 'catalog: the answer is no JSON', (r) => r.end('<html>')],
    ['is another server', 'catalog: the server answers as no Iceberg REST catalog does', (r) => r.end('[1]')],
    ['breaks off', 'catalog: no answer (UND_ERR_SOCKET)', (r) => void r.destroy()],
  ])('that %s is said to', async (_, message, answer) => {
    server = await startCatalogServer(icebergAnswers);
    server.behave((_request, response) => answer(response));
    expect(await refusal(read(entryOf({ type: 'iceberg-rest', uri: server.uri })))).toBe(message);
  });

  it.each<[string, string, unknown]>([
    ['has no metadata', "table: the table's metadata has another form at fields", { metadata: { schema: {} } }],
    ['has no schema', "table: the table's metadata has no current schema", { metadata: { schemas: [] } }],
    [
      'has more columns than a table',
      'table: the table has more than 5000 columns',
      { metadata: { schema: { fields: Array.from({ length: 5_001 }, (_, i) => ({ name: `c${i}`, type: 'int' })) } } },
    ],
    [
      'is nested without end',
      'table: the answer is nested too deeply',
      {
        metadata: {
          schema: { fields: [{ name: 'x', type: JSON.parse(`${'{"type":"list","element":'.repeat(3_000)}"int"${'}'.repeat(3_000)}`) }] },
        },
      },
    ],
    ['is longer than a table', 'table: the answer is longer than 8 MiB', { metadata: { note: 'x'.repeat(9 * 1024 * 1024) } }],
  ])('whose table %s costs that table only', async (_, message, answer) => {
    const path = '/v1/namespaces/ods/tables/orders?snapshots=refs';
    server = await startCatalogServer({ '/v1/config': { defaults: {}, overrides: {} }, [path]: answer });
    const said = await refusal(read(entryOf({ type: 'iceberg-rest', uri: server.uri })));
    expect(said.replace(/ at schema\.fields$/, ' at fields')).toBe(message);
  });

  it('is given up when the time is over, and refused where nobody listens', async () => {
    server = await startCatalogServer(icebergAnswers);
    server.behave(() => undefined);
    const entry = entryOf({ type: 'iceberg-rest', uri: server.uri });
    expect(await refusal(read(entry, orders, undefined, AbortSignal.timeout(100)))).toBe('TimeoutError');
    await server.close();
    expect(await refusal(read(entry))).toBe('catalog: no answer (ECONNREFUSED)');
  });
});

describe('a Paimon REST catalog', () => {
  it('tells fields, keys and the path of a table; a branch has those of its table', async () => {
    server = await startCatalogServer(
      { '/v1/config?warehouse=wh': { defaults: {}, overrides: { prefix: 'p' } }, '/v1/p/databases/dim/tables/users': paimonUsers },
      { token: 't0ken' },
    );
    const entry = entryOf({ type: 'paimon-rest', uri: server.uri, warehouse: 'wh', token: 't0ken' });
    const table = await read(entry, ['lake', 'dim', 'users$branch_b']);
    expect(server.asked).toEqual(['GET /v1/config?warehouse=wh t0ken', 'GET /v1/p/databases/dim/tables/users t0ken']);
    expect(table && createTable(['lake', 'dim', 'users'], table)).toBe(`CREATE TABLE \`lake\`.\`dim\`.\`users\` (
  \`id\` BIGINT COMMENT 'key',
  \`name\` VARCHAR(20),
  \`seen\` TIMESTAMP(3) WITH LOCAL TIME ZONE,
  \`tags\` ARRAY<STRING>,
  \`home\` ROW<\`city\` STRING>,
  \`counts\` MAP<STRING, INT>,
  PRIMARY KEY (\`id\`) NOT ENFORCED
) WITH ('path' = 'oss://lake/paimon/dim.db/users')`);
    expect(await read(entry, ['lake', 'dim', 'absent'])).toBeUndefined();
  });

  it('whose texts are no types is not believed', async () => {
    const evil = "INT) WITH ('connector' = 'x'); DROP TABLE t; --";
    const schema = {
      fields: [
        { name: 'a`, b INT', type: evil },
        { name: 'c', type: { type: 'ROW', fields: [{ name: 'x', type: 'BLOB' }] } },
      ],
    };
    server = await startCatalogServer({ '/v1/config': {}, '/v1/databases/ods/tables/orders': { path: "x' --", schema } });
    const table = await read(entryOf({ type: 'paimon-rest', uri: server.uri }));
    expect(table && createTable(orders, table)).toBe(`CREATE TABLE \`lake\`.\`ods\`.\`orders\` (
  \`a\`\`, b INT\` BYTES,
  \`c\` ROW<\`x\` BYTES>
) WITH ('path' = 'x'' --')`);
  });

  it('is not asked where the script has its requests signed for DLF, unless the settings have a token', async () => {
    server = await startCatalogServer({ '/v1/config': {}, '/v1/databases/dim/tables/users': paimonUsers });
    const definition = { type: 'paimon', metastore: 'rest', 'token.provider': 'DLF', 'dlf.access-key-secret': 'geheim' };
    const users: TablePath = ['lake', 'dim', 'users'];
    await expect(read(entryOf({ type: 'paimon-rest', uri: server.uri }), users, definition)).rejects.toMatchObject({
      concerns: 'catalog',
      message: 'its requests are signed for DLF (token.provider = dlf), which is not spoken here: give its tables a prelude',
    });
    expect(await read(entryOf({ type: 'paimon-rest', uri: server.uri, token: 't' }), users, definition)).toHaveProperty('columns');
  });

  it('that answers otherwise is said to', async () => {
    server = await startCatalogServer({ '/v1/config': {}, '/v1/databases/ods/tables/orders': { schema: { fields: [] } } });
    const entry = entryOf({ type: 'paimon-rest', uri: server.uri });
    expect(await refusal(read(entry))).toBe("table: the table's schema has no fields");
    server.behave((_request, response) => void response.end('{"defaults":1}'));
    expect(await refusal(read(entry))).toBe('catalog: the server answers as no Paimon REST catalog does');
  });
});
