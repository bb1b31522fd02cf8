// Aggregates, windows, patterns and models.
import { type ColumnCase, of } from './case.ts';

export const groups: readonly ColumnCase[] = [
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
