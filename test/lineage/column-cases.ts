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

const of = (title: string, sql: string, ...columns: string[]): ColumnCase => ({ title, sql, columns: columns.join('\n') });

const expressions: readonly ColumnCase[] = [
  of(
    'columns as they are',
    'INSERT INTO t SELECT order_id, currency, amount FROM orders',
    'id: orders.order_id',
    'v: orders.currency',
    'x: orders.amount',
  ),
  of(
    'calls and casts: only a cast to the same type leaves a value alone',
    "INSERT INTO t SELECT CAST(order_id AS BIGINT), UPPER(currency) || '!', amount + off FROM orders",
    'id: orders.order_id',
    'v: orders.currency TRANSFORMATION',
    'x: orders.amount TRANSFORMATION, orders.off TRANSFORMATION',
  ),
  of(
    'a cast to another type',
    'INSERT INTO u SELECT user_id, CAST(order_id AS STRING) FROM orders',
    'id: orders.user_id',
    'v: orders.order_id TRANSFORMATION',
  ),
  of('literals', "INSERT INTO t SELECT 1, 'a', CAST(NULL AS DOUBLE) FROM orders", 'id:', 'v:', 'x:'),
  of(
    'functions of nothing',
    'INSERT INTO t SELECT order_id, CAST(CURRENT_TIMESTAMP AS STRING), RAND() FROM orders',
    'id: orders.order_id',
    'v:',
    'x:',
  ),
  of('processing time', 'INSERT INTO u SELECT order_id, CAST(proc AS STRING) FROM orders', 'id: orders.order_id', 'v:'),
  of('VALUES', "INSERT INTO t VALUES (1, 'a', 2.0), (2, 'b', 3.0)", 'id:', 'v:', 'x:'),
  of(
    'computed columns dissolve',
    'INSERT INTO t SELECT order_id, city, gross FROM orders',
    'id: orders.order_id',
    'v: orders.address.city',
    'x: orders.amount TRANSFORMATION',
  ),
  of(
    'metadata columns have their declared names',
    'INSERT INTO u SELECT off, msg_key FROM orders WHERE headers IS NOT NULL',
    'id: orders.off',
    'v: orders.msg_key',
    '*: orders.headers FILTER',
  ),
  of(
    'a watermarked column',
    'INSERT INTO topic (id, ts, v) SELECT order_id, ts, CAST(ts AS STRING) FROM orders',
    'id: orders.order_id',
    'ts: orders.ts',
    'v: orders.ts TRANSFORMATION',
  ),
  of(
    'nested fields',
    'INSERT INTO t SELECT order_id, CAST(address.geo.lon AS STRING), address.geo.lat FROM orders',
    'id: orders.order_id',
    'v: orders.address.geo.lon TRANSFORMATION',
    'x: orders.address.geo.lat',
  ),
  of(
    'a field of a field of a renamed row',
    'INSERT INTO t SELECT o, p.city, g.lat FROM (SELECT order_id AS o, address AS p, address.geo AS g FROM orders)',
    'id: orders.order_id',
    'v: orders.address.city',
    'x: orders.address.geo.lat',
  ),
  of('a whole row', 'INSERT INTO nested SELECT order_id, address FROM orders', 'id: orders.order_id', 'place: orders.address'),
  of(
    'a row that is built',
    'INSERT INTO nested SELECT order_id, ROW(currency, ROW(CAST(amount AS DOUBLE), address.geo.lon)) FROM orders',
    'id: orders.order_id',
    'place: orders.currency TRANSFORMATION, orders.amount TRANSFORMATION, orders.address.geo.lon TRANSFORMATION',
  ),
  of(
    'elements of lists and maps',
    "INSERT INTO t SELECT order_id, attrs['k'] || tags[1], items[1].qty FROM orders",
    'id: orders.order_id',
    'v: orders.attrs TRANSFORMATION, orders.tags TRANSFORMATION',
    'x: orders.items TRANSFORMATION',
  ),
  of(
    'CASE: conditions decide, values are made',
    "INSERT INTO t SELECT order_id, CASE WHEN amount > 10 THEN currency WHEN off = 0 THEN 'none' ELSE msg_key END, 1 FROM orders",
    'id: orders.order_id',
    'v: orders.amount CONDITIONAL, orders.currency TRANSFORMATION, orders.off CONDITIONAL, orders.msg_key TRANSFORMATION',
    'x:',
  ),
  of(
    'simple CASE over the value it gives',
    "INSERT INTO u SELECT order_id, CASE currency WHEN 'EUR' THEN 'euro' ELSE currency END FROM orders",
    'id: orders.order_id',
    'v: orders.currency CONDITIONAL, orders.currency TRANSFORMATION',
  ),
  of(
    'IF, NULLIF and COALESCE',
    "INSERT INTO t SELECT IF(amount > 1, order_id, user_id), COALESCE(currency, msg_key, '?'), NULLIF(off, 0) FROM orders",
    'id: orders.amount CONDITIONAL, orders.order_id TRANSFORMATION, orders.user_id TRANSFORMATION',
    'v: orders.currency TRANSFORMATION, orders.msg_key TRANSFORMATION',
    'x: orders.off TRANSFORMATION, orders.off CONDITIONAL',
  ),
  of(
    'a CASE in a condition of a CASE',
    "INSERT INTO u SELECT order_id, CASE WHEN CASE WHEN off > 1 THEN amount ELSE 0 END > 1 THEN 'a' ELSE 'b' END FROM orders",
    'id: orders.order_id',
    'v: orders.off CONDITIONAL, orders.amount CONDITIONAL',
  ),
  of(
    'JSON',
    "INSERT INTO u SELECT order_id, JSON_VALUE(currency, '$.a') FROM orders",
    'id: orders.order_id',
    'v: orders.currency TRANSFORMATION',
  ),
  of(
    'functions without a jar',
    "CREATE FUNCTION mask AS 'com.acme.Mask';\nINSERT INTO u SELECT order_id, mask(currency, address.city, 3) FROM orders",
    'id: orders.order_id',
    'v: orders.currency TRANSFORMATION, orders.address.city TRANSFORMATION',
  ),
];

