// Joins of every kind, lookups, and functions in FROM.
import { type ColumnCase, of } from './case.ts';

export const joins: readonly ColumnCase[] = [
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
