// Counts the moments at which a process leaves a trace outside of itself, and stops the process (SIGKILL) at one of them: each
// commit of something written, just before it is sent or just after it was acknowledged, and each event, just before its
// request begins or just after its answer came. Loaded by test processes only; it listens to the two drivers and to undici.
import diagnostics from 'node:diagnostics_channel';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import pg from 'pg';

export interface Stop {
  /** What is written there: the tables, `database` for their place, or `post`. */
  readonly name: string;
  /** Which of that name, from 1 on. */
  readonly nth: number;
  readonly when: 'before' | 'after';
}

const written =
  /^\s*(?:insert\s+into|update|delete\s+from|create\s+(?:table|index|unique\s+index)(?:\s+if\s+not\s+exists)?|alter\s+table|drop\s+table)\s+["`]?(\w+)/i;
/** The place of the own tables, which has another name in each test. */
const place = /^\s*create\s+(?:schema|database)\b/i;
/** What a connection wrote since its transaction began; no entry outside of a transaction. */
const open = new WeakMap<object, Set<string>>();

interface Point {
  readonly name: string;
  readonly nth: number;
}

/** Begins to count. `report` gets the name of each point. */
export function countPoints(report: (name: string) => void, stop: Stop | undefined): void {
  const counts = new Map<string, number>();
  const die = () => process.kill(process.pid, 'SIGKILL');
  const isStop = ({ name, nth }: Point, when: Stop['when']) => stop?.name === name && stop.nth === nth && stop.when === when;
  const enter = (name: string): Point => {
    const nth = (counts.get(name) ?? 0) + 1;
    counts.set(name, nth);
    report(name);
    const point = { name, nth };
    if (isStop(point, 'before')) die();
    return point;
  };
  const leave = (point: Point) => {
    if (isStop(point, 'after')) die();
  };

  /** The point that a statement on a connection is; undefined when it is none. */
  const pointOf = (connection: object, sql: string): Point | undefined => {
    if (/^\s*(begin|start transaction)\b/i.test(sql)) open.set(connection, new Set());
    const tables = open.get(connection);
    if (/^\s*(commit|rollback)\b/i.test(sql)) {
      open.delete(connection);
      return tables === undefined || tables.size === 0 || /rollback/i.test(sql) ? undefined : enter([...tables].sort().join('+'));
    }
    const table = place.test(sql) ? 'database' : written.exec(sql)?.[1]?.toLowerCase();
    if (table === undefined) return undefined;
    if (tables === undefined) return enter(table);
    tables.add(table);
    return undefined;
  };

  const pgQuery = pg.Client.prototype.query;
  pg.Client.prototype.query = function (this: object, ...args: unknown[]) {
    const text = typeof args[0] === 'string' ? args[0] : ((args[0] as { text?: string } | undefined)?.text ?? '');
    const point = pointOf(this, text);
    const result: unknown = (pgQuery as (...a: unknown[]) => unknown).apply(this, args);
    if (point === undefined || !(result instanceof Promise)) return result;
    return result.then((rows: unknown) => {
      leave(point);
      return rows;
    });
  } as typeof pgQuery;

  // mysql2 gives its class of connections no name to import it by.
  const require = createRequire(import.meta.url);
  const MysqlConnection = require(join(dirname(require.resolve('mysql2')), 'lib', 'base', 'connection.js')) as {
    prototype: { query(...args: unknown[]): unknown };
  };
  const mysqlQuery = MysqlConnection.prototype.query;
  MysqlConnection.prototype.query = function (this: object, ...args: unknown[]) {
    const text = typeof args[0] === 'string' ? args[0] : ((args[0] as { sql?: string } | undefined)?.sql ?? '');
    const point = pointOf(this, text);
    const callback = args.at(-1);
    if (point !== undefined && typeof callback === 'function')
      args[args.length - 1] = (error: unknown, ...rest: unknown[]) => {
        if (!error) leave(point);
        callback(error, ...rest);
      };
    return mysqlQuery.apply(this, args);
  };

  const posts = new WeakMap<object, Point>();
  const request = (message: unknown) => (message as { request: object }).request;
  diagnostics.subscribe('undici:request:create', (message) => void posts.set(request(message), enter('post')));
  diagnostics.subscribe('undici:request:headers', (message) => {
    const point = posts.get(request(message));
    if (point !== undefined) leave(point);
  });
}