const filters: readonly ColumnCase[] = [
  of(
    'WHERE touches every column',
    "INSERT INTO u SELECT order_id, currency FROM orders WHERE currency = 'EUR' AND UPPER(msg_key) LIKE 'A%'",
    'id: orders.order_id',
    'v: orders.currency',
    '*: orders.currency FILTER, orders.msg_key FILTER',
  ),
  of(
    'views on views',
    `CREATE VIEW v1 (oid, cur) AS SELECT order_id, LOWER(currency) FROM orders WHERE amount > 0;
CREATE TEMPORARY VIEW v2 AS SELECT cur AS c, oid AS o FROM v1 WHERE cur <> 'x';
INSERT INTO u SELECT o, c FROM v2`,
    'id: orders.order_id',
    'v: orders.currency TRANSFORMATION',
    '*: orders.amount FILTER, orders.currency FILTER',
  ),
  of(
    'WITH, used twice',
    `INSERT INTO u WITH big AS (SELECT order_id, currency FROM orders WHERE amount > 100)
SELECT a.order_id, b.currency FROM big a JOIN big b ON a.order_id = b.order_id`,
    'id: orders.order_id',
    'v: orders.currency',
    '*: orders.amount FILTER, orders.order_id JOIN',
  ),
  of(
    'IN with a sub-query',
    "INSERT INTO u SELECT order_id, currency FROM orders WHERE order_id IN (SELECT order_id FROM payments WHERE means = 'card')",
    'id: orders.order_id',
    'v: orders.currency',
    '*: orders.order_id FILTER, payments.order_id FILTER, payments.means FILTER',
  ),
  of(
    'NOT IN',
    'INSERT INTO u SELECT order_id, currency FROM orders WHERE order_id NOT IN (SELECT order_id FROM payments WHERE order_id IS NOT NULL)',
    'id: orders.order_id',
    'v: orders.currency',
    '*: orders.order_id FILTER, payments.order_id FILTER',
  ),
  of(
    'EXISTS does not depend on what the rows hold',
    'INSERT INTO u SELECT order_id, currency FROM orders o WHERE EXISTS (SELECT * FROM payments p WHERE p.order_id = o.order_id AND paid > 3)',
    'id: orders.order_id',
    'v: orders.currency',
    '*: orders.order_id FILTER, payments.order_id FILTER, payments.paid FILTER',
  ),
  of(
    'NOT EXISTS',
    'INSERT INTO u SELECT order_id, currency FROM orders o WHERE NOT EXISTS (SELECT 1 FROM payments p WHERE p.order_id = o.order_id)',
    'id: orders.order_id',
    'v: orders.currency',
    '*: orders.order_id FILTER, payments.order_id FILTER',
  ),
  of(
    'a scalar sub-query in WHERE',
    'INSERT INTO u SELECT order_id, currency FROM orders o WHERE amount > (SELECT AVG(paid) FROM payments p WHERE p.order_id = o.order_id)',
    'id: orders.order_id',
    'v: orders.currency',
    '*: orders.amount FILTER, payments.paid FILTER, payments.order_id FILTER, orders.order_id FILTER',
  ),
  of(
    'a scalar sub-query in the list touches its column only',
    "INSERT INTO t SELECT order_id, currency, (SELECT MAX(rate) FROM rates WHERE currency = 'EUR') FROM orders",
    'id: orders.order_id',
    'v: orders.currency',
    'x: rates.rate AGGREGATION, rates.currency FILTER',
  ),
  of(
    'a correlated one',
    'INSERT INTO t SELECT order_id, currency, (SELECT SUM(paid) FROM payments p WHERE p.order_id = o.order_id) FROM orders o',
    'id: orders.order_id',
    'v: orders.currency',
    'x: payments.paid AGGREGATION, payments.order_id FILTER, orders.order_id FILTER',
  ),
  of(
    'sub-queries in sub-queries',
    `INSERT INTO u SELECT order_id, currency FROM orders o WHERE EXISTS (
  SELECT 1 FROM payments p WHERE p.order_id = o.order_id AND p.means IN (SELECT name FROM users WHERE country = 'DE'))`,
    'id: orders.order_id',
    'v: orders.currency',
    '*: payments.order_id FILTER, orders.order_id FILTER, payments.means FILTER, users.name FILTER, users.country FILTER',
  ),
  of(
    'EXISTS in a CASE decides about the column',
    `INSERT INTO u SELECT order_id, CASE WHEN EXISTS (SELECT 1 FROM payments p WHERE p.order_id = o.order_id) THEN currency ELSE 'open' END FROM orders o`,
    'id: orders.order_id',
    'v: payments.order_id FILTER, payments.order_id CONDITIONAL, orders.order_id FILTER, orders.order_id CONDITIONAL, orders.currency TRANSFORMATION',
  ),
  of(
    'ORDER BY and LIMIT',
    'INSERT INTO u SELECT order_id, currency FROM orders ORDER BY ts LIMIT 10',
    'id: orders.order_id',
    'v: orders.currency',
    '*: orders.ts SORT',
  ),
];

