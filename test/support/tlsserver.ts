// Database servers of their own that speak TLS, in a temporary folder and on a free port; stopped and removed afterwards.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Issued } from './authority.ts';
import type { TestFamily } from './databases.ts';
import { until } from './until.ts';

export interface TlsServer {
  readonly port: number;
  /** Runs statements as the administrator, through the server's own client and its socket. */
  run(sql: string): void;
  /** Shows another certificate from now on. */
  present(certificate: Issued): void;
  stop(): Promise<void>;
}

const programs: Readonly<Record<TestFamily, readonly string[]>> = {
  mysql: ['/usr/sbin/mariadbd'],
  postgres: [17, 16, 15, 14, 13].map((version) => `/usr/lib/postgresql/${version}/bin/postgres`),
};

/** The server's program; undefined where it is not installed (in CI that is a failure). */
export function serverProgram(family: TestFamily): string | undefined {
  const found = programs[family].find((path) => existsSync(path));
  if (found === undefined && process.env['CI'] === 'true') throw new Error(`no ${family} server is installed; CI must have one`);
  return found;
}

/** Starts a server with a certificate; clients' certificates are checked against `clientCa`. */
export async function startTlsServer(family: TestFamily, program: string, own: Issued, clientCa: string): Promise<TlsServer> {
  const folder = mkdtempSync(join(tmpdir(), 'spl-tls-'));
  const user = process.getuid?.() === 0 ? (family === 'mysql' ? 'mysql' : 'postgres') : undefined;
  const files = join(folder, 'tls');
  mkdirSync(files);
  const install = ({ cert, key }: Issued) => {
    for (const [name, from] of Object.entries({ 'cert.pem': cert, 'key.pem': key, 'ca.pem': clientCa })) {
      copyFileSync(from, join(files, name));
      chmodSync(join(files, name), 0o600);
    }
    if (user !== undefined) execFileSync('chown', ['-R', user, files, folder]);
  };
  install(own);
  const as = (command: string, args: readonly string[]): [string, string[]] =>
    user === undefined ? [command, [...args]] : ['setpriv', [`--reuid=${user}`, `--regid=${user}`, '--clear-groups', command, ...args]];
  const port = await freePort();
  const server = (family === 'mysql' ? mariadb : postgres)({ program, folder, files, port, as });
  const log: string[] = [];
  const child: ChildProcess = spawn(...as(program, server.args), { stdio: ['ignore', 'pipe', 'pipe'], cwd: folder });
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text: string) => log.push(text));
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  await until(
    `the ${family} server`,
    () => {
      if (child.exitCode !== null) throw new Error(`ended: ${log.join('').slice(-2_000)}`);
      return server.ready.test(log.join(''));
    },
    60_000,
  );
  const run = (sql: string) => void execFileSync(...server.client, { input: sql, stdio: ['pipe', 'ignore', 'inherit'] });
  return {
    port,
    run,
    present(certificate) {
      install(certificate);
      run(family === 'mysql' ? 'flush ssl;' : 'select pg_reload_conf();');
    },
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Place {
  readonly program: string;
  readonly folder: string;
  readonly files: string;
  readonly port: number;
  as(command: string, args: readonly string[]): [string, string[]];
}
interface Prepared {
  readonly args: readonly string[];
  readonly ready: RegExp;
  readonly client: [string, string[]];
}

function mariadb({ folder, files, port, as }: Place): Prepared {
  const data = join(folder, 'data');
  const socket = join(folder, 's');
  execFileSync(
    ...as('mariadb-install-db', [`--datadir=${data}`, '--no-defaults', '--auth-root-authentication-method=normal', '--skip-test-db']),
    { stdio: 'ignore' },
  );
  const tls = [`--ssl-cert=${files}/cert.pem`, `--ssl-key=${files}/key.pem`, `--ssl-ca=${files}/ca.pem`];
  const small = ['--innodb-buffer-pool-size=16M', '--performance-schema=OFF', '--skip-log-bin'];
  return {
    args: ['--no-defaults', `--datadir=${data}`, `--socket=${socket}`, `--port=${port}`, '--bind-address=127.0.0.1', ...tls, ...small],
    ready: /ready for connections/,
    client: ['mariadb', ['--no-defaults', `--socket=${socket}`, '-uroot']],
  };
}

function postgres({ program, folder, files, port, as }: Place): Prepared {
  const data = join(folder, 'data');
  execFileSync(...as(program.replace(/postgres$/, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-N']), { stdio: 'ignore' });
  // `cert` users come with a certificate only; nobody comes in without TLS.
  writeFileSync(
    join(data, 'pg_hba.conf'),
    'local all all trust\nhostssl all certified 127.0.0.1/32 scram-sha-256 clientcert=verify-ca\nhostssl all all 127.0.0.1/32 scram-sha-256\n',
  );
  if (process.getuid?.() === 0) {
    const owner = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((line) => line.startsWith('postgres:'))
      ?.split(':');
    chownSync(join(data, 'pg_hba.conf'), Number(owner?.[2]), Number(owner?.[3]));
  }
  const tls = { ssl: 'on', ssl_cert_file: `${files}/cert.pem`, ssl_key_file: `${files}/key.pem`, ssl_ca_file: `${files}/ca.pem` };
  const rest = { port, listen_addresses: '127.0.0.1', unix_socket_directories: folder, shared_buffers: '16MB', fsync: 'off' };
  return {
    args: ['-D', data, ...Object.entries({ ...tls, ...rest }).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    ready: /ready to accept connections/,
    client: ['psql', ['-h', folder, '-p', String(port), '-U', 'postgres', '-v', 'ON_ERROR_STOP=1', '-q', 'postgres']],
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
