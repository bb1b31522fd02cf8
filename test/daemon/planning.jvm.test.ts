// Plans through the cache, with the real planner, a catalog server and own tables: what was read outside the script is not
// believed for ever.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withCatalogs } from '../../src/catalogs/catalogs.ts';
import { createPlanning } from '../../src/daemon/planning.ts';
import { createPglite } from '../../src/database/database.ts';
import { createNames } from '../../src/names/names.ts';
import { createLog, createMetrics } from '../../src/ops/ops.ts';
import { createPlanner, javaWorker, type Planner, planKey, plannerLib, prepareText, surroundingsOf } from '../../src/plan/plan.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { openEmbeddedState, type State } from '../../src/state/state.ts';
import { icebergOrders, startCatalogServer } from '../support/catalog-server.ts';

let planner: Planner;
let state: State;
let now = 1_000_000;
beforeAll(async () => {
  const source = javaWorker({ java: undefined, heap: '256m', lib: plannerLib, env: process.env });
  planner = withCatalogs(createPlanner({ source, report: () => {}, timeoutMs: 60_000 }), () => now);
  planner.start();
  state = await openEmbeddedState(await createPglite());
});
afterAll(async () => {
  await planner.stop();
  await state.close();
});

it('plans again when what a catalog said is old, or when it did not answer', async () => {
  const answers: Record<string, unknown> = { '/v1/config': {} };
  const server = await startCatalogServer(answers);
  const lines: string[] = [];
  const metrics = createMetrics();
  const planning = createPlanning({
    names: createNames(readSettings(undefined, {}).identity, { now: Date.now, notify: () => undefined }),
    state,
    planner,
    metrics,
    log: createLog('debug', { write: (line) => void lines.push(line) }),
    now: () => now,
    stopping: new AbortController().signal,
    underLease: (work) => state.transaction(work),
  });
  const settings = readSettings(undefined, {
    STREAMPARK_LINEAGE_CATALOGS: JSON.stringify([{ catalog: 'lake', type: 'iceberg-rest', uri: server.uri, maxAge: '1h' }]),
  });
  const sql = `CREATE TABLE t (id BIGINT) WITH ('connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'k:1');
INSERT INTO t SELECT id FROM lake.ods.orders;`;
  const prepared = prepareText({ sql, variables: [], engineVersion: null }, { maxScriptBytes: 1e6 }, surroundingsOf(settings));
  const plan = async () => {
    const planned = await planning.plan(
      planKey(prepared, planner.build({ engine: 'flink', engineVersion: null }), 'k'),
      () => Promise.resolve(prepared),
      {},
    );
    if (planned === 'gone') throw new Error('gone');
    const [pipeline] = planned.pipelines;
    return `${pipeline?.tier} ${pipeline?.inputs[0]?.options['location']} ${planned.codes.join()}`;
  };
  try {
    const table = { ...icebergOrders, metadata: { ...icebergOrders.metadata } };
    server.behave((_, response) => response.writeHead(500).end());
    expect(await plan()).toBe('tree undefined CATALOG_UNREADABLE,COLUMNS_INFERRED');
    server.behave(undefined);
    answers['/v1/namespaces/ods/tables/orders?snapshots=refs'] = table;
    expect(await plan()).toBe('tree undefined CATALOG_UNREADABLE,COLUMNS_INFERRED');
    now += 60_001;
    expect(await plan()).toBe('plan s3://lake/ice/ods.db/orders ');
    answers['/v1/namespaces/ods/tables/orders?snapshots=refs'] = { metadata: { ...table.metadata, location: 's3://moved/orders' } };
    now += 3_599_000;
    expect(await plan()).toBe('plan s3://lake/ice/ods.db/orders ');
    now += 2_000;
    expect(await plan()).toBe('plan s3://moved/orders ');
    expect(await metrics.externalTables.get()).toMatchObject({
      values: [
        { labels: { way: 'inferred' }, value: 1 },
        { labels: { way: 'iceberg-rest' }, value: 2 },
      ],
    });
    expect(lines.filter((line) => line.includes('CATALOG_UNREADABLE'))).toHaveLength(1);
    expect(lines.some((line) => line.includes('"external":{"iceberg-rest":1}'))).toBe(true);
  } finally {
    await server.close();
  }
});
