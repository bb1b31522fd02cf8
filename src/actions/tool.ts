// The shape of one tool: how its jar is recognised and how its arguments are read.
import type { Finding, Program, Recognised, Transfer } from './actions.ts';

export interface Tool {
  readonly name: string;
  /** Main classes that are this tool and nothing else. */
  readonly mainClasses: readonly string[];
  /** File names of jars whose manifest names such a class; undefined where the jar holds other programs as well. */
  readonly jars?: RegExp;
  /** What the arguments say; never throws. */
  readonly read: (program: Program, words: readonly string[]) => Recognised;
  /** For the reference page: action, arguments, what is reported, what is not. */
  readonly actions: readonly ToolAction[];
}

export interface ToolAction {
  readonly action: string;
  readonly arguments: string;
  readonly reported: string;
  readonly not: string;
}

/** What one action gives: copies, and why others are missing. */
export interface Read {
  readonly transfers: readonly Transfer[];
  readonly findings: readonly Finding[];
}

export const nothing: Read = { transfers: [], findings: [] };

export const copied = (...transfers: readonly Transfer[]): Read => ({ transfers, findings: [] });

/** Nothing is reported, for a reason. */
export const leftOut = (code: Finding['code'], message: string): Read => ({ transfers: [], findings: [{ code, message }] });

export const missing = (...names: readonly string[]): Read =>
  leftOut('JOB_ARGUMENT_MISSING', `argument ${names.join(', ')} is missing or given twice`);

export const united = (reads: readonly Read[]): Read => ({
  transfers: reads.flatMap(({ transfers }) => transfers),
  findings: reads.flatMap(({ findings }) => findings),
});
