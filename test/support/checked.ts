// Every event that a lineage server of a test takes passes through the checker of `validate`: schemas, run cycle, naming rules. What it
// finds fails the test that sent it. A test that sends broken events on purpose names the rules that they break, and why.
import { createChecker, ownCheck, type Rule, rules } from '../../src/validation/validation.ts';
import { ownSchemas } from '../schemas/files.ts';

/** Rules that do not hold in a test, each with the reason. */
export type Exceptions = Readonly<Partial<Record<Rule, string>>>;

/** For tests that relay what is no event of ours: short ones of other producers, in an order of the test. */
export const foreignEvents: Exceptions = Object.fromEntries(Object.keys(rules).map((rule) => [rule, 'events of other producers']));

/** Warnings that no event of ours may give. Doubled events are lawful: delivery is at least once. */
const strict: ReadonlySet<Rule> = new Set(['cycle-early', 'cycle-time', 'cycle-bare', 'schema-unknown']);

const found: string[] = [];
let looked: Promise<void> = Promise.resolve();
let schemas: ReturnType<typeof ownCheck> | undefined;

/** Makes a function for the events of one server, in the order of their arrival. */
export function checkedEvents(except: Exceptions = {}): (text: string) => void {
  schemas ??= ownCheck(ownSchemas());
  const checker = createChecker(schemas, []);
  return (text) => {
    looked = looked.then(async () => {
      for (const { rule, level, path, message } of await checker.take(text)) {
        if (rule in except || (level !== 'error' && !strict.has(rule))) continue;
        found.push(`${rule} ${path}: ${message} in ${text.slice(0, 2_000)}`);
      }
    });
  };
}

/** What was found since the last call. */
export async function findingsSoFar(): Promise<string[]> {
  await looked;
  return found.splice(0);
}

// Programs that measure use the same server without a test around them.
if ('__vitest_worker__' in globalThis) {
  const { afterEach, expect } = await import('vitest');
  afterEach(async () => {
    expect(await findingsSoFar(), 'events that were sent are valid').toEqual([]);
  });
}
