// INSERTs with the columns they should have, derived by hand from the rules of column lineage, not from the program's output.
// `id: orders.order_id` is a column taken as it is; every other use is named behind the source column; `*` is what decides
// about whole rows. A column without origins has an empty list.

/** Tables of every case. The sinks: t for most, u where types matter, `nested` and `topic` for what their names say. */
export const tables = `
CREATE TABLE orders (
  order_id BIGINT, user_id BIGINT, amount DECIMAL(10, 2), currency STRING,
  address ROW<city STRING, geo ROW<lat DOUBLE, lon DOUBLE>>,
  items ARRAY<ROW<sku STRING, qty INT>>, tags ARRAY<STRING>, attrs MAP<STRING, STRING>,
  msg_key STRING METADATA FROM 'key', off BIGINT METADATA FROM 'offset' VIRTUAL, headers MAP<STRING, BYTES> METADATA,
  city AS address.city, gross AS amount * 1.19, proc AS PROCTIME(),
  ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND
) WITH ('connector' = 'kafka', 'topic' = 'orders', 'properties.bootstrap.servers' = 'k:9092');
CREATE TABLE payments (
  pay_id BIGINT, order_id BIGINT, paid DECIMAL(10, 2), means STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts
) WITH ('connector' = 'kafka', 'topic' = 'payments', 'properties.bootstrap.servers' = 'k:9092');
CREATE TABLE rates (
  currency STRING, rate DOUBLE, ts TIMESTAMP(3), WATERMARK FOR ts AS ts, PRIMARY KEY (currency) NOT ENFORCED
) WITH ('connector' = 'upsert-kafka', 'topic' = 'rates', 'properties.bootstrap.servers' = 'k:9092');
CREATE TEMPORARY TABLE users (
  id BIGINT, name STRING, country STRING, PRIMARY KEY (id) NOT ENFORCED
) WITH ('connector' = 'jdbc', 'url' = 'jdbc:mysql://h:3306/crm', 'table-name' = 'users');
CREATE TABLE t (id BIGINT, v STRING, x DOUBLE)
  WITH ('connector' = 'doris', 'fenodes' = 'fe:8030', 'table.identifier' = 'dw.t');
CREATE TABLE u (id BIGINT, v STRING)
  WITH ('connector' = 'doris', 'fenodes' = 'fe:8030', 'table.identifier' = 'dw.u');
CREATE TABLE nested (id BIGINT, place ROW<city STRING, geo ROW<lat DOUBLE, lon DOUBLE>>)
  WITH ('connector' = 'kafka', 'topic' = 'nested', 'properties.bootstrap.servers' = 'k:9092');
CREATE TABLE topic (id BIGINT, twice AS id * 2, ts TIMESTAMP(3) METADATA FROM 'timestamp', part INT METADATA VIRTUAL, v STRING)
  WITH ('connector' = 'kafka', 'topic' = 'topic', 'properties.bootstrap.servers' = 'k:9092');
CREATE TABLE parted (id BIGINT, v STRING, dt STRING) PARTITIONED BY (dt)
  WITH ('connector' = 'filesystem', 'path' = 'hdfs://nn/p');
`;

export interface ColumnCase {
  readonly title: string;
  readonly sql: string;
  /** One line per sink column and, where anything decides about rows, one that begins with `*`. */
  readonly columns: string;
  readonly mode?: 'batch';
}

/** One case; the lines of `columns` one by one. */
export const of = (title: string, sql: string, ...columns: string[]): ColumnCase => ({ title, sql, columns: columns.join('\n') });
