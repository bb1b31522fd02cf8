// A backfill of applications with three earlier runs and one that is alive: time, memory and events, for growing numbers of
// applications. The backfill is the built program as it is run; the database is written in bulk before. Beside it stands what the
// scripts would cost with a JVM for each, as measured on a few.
// Run: npx tsx bench/backfill.ts [mysql|postgres] [applications…]. Linux only: it reads /proc.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ownTablesOf } from '../test/support/daemon.ts';
import { startLineageReceiver } from '../test/support/lineage-receiver.ts';
import { encoded, jobId, openSmallConsole } from '../test/support/smallconsole.ts';
import { childrenOf, memoryOf, printTable } from './figures.ts';
import { alone } from './planning.ts';
import { small } from './scripts.ts';

const family = (process.argv[2] ?? 'mysql') as 'mysql' | 'postgres';
const sizes = process.argv.length > 3 ? process.argv.slice(3).map(Number) : [1_250, 2_500, 5_000, 10_000];
const scripts = 500;
const earlier = 3;
const program = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const time = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
const day = 86_400_000;
const began = Math.floor(Date.now() / day) * day - 10 * day;

async function one(applications: number): Promise<string[]> {
  const desk = await openSmallConsole(family, { now: began });
  const receiver = await startLineageReceiver();
  const own = ownTablesOf(desk.database);
  const yes = family === 'mysql' ? '1' : 'true';
  const texts = Array.from({ length: scripts }, (_, n) => encoded(small(n)));
  const bulk = async (into: string, rows: readonly string[]) => {
    for (let i = 0; i < rows.length; i += 500) await desk.database.query(`insert into ${into} values ${rows.slice(i, i + 500).join(',')}`);
  };
  try {
    const ids = Array.from({ length: applications }, (_, n) => 100_001 + n);
    await bulk(
      't_flink_app (id, team_id, user_id, job_type, deploy_mode, job_name, job_id, state, tracking, option_state, restart_count, create_time, option_time, start_time, lineage_enable)',
      ids.map((id) => {
        const started = began + earlier * day;
        return `(${id}, 100000, 100000, 2, 1, 'application ${id}', '${jobId(id)}', 5, 1, 0, 0, '${time(began - day)}', '${time(started)}', '${time(started + 10_000)}', ${yes})`;
      }),
    );
    await bulk(
      't_app_log (app_id, job_type, success, option_name, create_time)',
      Array.from({ length: earlier + 1 }, (_, run) => ids.map((id) => `(${id}, 1, ${yes}, 1, '${time(began + run * day)}')`)).flat(),
    );
    const quoted = family === 'mysql' ? '`sql`' : '"sql"';
    await bulk(
      `t_flink_sql (id, app_id, ${quoted}, version, candidate, create_time)`,
      ids.map((id) => `(${id}, ${id}, '${texts[id % scripts]}', 1, 0, '${time(began - day)}')`),
    );
    await bulk(
      't_flink_effective (app_id, target_type, target_id)',
      ids.map((id) => `(${id}, 2, ${id})`),
    );
    const index = (table: string) => desk.database.query(`create index ${table}_app on ${table} (app_id)`);
    await index('t_flink_effective');

    const env = {
      SOURCE_URL: desk.database.url,
      SOURCE_TIMEZONE: 'UTC',
      STATE_SCHEMA: own.schema,
      LOG_LEVEL: 'error',
      GRAVITINO_ADDRESS: receiver.url,
    };
    const start = performance.now();
    const child = spawn(process.execPath, [program, 'backfill', '--json'], {
      env: { ...process.env, ...Object.fromEntries(Object.entries(env).map(([name, value]) => [`STREAMPARK_LINEAGE_${name}`, value])) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    let [self, planner] = [0, 0];
    const watch = setInterval(() => {
      try {
        self = memoryOf(child.pid as number).peak;
        const [worker] = childrenOf(child.pid as number);
        if (worker !== undefined) planner = memoryOf(worker).peak;
      } catch {
        // it has just ended
      }
    }, 200);
    await new Promise((resolve) => child.once('close', resolve));
    clearInterval(watch);
    const seconds = (performance.now() - start) / 1000;
    const report = JSON.parse(out) as { runs: number; events: number; delivery: string };
    const each = ((seconds * 1000) / applications).toFixed(1);
    const rate = (applications / seconds).toFixed(0);
    return [
      applications,
      report.runs,
      report.events,
      seconds.toFixed(1),
      each,
      rate,
      self.toFixed(0),
      planner.toFixed(0),
      report.delivery,
    ].map(String);
  } finally {
    await receiver.close();
    await own.drop();
    await desk.drop();
  }
}

const rows: string[][] = [];
for (const applications of sizes) {
  rows.push(await one(applications));
  console.error(rows.at(-1)?.join(' '));
}
console.log(`${family}, ${scripts} distinct scripts, ${earlier} earlier runs and one alive each`);
printTable(['applications', 'runs', 'events', 's', 'ms each', 'applications/s', 'backfill MB', 'planner MB', ''], rows);

const measured = 5;
let [total, peak] = [0, 0];
for (let n = 0; n < measured; n += 1) {
  const cost = await alone(small(n), 1);
  total += cost.ms / 1000 / measured;
  peak = Math.max(peak, cost.peak);
}
const largest = Math.max(...sizes);
console.log();
console.log(
  `a JVM for each script: ${total.toFixed(1)} s and ${peak.toFixed(0)} MB each (${measured} measured), which makes ${(total * scripts).toFixed(0)} s for ${scripts} scripts that are remembered and ${(total * largest).toFixed(0)} s for ${largest} that are not`,
);
