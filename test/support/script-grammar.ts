// Random scripts from a small grammar. Every query has the columns id and v; the generator knows which tables it has put where,
// so it says what the planner must find.

/** A script and, per INSERT, the tables it reads as `table:role`. */
export interface RandomScript {
  readonly sql: string;
  readonly inputs: readonly (readonly string[])[];
}

interface Query {
  readonly sql: string;
  readonly inputs: ReadonlySet<string>;
}

const streams = ['s0', 's1', 's2', 's3'];
const dimensions = ['d0', 'd1'];

const ddl = [
  ...streams.map(
    (name) => `CREATE TABLE ${name} (id BIGINT, v STRING, tags ARRAY<STRING>, proc AS PROCTIME(), ts TIMESTAMP(3), WATERMARK FOR ts AS ts)
  WITH ('connector' = 'kafka', 'topic' = '${name}', 'properties.bootstrap.servers' = 'k:9092')`,
  ),
  ...dimensions.map(
    (name) => `CREATE TEMPORARY TABLE ${name} (id BIGINT, v STRING, PRIMARY KEY (id) NOT ENFORCED)
  WITH ('connector' = 'jdbc', 'url' = 'jdbc:mysql://db:3306/dim', 'table-name' = '${name}')`,
  ),
  "CREATE FUNCTION f AS 'com.acme.F'",
  "CREATE FUNCTION g AS 'com.acme.G'",
];

/** A stream of numbers in [0, 1) that is the same for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Makes the script of a seed. */
export function randomScript(seed: number): RandomScript {
  const random = randomOf(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const views = new Map<string, ReadonlySet<string>>();
  let names = 0;
  const name = (kind: string) => `${kind}${names++}`;
  const both = (a: Query, b: Query) => new Set([...a.inputs, ...b.inputs]);
  const stream = (table: string): Query => ({ sql: table, inputs: new Set([`${table}:scan`]) });

  /** What may stand in FROM. */
  const item = (depth: number): Query => {
    const view = random() < 0.3 ? pick([...views.keys(), undefined]) : undefined;
    if (view !== undefined) return { sql: view, inputs: views.get(view) ?? new Set() };
    if (depth <= 0 || random() < 0.4) return stream(pick(streams));
    const inner = query(depth - 1);
    return { sql: `(${inner.sql})`, inputs: inner.inputs };
  };

  const rules: ((depth: number) => Query)[] = [
    (depth) => {
      const from = item(depth);
      return { sql: `SELECT id, UPPER(v) AS v FROM ${from.sql} WHERE id > 1`, inputs: from.inputs };
    },
    (depth) => {
      const [a, b] = [item(depth), item(depth)];
      const kind = pick(['JOIN', 'LEFT JOIN', 'FULL OUTER JOIN']);
      return { sql: `SELECT a.id, b.v FROM ${a.sql} AS a ${kind} ${b.sql} AS b ON a.id = b.id`, inputs: both(a, b) };
    },
    (depth) => {
      const [a, b] = [query(depth - 1), query(depth - 1)];
      return { sql: `${a.sql} UNION ${pick(['ALL ', ''])}${b.sql}`, inputs: both(a, b) };
    },
    (depth) => {
      const from = item(depth);
      return { sql: `SELECT id, MAX(v) AS v FROM ${from.sql} GROUP BY id`, inputs: from.inputs };
    },
    () => {
      const [table, dimension] = [pick(streams), pick(dimensions)];
      const sql = `SELECT o.id, d.v FROM ${table} AS o LEFT JOIN ${dimension} FOR SYSTEM_TIME AS OF o.proc AS d ON o.id = d.id`;
      return { sql, inputs: new Set([`${table}:scan`, `${dimension}:lookup`]) };
    },
    (depth) => {
      const [a, b] = [item(depth), item(depth - 1)];
      return { sql: `SELECT id, v FROM ${a.sql} WHERE id ${pick(['IN', 'NOT IN'])} (SELECT id FROM ${b.sql})`, inputs: both(a, b) };
    },
    (depth) => {
      const [a, b] = [item(depth), item(depth - 1)];
      const alias = name('x');
      const sql = `SELECT id, v FROM ${a.sql} AS ${alias} WHERE EXISTS (SELECT 1 FROM ${b.sql} AS y WHERE y.id = ${alias}.id)`;
      return { sql, inputs: both(a, b) };
    },
    () => {
      const table = pick(streams);
      const window = pick([
        "TUMBLE(TABLE $, DESCRIPTOR(ts), INTERVAL '1' MINUTE)",
        "HOP(TABLE $, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '5' MINUTE)",
      ]);
      const sql = `SELECT id, MAX(v) AS v FROM TABLE(${window.replace('$', table)}) GROUP BY id, window_start, window_end`;
      return { sql, inputs: new Set([`${table}:scan`]) };
    },
    (depth) => {
      const from = item(depth);
      const ranked = `SELECT id, v, ROW_NUMBER() OVER (PARTITION BY v ORDER BY id DESC) AS rn FROM ${from.sql}`;
      return { sql: `SELECT id, v FROM (${ranked}) WHERE rn <= 3`, inputs: from.inputs };
    },
    () => {
      const table = pick(streams);
      return { sql: `SELECT id, tag AS v FROM ${table} CROSS JOIN UNNEST(tags) AS u (tag)`, inputs: new Set([`${table}:scan`]) };
    },
    () => {
      const table = pick(streams);
      const sql = `SELECT ${table}.id, r.w AS v FROM ${table}, LATERAL TABLE(g(v)) AS r(w)`;
      return { sql, inputs: new Set([`${table}:scan`]) };
    },
    (depth) => {
      const from = item(depth);
      return { sql: `SELECT id, CASE WHEN id > 3 THEN f(v) ELSE v END AS v FROM ${from.sql}`, inputs: from.inputs };
    },
    (depth) => {
      const [a, b] = [query(depth - 1), item(depth - 1)];
      const common = name('c');
      return {
        sql: `SELECT id, v FROM (WITH ${common} AS (${a.sql}) SELECT p.id, q.v FROM ${common} AS p JOIN ${b.sql} AS q ON p.id = q.id)`,
        inputs: both(a, b),
      };
    },
    () => {
      const [a, b] = [pick(streams), pick(streams)];
      const sql = `SELECT a.id, b.v FROM ${a} AS a, ${b} AS b WHERE a.id = b.id AND b.ts BETWEEN a.ts AND a.ts + INTERVAL '1' HOUR`;
      return { sql, inputs: new Set([`${a}:scan`, `${b}:scan`]) };
    },
  ];

  function query(depth: number): Query {
    return pick(rules)(depth);
  }

  const statements = [...ddl];
  for (let i = Math.floor(random() * 3); i > 0; i--) {
    const { sql, inputs } = query(1);
    const view = name('v');
    statements.push(`CREATE ${pick(['', 'TEMPORARY '])}VIEW ${view} AS ${sql}`);
    views.set(view, inputs);
  }
  const inputs: string[][] = [];
  for (let i = 1 + Math.floor(random() * 2); i > 0; i--) {
    const made = query(2);
    const sink = name('t');
    statements.push(
      `CREATE TABLE ${sink} (id BIGINT, v STRING) WITH ('connector' = 'doris', 'fenodes' = 'fe:8030', 'table.identifier' = 'dw.${sink}')`,
      `INSERT INTO ${sink} ${made.sql}`,
    );
    inputs.push([...made.inputs].sort());
  }
  return { sql: `${statements.join(';\n')};\n`, inputs };
}
