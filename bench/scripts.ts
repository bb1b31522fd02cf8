// Scripts of three sizes for the benchmarks, as people write them; `n` makes each one different.

const orders = `CREATE TABLE orders (
  order_id BIGINT, customer_id BIGINT, product_id BIGINT, amount DECIMAL(10, 2), country STRING, ts TIMESTAMP(3), pt AS PROCTIME(),
  WATERMARK FOR ts AS ts - INTERVAL '5' SECOND
) WITH ('connector' = 'kafka', 'topic' = 'orders', 'properties.bootstrap.servers' = 'k1:9092', 'format' = 'json');`;

const sink = (name: string, columns: string) =>
  `CREATE TABLE ${name} (${columns}) WITH ('connector' = 'doris', 'fenodes' = 'fe:8030', 'table.identifier' = 'shop.${name}');`;

/** One INSERT from one table. */
export const small = (n = 0): string => `${orders}
${sink(`big_orders_${n}`, 'order_id BIGINT, amount DECIMAL(10, 2)')}
INSERT INTO big_orders_${n} SELECT order_id, amount FROM orders WHERE amount > 100;`;

/** Five INSERTs: lookup joins, a window aggregation, an interval join, a top-n, a union. */
export const medium = (n = 0): string => `${orders}
CREATE TABLE payments (order_id BIGINT, paid DECIMAL(10, 2), ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND)
  WITH ('connector' = 'kafka', 'topic' = 'payments', 'properties.bootstrap.servers' = 'k1:9092', 'format' = 'json');
CREATE TABLE customers (id BIGINT, name STRING, segment STRING, PRIMARY KEY (id) NOT ENFORCED)
  WITH ('connector' = 'jdbc', 'url' = 'jdbc:mysql://crm:3306/crm', 'table-name' = 'customers');
CREATE TABLE products (id BIGINT, name STRING, price DECIMAL(10, 2), PRIMARY KEY (id) NOT ENFORCED)
  WITH ('connector' = 'jdbc', 'url' = 'jdbc:postgresql://pim:5432/pim', 'table-name' = 'public.products');
${sink(`enriched_${n}`, 'order_id BIGINT, customer STRING, segment STRING, product STRING, amount DECIMAL(10, 2)')}
${sink(`revenue_${n}`, 'window_start TIMESTAMP(3), window_end TIMESTAMP(3), country STRING, amount DECIMAL(38, 2), orders BIGINT')}
${sink(`matched_${n}`, 'order_id BIGINT, amount DECIMAL(10, 2), paid DECIMAL(10, 2)')}
${sink(`top_${n}`, 'country STRING, order_id BIGINT, amount DECIMAL(10, 2), place BIGINT')}
${sink(`all_${n}`, 'order_id BIGINT, amount DECIMAL(10, 2), kind STRING')}
CREATE VIEW paid AS SELECT o.order_id, o.amount, p.paid FROM orders o JOIN payments p
  ON o.order_id = p.order_id AND p.ts BETWEEN o.ts AND o.ts + INTERVAL '1' HOUR;
BEGIN STATEMENT SET;
INSERT INTO enriched_${n} SELECT o.order_id, UPPER(c.name), c.segment, p.name, o.amount FROM orders o
  LEFT JOIN customers FOR SYSTEM_TIME AS OF o.pt AS c ON o.customer_id = c.id
  LEFT JOIN products FOR SYSTEM_TIME AS OF o.pt AS p ON o.product_id = p.id;
INSERT INTO revenue_${n} SELECT window_start, window_end, country, SUM(amount), COUNT(DISTINCT order_id)
  FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end, country;
INSERT INTO matched_${n} SELECT order_id, amount, paid FROM paid WHERE paid < amount;
INSERT INTO top_${n} SELECT country, order_id, amount, place FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY country ORDER BY amount DESC) AS place FROM orders) WHERE place <= 10;
INSERT INTO all_${n} SELECT order_id, amount, 'order' FROM orders UNION ALL SELECT order_id, paid, 'payment' FROM payments;
END;`;

/** Ten times the INSERTs of the medium script, in one script with tables of their own. */
export const large = (n = 0): string => {
  const parts = Array.from({ length: 10 }, (_, i) => medium(n * 10 + i));
  const head = parts[0] as string;
  const sinks = parts.flatMap((part) => part.split('\n').filter((line) => line.includes("'doris'")));
  const inserts = parts.map((part) => part.slice(part.indexOf('INSERT INTO'), part.lastIndexOf('END;')));
  const tables = head
    .slice(0, head.indexOf('BEGIN STATEMENT SET;'))
    .split('\n')
    .filter((line) => !line.includes("'doris'"));
  return [...tables, ...sinks, 'BEGIN STATEMENT SET;', ...inserts, 'END;'].join('\n');
};