const joins: readonly ColumnCase[] = [
  of(
    'inner join',
    "INSERT INTO t SELECT o.order_id, p.means, p.paid FROM orders o JOIN payments p ON o.order_id = p.order_id AND p.means <> 'test'",
    'id: orders.order_id',
    'v: payments.means',
    'x: payments.paid',
    '*: orders.order_id JOIN, payments.order_id JOIN, payments.means JOIN',
  ),
  of(
    'left join and a filter above it',
    'INSERT INTO t SELECT o.order_id, p.means, o.amount - p.paid FROM orders o LEFT JOIN payments p ON o.order_id = p.order_id WHERE o.amount > p.paid',
    'id: orders.order_id',
    'v: payments.means',
    'x: orders.amount TRANSFORMATION, payments.paid TRANSFORMATION',
    '*: orders.order_id JOIN, payments.order_id JOIN, orders.amount FILTER, payments.paid FILTER',
  ),
  of(
    'right join',
    'INSERT INTO u SELECT p.pay_id, o.currency FROM orders o RIGHT JOIN payments p ON o.order_id = p.order_id',
    'id: payments.pay_id',
    'v: orders.currency',
    '*: orders.order_id JOIN, payments.order_id JOIN',
  ),
  of(
    'full join',
    'INSERT INTO u SELECT COALESCE(o.order_id, p.order_id), p.means FROM orders o FULL OUTER JOIN payments p ON o.order_id = p.order_id',
    'id: orders.order_id TRANSFORMATION, payments.order_id TRANSFORMATION',
    'v: payments.means',
    '*: orders.order_id JOIN, payments.order_id JOIN',
  ),
  of(
    'cross join',
    'INSERT INTO u SELECT o.order_id, p.means FROM orders o CROSS JOIN payments p',
    'id: orders.order_id',
    'v: payments.means',
  ),
  of(
    'an interval join written in WHERE both joins and filters',
    `INSERT INTO u SELECT o.order_id, p.means FROM orders o, payments p
WHERE o.order_id = p.order_id AND p.ts BETWEEN o.ts AND o.ts + INTERVAL '1' HOUR AND o.amount > 5`,
    'id: orders.order_id',
    'v: payments.means',
    `*: orders.order_id JOIN, orders.order_id FILTER, payments.order_id JOIN, payments.order_id FILTER, orders.ts JOIN,
 orders.ts FILTER, payments.ts JOIN, payments.ts FILTER, orders.amount FILTER`,
  ),
  of(
    'an interval join',
    `INSERT INTO u SELECT o.order_id, p.means FROM orders o LEFT JOIN payments p
ON o.order_id = p.order_id AND p.ts BETWEEN o.ts - INTERVAL '5' MINUTE AND o.ts`,
    'id: orders.order_id',
    'v: payments.means',
    '*: orders.order_id JOIN, payments.order_id JOIN, orders.ts JOIN, payments.ts JOIN',
  ),
  of(
    'USING',
    'INSERT INTO u SELECT order_id, means FROM orders JOIN payments USING (order_id)',
    'id: orders.order_id TRANSFORMATION, payments.order_id TRANSFORMATION',
    'v: payments.means',
    '*: orders.order_id JOIN, payments.order_id JOIN',
  ),
  of(
    'a self join',
    'INSERT INTO u SELECT a.order_id, b.currency FROM orders a JOIN orders b ON a.user_id = b.order_id',
    'id: orders.order_id',
    'v: orders.currency',
    '*: orders.user_id JOIN, orders.order_id JOIN',
  ),
  of(
    'joins of three',
    `INSERT INTO t SELECT o.order_id, r.currency, r.rate * p.paid FROM orders o
JOIN payments p ON o.order_id = p.order_id LEFT JOIN rates r ON r.currency = o.currency`,
    'id: orders.order_id',
    'v: rates.currency',
    'x: rates.rate TRANSFORMATION, payments.paid TRANSFORMATION',
    '*: orders.order_id JOIN, payments.order_id JOIN, orders.currency JOIN, rates.currency JOIN',
  ),
  of(
    'a lookup join: its whole condition joins',
    "INSERT INTO u SELECT o.order_id, u.name FROM orders o LEFT JOIN users FOR SYSTEM_TIME AS OF o.proc AS u ON o.user_id = u.id AND u.country = 'DE' WHERE o.amount > 3",
    'id: orders.order_id',
    'v: users.name',
    '*: orders.user_id JOIN, users.id JOIN, users.country JOIN, orders.amount FILTER',
  ),
  of(
    'two lookups, the second by a column of the first',
    `INSERT INTO u SELECT o.order_id, b.name FROM orders o
JOIN users FOR SYSTEM_TIME AS OF o.proc AS a ON o.user_id = a.id
JOIN users FOR SYSTEM_TIME AS OF o.proc AS b ON CHAR_LENGTH(a.country) = b.id`,
    'id: orders.order_id',
    'v: users.name',
    '*: orders.user_id JOIN, users.id JOIN, users.country JOIN',
  ),
  of(
    'a lookup by a nested field',
    'INSERT INTO u SELECT o.order_id, u.name FROM orders o JOIN users FOR SYSTEM_TIME AS OF o.proc AS u ON o.address.city = u.name',
    'id: orders.order_id',
    'v: users.name',
    '*: orders.address.city JOIN, users.name JOIN',
  ),
  of(
    'a temporal join: the time selects the version',
    'INSERT INTO t SELECT o.order_id, o.currency, o.amount * r.rate FROM orders o JOIN rates FOR SYSTEM_TIME AS OF o.ts AS r ON o.currency = r.currency',
    'id: orders.order_id',
    'v: orders.currency',
    'x: orders.amount TRANSFORMATION, rates.rate TRANSFORMATION',
    '*: orders.currency JOIN, rates.currency JOIN, orders.ts JOIN',
  ),
  of(
    'a temporal join with the latest row of a view',
    `CREATE VIEW latest AS SELECT order_id, means, ts FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY order_id ORDER BY ts DESC) AS rn FROM payments) WHERE rn = 1;
INSERT INTO u SELECT o.order_id, l.means FROM orders o LEFT JOIN latest FOR SYSTEM_TIME AS OF o.ts AS l ON o.order_id = l.order_id`,
    'id: orders.order_id',
    'v: payments.means',
    `*: orders.order_id JOIN, orders.ts JOIN, payments.order_id JOIN, payments.order_id FILTER, payments.order_id WINDOW,
 payments.ts FILTER, payments.ts WINDOW`,
  ),
  of(
    'LATERAL with a query',
    `INSERT INTO u SELECT o.order_id, l.means FROM (SELECT DISTINCT order_id FROM orders) o,
LATERAL (SELECT means, paid FROM payments p WHERE p.order_id = o.order_id ORDER BY paid DESC LIMIT 3) l`,
    'id: orders.order_id',
    'v: payments.means',
    '*: orders.order_id GROUP_BY, orders.order_id JOIN, payments.order_id JOIN, payments.paid SORT',
  ),
  of(
    'UNNEST of rows',
    'INSERT INTO t SELECT order_id, sku, qty FROM orders CROSS JOIN UNNEST(items) AS i (sku, qty)',
    'id: orders.order_id',
    'v: orders.items TRANSFORMATION',
    'x: orders.items TRANSFORMATION',
  ),
  of(
    'UNNEST of values and a filter on them',
    "INSERT INTO u SELECT order_id, tag FROM orders LEFT JOIN UNNEST(tags) AS g (tag) ON TRUE WHERE tag <> ''",
    'id: orders.order_id',
    'v: orders.tags TRANSFORMATION',
    '*: orders.tags FILTER',
  ),
  of(
    'UNNEST of a map',
    'INSERT INTO u SELECT order_id, k || w FROM orders CROSS JOIN UNNEST(attrs) AS m (k, w)',
    'id: orders.order_id',
    'v: orders.attrs TRANSFORMATION',
  ),
  of(
    'UNNEST WITH ORDINALITY: the number comes from no column',
    'INSERT INTO t SELECT order_id, tag, n FROM orders CROSS JOIN UNNEST(tags) WITH ORDINALITY AS g (tag, n)',
    'id: orders.order_id',
    'v: orders.tags TRANSFORMATION',
    'x:',
  ),
  of(
    'a table function: every column is made of every argument',
    `CREATE FUNCTION parse AS 'com.acme.Parse';
INSERT INTO u SELECT order_id, w FROM orders, LATERAL TABLE(parse(currency, address.city)) AS p (w, n)`,
    'id: orders.order_id',
    'v: orders.currency TRANSFORMATION, orders.address.city TRANSFORMATION',
  ),
  of(
    'a table function on what a table function gave',
    `CREATE FUNCTION split AS 'com.acme.Split';
INSERT INTO u SELECT order_id, y FROM orders LEFT JOIN LATERAL TABLE(split(currency)) AS a (x) ON TRUE
LEFT JOIN LATERAL TABLE(split(x, msg_key)) AS b (y) ON TRUE`,
    'id: orders.order_id',
    'v: orders.currency TRANSFORMATION, orders.msg_key TRANSFORMATION',
  ),
];

