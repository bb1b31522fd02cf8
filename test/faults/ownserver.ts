// A database server of a test's own, on a port of its own, in a temporary folder: one that may be stopped, filled up and misconfigured.
import { execFileSync, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { describe, type SuiteAPI } from 'vitest';
import type { Family, TestDatabase } from '../support/streampark.ts';
import { until } from '../support/until.ts';

export interface OwnServer {
  readonly family: Family;
  readonly port: number;
  /** Of the administrator, with this database. */
  url(database: string, user?: string, password?: string): string;
  /** As administrator. */
  query(sql: string, database?: string): Promise<Record<string, unknown>[]>;
  /** An empty database, for `smallSchema`. */
  database(name: string): Promise<TestDatabase>;
  start(): Promise<void>;
  stop(signal?: NodeJS.Signals): Promise<void>;
  close(): Promise<void>;
}

const programs: Readonly<Record<Family, { readonly install: string; readonly server: string; readonly user: string }>> = {
  mysql: { install: 'mariadb-install-db', server: 'mariadbd', user: 'mysql' },
  postgres: { install: 'initdb', server: 'postgres', user: 'postgres' },
};

/** `describe` for suites that start a server; without its programs they are skipped (in CI that is a failure). */
export function requirePrograms(family: Family): SuiteAPI | SuiteAPI['skip'] {
  const { install, server } = programs[family];
  try {
    for (const program of [install, server]) execFileSync('which', [program], { stdio: 'ignore' });
    return describe;
  } catch (cause) {
    if (process.env['CI'] === 'true') throw new Error(`${install} or ${server} is missing; CI must have them`, { cause });
    process.stderr.write(`not tested: everything here that needs ${install} and ${server}\n`);
    return describe.skip;
  }
}

/** Makes and starts one; the user `guest` needs a password there. @param settings names and values, in turn
@param folder for its data; default: a temporary one */
export async function ownServer(
  family: Family,
  settings: readonly string[] = [],
  folder = mkdtempSync(join(tmpdir(), 'spl-server-')),
): Promise<OwnServer> {
  const { user, server } = programs[family];
  const data = join(folder, 'data');
  mkdirSync(data, { recursive: true });
  const as = identity(user);
  if (as !== undefined) for (const path of [folder, data]) chownSync(path, as.uid, as.gid);
  const run: SpawnOptions = { cwd: folder, stdio: 'ignore', ...as };
  const port = await freePort();
  const small = ['--innodb-buffer-pool-size=16M', '--innodb-log-file-size=4M'];
  if (family === 'postgres')
    execFileSync('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', '-E', 'UTF8'], { ...run, stdio: 'ignore' });
  if (family === 'postgres') {
    const rules = join(data, 'pg_hba.conf');
    writeFileSync(rules, `host all guest 127.0.0.1/32 scram-sha-256\n${readFileSync(rules, 'utf8')}`);
  } else
    execFileSync('mariadb-install-db', [`--datadir=${data}`, '--auth-root-authentication-method=normal', '--skip-test-db', ...small], {
      ...run,
      stdio: 'ignore',
    });

  const fixed =
    family === 'postgres'
      ? ['-D', data, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=${folder}`, '-c', 'fsync=off']
      : [
          ...['--no-defaults', `--datadir=${data}`, `--port=${port}`, '--bind-address=127.0.0.1', `--socket=${join(folder, 's')}`],
          ...small,
          // What was committed is handed to the system: it outlives a server that is killed, as fsync=off does.
          '--innodb-flush-log-at-trx-commit=2',
        ];
  for (let i = 0; i + 1 < settings.length; i += 2)
    fixed.push(...(family === 'postgres' ? ['-c', `${settings[i]}=${settings[i + 1]}`] : [`--${settings[i]}=${settings[i + 1]}`]));
  let running: ReturnType<typeof spawn> | undefined;
  const url = (database: string, name = family === 'postgres' ? 'postgres' : 'root', password = '') =>
    `${family}://${name}${password === '' ? '' : `:${password}`}@127.0.0.1:${port}/${database}`;

  const made: OwnServer = {
    family,
    port,
    url,
    async query(sql, database = family === 'postgres' ? 'postgres' : '') {
      if (family === 'mysql') {
        const connection = await mysql.createConnection({ uri: url(database), multipleStatements: true, dateStrings: true });
        const [rows] = await connection.query(sql).finally(() => connection.end());
        return Array.isArray(rows) ? (rows as Record<string, unknown>[]) : [];
      }
      const client = new pg.Client({ connectionString: url(database) });
      client.on('error', () => undefined);
      await client.connect();
      const result = await client.query(sql).finally(() => client.end());
      return Array.isArray(result) ? [] : result.rows;
    },
    async database(name) {
      await made.query(`create database ${name}`);
      return { family, name, url: url(name), query: (sql) => made.query(sql, name), drop: async () => undefined };
    },
    async start() {
      running = spawn(server, fixed, run);
      await until(
        `${server} on ${port}`,
        () =>
          made.query('select 1').then(
            () => true,
            () => false,
          ),
        60_000,
      );
    },
    async stop(signal = family === 'postgres' ? 'SIGINT' : 'SIGTERM') {
      const stopping = running;
      running = undefined;
      if (stopping === undefined || stopping.exitCode !== null || stopping.signalCode !== null) return;
      const ended = once(stopping, 'exit');
      stopping.kill(signal);
      await ended;
    },
    async close() {
      await made.stop('SIGKILL');
      // PostgreSQL's other processes notice within a moment.
      await until('the folder is free', () => {
        try {
          rmSync(folder, { recursive: true, force: true });
          return true;
        } catch {
          return false;
        }
      });
    },
  };
  await made.start();
  return made;
}

/** Servers refuse to be run by root. */
function identity(user: string): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
