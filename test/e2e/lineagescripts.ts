// The recorded scripts read datagen and write blackhole, which have no lineage. These have the same shape (the same tables
// of the same names, the same INSERTs, views and statement sets) over stores that have one.
import { deflateSync, inflateSync } from 'node:zlib';
import type { RecordedChange } from '../support/timeline.ts';

/** As StreamPark stores a script. */
export const stored = (script: string): string => deflateSync(Buffer.from(script, 'utf8'), { level: 9 }).toString('base64');

const inflated = (sql: string): string => (sql === '' ? '' : inflateSync(Buffer.from(sql, 'base64')).toString('utf8'));

const kafkaOrders = (columns: string) => `CREATE TABLE orders (${columns}) WITH ('connector' = 'kafka', 'topic' = 'orders',
  'properties.bootstrap.servers' = 'broker-1.example.org:9092', 'properties.group.id' = 'g-\${orders.rps}', 'format' = 'json');`;
const jdbcBigOrders = `CREATE TABLE big_orders (order_id BIGINT, customer_id BIGINT, amount DECIMAL(10,2), PRIMARY KEY (order_id) NOT ENFORCED) WITH (
  'connector' = 'jdbc', 'url' = 'jdbc:mysql://dwh.example.org:3306/shop', 'table-name' = 'big_orders',
  'username' = '\${doris.user}', 'password' = '\${doris.password}');`;
const doris = (table: string) => `WITH ('connector' = 'doris', 'fenodes' = 'fe.example.org:8030', 'table.identifier' = '${table}',
  'username' = '\${doris.user}', 'password' = '\${doris.password}')`;

const scripts = {
  v1: `-- orders v1
${kafkaOrders('order_id BIGINT, customer_id BIGINT, amount DECIMAL(10,2), ts AS PROCTIME()')}
${jdbcBigOrders}
INSERT INTO big_orders SELECT order_id, customer_id, amount FROM orders WHERE amount > 100;
`,
  v2: `-- orders v2, two sinks, view, statement set words, umlaut: Größe 数据
${kafkaOrders('order_id BIGINT, customer_id BIGINT, amount DECIMAL(10,2)')}
${jdbcBigOrders}
CREATE TABLE customer_totals (customer_id BIGINT, total DECIMAL(38,2)) ${doris('dws.customer_totals')};
CREATE TEMPORARY VIEW positive_orders AS SELECT * FROM orders WHERE amount > 0;
BEGIN STATEMENT SET;
INSERT INTO big_orders SELECT order_id, customer_id, amount FROM positive_orders WHERE amount > 100;
INSERT INTO customer_totals SELECT customer_id, SUM(amount) FROM positive_orders GROUP BY customer_id;
END;
`,
  batch: `SET 'execution.runtime-mode' = 'BATCH';
CREATE TABLE src_b (id BIGINT, v STRING) WITH ('connector' = 'jdbc', 'url' = 'jdbc:postgresql://crm.example.org:5432/crm',
  'table-name' = 'public.visits', 'username' = '\${doris.user}', 'password' = '\${doris.password}');
CREATE TABLE dst_b (v STRING, cnt BIGINT) ${doris('dws.visits')};
INSERT INTO dst_b SELECT v, COUNT(*) FROM src_b GROUP BY v;
`,
};

export interface ExpectedSink {
  readonly job: string;
  readonly sink: readonly [namespace: string, name: string];
  readonly inputs: readonly (readonly [namespace: string, name: string])[];
}

const ordersTopic = ['kafka://broker-1.example.org:9092', 'orders'] as const;
const bigOrders: ExpectedSink = { job: 'big_orders', sink: ['mysql://dwh.example.org:3306', 'shop.big_orders'], inputs: [ordersTopic] };

/** The sinks of each script. */
export const sinksOf: Readonly<Record<'v1' | 'v2' | 'batch', readonly ExpectedSink[]>> = {
  v1: [bigOrders],
  v2: [bigOrders, { job: 'customer_totals', sink: ['mysql://fe.example.org:9030', 'dws.customer_totals'], inputs: [ordersTopic] }],
  batch: [
    {
      job: 'dst_b',
      sink: ['mysql://fe.example.org:9030', 'dws.visits'],
      inputs: [['postgres://crm.example.org:5432', 'crm.public.visits']],
    },
  ],
};

/** Exchanges the scripts of the named applications as they are written; what follows them in the text stays. */
export function withLineage(apps: ReadonlySet<unknown>): (change: RecordedChange) => RecordedChange {
  return (change) => {
    const [sql, appId] = [change.changed['sql']?.[1], change.changed['app_id']?.[1]];
    if (change.table !== 't_flink_sql' || change.op !== 'INSERT' || typeof sql !== 'string' || !apps.has(String(appId))) return change;
    const text = inflated(sql);
    const version = text.startsWith('-- orders v1') ? 'v1' : text.startsWith('-- orders v2') ? 'v2' : 'batch';
    const rest = text.slice(text.lastIndexOf(';') + 1);
    return { ...change, changed: { ...change.changed, sql: [null, stored(scripts[version] + rest)] } };
  };
}
