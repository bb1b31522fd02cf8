// Names of jobs: the application's own, and one per sink below it. Names are for people; nothing is looked up by them here,
// so what cannot be shown is replaced. Consumers group a child under its parent when its name begins with `<parent>.`.
import type { NamedTable } from '../identity/identity.ts';
import { nameUuid } from './ids.ts';
import { cleanText } from './text.ts';

const longest = 1000;
/** An application's name leaves room for the names of its sinks. */
const longestApp = 700;

/** What the template of job names can use. `id` is the application's id, `team` its team's name or else the team's id. */
export interface NamedApp {
  readonly engine: 'flink' | 'spark';
  readonly id: string;
  readonly app: string;
  readonly team: string | null;
}

/**
 * Job name of an application from the template `events.jobName`.
 * @param duplicate another application got this name first: `-<id>` is appended
 * @returns never empty, at most 700 characters
 */
export function jobName(template: string, app: NamedApp, duplicate: boolean): string {
  const values: Readonly<Record<string, string>> = { app: app.app, team: app.team ?? '', id: app.id };
  const name = printable(template.replace(/\{(app|team|id)\}/g, (_, key: string) => values[key] ?? ''));
  const suffix = duplicate ? `-${app.id}` : '';
  return shorten(name === '' ? `${app.engine}-${app.id}` : name, longestApp - suffix.length) + suffix;
}

/**
 * Job names of the sinks of one run, in their order: `<app>.<table>` in the built-in catalog and database, else
 * `<app>.<catalog>.<database>.<table>`. Sinks that would share a name get a suffix made of their dataset, all of them, so that
 * the order of the INSERTs does not matter.
 * @param appName result of `jobName`
 */
export function sinkJobNames(
  appName: string,
  sinks: readonly NamedTable[],
  builtIn: { readonly catalog: string; readonly database: string },
): string[] {
  const plain = sinks.map(({ table: [catalog, database, table] }) => {
    const path = catalog === builtIn.catalog && database === builtIn.database ? [table] : [catalog, database, table];
    return shorten(`${appName}.${printable(path.join('.')) || 'sink'}`, longest);
  });
  let names = plain;
  for (const digits of [8, 36]) {
    const uses = new Map<string, number>();
    for (const name of names) uses.set(name, (uses.get(name) ?? 0) + 1);
    names = sinks.map((sink, i) => {
      const name = names[i] ?? appName;
      return uses.get(name) === 1 ? name : withDataset(plain[i] ?? name, sink, digits);
    });
  }
  return names;
}

function withDataset(name: string, { dataset }: NamedTable, digits: number): string {
  const suffix = `-${nameUuid(`${dataset.namespace}/${dataset.name}`).slice(0, digits)}`;
  return shorten(name, longest - suffix.length) + suffix;
}

/** Controls and line separators become blanks; halves of surrogate pairs a replacement character. */
const printable = (name: string): string => cleanText(name.replace(/[\p{Cc}\u2028\u2029]/gu, ' ')).trim();

function shorten(name: string, length: number): string {
  if (name.length <= length) return name;
  const cut = name.slice(0, length);
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}
