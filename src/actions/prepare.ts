// What StreamPark stored of a JAR or Python application -> what is run, as the console would start it.
import { decodeStored, findSecrets, maskText, planSettings, replaceVariables } from '../plan/plan.ts';
import type { StoredProgram } from '../watch/watch.ts';
import type { Program, Recognised } from './actions.ts';
import { programSecrets } from './secrets.ts';
import { recognise } from './tools.ts';

/** A program with what it says; `secrets` are the values that must be masked in every text about it. */
export interface PreparedProgram {
  readonly program: Program;
  readonly recognised: Recognised | undefined;
  readonly secrets: readonly string[];
  readonly mode: 'streaming' | 'batch';
  /** What is run as text, masked: the pipeline file, else main class (or file) and arguments. */
  readonly code: { readonly language: string; readonly text: string } | null;
  /** Team variables in the arguments that are not defined. */
  readonly unknownVariables: readonly string[];
}

const longest = 1024 * 1024;

/** Replaces team variables in the arguments (the console does so in no other text), and reads them. */
export function prepareProgram(stored: StoredProgram): PreparedProgram {
  const { text: args, unknown, secrets: used } = replaced(stored);
  const config = stored.config === null ? null : decodedOrNull(stored.config.content);
  const program: Program = { jar: stored.jar, mainClass: stored.mainClass, args, config };
  const team = stored.variables.filter(({ secret }) => secret).map(({ value }) => value);
  const secrets = [...new Set([...team, ...used, ...programSecrets(program), ...findSecrets(args)])].filter((value) => value.trim() !== '');
  const recognised = bounded(recognise(program));
  return {
    program,
    recognised,
    secrets,
    mode: planSettings(stored).mode?.trim().toUpperCase() === 'BATCH' ? 'batch' : 'streaming',
    code: codeOf(stored, program, recognised, secrets),
    unknownVariables: unknown,
  };
}

/** Each copy is a job of its own; beyond so many nobody would look at them. */
const mostTransfers = 500;

function bounded(recognised: Recognised | undefined): Recognised | undefined {
  if (recognised === undefined || recognised.transfers.length <= mostTransfers) return recognised;
  const message = `of ${recognised.transfers.length} copies the first ${mostTransfers} are reported`;
  return {
    ...recognised,
    transfers: recognised.transfers.slice(0, mostTransfers),
    findings: [...recognised.findings, { code: 'JOB_TABLES_UNKNOWN', message }],
  };
}

function replaced({ args, variables }: StoredProgram): { text: string; unknown: readonly string[]; secrets: readonly string[] } {
  const text = args ?? '';
  try {
    const result = replaceVariables(text, variables, longest);
    return { text: result.text, unknown: result.unknown.map(({ name }) => name), secrets: result.secrets };
  } catch {
    return { text, unknown: [], secrets: [] };
  }
}

function decodedOrNull(content: string): string | null {
  try {
    return decodeStored(content, longest);
  } catch {
    return null;
  }
}

function codeOf(
  stored: StoredProgram,
  { jar, mainClass, args }: Program,
  recognised: Recognised | undefined,
  secrets: readonly string[],
): PreparedProgram['code'] {
  if (recognised?.definition !== undefined) return { language: 'YAML', text: maskText(recognised.definition, secrets) };
  const text = [mainClass?.trim() || jar?.trim(), args.trim()].filter((part) => part !== undefined && part !== '').join(' ');
  return text === '' ? null : { language: stored.jobType === 'python' ? 'PYTHON' : 'JAVA', text: maskText(text, secrets) };
}
