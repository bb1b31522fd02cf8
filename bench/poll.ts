// Cost of one poll of 10,000 opted-in applications with no change: time until it is answered, CPU of the database's own
// thread (read from /proc, so on Linux with a local server only) and CPU of this process.
// Run: npx tsx bench/poll.ts [applications]
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';

import { openSource, pollMemory, type Source } from '../src/watch/watch.ts';
import { createDatabase, type Family, smallSchema } from '../test/support/streampark.ts';

const applications = Number(process.argv[2] ?? 10_000);
const polls = 60;

const percentile = (values: readonly number[], p: number): string => {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * p) / 100))] ?? 0).toFixed(1);
};

/** File with the CPU time (ns, first number) of the server thread behind the source's connection; null where it cannot be read. */
async function threadOf(source: Source, family: Family): Promise<string | null> {
  const query =
    family === 'mysql'
      ? sql<{ tid: number }>`select tid as tid from information_schema.processlist where id = connection_id()`
      : sql<{ tid: number }>`select pg_backend_pid() as tid`;
  try {
    const tid = Number((await query.execute(source.database.db)).rows[0]?.tid);
    const server = family === 'mysql' ? execFileSync('pidof', ['mariadbd', 'mysqld'], { encoding: 'utf8' }).split(/\s+/)[0] : tid;
    const file = `/proc/${server}/task/${tid}/schedstat`;
    readFileSync(file);
    return file;
  } catch {
    return null;
  }
}

const cpuOf = (file: string | null): number => (file === null ? Number.NaN : Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6);

async function bench(family: Family): Promise<void> {
  const database = await createDatabase(family);
  try {
    await database.query(smallSchema(family));
    const yes = family === 'mysql' ? '1' : 'true';
    for (let from = 0; from < applications; from += 1000) {
      const rows = Array.from({ length: Math.min(1000, applications - from) }, (_, i) => {
        const n = from + i;
        const job = n.toString(16).padStart(32, '0');
        return `(${100_000 + n}, 100000, 2, 1, 'application number ${n}', 100000, ${n}, '${job}', 100000, 5, 0, 0, 1, '2026-01-01 10:00:00',
          '2026-01-02 10:00:00', 0, '2026-01-02 10:00:10', 100000, ${yes})`;
      });
      await database.query(`insert into t_flink_app (id, team_id, job_type, deploy_mode, job_name, user_id, duration, job_id, version_id, state,
        restart_count, option_state, tracking, create_time, option_time, ${family === 'mysql' ? '`release`' : '"release"'}, start_time,
        flink_cluster_id, lineage_enable) values ${rows.join(',')}`);
      const logs = rows.map((_, i) => `(${100_000 + from + i}, 1, ${yes}, '2026-01-02 10:00:00', 1)`);
      await database.query(`insert into t_app_log (app_id, job_type, success, create_time, option_name) values ${logs.join(',')}`);
    }
    await database.query(family === 'mysql' ? 'analyze table t_flink_app, t_app_log' : 'analyze');
    const source = openSource({ source: { url: database.url, schema: 'public' }, optIn: 'column' });
    let memory = (await source.pollOnce(pollMemory(), new Set())).memory;
    const wall: number[] = [];
    const cpu: number[] = [];
    const server: number[] = [];
    const thread = await threadOf(source, family);
    for (let i = 0; i < polls; i++) {
      const serverBefore = cpuOf(thread);
      const before = process.cpuUsage();
      const start = performance.now();
      memory = (await source.pollOnce({ ...memory, checkedAt: memory.polledAt ?? 0 }, new Set())).memory;
      wall.push(performance.now() - start);
      const used = process.cpuUsage(before);
      cpu.push((used.user + used.system) / 1000);
      server.push(cpuOf(thread) - serverBefore);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const full: number[] = [];
    for (let i = 0; i < 5; i++) {
      const start = performance.now();
      memory = (await source.pollOnce({ ...memory, checkedAt: 0 }, new Set())).memory;
      full.push(performance.now() - start);
    }
    console.log(
      `${family}: ${applications} applications, unchanged: ${percentile(wall, 50)} ms p50, ${percentile(wall, 95)} ms p95 until answered; ` +
        `CPU of the server thread ${percentile(server, 50)} ms p50, ${percentile(server, 95)} ms p95; CPU of this process ${percentile(cpu, 50)} ms p50, ${percentile(cpu, 95)} ms p95; full read ${percentile(full, 50)} ms`,
    );
    await source.close();
  } finally {
    await database.drop();
  }
}

await bench('mysql');
await bench('postgres');
