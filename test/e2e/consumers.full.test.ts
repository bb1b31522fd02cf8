// Marquez and Gravitino as they read what we send: the graph must come back edge for edge, also after a redeploy.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Planner } from '../../src/plan/plan.ts';
import { warmPlanner } from '../support/daemon.ts';
import { type HarnessServer, startHarness } from '../support/harness.ts';
import type { LineageEvent } from '../support/lineage-receiver.ts';
import { sharedDir } from '../support/shared.ts';
import { jobId } from '../support/smallconsole.ts';
import { inScene, lives } from './scene.ts';

const shared = sharedDir();
if (shared === undefined) process.stderr.write('not tested: the graph in Marquez and Gravitino (the shared harness is missing)\n');

const kafka = (
  table: string,
  topic: string,
) => `CREATE TABLE ${table} (order_id BIGINT, customer_id BIGINT, amount DECIMAL(10, 2), pt AS PROCTIME()) WITH (
  'connector' = 'kafka', 'topic' = '${topic}', 'properties.bootstrap.servers' = 'kafka-1:9092', 'format' = 'json');`;
const customers = `CREATE TABLE customers (id BIGINT, name STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'jdbc', 'url' = 'jdbc:mysql://crm:3306/crm', 'table-name' = 'customers');`;
const doris = (table: string, columns: string) =>
  `CREATE TABLE ${table} (${columns}) WITH ('connector' = 'doris', 'fenodes' = 'fe:8030', 'table.identifier' = 'shop.${table}');`;
const enriched = doris('enriched', 'order_id BIGINT, name STRING');
const totals = doris('totals', 'customer_id BIGINT, amount DECIMAL(38, 2)');

const first = `${kafka('orders', 'orders')} ${customers} ${enriched} ${totals}
BEGIN STATEMENT SET;
INSERT INTO enriched SELECT o.order_id, c.name FROM orders AS o JOIN customers FOR SYSTEM_TIME AS OF o.pt AS c ON o.customer_id = c.id;
INSERT INTO totals SELECT customer_id, SUM(amount) FROM orders GROUP BY customer_id;
END;`;
/** The join is gone, and the totals come from elsewhere. */
const second = `${kafka('orders', 'orders')} ${kafka('refunds', 'refunds')} ${enriched} ${totals}
BEGIN STATEMENT SET;
INSERT INTO enriched SELECT order_id, 'nobody' FROM orders;
INSERT INTO totals SELECT customer_id, SUM(amount) FROM refunds GROUP BY customer_id;
END;`;
const batch = `SET 'execution.runtime-mode' = 'BATCH';
${customers} ${doris('names', 'name STRING')}
INSERT INTO names SELECT DISTINCT name FROM customers;`;

interface MarquezJob {
  readonly name: string;
  readonly type: string;
  readonly parentJobName: string | null;
  readonly inputs: readonly { readonly namespace: string; readonly name: string }[];
  readonly outputs: readonly { readonly namespace: string; readonly name: string }[];
  readonly latestRun: { readonly id: string; readonly state: string } | null;
}

const dataset = ({ namespace, name }: { readonly namespace: string; readonly name: string }) => `${namespace} ${name}`;
const topic = (name: string) => `kafka://kafka-1:9092 ${name}`;
const sink = (name: string) => `mysql://fe:9030 shop.${name}`;
const crm = 'mysql://crm:3306 crm.customers';

describe.skipIf(shared === undefined)('consumers', () => {
  let planner: Planner;
  let gravitino: HarnessServer;
  let marquez: HarnessServer;
  beforeAll(async () => {
    [planner, gravitino, marquez] = await Promise.all([
      warmPlanner(),
      startHarness(shared ?? '', 'gravitino'),
      startHarness(shared ?? '', 'marquez'),
    ]);
  }, 300_000);
  afterAll(async () => {
    gravitino?.stop();
    marquez?.stop();
    await planner?.stop();
  });

  /** Every job of Marquez: its type, state and edges. */
  const graph = async () => {
    const { jobs } = (await marquez.get('/api/v1/namespaces/streampark/jobs?limit=100')) as { jobs: MarquezJob[] };
    return Object.fromEntries(
      jobs.map((job) => [
        job.name,
        { type: job.type, state: job.latestRun?.state, inputs: job.inputs.map(dataset).sort(), outputs: job.outputs.map(dataset).sort() },
      ]),
    );
  };

  it('get the exact graph, and the exact graph of a redeployed script', async () => {
    const file = `destinations: [{ name: marquez, type: http, preset: marquez, url: '${marquez.url}' }]`;
    await inScene({ family: 'postgres', planner, file, address: false }, async ({ console, daemon, own, poll }) => {
      await console.setting('lineage.gravitino.address', gravitino.url);
      await console.app({ id: 1, name: 'orders', script: first });
      await console.app({ id: 2, name: 'nightly', script: batch });
      await poll();
      await console.run(1, jobId(1));
      await poll();
      await console.run(2, jobId(2));
      await poll();
      await console.ended(2, 10);
      await poll();
      const running = { type: 'STREAM', state: 'RUNNING' };
      expect(await graph()).toEqual({
        orders: { ...running, inputs: [], outputs: [] },
        'orders.enriched': { ...running, inputs: [topic('orders'), crm], outputs: [sink('enriched')] },
        'orders.totals': { ...running, inputs: [topic('orders')], outputs: [sink('totals')] },
        nightly: { type: 'BATCH', state: 'COMPLETED', inputs: [], outputs: [] },
        'nightly.names': { type: 'BATCH', state: 'COMPLETED', inputs: [crm], outputs: [sink('names')] },
      });

      await console.cancel(1);
      await poll();
      await console.ended(1, 9);
      await poll();
      expect((await graph())['orders.enriched']).toMatchObject({ state: 'ABORTED', inputs: [topic('orders'), crm] });
      await console.script(1, second, 2, true);
      await console.run(1, jobId(3));
      await poll();
      expect(await graph()).toMatchObject({
        orders: running,
        'orders.enriched': { ...running, inputs: [topic('orders')], outputs: [sink('enriched')] },
        'orders.totals': { ...running, inputs: [topic('refunds')], outputs: [sink('totals')] },
      });

      expect(await own.query("select seq from own.outbox where state <> 'sent'")).toEqual([]);
      expect(daemon.lines.filter((line) => line['code'] !== undefined)).toEqual([]);
    });

    // What the lineage endpoint of Gravitino took: each event once, in order. Its model writes types in lower case.
    const taken = (await gravitino.get('/standin/events')) as LineageEvent[];
    expect(lives(taken.map((event) => ({ ...event, eventType: event.eventType?.toUpperCase() ?? '' })))).toEqual([
      'orders: START RUNNING ABORT',
      'orders.enriched: START RUNNING ABORT',
      'orders.totals: START RUNNING ABORT',
      'nightly: START RUNNING COMPLETE',
      'nightly.names: START RUNNING COMPLETE',
      'orders: START RUNNING',
      'orders.enriched: START RUNNING',
      'orders.totals: START RUNNING',
    ]);
    const edges = taken.filter((event) => event.job.name === 'orders.enriched').map((event) => event.inputs.map(dataset).sort());
    expect(edges).toEqual([[topic('orders'), crm], [topic('orders'), crm], [topic('orders'), crm], [topic('orders')], [topic('orders')]]);
  });
});
