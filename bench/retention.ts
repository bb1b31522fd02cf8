// The own tables under a year of simulated traffic: the real daemon on a real database, whose clock goes some days further at each round. Every
// application runs once a round; its script has another text each seventh. Rows and size are printed for each month: they must not grow with time.
// Run: npx tsx bench/retention.ts [mysql|postgres] [days] [applications] [days a round]
import { ownTablesOf, startTestDaemon, warmPlanner } from '../test/support/daemon.ts';
import { startLineageReceiver } from '../test/support/lineage-receiver.ts';
import { jobId, openSmallConsole } from '../test/support/smallconsole.ts';
import { printTable } from './figures.ts';
import { small } from './scripts.ts';

const family = (process.argv[2] ?? 'mysql') as 'mysql' | 'postgres';
const days = Number(process.argv[3] ?? 365);
const applications = Number(process.argv[4] ?? 5);
const every = Number(process.argv[5] ?? 1);
const day = 86_400_000;
const tables = ['outbox', 'run', 'plan_cache', 'checkpoint'];

// Ahead of the real clock it never is: see `settledNow`.
const clock = { now: Math.floor(Date.now() / day) * day - (days + 2 * every) * day };
const desk = await openSmallConsole(family, clock);
const receiver = await startLineageReceiver();
const own = ownTablesOf(desk.database);
const planner = await warmPlanner();
const daemon = startTestDaemon({
  database: desk.database,
  schema: own.schema,
  planner,
  now: () => clock.now,
  env: { GRAVITINO_ADDRESS: receiver.url, SOURCE_TIMEZONE: 'UTC', LOG_LEVEL: 'error' },
});

/** A lane dates what it settles by the real clock; here it was settled now. */
const settledNow = () => own.query(`update own.outbox set settled_at = ${clock.now} where settled_at > ${clock.now}`);

const time = () => new Date(clock.now).toISOString().slice(0, 19).replace('T', ' ');
const ids = Array.from({ length: applications }, (_, n) => n + 1);

/** All start, and their jobs run. */
async function started(n: number): Promise<void> {
  const yes = family === 'mysql' ? '1' : 'true';
  const of = (id: number) => [
    `update t_flink_app set state = 5, tracking = 1, option_time = '${time()}', start_time = '${time()}', end_time = null, job_id = '${jobId(id * 100_000 + n)}' where id = ${id}`,
    `insert into t_app_log (app_id, job_type, success, option_name, create_time) values (${id}, 1, ${yes}, 1, '${time()}')`,
  ];
  await desk.database.query(['begin', ...ids.flatMap(of), 'commit'].join(';\n'));
}

/** What autovacuum does, which looks once a minute of the time that is left out here. */
const vacuumed = async () => {
  if (family === 'postgres') for (const table of tables) await own.query(`vacuum own.${table}`);
};

async function sizes(): Promise<number[]> {
  const found: number[] = [];
  for (const table of tables) found.push(Number((await own.query(`select count(*) as n from own.${table}`))[0]?.['n']));
  if (family === 'mysql') await own.query(`analyze table ${tables.map((table) => `own.${table}`).join(', ')}`);
  const [bytes] = await own.query(
    family === 'mysql'
      ? `select sum(data_length + index_length) as n from information_schema.tables where table_schema = '${own.schema}'`
      : `select sum(pg_total_relation_size(c.oid)) as n from pg_class c join pg_namespace s on s.oid = c.relnamespace where s.nspname = '${own.schema}' and c.relkind = 'r'`,
  );
  return [...found, Number(bytes?.['n']) / 1e6];
}

const rows: string[][] = [];
let events = 0;
const began = performance.now();
try {
  for (const id of ids) await desk.app({ id, name: `application ${id}`, script: small(id) });
  await daemon.step();
  const rounds = Math.ceil(days / every);
  const month = Math.max(1, Math.round(30 / every));
  for (let n = 0; n < rounds; n += 1) {
    if (n % 7 === 6) for (const id of ids) await desk.script(id, small(id + n * applications), n + 1, true);
    await started(n);
    clock.now += 1_000;
    await daemon.step();
    clock.now += day / 3;
    await desk.database.query(`update t_flink_app set state = 10, tracking = 0, end_time = '${time()}'`);
    await daemon.step();
    await settledNow();
    await vacuumed();
    clock.now += every * day - day / 3 - 1_000;
    await daemon.step();
    events += receiver.requests.length;
    receiver.clear();
    if ((n + 1) % month !== 0 && n !== rounds - 1) continue;
    const [outbox, run, plans, checkpoints, megabytes] = await sizes();
    const numbers = [(n + 1) * every, (n + 1) * applications, events, outbox, run, plans, checkpoints].map(String);
    rows.push([...numbers, (megabytes ?? 0).toFixed(1)]);
    console.error(rows.at(-1)?.join(' '));
  }
} finally {
  await daemon.close();
  await planner.stop();
  await receiver.close();
  await own.drop();
  await desk.drop();
}
console.log(`${family}, ${applications} applications, a run each every ${every} days; ${Math.round((performance.now() - began) / 1000)} s`);
printTable(['days', 'runs', 'events delivered', 'outbox rows', 'run rows', 'plans', 'checkpoints', 'MB'], rows);
