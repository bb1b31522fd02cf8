// `explain`: plans scripts from files, stdin or the StreamPark database and prints their lineage. Nothing is stored or sent.
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { type ErrorCode, errorCatalogue, PlanError, UsageError } from '../errors/errors.ts';
import type { NamedLineage } from '../identity/identity.ts';
import { createNames, type Names } from '../names/names.ts';
import { createLog } from '../ops/ops.ts';
import { type Planner, type PreparedScript, prepareScript, prepareText, surroundingsOf } from '../plan/plan.ts';
import type { Settings } from '../settings/settings.ts';
import { openSource, type StoredScript } from '../watch/watch.ts';
import type { ExitCode } from './cli.ts';
import { explainedLines } from './explain/lines.ts';
import { type Explained, explainProgram, explainScript } from './explain/result.ts';
import { extensionNoting } from './extension.ts';
import { plannerFrom } from './planner.ts';

export interface ExplainOptions {
  readonly app?: readonly string[];
  readonly var?: Readonly<Record<string, string>>;
  readonly flink?: string;
  readonly engine?: 'flink' | 'spark';
  readonly conf?: Readonly<Record<string, string>>;
  readonly batch: boolean;
  readonly json: boolean;
  readonly columns: boolean;
}

/** Values of t_flink_app.job_type. */
const jarType = 1;
const pythonType = 3;

/** Scripts of a batch that are read ahead of the planner. */
const batchWindow = 8;

export async function explainCommand(given: Settings, files: readonly string[], options: ExplainOptions): Promise<ExitCode> {
  // to be explained, a Spark script need not be one that the daemon would read
  const settings: Settings = { ...given, spark: { ...given.spark, lineage: 'sql' } };
  if (!options.batch && files.length === 0 && (options.app ?? []).length === 0) {
    throw new UsageError('explain', 'explain needs a file, - for stdin, --app engine:id or --batch');
  }
  if (options.batch && (files.length > 0 || options.app !== undefined))
    throw new UsageError('explain', '--batch reads stdin and takes no files');
  const log = createLog('warn');
  const planner = plannerFrom(settings, (event) => {
    if (event.kind === 'restart')
      log.warn({ stage: 'plan', code: 'PLANNER_RESTARTED', cure: errorCatalogue.PLANNER_RESTARTED.cure }, event.reason);
  });
  const extension = await extensionNoting(settings);
  const names = createNames(settings.identity, {
    now: Date.now,
    extension,
    notify: (code, subject, problem) => {
      if (problem !== undefined) log.warn({ stage: 'names', code }, `${subject}: ${problem}`);
    },
  });
  const explainer = { planner, settings, names, before: [], sparkIsRead: given.spark.lineage === 'sql' };
  try {
    if (options.batch) {
      planner.start();
      await explainBatch(explainer);
      return 0;
    }
    const apps = options.app ?? [];
    const unplanned = await explainUnplanned(explainer, apps);
    const ofFlink = options.engine === 'spark' ? [] : files;
    if (ofFlink.length > 0 || apps.some((key) => !unplanned.has(key) && !key.startsWith('spark:'))) planner.start();
    const results = [...(await explainFiles(explainer, files, options)), ...(await explainApps(explainer, apps, unplanned))];
    for (const { title, result } of results) {
      process.stdout.write(
        options.json ? `${JSON.stringify(result)}\n` : `${explainedLines(title, result, { withColumns: options.columns }).join('\n')}\n`,
      );
    }
    return results.every(({ result }) => result.tier !== 'none' || result.note !== undefined) ? 0 : 1;
  } finally {
    await planner.stop();
    await names.close();
    await extension?.close();
  }
}

/** `before`: what was explained so far. Scripts of a batch have nothing to do with each other. */
interface Explainer {
  readonly planner: Planner;
  readonly settings: Settings;
  readonly names: Names;
  readonly before: NamedLineage[];
  /** The daemon reads scripts of Spark, so a missing planner for them is a fault. */
  readonly sparkIsRead: boolean;
}

const explain = ({ planner, names, before }: Explainer, prepare: () => PreparedScript) => explainScript(planner, names, prepare, before);

interface Titled {
  readonly title: string;
  readonly result: Explained;
}

async function explainFiles(explainer: Explainer, files: readonly string[], options: ExplainOptions): Promise<Titled[]> {
  const { settings } = explainer;
  const results: Titled[] = [];
  for (const file of files) {
    const sql = file === '-' ? await readStdin() : await readScript(file);
    const prepare = (text: string) =>
      prepareText(
        { ...textInput(text, options.var, options.flink), engine: options.engine, conf: options.conf },
        limits(settings),
        surroundingsOf(settings),
      );
    const result = typeof sql === 'string' ? await explain(explainer, () => prepare(sql)) : sql;
    results.push({ title: file === '-' ? 'stdin' : file, result });
  }
  return results;
}

