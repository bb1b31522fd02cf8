// The JVM worker itself, without the client in src/plan: spawned with the flags of production, spoken to in bytes.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { javaWorker, plannerLib } from '../../src/plan/plan.ts';

export interface WorkerError {
  readonly class: string;
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
  readonly endLine?: number;
  readonly endColumn?: number;
}

export interface WorkerTable {
  readonly path: readonly string[];
  readonly role: string;
  readonly temporary: boolean;
  readonly options: Readonly<Record<string, string>>;
  readonly columns: readonly { name: string; type: string; kind: string; comment?: string }[];
  readonly primaryKey: readonly string[];
  readonly partitionKeys: readonly string[];
  readonly comment?: string;
}

export interface WorkerInsert {
  readonly statement: number;
  readonly line: number;
  readonly column: number;
  readonly target: readonly string[];
  readonly overwrite: boolean;
  readonly plan: { flinkVersion: string; nodes: { type: string }[]; edges: unknown[] } | null;
  readonly planError?: WorkerError;
  readonly tree: { inputs: { path: string[]; role: string }[] } | null;
  /** Where the statement does not validate: what its syntax tells. */
  readonly text?: { inputs: { path: string[]; role: string }[] };
  readonly tables: readonly WorkerTable[];
}

/** Any answer; which fields are there depends on the request. */
export interface WorkerAnswer {
  readonly id: unknown;
  readonly ok: boolean;
  readonly error: WorkerError;
  readonly scripts: number;
  readonly rss: number;
  readonly statements: readonly {
    op: string;
    status: string;
    line: number;
    column: number;
    error?: WorkerError;
    assumedFunctions?: string[];
    text?: boolean;
  }[];
  readonly catalogs: Readonly<Record<string, { type: string | null; options: Record<string, string> }>>;
  readonly inserts: readonly WorkerInsert[];
  readonly prelude?: WorkerAnswer['statements'];
}

export interface Piece {
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

export interface PlanOptions {
  readonly mode?: 'streaming' | 'batch';
  readonly functions?: Record<string, { kind: string; type?: string }>;
  readonly options?: Record<string, string>;
  readonly compile?: boolean;
  readonly validate?: boolean;
  readonly infer?: boolean;
  readonly prelude?: readonly Piece[];
  readonly catalog?: string;
  readonly database?: string;
}

export interface SpokenWorker {
  readonly hello: Promise<Record<string, unknown>>;
  readonly child: ChildProcessWithoutNullStreams;
  readonly exitCode: Promise<number | null>;
  /** Everything of stdout so far. */
  bytes(): Buffer;
  write(bytes: string | Buffer): void;
  /** The next answer that nobody asked for with `ask`. */
  unclaimed(): Promise<WorkerAnswer>;
  ask(request: Record<string, unknown>): Promise<WorkerAnswer>;
  plan(script: string | readonly Piece[], options?: PlanOptions): Promise<WorkerAnswer>;
}

/** Starts a worker; end its stdin (or kill it) when done. */
export function startWorker(threads = 1): SpokenWorker {
  const source = javaWorker({ java: undefined, heap: '256m', lib: plannerLib, env: process.env });
  const { file, args, env } = source.command();
  const child = spawn(file, [...args.slice(0, -1), String(threads)], { env: { ...env } });
  const claims = new Map<unknown, (answer: WorkerAnswer) => void>();
  const waiting: ((answer: WorkerAnswer) => void)[] = [];
  const early: WorkerAnswer[] = [];
  const chunks: Buffer[] = [];
  let rest = Buffer.alloc(0);
  let lastId = 0;
  let greet: (hello: Record<string, unknown>) => void = () => {};
  const hello = new Promise<Record<string, unknown>>((resolve, reject) => {
    greet = resolve;
    child.on('exit', (code) => reject(new Error(`the worker ended with ${code} before it was ready`)));
  });
  hello.catch(() => {});
  const take = (line: string) => {
    // the JVM's own last words, when it runs out of memory
    if (line.startsWith('Terminating due to')) return;
    const message = JSON.parse(line) as WorkerAnswer & { ready?: boolean };
    if (message.ready === true) return greet({ ...message });
    const claim = claims.get(message.id) ?? waiting.shift();
    claims.delete(message.id);
    if (claim === undefined) early.push(message);
    else claim(message);
  };
  child.stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      take(rest.subarray(0, end).toString('utf8'));
      rest = rest.subarray(end + 1);
    }
  });
  child.stderr.resume();
  child.stdin.on('error', () => {});
  const ask = (request: Record<string, unknown>) =>
    new Promise<WorkerAnswer>((resolve, reject) => {
      lastId += 1;
      claims.set(lastId, resolve);
      child.on('exit', (code) => reject(new Error(`the worker ended with ${code}`)));
      child.setMaxListeners(child.getMaxListeners() + 1);
      child.stdin.write(`${JSON.stringify({ id: lastId, ...request })}\n`);
    });
  return {
    hello,
    child,
    exitCode: new Promise((resolve) => child.on('exit', resolve)),
    bytes: () => Buffer.concat(chunks),
    write: (bytes) => child.stdin.write(bytes),
    unclaimed: () => {
      const answer = early.shift();
      return answer === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(answer);
    },
    ask,
    plan: (script, options = {}) =>
      ask({
        cmd: 'plan',
        mode: 'streaming',
        catalog: 'default_catalog',
        database: 'default_database',
        options: {},
        functions: {},
        statements: typeof script === 'string' ? piecesOf(script) : script,
        ...options,
      }),
  };
}

/** Cuts at semicolons that end a line, which is all these tests' scripts need. */
export function piecesOf(script: string): Piece[] {
  const pieces: Piece[] = [];
  let line = 1;
  for (const part of script.split(/(?<=;\n)/)) {
    const lead = /^\s*/.exec(part)?.[0] ?? '';
    const text = part.slice(lead.length).replace(/;?\s*$/, '');
    if (text !== '') pieces.push({ text, line: line + lead.split('\n').length - 1, column: lead.length - lead.lastIndexOf('\n') });
    line += part.split('\n').length - 1;
  }
  return pieces;
}

/** `k:scan+d:lookup > c.d.t`: the inputs of each INSERT by the tree, and its target; `->` where there is no plan, `~>` where the text tells. */
export function edgesOf(answer: WorkerAnswer): string[] {
  return answer.inserts.map((insert) => {
    const inputs = (insert.tree ?? insert.text)?.inputs.map((input) => `${input.path[2]}:${input.role}`).sort();
    const arrow = insert.plan !== null ? '>' : insert.tree !== null ? '->' : '~>';
    return `${inputs?.join('+')} ${arrow} ${insert.target.join('.')}`;
  });
}

/** Node kinds of the plan without prefix and version. */
export function nodesOf(insert: WorkerInsert | undefined): string[] {
  return (insert?.plan?.nodes ?? []).map((node) => node.type.replace(/^(?:stream|batch)-exec-/, '').replace(/_\d+$/, ''));
}

/** `line:column class: message` of every statement that failed. */
export function errorsOf(answer: WorkerAnswer): string[] {
  return answer.statements.flatMap(({ error, line, column }) =>
    error === undefined ? [] : [`${error.line ?? line}:${error.column ?? column} ${error.class}: ${error.message}`],
  );
}
