// Set operations, forms of the sink, and what only batch mode has.
import { type ColumnCase, of } from './case.ts';

export const sets: readonly ColumnCase[] = [
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
    '*: orders.order_id GROUP_BY, payments.pay_id GROUP_BY, orders.currency GROUP_BY, payments.means GROUP_BY',
  ),
  of(
    'UNION ALL over a UNION: only that one compares rows',
    'INSERT INTO u SELECT order_id, currency FROM orders UNION ALL (SELECT pay_id, means FROM payments UNION SELECT pay_id, means FROM payments)',
    'id: orders.order_id, payments.pay_id',
    'v: orders.currency, payments.means',
    '*: payments.pay_id GROUP_BY, payments.means GROUP_BY',
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
    '*: orders.order_id GROUP_BY, payments.pay_id GROUP_BY, orders.currency GROUP_BY, payments.means GROUP_BY',
  ),
  of(
    'EXCEPT only takes rows away',
    'INSERT INTO u SELECT order_id, currency FROM orders EXCEPT SELECT pay_id, means FROM payments WHERE paid > 0',
    'id: orders.order_id',
    'v: orders.currency',
    '*: orders.order_id GROUP_BY, orders.currency GROUP_BY, payments.pay_id FILTER, payments.means FILTER, payments.paid FILTER',
  ),
];

export const sinks: readonly ColumnCase[] = [
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

export const batch: readonly ColumnCase[] = [
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
