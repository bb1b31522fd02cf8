// What decides which rows there are: conditions, sub-queries, order.
import { type ColumnCase, of } from './case.ts';

export const filters: readonly ColumnCase[] = [
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

export const pruned: readonly ColumnCase[] = [
  of(
    'a branch without rows',
    'INSERT INTO u SELECT order_id, currency FROM orders UNION ALL SELECT off, msg_key FROM orders WHERE FALSE',
    'id: orders.order_id',
    'v: orders.currency',
  ),
];