/** What needs no planner among the given applications: JAR and Python programs of Flink, and those that are not there. */
async function explainUnplanned({ settings, names }: Explainer, keys: readonly string[]): Promise<ReadonlyMap<string, Explained>> {
  if (keys.length === 0) return new Map();
  const source = openSource(settings);
  try {
    const found = new Map((await source.listApps({ keys })).map((app) => [`${app.engine}:${app.id}`, app]));
    const results = new Map<string, Explained>();
    for (const key of keys) {
      const app = found.get(key);
      if (app === undefined) results.set(key, failed('APPLICATION_UNKNOWN', `${key} does not exist`));
      else if (app.engine === 'flink' && (app.jobType === jarType || app.jobType === pythonType)) {
        const program = await source.loadProgram(app.id);
        if (program !== null) results.set(key, await explainProgram(names, program));
      }
    }
    return results;
  } finally {
    await source.close();
  }
}

/** An application of Spark without a script, or without a planner that nobody asked for; Spark's own listener knows its tables. */
const sparkRun: Explained = {
  tier: 'none',
  note: "a run without datasets: OpenLineage's listener for Spark reports its tables",
  pipelines: [],
  skipped: [],
  diagnostics: [],
};

const failed = (code: ErrorCode, message: string): Explained => ({
  tier: 'none',
  pipelines: [],
  skipped: [],
  diagnostics: [{ code, severity: 'error', message }],
});

const withoutScript = (engine: 'flink' | 'spark', key: string): Explained =>
  engine === 'spark' ? sparkRun : failed('APPLICATION_UNKNOWN', `${key} has no script`);

async function explainApps(explainer: Explainer, keys: readonly string[], unplanned: ReadonlyMap<string, Explained>): Promise<Titled[]> {
  const { settings } = explainer;
  if (keys.length === 0) return [];
  const source = openSource(settings);
  try {
    const prepare = (stored: StoredScript) => prepareScript(stored, limits(settings), surroundingsOf(settings));
    const ofScript = async (key: string): Promise<Explained> => {
      const [engine, id] = key.split(':') as ['flink' | 'spark', string];
      const stored = await source.loadScript(engine, id);
      if (stored === null) return withoutScript(engine, key);
      try {
        return await explain(explainer, () => prepare(stored));
      } catch (error) {
        if (engine === 'flink' || !(error instanceof PlanError)) throw error;
        return explainer.sparkIsRead ? failed(error.code, error.message) : sparkRun;
      }
    };
    const results: Titled[] = [];
    for (const key of keys) {
      results.push({ title: key, result: unplanned.get(key) ?? (await ofScript(key)) });
    }
    return results;
  } finally {
    await source.close();
  }
}

const batchLine = z.object({
  id: z.unknown(),
  sql: z.string(),
  variables: z.record(z.string(), z.string()).optional(),
  flink: z.string().optional(),
});

/** JSON lines in, one line each out, in input order; several are planned at once. A line that is none of ours is answered, too. */
async function explainBatch(explainer: Explainer): Promise<void> {
  const pending: Promise<string>[] = [];
  const flush = async () => {
    const line = await pending.shift();
    if (line !== undefined && !process.stdout.write(`${line}\n`)) await new Promise((resolve) => process.stdout.once('drain', resolve));
  };
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue;
    pending.push(explainLine({ ...explainer, before: [] }, line));
    if (pending.length >= batchWindow) await flush();
  }
  while (pending.length > 0) await flush();
}

async function explainLine(explainer: Explainer, line: string): Promise<string> {
  let raw: unknown;
  try {
    raw = JSON.parse(line);
  } catch {
    raw = undefined;
  }
  const parsed = batchLine.safeParse(raw);
  const id = (raw as { id?: unknown } | undefined)?.id;
  if (!parsed.success) {
    const message = 'not a JSON object with the text "sql"';
    return JSON.stringify({
      id,
      tier: 'none',
      pipelines: [],
      skipped: [],
      diagnostics: [{ code: 'CONFIG_INVALID', severity: 'error', message }],
    });
  }
  const { sql, variables, flink } = parsed.data;
  try {
    const { settings } = explainer;
    const result = await explain(explainer, () =>
      prepareText(textInput(sql, variables, flink), limits(settings), surroundingsOf(settings)),
    );
    return JSON.stringify({ id, ...result });
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    return JSON.stringify({
      id,
      tier: 'none',
      pipelines: [],
      skipped: [],
      diagnostics: [{ code: error.code, severity: 'error', message: error.message }],
    });
  }
}

const limits = (settings: Settings) => ({ maxScriptBytes: settings.planner.maxScriptBytes });

function textInput(sql: string, variables: Readonly<Record<string, string>> | undefined, flink: string | undefined) {
  return {
    sql,
    variables: Object.entries(variables ?? {}).map(([code, value]) => ({ code, value, secret: false })),
    engineVersion: flink ?? null,
  };
}

/** The text, or why there is none. */
async function readScript(file: string): Promise<string | Explained> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    return failed('USAGE', `cannot read ${file}: ${(cause as NodeJS.ErrnoException).code ?? 'error'}`);
  }
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
