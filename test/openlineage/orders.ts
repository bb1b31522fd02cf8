// One realistic run: Kafka orders, enriched by a lookup in MySQL, written to Doris and, counted, to a second Doris table.
import type { ColumnOrigin, NamedLineage, NamedTable } from '../../src/identity/identity.ts';
import { type EventOptions, type FreezeInput, identityText } from '../../src/openlineage/openlineage.ts';
import type { AppRow } from '../../src/watch/watch.ts';

export const startedAt = Date.UTC(2026, 2, 14, 9, 26, 53, 589);

const jobId = '0123456789abcdef0123456789abcdef';

export const app: AppRow = {
  engine: 'flink',
  id: '100042',
  createTime: '2026-03-01 08:00:00',
  teamId: '100000',
  userId: '100000',
  name: 'orders_enrich',
  jobType: 'sql',
  deployMode: 4,
  state: 5,
  optionState: 0,
  tracking: 1,
  release: 0,
  jobId,
  clusterId: 'application_1773480000000_0007',
  startTime: '2026-03-14 09:26:53',
  endTime: null,
  optionTime: '2026-03-14 09:26:40',
  restartCount: 0,
  flinkClusterId: null,
  versionId: '1',
  optIn: true,
};

const builtIn = { catalog: 'default_catalog', database: 'default_database' };

export const sql = `CREATE TABLE orders (
  order_id BIGINT, customer_id BIGINT, amount DECIMAL(10, 2), proc AS PROCTIME()
) WITH ('connector' = 'kafka', 'topic' = 'orders', 'properties.bootstrap.servers' = '\${kafka.brokers}');
INSERT INTO orders_wide SELECT o.order_id, c.name, o.amount FROM orders o JOIN customers FOR SYSTEM_TIME AS OF o.proc c ON o.customer_id = c.id;
INSERT INTO orders_per_customer SELECT customer_id, COUNT(*) FROM orders GROUP BY customer_id;`;

const orders: NamedTable = {
  table: [builtIn.catalog, builtIn.database, 'orders'],
  connector: 'kafka',
  traits: {
    version: { value: '17', batchOnly: true },
    storage: { layer: 'kafka', format: 'json' },
    comment: 'as the shop sends them',
  },
  dataset: { namespace: 'kafka://broker-1:9092', name: 'orders', symlinks: [] },
  columns: [
    { name: 'order_id', type: 'BIGINT', kind: 'physical', comment: 'unique per shop' },
    { name: 'customer_id', type: 'BIGINT', kind: 'physical' },
    { name: 'amount', type: 'DECIMAL(10, 2)', kind: 'physical' },
    { name: 'ts', type: 'TIMESTAMP(3)', kind: 'metadata' },
    { name: 'proc', type: 'TIMESTAMP_LTZ(3) NOT NULL', kind: 'computed' },
  ],
};

const customers: NamedTable = {
  table: [builtIn.catalog, builtIn.database, 'customers'],
  connector: 'jdbc',
  dataset: { namespace: 'mysql://crm:3306', name: 'crm.customers', symlinks: [] },
  columns: [
    { name: 'id', type: 'BIGINT NOT NULL', kind: 'physical' },
    { name: 'name', type: 'STRING', kind: 'physical' },
  ],
};

const wide: NamedTable = {
  table: [builtIn.catalog, builtIn.database, 'orders_wide'],
  connector: 'doris',
  dataset: { namespace: 'doris://fe:8030', name: 'dw.orders_wide', symlinks: [] },
  columns: [
    { name: 'order_id', type: 'BIGINT', kind: 'physical' },
    { name: 'customer', type: 'STRING', kind: 'physical' },
    { name: 'amount', type: 'DECIMAL(10, 2)', kind: 'physical' },
  ],
};