const groups: readonly ColumnCase[] = [
  of(
    'GROUP BY with HAVING',
    'INSERT INTO t SELECT user_id, MAX(currency), SUM(amount) FROM orders GROUP BY user_id HAVING COUNT(tags) > 3',
    'id: orders.user_id',
    'v: orders.currency AGGREGATION',
    'x: orders.amount AGGREGATION',
    '*: orders.user_id GROUP_BY, orders.tags FILTER',
  ),
  of(
    'a count of rows comes from no column',
    'INSERT INTO t SELECT COUNT(*), MIN(currency), 0 FROM orders',
    'id:',
    'v: orders.currency AGGREGATION',
    'x:',
  ),
  of(
    'a filtered distinct aggregate',
    "INSERT INTO t SELECT user_id, 'a', COUNT(DISTINCT currency) FILTER (WHERE amount > 10) FROM orders GROUP BY user_id",
    'id: orders.user_id',
    'v:',
    'x: orders.currency AGGREGATION, orders.amount CONDITIONAL',
    '*: orders.user_id GROUP_BY',
  ),
  of(
    'grouped by an expression',
    'INSERT INTO t SELECT COUNT(order_id), UPPER(currency), MAX(off) FROM orders GROUP BY UPPER(currency)',
    'id: orders.order_id AGGREGATION',
    'v: orders.currency TRANSFORMATION',
    'x: orders.off AGGREGATION',
    '*: orders.currency GROUP_BY',
  ),
  of(
    'an aggregate of an aggregate, transformed',
    'INSERT INTO t SELECT MAX(n), cur, SUM(s) / 2 FROM (SELECT user_id, currency AS cur, COUNT(off) AS n, SUM(amount) AS s FROM orders GROUP BY user_id, currency) GROUP BY cur',
    'id: orders.off AGGREGATION',
    'v: orders.currency',
    'x: orders.amount AGGREGATION',
    '*: orders.user_id GROUP_BY, orders.currency GROUP_BY',
  ),
  of(
    'an aggregate over CASE',
    "INSERT INTO t SELECT user_id, 'a', SUM(CASE WHEN currency = 'EUR' THEN amount ELSE 0 END) FROM orders GROUP BY user_id",
    'id: orders.user_id',
    'v:',
    'x: orders.currency CONDITIONAL, orders.amount AGGREGATION',
    '*: orders.user_id GROUP_BY',
  ),
  of(
    'grouping sets: GROUPING tells the set, not a value',
    'INSERT INTO t SELECT user_id, currency, GROUPING(user_id) FROM orders GROUP BY GROUPING SETS ((user_id, currency), (currency))',
    'id: orders.user_id',
    'v: orders.currency',
    'x:',
    '*: orders.user_id GROUP_BY, orders.currency GROUP_BY',
  ),
  of(
    'DISTINCT groups by all columns',
    'INSERT INTO u SELECT DISTINCT order_id, currency FROM orders',
    'id: orders.order_id',
    'v: orders.currency',
    '*: orders.order_id GROUP_BY, orders.currency GROUP_BY',
  ),
  of(
    'an aggregate function without a jar',
    `CREATE FUNCTION wavg AS 'com.acme.WeightedAvg';
INSERT INTO u SELECT user_id, wavg(currency, amount) FROM orders GROUP BY user_id`,
    'id: orders.user_id',
    'v: orders.currency AGGREGATION, orders.amount AGGREGATION',
    '*: orders.user_id GROUP_BY',
  ),
  of(
    'OVER: the window touches its column only',
    'INSERT INTO t SELECT order_id, currency, SUM(amount) OVER (PARTITION BY user_id ORDER BY ts) FROM orders',
    'id: orders.order_id',
    'v: orders.currency',
    'x: orders.amount AGGREGATION, orders.user_id WINDOW, orders.ts WINDOW',
  ),
  of(
    'an average and a neighbour over one window',
    'INSERT INTO t SELECT order_id, LAG(currency) OVER w, AVG(amount) OVER w FROM orders WINDOW w AS (PARTITION BY address.city ORDER BY ts)',
    'id: orders.order_id',
    'v: orders.currency AGGREGATION, orders.address.city WINDOW, orders.ts WINDOW',
    'x: orders.amount AGGREGATION, orders.address.city WINDOW, orders.ts WINDOW',
  ),
  of(
    'a top list: the rank is written and filters',
    `INSERT INTO t SELECT order_id, currency, rn FROM (
  SELECT order_id, currency, ROW_NUMBER() OVER (PARTITION BY currency ORDER BY amount DESC) AS rn FROM orders) WHERE rn <= 3`,
    'id: orders.order_id',
    'v: orders.currency',
    'x: orders.currency WINDOW, orders.amount WINDOW',
    '*: orders.currency WINDOW, orders.currency FILTER, orders.amount WINDOW, orders.amount FILTER',
  ),
  of(
    'QUALIFY',
    'INSERT INTO u SELECT order_id, currency FROM orders QUALIFY ROW_NUMBER() OVER (PARTITION BY order_id ORDER BY proc) = 1',
    'id: orders.order_id',
    'v: orders.currency',
    '*: orders.order_id WINDOW, orders.order_id FILTER',
  ),
  of(
    'TUMBLE: window bounds are made of the time',
    `INSERT INTO t SELECT user_id, CAST(window_start AS STRING), SUM(amount) FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' MINUTE))
GROUP BY user_id, window_start, window_end`,
    'id: orders.user_id',
    'v: orders.ts TRANSFORMATION',
    'x: orders.amount AGGREGATION',
    '*: orders.user_id GROUP_BY, orders.ts GROUP_BY, orders.ts WINDOW',
  ),
  of(
    'HOP over a query',
    `INSERT INTO t SELECT 1, 'a', MAX(amount) FROM (SELECT * FROM HOP(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '5' MINUTE))
GROUP BY window_start, window_end`,
    'id:',
    'v:',
    'x: orders.amount AGGREGATION',
    '*: orders.ts GROUP_BY, orders.ts WINDOW',
  ),
  of(
    'CUMULATE by processing time has no column to name',
    `INSERT INTO u SELECT user_id, MAX(currency) FROM TABLE(CUMULATE(TABLE orders, DESCRIPTOR(proc), INTERVAL '1' MINUTE, INTERVAL '1' HOUR))
GROUP BY user_id, window_start, window_end`,
    'id: orders.user_id',
    'v: orders.currency AGGREGATION',
    '*: orders.user_id GROUP_BY',
  ),
  of(
    'SESSION with a partition',
    `INSERT INTO u SELECT user_id, MAX(currency) FROM TABLE(SESSION(TABLE orders PARTITION BY user_id, DESCRIPTOR(ts), INTERVAL '1' MINUTE))
GROUP BY user_id, window_start, window_end`,
    'id: orders.user_id',
    'v: orders.currency AGGREGATION',
    '*: orders.user_id GROUP_BY, orders.user_id WINDOW, orders.ts GROUP_BY, orders.ts WINDOW',
  ),
  of(
    'a window of the old form',
    `INSERT INTO t SELECT user_id, CAST(TUMBLE_START(ts, INTERVAL '1' MINUTE) AS STRING), SUM(amount) FROM orders GROUP BY user_id, TUMBLE(ts, INTERVAL '1' MINUTE)`,
    'id: orders.user_id',
    'v: orders.ts TRANSFORMATION',
    'x: orders.amount AGGREGATION',
    '*: orders.user_id GROUP_BY, orders.ts GROUP_BY, orders.ts WINDOW',
  ),
  of(
    'a session of the old form',
    "INSERT INTO u SELECT user_id, MIN(currency) FROM orders GROUP BY user_id, SESSION(ts, INTERVAL '1' MINUTE)",
    'id: orders.user_id',
    'v: orders.currency AGGREGATION',
    '*: orders.user_id GROUP_BY, orders.ts GROUP_BY, orders.ts WINDOW',
  ),
  of(
    'a window join',
    `INSERT INTO u SELECT a.order_id, b.means FROM (SELECT * FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' MINUTE))) a
JOIN (SELECT * FROM TABLE(TUMBLE(TABLE payments, DESCRIPTOR(ts), INTERVAL '1' MINUTE))) b
ON a.order_id = b.order_id AND a.window_start = b.window_start AND a.window_end = b.window_end`,
    'id: orders.order_id',
    'v: payments.means',
    '*: orders.order_id JOIN, payments.order_id JOIN, orders.ts JOIN, orders.ts WINDOW, payments.ts JOIN, payments.ts WINDOW',
  ),
  of(
    'MATCH_RECOGNIZE: measures by their variables',
    `INSERT INTO t SELECT uid, cur, last_amount FROM orders MATCH_RECOGNIZE (
  PARTITION BY user_id ORDER BY ts
  MEASURES A.user_id AS uid, LAST(B.currency) AS cur, CAST(B.amount + A.off AS DOUBLE) AS last_amount
  ONE ROW PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (A B+) DEFINE A AS A.msg_key = 'x', B AS B.amount > PREV(B.amount))`,
    'id: orders.user_id',
    'v: orders.currency',
    'x: orders.amount TRANSFORMATION, orders.off TRANSFORMATION',
    '*: orders.user_id WINDOW, orders.ts SORT, orders.msg_key FILTER, orders.amount FILTER',
  ),
  of(
    'MATCH_RECOGNIZE: aggregates, the partition key and the time of the match',
    `INSERT INTO t SELECT M.user_id, CAST(M.mt AS STRING), M.s FROM orders MATCH_RECOGNIZE (
  PARTITION BY user_id ORDER BY ts MEASURES MATCH_ROWTIME() AS mt, SUM(B.amount) AS s
  ONE ROW PER MATCH AFTER MATCH SKIP TO NEXT ROW PATTERN (A B{2}) WITHIN INTERVAL '1' HOUR DEFINE B AS B.currency = 'EUR') AS M`,
    'id: orders.user_id',
    'v: orders.ts TRANSFORMATION',
    'x: orders.amount AGGREGATION',
    '*: orders.user_id WINDOW, orders.ts SORT, orders.currency FILTER',
  ),
  of(
    'a vector search joins by what it compares',
    `CREATE TABLE docs (id BIGINT, emb ARRAY<DOUBLE>, txt STRING) WITH ('connector' = 'kafka', 'topic' = 'docs', 'properties.bootstrap.servers' = 'k:9092');
INSERT INTO t SELECT o.order_id, txt, score FROM orders o,
LATERAL TABLE(VECTOR_SEARCH(TABLE docs, DESCRIPTOR(emb), ARRAY[o.address.geo.lat, o.address.geo.lon], 3))`,
    'id: orders.order_id',
    'v: docs.txt',
    'x: docs.emb TRANSFORMATION, orders.address.geo.lat TRANSFORMATION, orders.address.geo.lon TRANSFORMATION',
    '*: docs.emb JOIN, orders.address.geo.lat JOIN, orders.address.geo.lon JOIN',
  ),
  of(
    'a model predicts from its argument',
    `CREATE MODEL m INPUT (a STRING) OUTPUT (label STRING) WITH ('provider' = 'openai');
INSERT INTO u SELECT order_id, label FROM ML_PREDICT(TABLE orders, MODEL m, DESCRIPTOR(currency))`,
    'id: orders.order_id',
    'v: orders.currency TRANSFORMATION',
  ),
];

