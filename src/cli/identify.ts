// Command `identify`: tables as JSON lines -> their datasets as JSON lines, in input order. A line that cannot be read
// gets an answer that says so, and the next one is read.
import { z } from 'zod';
import { distill, type Identification, type IdentityFacts, type OwnConnectors, type Symlink } from '../identity/identity.ts';
import { createNames, type Names } from '../names/names.ts';
import type { Settings } from '../settings/settings.ts';
import type { ExitCode } from './cli.ts';
import { extensionNoting } from './extension.ts';
import { noteFailures } from './names.ts';

const text = z.string();
const options = z.record(text, text);
const inputSchema = z.object({
  id: z.unknown().optional(),
  options,
  table: z.tuple([text, text, text]).optional(),
  catalog: z.object({ type: text.nullish(), options: options.default({}) }).nullish(),
  location: text.nullish(),
});

/** The table name where none is given; only catalog tables are named by it. */
const unnamed = ['default_catalog', 'default_database', 't'] as const;

type Answer =
  | { readonly datasets: readonly { readonly namespace: string; readonly name: string; readonly symlinks: readonly Symlink[] }[] }
  | { readonly unresolved: string };

/** Reads stdin, writes stdout. Lines that could not be read are answered and counted on stderr; they are no failure. */
export async function identifyCommand(settings: Settings): Promise<ExitCode> {
  const extension = await extensionNoting(settings);
  const names = createNames(settings.identity, { now: Date.now, notify: noteFailures(), extension });
  try {
    const { failed } = await identifyLines(linesOf(process.stdin), writeStdout, names);
    if (failed > 0) process.stderr.write(`identify: ${failed} line(s) answered with INVALID_INPUT\n`);
    return 0;
  } finally {
    await names.close();
    await extension?.close();
  }
}

/** Splits at byte 0x0A only: U+2028 may stand inside a JSON text. */
async function* linesOf(input: NodeJS.ReadableStream): AsyncGenerator<string> {
  input.setEncoding('utf8');
  let rest = '';
  for await (const chunk of input) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  yield rest;
}

function writeStdout(line: string): void | Promise<void> {
  if (!process.stdout.write(`${line}\n`)) return new Promise((resolve) => process.stdout.once('drain', resolve));
}

/**
 * Answers every line that is not blank: `{"id"?,"datasets":[…]}`, or `{"id"?,"unresolved":"CODE: message"}` where the
 * table has no dataset, or `INVALID_INPUT: …` where the line is no such object. `failed` counts the latter.
 */
export async function identifyLines(
  lines: AsyncIterable<string>,
  write: (line: string) => void | Promise<void>,
  names: Pick<Names, 'table' | 'own'>,
): Promise<{ failed: number }> {
  let failed = 0;
  for await (const line of lines) {
    if (line.trim() === '') continue;
    const answered = answerLine(line, names);
    const { id, answer } = answered instanceof Promise ? await answered : answered;
    if ('unresolved' in answer && answer.unresolved.startsWith('INVALID_INPUT')) failed++;
    const written = write(JSON.stringify(id === undefined ? answer : { id, ...answer }));
    if (written !== undefined) await written;
  }
  return { failed };
}

interface Answered {
  readonly id: unknown;
  readonly answer: Answer;
}

function answerLine(line: string, names: Pick<Names, 'table' | 'own'>): Answered | Promise<Answered> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { id: undefined, answer: { unresolved: 'INVALID_INPUT: the line is no JSON' } };
  }
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined;
  const parsed = inputSchema.safeParse(value);
  if (!parsed.success) return { id, answer: { unresolved: `INVALID_INPUT: ${firstIssue(parsed.error)}` } };
  // A promise for each of a million lines would cost more than the names: only what is looked up is waited for.
  const found = names.table(factsOf(parsed.data, names.own));
  return found instanceof Promise ? found.then((each) => ({ id, answer: answerOf(each) })) : { id, answer: answerOf(found) };
}

function factsOf(input: z.output<typeof inputSchema>, own: OwnConnectors): IdentityFacts {
  const path = input.table ?? unnamed;
  const catalog = input.catalog ? { type: input.catalog.type ?? null, options: input.catalog.options } : null;
  const facts = { path, temporary: false, options: input.options, columns: [], primaryKey: [], partitionKeys: [] };
  return distill({ facts, catalog }, input.location ?? null, own);
}

function answerOf(found: Identification): Answer {
  if ('reason' in found) return { unresolved: `${found.reason}: ${found.message}` };
  return { datasets: found.datasets.map(({ namespace, name, symlinks }) => ({ namespace, name, symlinks })) };
}

/** Where and what, without the value: it may be a secret. */
function firstIssue(error: z.ZodError): string {
  const [issue] = error.issues;
  const where = issue === undefined || issue.path.length === 0 ? 'the line' : issue.path.map(String).join('.');
  return `${where}: ${issue?.message ?? 'is of another form'}`;
}
