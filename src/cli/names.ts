// Look-ups of names as commands report them: one line on stderr for each trouble.
import { type ErrorCode, errorCatalogue } from '../errors/errors.ts';

/** Says each trouble once. */
export function noteFailures(): (code: ErrorCode, subject: string, problem: string | undefined) => void {
  const said = new Set<string>();
  return (code, subject, problem) => {
    const line = `${code}: ${subject}: ${problem}\n  cure: ${errorCatalogue[code].cure}\n`;
    if (problem === undefined || said.has(line)) return;
    said.add(line);
    process.stderr.write(line);
  };
}