const sets: readonly ColumnCase[] = [
  of(
    'UNION ALL meets by position',
    'INSERT INTO u SELECT order_id, currency FROM orders WHERE amount > 1 UNION ALL SELECT pay_id, UPPER(means) FROM payments',
    'id: orders.order_id, payments.pay_id',
    'v: orders.currency, payments.means TRANSFORMATION',
    '*: orders.amount FILTER',
  ),
  of(
    'UNION of three, one of them constant',
    "INSERT INTO u SELECT order_id, currency FROM orders UNION SELECT pay_id, means FROM payments UNION SELECT 0, 'none'",
    'id: orders.order_id, payments.pay_id',
    'v: orders.currency, payments.means',
  ),
  of(
    'fields of united rows',
    'INSERT INTO u SELECT id, r.city FROM (SELECT order_id AS id, address AS r FROM orders UNION ALL SELECT id, place FROM nested)',
    'id: orders.order_id, nested.id',
    'v: orders.address.city, nested.place.city',
  ),
  of(
    'INTERSECT',
    'INSERT INTO u SELECT order_id, currency FROM orders INTERSECT SELECT pay_id, means FROM payments',
    'id: orders.order_id, payments.pay_id',
    'v: orders.currency, payments.means',
  ),
  of(
    'EXCEPT only takes rows away',
    'INSERT INTO u SELECT order_id, currency FROM orders EXCEPT SELECT pay_id, means FROM payments WHERE paid > 0',
    'id: orders.order_id',
    'v: orders.currency',
    '*: payments.pay_id FILTER, payments.means FILTER, payments.paid FILTER',
  ),
];

