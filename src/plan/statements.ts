// Which pieces of a script go to the planner, and as what. StreamPark runs DDL and INSERTs; SET reaches the table config; the
// rest has no influence on lineage. What it refuses is reported, and planned all the same where it may define or move data.
import type { Diagnostic } from '../errors/errors.ts';
import { type Command, classify, parseSet } from './classify.ts';
import { lineStarts, type Position, positionAt } from './positions.ts';
import type { ScriptStatement } from './script.ts';
import { trimmed } from './split.ts';

export interface SelectedStatements {
  readonly statements: readonly ScriptStatement[];
  /** Value of the first SET of `execution.runtime-mode`. */
  readonly mode: string | undefined;
  readonly findings: readonly Finding[];
}

/** A diagnostic with the position of its piece, not yet translated to the stored text; its message may quote the script. */
export type Finding = Diagnostic & Position;

const planned: ReadonlySet<Command> = new Set([
  'create table',
  'create catalog',
  'create database',
  'create view',
  'create function',
  'drop',
  'alter',
  'insert',
  'use',
]);

/** Refused pieces that may still say where data goes: definitions, and INSERTs in other clothes. */
const plannable = /^(?:CREATE|ALTER|DROP|WITH|INSERT|EXECUTE|COMPILE)\s/i;
/** `EXECUTE STATEMENT SET BEGIN INSERT …`: the splitter cuts a statement set at its semicolons, so its head stays on the first INSERT. */
const statementSet = /^[^;]{0,400}?\bSTATEMENT\s{1,50}SET\s{1,50}(?:BEGIN\s+)?(?=INSERT\s)/i;

/** Sorts the pieces of a script into statements for the planner, settings and findings. */
export function selectStatements(pieces: readonly ScriptStatement[]): SelectedStatements {
  const statements: ScriptStatement[] = [];
  const findings: Finding[] = [];
  let mode: string | undefined;
  for (const piece of pieces) {
    const command = classify(piece.text);
    if (planned.has(command)) {
      statements.push(piece);
    } else if (command === 'set') {
      const set = parseSet(piece.text);
      if (set === undefined) findings.push(finding('PLAN_STATEMENT_REFUSED', 'StreamPark refuses a SET without key and value', piece));
      else if (set.key === 'execution.runtime-mode') mode ??= set.value;
      else if (set.key.startsWith('table.')) statements.push({ ...piece, text: `SET ${literal(set.key)} = ${literal(set.value)}` });
      if (set?.key === 'table.sql-dialect' && set.value.toLowerCase() !== 'default') {
        findings.push(finding('PLAN_STATEMENT_IGNORED', `the ${set.value} dialect is not planned; the script is read as Flink SQL`, piece));
      }
    } else if (command === 'delete' || command === 'update') {
      findings.push(finding('PLAN_STATEMENT_IGNORED', `StreamPark does not execute ${command.toUpperCase()}`, piece));
    } else if (command === 'select' || command === 'unsupported') {
      findings.push(finding('PLAN_STATEMENT_REFUSED', `StreamPark refuses statements such as ${beginning(piece.text)}`, piece));
      const rest = command === 'select' ? undefined : plannablePart(piece);
      if (rest !== undefined) statements.push(rest);
    }
  }
  return { statements, mode, findings };
}

function plannablePart(piece: ScriptStatement): ScriptStatement | undefined {
  const head = statementSet.exec(piece.text)?.[0].length ?? 0;
  const rest = trimmed(piece.text, head, piece.text.length);
  if (rest === undefined || !plannable.test(rest.text)) return undefined;
  const within = positionAt(lineStarts(piece.text), rest.start);
  return {
    text: rest.text,
    line: piece.line + within.line - 1,
    column: within.line === 1 ? piece.column + within.column - 1 : within.column,
  };
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The first words of a statement: enough to know it, too little to hold a secret. */
function beginning(text: string): string {
  return `${text.split(/\s+/, 3).join(' ').slice(0, 60)} …`;
}

function finding(code: Diagnostic['code'], message: string, { line, column }: ScriptStatement): Finding {
  return { code, severity: 'warning', message, line, column };
}
