// Stage actions: what a JAR application is started with -> the tables it copies, where the jar is a tool whose arguments are
// documented; pure. One file per tool, each with the same shape; `tools.ts` lists them.
import type { ErrorCode } from '../errors/errors.ts';
import type { TableUse } from '../lineage/lineage.ts';

/** A JAR or Python application as stored, team variables replaced. `args` and `config` contain secrets. */
export interface Program {
  /** File name of the jar or script. */
  readonly jar: string | null;
  readonly mainClass: string | null;
  readonly args: string;
  /** Decoded text of the application's config. */
  readonly config: string | null;
}

/** What stands at one end of a copy; options contain secrets. */
export interface Transfer {
  readonly sources: readonly TableUse[];
  readonly sink: TableUse;
}

/** Why something is left out; the message names arguments and tables, never values of other options. */
export interface Finding {
  readonly code: ErrorCode;
  readonly message: string;
}

/** What a tool was asked to do. */
export interface Recognised {
  readonly tool: string;
  readonly action: string;
  readonly transfers: readonly Transfer[];
  readonly findings: readonly Finding[];
  /** The definition of a pipeline as text, where it is one; contains secrets. */
  readonly definition?: string;
}

export { splitArguments } from './arguments.ts';
export { type PreparedProgram, prepareProgram } from './prepare.ts';
export { programSecrets } from './secrets.ts';
export { recognise, toolCatalogue } from './tools.ts';