const sinks: readonly ColumnCase[] = [
  of(
    'a column list: the others get NULL',
    'INSERT INTO t (x, id) SELECT amount, order_id FROM orders',
    'id: orders.order_id',
    'v:',
    'x: orders.amount',
  ),
  of(
    'written metadata',
    'INSERT INTO topic SELECT order_id, ts, currency FROM orders',
    'id: orders.order_id',
    'ts: orders.ts',
    'v: orders.currency',
  ),
  of(
    'a static partition is a literal',
    "INSERT INTO parted PARTITION (dt = '2024-01-01') SELECT order_id, currency FROM orders",
    'id: orders.order_id',
    'v: orders.currency',
    'dt:',
  ),
  of(
    'a dynamic one is a column',
    "INSERT OVERWRITE parted SELECT order_id, currency, DATE_FORMAT(ts, 'yyyy') FROM orders",
    'id: orders.order_id',
    'v: orders.currency',
    'dt: orders.ts TRANSFORMATION',
  ),
  of(
    'CREATE TABLE AS',
    `CREATE TABLE made WITH ('connector' = 'doris', 'fenodes' = 'fe:8030', 'table.identifier' = 'dw.made')
AS SELECT order_id AS oid, CHAR_LENGTH(currency) AS n FROM orders WHERE amount > 0`,
    'oid: orders.order_id',
    'n: orders.currency TRANSFORMATION',
    '*: orders.amount FILTER',
  ),
  of(
    'a table that feeds itself',
    'INSERT INTO topic SELECT id, ts, v FROM topic WHERE part = 1',
    'id: topic.id',
    'ts: topic.ts',
    'v: topic.v',
    '*: topic.part FILTER',
  ),
  of(
    'names that need quotes',
    `CREATE TABLE \`数据\` (\`列 1\` BIGINT, \`a.b\` STRING) WITH ('connector' = 'kafka', 'topic' = 'z', 'properties.bootstrap.servers' = 'k:9092');
INSERT INTO u SELECT \`列 1\`, \`a.b\` FROM \`数据\``,
    'id: 数据.列 1',
    'v: 数据.a.b',
  ),
];

