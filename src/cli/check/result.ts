// One finding of `check`, and how findings are printed.
import { CodedError, type ErrorCode, errorCatalogue } from '../../errors/errors.ts';
import { oneLine } from '../../optin/optin.ts';
import { alignedLines, printable } from '../table.ts';

export interface CheckResult {
  readonly level: 'ok' | 'warn' | 'fail';
  /** The precondition, such as `source: connection`. */
  readonly what: string;
  readonly detail: string;
  /** What to do; always there unless the level is ok. */
  readonly cure?: string;
  readonly code?: ErrorCode;
}

export const ok = (what: string, detail: string): CheckResult => ({ level: 'ok', what, detail });
export const warn = (what: string, detail: string, cure: string): CheckResult => ({ level: 'warn', what, detail, cure });
export const fail = (what: string, detail: string, cure: string): CheckResult => ({ level: 'fail', what, detail, cure });

/** A finding with a code of the catalogue; its cure is the catalogue's unless another is given. */
export const coded = (level: 'warn' | 'fail', what: string, code: ErrorCode, detail: string, cure?: string): CheckResult => ({
  level,
  what,
  detail,
  code,
  cure: cure ?? errorCatalogue[code].cure,
});

/** Any error as a finding. */
export function failure(what: string, error: unknown): CheckResult {
  if (error instanceof CodedError) return { level: 'fail', what, detail: error.message, cure: error.cure, code: error.code };
  return coded('fail', what, 'INTERNAL', oneLine(error));
}

/** Findings as lines: `ok|warn|fail  <what>  <detail>`, and below it `-> <cure>` where there is one. */
export function resultLines(results: readonly CheckResult[]): string[] {
  const aligned = alignedLines(results.map(({ level, what }) => [level, what]));
  const indent = ' '.repeat(aligned.reduce((width, line) => Math.max(width, line.length), 0));
  return results.map(({ code, detail, cure }, i) => {
    const text = `${code === undefined ? '' : `${code}: `}${printable(detail)}`;
    const head = `${(aligned[i] ?? '').padEnd(indent.length)}  ${text}`;
    return cure === undefined ? head : `${head}  -> ${printable(cure)}`;
  });
}
