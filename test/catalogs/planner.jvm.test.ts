// Scripts over tables that only a catalog knows, through the real planner and real http servers.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { withCatalogs } from '../../src/catalogs/catalogs.ts';
import { explainedLines } from '../../src/cli/explain/lines.ts';
import { type Explained, explainScript } from '../../src/cli/explain/result.ts';
import { createNames } from '../../src/names/names.ts';
import { createPlanner, javaWorker, type Planner, plannerLib, prepareText, surroundingsOf } from '../../src/plan/plan.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { type CatalogServer, icebergOrders, paimonUsers, startCatalogServer } from '../support/catalog-server.ts';

let worker: Planner;
let planner: Planner;
let now = 1_000_000;
let server: CatalogServer | undefined;
let folder: string;
beforeAll(() => {
  const source = javaWorker({ java: undefined, heap: '256m', lib: plannerLib, env: process.env });
  worker = createPlanner({ source, report: () => {}, timeoutMs: 60_000 });
  planner = withCatalogs(worker, () => now);
  planner.start();
  folder = mkdtempSync(join(tmpdir(), 'warehouse-'));
  mkdirSync(join(folder, 'dim.db/users/schema'), { recursive: true });
  writeFileSync(join(folder, 'dim.db/users/schema/schema-0'), JSON.stringify(paimonUsers.schema));
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  now += 10 * 3_600_000;
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await planner.stop();
});

const settingsOf = (...catalogs: Record<string, unknown>[]) =>
  readSettings(undefined, { STREAMPARK_LINEAGE_CATALOGS: JSON.stringify(catalogs) });
function explain(sql: string, settings = settingsOf()): Promise<Explained> {
  const limits = { maxScriptBytes: 2 ** 21 };
  const names = createNames(settings.identity, { now: Date.now, notify: () => undefined });
  return explainScript(planner, names, () => prepareText({ sql, variables: [], engineVersion: null }, limits, surroundingsOf(settings)));
}
const pairs = ({ pipelines }: Explained) =>
  pipelines.map(
    ({ tier, sink, inputs }) => `${tier}: ${inputs.map((i) => `${i.namespace} ${i.name}`).join(' + ')} > ${sink.namespace} ${sink.name}`,
  );
const findings = ({ diagnostics }: Explained) => diagnostics.map(({ code, message }) => `${code}: ${message}`);

const sink = `CREATE TABLE totals (id BIGINT, city STRING, total DECIMAL(10, 2))
  WITH ('connector' = 'doris', 'fenodes' = 'fe:8030', 'table.identifier' = 'dw.totals');\n`;
const lake = `CREATE CATALOG lake WITH ('type' = 'iceberg', 'catalog-type' = 'rest', 'uri' = 'http://rest:8181', 'warehouse' = 'wh');\n`;
const insert = 'INSERT INTO totals SELECT id, address.city, SUM(amount) FROM lake.ods.orders GROUP BY id, address.city;';
const answers = {
  '/v1/config?warehouse=wh': { defaults: {}, overrides: { prefix: 'p' } },
  '/v1/config': {},
  '/v1/p/namespaces/ods/tables/orders?snapshots=refs': icebergOrders,
  '/v1/namespaces/ods/tables/orders?snapshots=refs': icebergOrders,
};

describe('a table of an Iceberg REST catalog', () => {
  it('is planned with its columns and named by its location', async () => {
    server = await startCatalogServer(answers);
    const entry = { catalog: 'lake', type: 'iceberg-rest', uri: server.uri, warehouse: 'wh' };
    const result = await explain(sink + lake + insert, settingsOf(entry));
    expect(pairs(result)).toEqual(['plan: s3://lake ice/ods.db/orders > mysql://fe:9030 dw.totals']);
    expect(result.pipelines[0]?.columns['city']?.map(({ field }) => field)).toContain('address.city');
    expect(result.external).toEqual([{ table: ['lake', 'ods', 'orders'], way: 'iceberg-rest' }]);
    expect(findings(result)).toEqual([]);
    expect(explainedLines('s', result, { withColumns: false })).toContain(
      '  not declared: lake.ods.orders  found by its Iceberg REST catalog',
    );
  });

  it('is not asked for where the settings say nothing, where the script declares it, or does not name the catalog', async () => {
    server = await startCatalogServer(answers);
    const entry = { catalog: 'lake', type: 'iceberg-rest', uri: server.uri };
    const declared = 'CREATE TABLE lake.ods.orders (id BIGINT, amount DECIMAL(10, 2), address ROW<city STRING>);\n';
    const tiers = async (...args: Parameters<typeof explain>) => (await explain(...args)).pipelines.map(({ tier }) => tier);
    // its columns, nested ones too, are inferred from use
    expect(await tiers(sink + lake + insert)).toEqual(['tree']);
    expect(await tiers(sink + lake + declared + insert, settingsOf(entry))).toEqual(['plan']);
    expect(await tiers(`${sink}INSERT INTO totals SELECT * FROM other.ods.orders`, settingsOf(entry))).toEqual(['text']);
    expect(server.asked).toEqual([]);
  });

  it('is found for views, sinks and LIKE, and where the script does not define the catalog', async () => {
    server = await startCatalogServer(answers);
    const entry = { catalog: 'lake', type: 'iceberg-rest', uri: server.uri };
    const script = `${sink}CREATE VIEW v AS SELECT id, amount FROM lake.ods.orders;
CREATE TABLE copy WITH ('connector' = 'kafka', 'topic' = 'copy', 'properties.bootstrap.servers' = 'k:1') LIKE lake.ods.orders (EXCLUDING OPTIONS);
INSERT INTO totals SELECT id, 'x', amount FROM v;
INSERT INTO copy SELECT * FROM lake.ods.orders;
INSERT INTO lake.ods.orders SELECT * FROM copy;`;
    const result = await explain(script, settingsOf(entry));
    const orders = 's3://lake ice/ods.db/orders';
    expect(pairs(result)).toEqual([
      `plan: ${orders} > mysql://fe:9030 dw.totals`,
      `plan: ${orders} > kafka://k:1 copy`,
      `plan: kafka://k:1 copy > ${orders}`,
    ]);
    expect(findings(result)).toEqual([]);
  });

  it('is asked for once while the answer is fresh, and again afterwards', async () => {
    server = await startCatalogServer(answers);
    const settings = settingsOf({ catalog: 'lake', type: 'iceberg-rest', uri: server.uri, warehouse: 'wh', maxAge: '1h' });
    await explain(sink + lake + insert, settings);
    await explain(sink + lake + insert, settings);
    expect(server.asked).toHaveLength(2);
    now += 3_600_001;
    await explain(sink + lake + insert, settings);
    expect(server.asked).toHaveLength(4);
  });
});