const batch: readonly ColumnCase[] = [
  of(
    'UPDATE writes the named columns',
    "UPDATE u SET v = UPPER(v) WHERE id IN (SELECT id FROM users WHERE country = 'DE')",
    'v: u.v TRANSFORMATION',
    '*: u.id FILTER, users.id FILTER, users.country FILTER',
  ),
  of(
    'UPDATE by a sub-query',
    'UPDATE u SET v = (SELECT MAX(name) FROM users WHERE users.id = u.id)',
    'v: users.name AGGREGATION, users.id FILTER, u.id FILTER',
  ),
  of('DELETE writes none', 'DELETE FROM u WHERE id = 3', '*: u.id FILTER'),
  of(
    'ORDER BY a column that is not written',
    'INSERT INTO u SELECT order_id, currency FROM orders ORDER BY amount DESC',
    'id: orders.order_id',
    'v: orders.currency',
    '*: orders.amount SORT',
  ),
  of(
    'a semi join with a group',
    'INSERT INTO u SELECT id, name FROM users WHERE id IN (SELECT user_id FROM orders GROUP BY user_id HAVING SUM(amount) > 9)',
    'id: users.id',
    'v: users.name',
    '*: users.id FILTER, orders.user_id FILTER, orders.user_id GROUP_BY, orders.amount FILTER',
  ),
];

export const columnCases: readonly ColumnCase[] = [
  ...expressions,
  ...filters,
  ...joins,
  ...groups,
  ...sets,
  ...sinks,
  ...batch.map((each) => ({ ...each, mode: 'batch' as const })),
];
