import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryRoot } from '../support/shared.ts';

const { name, version } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as Record<'name' | 'version', string>;
const empty = mkdtempSync(join(tmpdir(), 'spl-package-'));
const app = join(empty, `${name}-${version}`);

/** Linux, as root: a namespace whose only network is the loopback of its own. */
const isolated = ['unshare', '-n', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'] as const;
const canIsolate = spawnSync(isolated[0], [...isolated.slice(1), 'true']).status === 0;
if (!canIsolate) process.stderr.write('not tested: that the package needs no network (unshare -n is not permitted here)\n');

/** The program as unpacked, without network and without the environment of the test but for what finds Java. */
function run(args: readonly string[], input = '') {
  const command = [...(canIsolate ? isolated : []), process.execPath, join(app, 'dist', 'main.js'), ...args];
  const { PATH = '', JAVA_HOME } = process.env;
  const env = { PATH, ...(JAVA_HOME === undefined ? {} : { JAVA_HOME }) };
  const { status, stdout, stderr } = spawnSync(command[0] as string, command.slice(1), { cwd: empty, env, input, encoding: 'utf8' });
  return { status, stdout, stderr };
}

const dockerfile = readFileSync(join(repositoryRoot, 'Dockerfile'), 'utf8');
const files = (folder: string) => readdirSync(join(app, folder), { recursive: true, encoding: 'utf8' });

const script = `
CREATE TABLE orders (id BIGINT, amount DECIMAL(10, 2)) WITH ('connector' = 'kafka', 'topic' = 'orders', 'properties.bootstrap.servers' = 'k1:9092');
CREATE TABLE big (id BIGINT, amount DECIMAL(10, 2)) WITH ('connector' = 'jdbc', 'url' = 'jdbc:postgresql://pg:5432/shop', 'table-name' = 'public.big');
INSERT INTO big SELECT id, amount FROM orders WHERE amount > 100;`;

beforeAll(() => {
  const made = spawnSync('npm', ['run', 'package'], { cwd: repositoryRoot, encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`npm run package failed:\n${made.stdout}\n${made.stderr}`);
  const tarball = join(repositoryRoot, 'build', `${name}-${version}.tgz`);
  const unpacked = spawnSync('tar', ['-xzf', tarball, '-C', empty], { encoding: 'utf8' });
  if (unpacked.status !== 0) throw new Error(unpacked.stderr);
}, 600_000);
afterAll(() => rmSync(empty, { recursive: true, force: true }));

describe('the tarball', () => {
  it('is one folder with what the program needs', () => {
    expect(readdirSync(empty)).toEqual([`${name}-${version}`]);
    expect(readdirSync(app).sort()).toEqual(
      [
        ...['build', 'dist', 'docs', 'examples', 'node_modules', 'ops', 'planner', 'schemas', 'sql'],
        ...['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'],
      ].sort(),
    );
    expect(readdirSync(join(app, 'build'))).toEqual([expect.stringMatching(/^pglite-.*\.tgz$/)]);
  });

  it('has the worker and 25 jars of the planner, and nothing that fits one machine only', () => {
    const jars = readdirSync(join(app, 'planner', 'lib')).sort();
    expect(jars.filter((jar) => !jar.endsWith('.jar'))).toEqual([]);
    expect(jars).toHaveLength(26);
    expect(jars).toContain('worker.jar');
    expect(jars.filter((jar) => jar.startsWith('flink-')).length).toBeGreaterThanOrEqual(15);
    expect(jars.filter((jar) => /connector-(?!datagen)|junit|test/.test(jar))).toEqual([]);
    expect(readdirSync(join(app, 'planner'))).toEqual(['lib']);
  });

  it('has no files of the development', () => {
    const packages = readdirSync(join(app, 'node_modules'));
    for (const tool of ['typescript', '@typescript', '@biomejs', 'vitest', 'vite', 'tsx', 'esbuild', 'fast-check']) {
      expect(packages).not.toContain(tool);
    }
    // the types of an extension are for its author
    const types = files('.').filter((file) => /\.(ts|mts|cts|map|java)$/.test(file));
    expect(types.filter((file) => !/^dist\/.+\.d\.ts$/.test(file))).toEqual([]);
    expect(types).toContain('dist/extension/contract.d.ts');
    const manifest = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8')) as Record<string, unknown>;
    expect(manifest).toMatchObject({ name, version, type: 'module' });
    expect(manifest).not.toHaveProperty('devDependencies');
    expect(manifest).not.toHaveProperty('scripts');
  });
});

describe('the program, unpacked, with Node and Java only', () => {
  it('teaches', () => {
    expect(run(['--version'])).toMatchObject({ status: 0, stdout: `${version}\n` });
    const help = run(['--help']);
    expect(help.status).toBe(0);
    expect(help.stdout).toContain('First steps:');
    expect(help.stdout).toContain('planner-archive');
  });

  it('plans a script', () => {
    writeFileSync(join(empty, 'big.sql'), script);
    const { status, stdout } = run(['explain', '--json', 'big.sql']);
    expect(JSON.parse(stdout)).toMatchObject({
      tier: 'plan',
      pipelines: [
        {
          sink: { namespace: 'postgres://pg:5432', name: 'shop.public.big' },
          inputs: [{ namespace: 'kafka://k1:9092', name: 'orders', role: 'scan' }],
        },
      ],
    });
    expect(status).toBe(0);
  });

  it('plans the same with the archive that it makes for itself', () => {
    const without = run(['explain', '--json', '-'], script);
    const made = run(['planner-archive']);
    expect(made).toMatchObject({ status: 0, stderr: '' });
    expect(existsSync(join(app, 'planner', 'lib', 'worker.jsa'))).toBe(true);
    expect(run(['explain', '--json', '-'], script)).toEqual(without);
  });

  it('names tables', () => {
    const line = { id: 1, options: { connector: 'kafka', topic: 'a', 'properties.bootstrap.servers': 'k1:9092' } };
    const { status, stdout } = run(['identify'], `${JSON.stringify(line)}\n`);
    expect(JSON.parse(stdout)).toEqual({ id: 1, datasets: [{ namespace: 'kafka://k1:9092', name: 'a', symlinks: [] }] });
    expect(status).toBe(0);
  });

  it('shows the demo', () => {
    const { status, stdout, stderr } = run(['demo']);
    expect(stderr).toBe('');
    expect(stdout).toContain('shop.orders_enriched');
    expect(status).toBe(0);
  });
});

/** The image runs as a user that may write nothing of the program; who is not root cannot become another one. */
const asUser = process.getuid?.() === 0 ? ['setpriv', '--reuid=10001', '--regid=10001', '--clear-groups'] : [];

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('the program as the image runs it', () => {
  const main = join(app, 'dist', 'main.js');

  it('writes nothing into its folder', () => {
    chmodSync(empty, 0o755);
    spawnSync('chmod', ['-R', 'a-w', app]);
    const [command = process.execPath, ...rest] = [...asUser, process.execPath, main, 'explain', '--json', '-'];
    const { status, stdout, stderr } = spawnSync(command, rest, {
      cwd: '/',
      env: { PATH: process.env['PATH'] },
      input: script,
      encoding: 'utf8',
    });
    expect(status, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ tier: 'plan' });
    spawnSync('chmod', ['-R', 'u+w', app]);
  });

  it('answers the health check while it waits for its database, and stops when told', async () => {
    const port = String(await freePort());
    const nobody = `postgres://u:p@127.0.0.1:${await freePort()}/streampark`;
    const [command = process.execPath, ...rest] = [...asUser, process.execPath, main, 'run'];
    const env = { PATH: process.env['PATH'], STREAMPARK_LINEAGE_HTTP_PORT: port, STREAMPARK_LINEAGE_SOURCE_URL: nobody };
    const daemon = spawn(command, rest, { cwd: '/', env, stdio: 'ignore' });
    const ended = new Promise((resolve) => daemon.once('exit', resolve));
    const check = JSON.parse(/^HEALTHCHECK .*\\\n\s*CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]') as string[];
    const healthy = () => spawnSync(process.execPath, check.slice(1), { env }).status;
    expect(check[0]).toBe('node');
    for (let i = 0; i < 100 && healthy() !== 0; i += 1) await sleep(100);
    expect(healthy()).toBe(0);
    daemon.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(healthy()).toBe(1);
  });
});