const perCustomer: NamedTable = {
  table: ['lake', 'dw', 'orders_per_customer'],
  connector: 'paimon',
  traits: {
    storage: { layer: 'paimon' },
    catalog: { framework: 'paimon', type: 'filesystem', name: 'lake', warehouseUri: 's3://lake' },
    partition: { dt: '2026-03-14' },
  },
  dataset: {
    namespace: 's3://lake',
    name: 'dw.db/orders_per_customer',
    symlinks: [{ namespace: 's3://lake', name: 'dw.orders_per_customer', type: 'TABLE' }],
  },
  columns: [
    { name: 'customer_id', type: 'BIGINT', kind: 'physical' },
    { name: 'orders', type: 'BIGINT', kind: 'physical' },
  ],
};

const identity = ({ dataset: { namespace, name } }: NamedTable, field: string): ColumnOrigin => ({
  namespace,
  name,
  field,
  type: 'DIRECT',
  subtype: 'IDENTITY',
});
const decides = ({ dataset: { namespace, name } }: NamedTable, field: string, subtype: 'JOIN' | 'GROUP_BY'): ColumnOrigin => ({
  namespace,
  name,
  field,
  type: 'INDIRECT',
  subtype,
});

export const lineage: NamedLineage = {
  pipelines: [
    {
      tier: 'plan',
      sink: wide,
      inputs: [
        { ...orders, role: 'scan' },
        { ...customers, role: 'lookup' },
      ],
      columns: {
        order_id: [identity(orders, 'order_id')],
        customer: [identity(customers, 'name')],
        amount: [identity(orders, 'amount')],
      },
      influences: [decides(orders, 'customer_id', 'JOIN'), decides(customers, 'id', 'JOIN')],
    },
    {
      tier: 'plan',
      sink: perCustomer,
      inputs: [{ ...orders, role: 'scan' }],
      columns: {
        customer_id: [identity(orders, 'customer_id')],
        orders: [],
      },
      influences: [decides(orders, 'customer_id', 'GROUP_BY')],
      partitions: [{ dt: '2026-03-14' }],
    },
  ],
  skipped: [
    {
      table: [builtIn.catalog, builtIn.database, 'debug'],
      connector: 'print',
      role: 'sink',
      reason: 'NO_IDENTITY',
      message: 'print has no physical identity',
      silent: true,
    },
    {
      table: [builtIn.catalog, builtIn.database, 'clicks'],
      connector: 'kafka',
      role: 'scan',
      reason: 'PATTERN_UNRESOLVED',
      message: 'topic-pattern names no single topic',
      silent: false,
    },
  ],
};

/** Stands for the masking of the plan stage. */
export const mask = (text: string): string => text.replaceAll('s3cr3t', '******');

/** The run as the daemon would freeze it. */
export const ordersRun: FreezeInput = {
  identity: identityText({ kind: 'flink-job', jobId }),
  app,
  context: {
    teamName: 'commerce',
    userName: 'ada',
    description: 'Orders with customer names, for the shop reports',
    tags: ['shop', 'gold'],
  },
  attempt: 3,
  evidence: {
    identity: { kind: 'flink-job', jobId },
    jobId,
    yarnId: app.clusterId,
    logId: '100311',
    optionTime: app.optionTime,
    startedAt,
    continuation: 0,
  },
  previousRunId: '9f0f3a52-6c0d-3a3e-8f63-6f1d2a5f9b10',
  previousEnd: 'RESTARTED',
  upstream: [{ namespace: 'streampark', name: 'orders_load' }],
  namespace: 'streampark',
  jobName: 'orders_enrich',
  naming: 'sink',
  processing: 'STREAMING',
  engineVersion: '1.17.1',
  sql,
  code: null,
  program: null,
  sqlId: '100077',
  sqlVersion: 2,
  sourceUrl: null,
  lineage,
  builtIn,
  notes: [],
  mask,
  now: startedAt + 4_000,
};

/** Options of `runEvents` as the daemon would give them. */
export const eventOptions: EventOptions = {
  now: startedAt + 4_000,
  previousAt: null,
  version: '0.1.0',
  maxBytes: 256 * 1024,
  maxFacetBytes: 128 * 1024,
  lineageFacet: false,
  mask,
};
