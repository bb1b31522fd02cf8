// Holds events of any producer against schemas, the run cycle, naming rules and the limits of consumers, one line at a time.
import { createValidator } from '../openlineage/openlineage.ts';
import type { SchemaCheck } from './by-version.ts';
import { runCycle } from './cycle.ts';
import { isObject } from './event.ts';
import { type Consumer, limitFindings } from './limits.ts';
import { linesOf } from './lines.ts';
import { namingFindings } from './naming.ts';
import { type Finding, finding } from './rules.ts';

export { type SchemaCheck, versionedCheck } from './by-version.ts';
export { type Consumer, consumers } from './limits.ts';
export { type Finding, type Level, type Rule, rules } from './rules.ts';

/** Bytes of one line. */
const longestLine = 64 * 1024 * 1024;

/**
 * A check against schemas by the key of the facet, as `schemas/` has them.
 * @throws Error when the core schema is missing
 */
export function ownCheck(schemas: Readonly<Record<string, unknown>>): SchemaCheck {
  const validate = createValidator(schemas);
  return async (event) => (await validate(event)).map(({ path, message }) => finding('schema', path, message));
}

export interface Checker {
  /** Looks at the next event, as text. */
  take(text: string): Promise<readonly Finding[]>;
  counts(): { readonly events: number; readonly runs: number; readonly open: number };
}

/** @param wanted consumers whose limits count */
export function createChecker(schemas: SchemaCheck, wanted: readonly Consumer[]): Checker {
  const cycle = runCycle();
  let events = 0;
  return {
    async take(text) {
      events += 1;
      let event: unknown;
      try {
        event = JSON.parse(text);
      } catch (error) {
        return [finding('json', '', `no JSON: ${error instanceof Error ? error.message.replace(/\s+/g, ' ').slice(0, 200) : ''}`)];
      }
      if (!isObject(event)) return [finding('json', '', 'not an object')];
      return [
        ...(await schemas(event)),
        ...cycle.take(event),
        ...namingFindings(event),
        ...limitFindings(event, Buffer.byteLength(text), wanted),
      ];
    },
    counts: () => ({ events, ...cycle.counts() }),
  };
}

export interface Report {
  readonly events: number;
  readonly errors: number;
  readonly warnings: number;
  readonly runs: number;
  /** Runs that have not ended. */
  readonly open: number;
}

/**
 * Checks a stream of NDJSON.
 * @param found called for each finding, in order; the next line waits for it
 */
export async function checkStream(
  stream: AsyncIterable<Uint8Array>,
  checker: Checker,
  found: (line: number, finding: Finding) => Promise<void> | void,
): Promise<Report> {
  const levels = { error: 0, warning: 0 };
  let unread = 0;
  for await (const line of linesOf(stream, longestLine)) {
    const findings = 'text' in line ? await checker.take(line.text) : [finding('json', '', line.problem)];
    if (!('text' in line)) unread += 1;
    for (const one of findings) {
      levels[one.level] += 1;
      await found(line.number, one);
    }
  }
  const { events, runs, open } = checker.counts();
  return { events: events + unread, errors: levels.error, warnings: levels.warning, runs, open };
}
