// The built program as an operator starts it: a child process with settings in its environment.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './shared.ts';
import { until } from './until.ts';

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Program {
  readonly pid: number;
  /** Everything it wrote so far. */
  stdout(): string;
  stderr(): string;
  kill(signal: NodeJS.Signals): void;
  readonly ended: Promise<Ended>;
}

const main = join(repositoryRoot, 'dist', 'main.js');

/** Compiles dist/ if it is older than the sources; after `npm run setup` it is not. */
export function buildProgram(): void {
  const src = join(repositoryRoot, 'src');
  const sources = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const newest = Math.max(...sources.map((name) => statSync(join(src, name)).mtimeMs));
  if (existsSync(main) && statSync(main).mtimeMs > newest) return;
  const compiler = join(repositoryRoot, 'node_modules', 'typescript', 'bin', 'tsc');
  const built = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.json'], { cwd: repositoryRoot, encoding: 'utf8' });
  if (built.status !== 0 || !existsSync(main)) throw new Error(`not compiled: ${built.stdout}`);
}

/** Starts one command. `env` holds settings by name without their prefix. */
export function startProgram(args: readonly string[], env: Readonly<Record<string, string>>, input?: string): Program {
  // Many applications of the tests have no script: they are of the kind that is reported only when asked for.
  const settings = Object.entries({ EVENTS_OTHER_JOBS: 'true', ...env }).map(
    ([name, value]) => [`STREAMPARK_LINEAGE_${name}`, value] as const,
  );
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('STREAMPARK_LINEAGE_') && name !== 'NODE_OPTIONS');
  const child: ChildProcess = spawn(process.execPath, [main, ...args], {
    env: Object.fromEntries([...inherited, ...settings]),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin?.end(input ?? '');
  const out: string[] = [];
  const err: string[] = [];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => out.push(text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => err.push(text));
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, stdout: out.join(''), stderr: err.join('') }));
  });
  return {
    pid: child.pid ?? 0,
    stdout: () => out.join(''),
    stderr: () => err.join(''),
    kill: (signal) => void child.kill(signal),
    ended,
  };
}

/** Runs one command to its end. */
export const runProgram = (args: readonly string[], env: Readonly<Record<string, string>>, input?: string): Promise<Ended> =>
  startProgram(args, env, input).ended;

/** Address of the http server of a running daemon, from its log. */
export async function opsAddress(program: Program): Promise<string> {
  const find = () => /"http":"([^"]+)"/.exec(program.stderr())?.[1];
  await until('the http server of the daemon', () => find() !== undefined);
  return `http://${find()}`;
}

/** Answer of /readyz. */
export async function readiness(address: string): Promise<{ status: number; role: string; reasons: readonly { code: string }[] }> {
  const response = await fetch(`${address}/readyz`);
  return { status: response.status, ...((await response.json()) as { role: string; reasons: { code: string }[] }) };
}