describe('a catalog that cannot be read', () => {
  it('costs one line, its tables go the next way, and it is left alone for a minute', async () => {
    server = await startCatalogServer(answers, { token: 't' });
    const entry = { catalog: 'lake', type: 'iceberg-rest', uri: server.uri.replace('http://', 'http://me:secret@'), warehouse: 'wh' };
    const settings = settingsOf(entry);
    const script = `${sink}${lake}${insert}\nINSERT INTO totals SELECT id, city, total FROM lake.ods.b JOIN lake.ods.c USING (id);`;
    const result = await explain(script, settings);
    expect(findings(result).filter((line) => line.startsWith('CATALOG'))).toEqual([
      `CATALOG_UNREADABLE: catalog lake (iceberg-rest at ${server.uri}/): answered with http 401; planned without ods.orders and 2 more`,
    ]);
    expect(result.tier).toBe('text');
    expect(JSON.stringify(result)).not.toContain('secret');
    const asked = server.asked.length;
    now += 59_000;
    await explain(script, settings);
    expect(server.asked).toHaveLength(asked);
    now += 2_000;
    await explain(script, settings);
    expect(server.asked.length).toBeGreaterThan(asked);
  });

  it('that lacks one table gives the others', async () => {
    server = await startCatalogServer(answers);
    const settings = settingsOf({ catalog: 'lake', type: 'iceberg-rest', uri: server.uri, warehouse: 'wh' });
    const result = await explain(`${sink}${lake}${insert}\nINSERT INTO totals SELECT id, city, total FROM lake.ods.absent;`, settings);
    expect(result.pipelines.map(({ tier }) => tier)).toEqual(['plan']);
    expect(findings(result).filter((line) => line.startsWith('CATALOG'))).toEqual([
      `CATALOG_TABLE_UNKNOWN: catalog lake (iceberg-rest at ${server.uri}/) has no table ods.absent`,
    ]);
    expect(result.external?.map(({ table, way }) => `${table[2]} ${way}`)).toEqual(['orders iceberg-rest', 'absent inferred']);
  });
});

describe('the order of the ways', () => {
  const paimon = () => ({ catalog: 'pm', type: 'paimon-files', path: folder, warehouse: 's3://lake/wh' });

  it('prefers a prelude', async () => {
    const settings = readSettings(undefined, {
      STREAMPARK_LINEAGE_CATALOGS: JSON.stringify([paimon()]),
      STREAMPARK_LINEAGE_PLANNER_PRELUDE: JSON.stringify([
        { catalog: 'pm', sql: "CREATE TABLE dim.users (id BIGINT) WITH ('path' = 's3://elsewhere/users')" },
      ]),
    });
    const result = await explain(`${sink}INSERT INTO totals (id) SELECT id FROM pm.dim.users;`, settings);
    expect(result.external).toEqual([{ table: ['pm', 'dim', 'users'], way: 'prelude' }]);
  });

  it('names a table of a warehouse on this machine by the warehouse that scripts know', async () => {
    const result = await explain(
      `${sink}INSERT INTO totals (id, city) SELECT id, home.city FROM pm.dim.\`users$branch_b\`;`,
      settingsOf(paimon()),
    );
    expect(pairs(result)).toEqual(['plan: s3://lake wh/dim.db/users > mysql://fe:9030 dw.totals']);
  });

  it('does not depend on a script that fails for its own reasons', async () => {
    const result = await explain(`${sink}INSERT INTO totals SELECT nosuch FROM pm.dim.users;`, settingsOf(paimon()));
    expect(pairs(result)).toEqual(['text: s3://lake wh/dim.db/users > mysql://fe:9030 dw.totals']);
    expect(findings(result)).toEqual(["PLAN_PARSE: Column 'nosuch' not found in any table; its tables were taken from the text alone"]);
  });
});
