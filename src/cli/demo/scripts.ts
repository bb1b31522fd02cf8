// The scripts of the demo's applications, as a user would have written them in the console.

/** Kafka to Doris: one statement set, two INSERTs, a lookup join. */
export const ordersToDoris = `
-- orders, enriched with the customer, and revenue per minute
CREATE TABLE orders (
  order_id BIGINT, customer_id BIGINT, amount DECIMAL(10, 2), ts TIMESTAMP(3), pt AS PROCTIME(),
  WATERMARK FOR ts AS ts - INTERVAL '5' SECOND
) WITH (
  'connector' = 'kafka', 'topic' = 'orders', 'properties.bootstrap.servers' = '\${kafka.brokers}', 'format' = 'json'
);
CREATE TABLE customers (id BIGINT, name STRING, country STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'jdbc', 'url' = 'jdbc:mysql://crm-db:3306/crm', 'table-name' = 'customers', 'username' = 'flink'
);
CREATE TABLE orders_enriched (order_id BIGINT, customer STRING, country STRING, amount DECIMAL(10, 2)) WITH (
  'connector' = 'doris', 'fenodes' = 'doris-fe:8030', 'table.identifier' = 'shop.orders_enriched',
  'username' = 'flink', 'password' = '\${doris.password}'
);
CREATE TABLE revenue_per_minute (window_start TIMESTAMP(3), amount DECIMAL(38, 2)) WITH (
  'connector' = 'doris', 'fenodes' = 'doris-fe:8030', 'table.identifier' = 'shop.revenue_per_minute',
  'username' = 'flink', 'password' = '\${doris.password}'
);
BEGIN STATEMENT SET;
INSERT INTO orders_enriched
SELECT o.order_id, c.name, c.country, o.amount
FROM orders AS o JOIN customers FOR SYSTEM_TIME AS OF o.pt AS c ON o.customer_id = c.id;
INSERT INTO revenue_per_minute
SELECT window_start, SUM(amount) FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' MINUTE))
GROUP BY window_start, window_end;
END;
`;

/** MySQL CDC to a Paimon catalog: temporary tables and a view. */
export const crmToLake = `
CREATE CATALOG lake WITH ('type' = 'paimon', 'warehouse' = 's3a://lake/warehouse');
CREATE TEMPORARY TABLE customers (id BIGINT, name STRING, country STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'mysql-cdc', 'hostname' = 'crm-db', 'port' = '3306', 'username' = 'cdc', 'password' = 'in-the-script',
  'database-name' = 'crm', 'table-name' = 'customers'
);
CREATE TEMPORARY TABLE contracts (id BIGINT, customer_id BIGINT, total DECIMAL(12, 2), PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'mysql-cdc', 'hostname' = 'crm-db', 'port' = '3306', 'username' = 'cdc', 'password' = 'in-the-script',
  'database-name' = 'crm', 'table-name' = 'contracts'
);
CREATE TEMPORARY VIEW customer_value AS
SELECT c.id, c.name, c.country, SUM(k.total) AS total
FROM customers c LEFT JOIN contracts k ON k.customer_id = c.id GROUP BY c.id, c.name, c.country;
CREATE TABLE IF NOT EXISTS lake.crm.customer_value (
  id BIGINT, name STRING, country STRING, total DECIMAL(38, 2), PRIMARY KEY (id) NOT ENFORCED
);
INSERT INTO lake.crm.customer_value SELECT * FROM customer_value;
`;

/** Reads a table that nobody created: its submission fails. */
export const broken = `
CREATE TABLE target (id BIGINT) WITH ('connector' = 'kafka', 'topic' = 'broken', 'properties.bootstrap.servers' = '\${kafka.brokers}', 'format' = 'json');
INSERT INTO target SELECT id FROM nobody_created_this;
`;

/** Not opted in: it must leave no trace. */
export const secretJob = `
CREATE TABLE a (id BIGINT) WITH ('connector' = 'kafka', 'topic' = 'private', 'properties.bootstrap.servers' = 'kafka-1:9092', 'format' = 'json');
CREATE TABLE b (id BIGINT) WITH ('connector' = 'kafka', 'topic' = 'private-copy', 'properties.bootstrap.servers' = 'kafka-1:9092', 'format' = 'json');
INSERT INTO b SELECT id FROM a;
`;

export const sparkReport = 'INSERT OVERWRITE report.daily SELECT country, sum(amount) FROM shop.orders GROUP BY country';
