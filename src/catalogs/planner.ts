// A planner that looks into external catalogs: what a script uses and nobody declares is read there, and the script planned
// again with it. What cannot be read costs one line, and the script keeps the answer it had.
import { type Diagnostic, PlanError } from '../errors/errors.ts';
import type { ExternalTable, PlannedScript, Planner, PreludeStatement, PreparedScript, TablePath } from '../plan/plan.ts';
import { findSecrets } from '../plan/plan.ts';
import { catalogAddress } from '../settings/settings.ts';
import { createCatalog, createTable } from './ddl.ts';
import { type Answered, createFinder, type Wanted } from './find.ts';

/** The same planner for scripts whose `catalogs` are empty. `now`: ms since the epoch. */
export function withCatalogs(planner: Planner, now: () => number): Planner {
  const finder = createFinder(now);
  return {
    start: () => planner.start(),
    state: () => planner.state(),
    stop: () => planner.stop(),
    build: (script) => planner.build(script),
    others: () => planner.others(),
    async plan(prepared, signal) {
      const first = await planner.plan(prepared, signal);
      const wanted = wantedOf(first, prepared);
      if (wanted.length === 0) return first;
      const answers = await finder.find(wanted, first.catalogs, signal);
      const freshForMs = Math.max(0, Math.min(...answers.map(({ until }) => until)) - now());
      const planned = (await planAgain(planner, prepared, first, answers, signal)) ?? first;
      return {
        ...planned,
        external: externalTables(planned.external, answers),
        freshForMs,
        diagnostics: [...findings(answers), ...planned.diagnostics],
      };
    },
  };
}

function wantedOf({ undeclared }: PlannedScript, { catalogs }: PreparedScript): Wanted[] {
  return undeclared.flatMap((path) => {
    const entry = catalogs.find(({ catalog }) => catalog === path[0]);
    return entry === undefined ? [] : [{ path, entry }];
  });
}

/** Undefined where there is nothing to plan again with, or where that fails: the first answer still holds. */
async function planAgain(
  planner: Planner,
  prepared: PreparedScript,
  first: PlannedScript,
  answers: readonly Answered[],
  signal: AbortSignal | undefined,
): Promise<PlannedScript | undefined> {
  const found = preludeOf(first, answers);
  if (found.length === 0) return undefined;
  const secrets = [...new Set([...prepared.secrets, ...found.flatMap(({ text }) => findSecrets(text))])];
  try {
    return await planner.plan({ ...prepared, prelude: [...prepared.prelude, ...found], secrets }, signal);
  } catch (error) {
    if (error instanceof PlanError && error.code !== 'PLANNER_UNAVAILABLE') return undefined;
    throw error;
  }
}

function preludeOf(first: PlannedScript, answers: readonly Answered[]): PreludeStatement[] {
  const entries = [...new Set(answers.map(({ entry }) => entry))].filter(({ catalog }) => !Object.hasOwn(first.catalogs, catalog));
  const tables = answers.flatMap(({ path, entry, table }): PreludeStatement[] => {
    const origin = `${path.join('.')} as read from catalog ${entry.catalog} (${entry.type})`;
    return table === undefined ? [] : [{ text: createTable(path, table), origin }];
  });
  const catalogs = entries.map((entry): PreludeStatement => {
    return { text: createCatalog(entry), origin: `catalog ${entry.catalog} (${entry.type})` };
  });
  return tables.length === 0 ? [] : [...catalogs, ...tables];
}

const keyOf = (table: TablePath): string => JSON.stringify(table);

/** Those that were read, under the catalog's kind; the others as the planner says. */
function externalTables(planned: readonly ExternalTable[], answers: readonly Answered[]): ExternalTable[] {
  const read = answers.flatMap(({ path, entry, table }) => (table === undefined ? [] : [{ table: path, way: entry.type }]));
  const known = new Set(read.map(({ table }) => keyOf(table)));
  return [...read, ...planned.filter(({ table }) => !known.has(keyOf(table)))];
}

/** One finding per catalog and problem, and one per table that is not there. */
function findings(answers: readonly Answered[]): Diagnostic[] {
  const problems = new Map<string, { readonly first: Answered; count: number }>();
  const found: Diagnostic[] = [];
  for (const answer of answers) {
    const { entry, path, table, problem } = answer;
    if (problem !== undefined) {
      const key = JSON.stringify([entry.catalog, problem]);
      const known = problems.get(key) ?? { first: answer, count: 0 };
      problems.set(key, known);
      known.count += 1;
    } else if (table === undefined) {
      const message = `catalog ${entry.catalog} (${entry.type} at ${catalogAddress(entry)}) has no table ${path.slice(1).join('.')}`;
      found.push({ code: 'CATALOG_TABLE_UNKNOWN', severity: 'warning', message });
    }
  }
  for (const { first, count } of problems.values()) {
    const { entry, path, problem } = first;
    const tables = `${path.slice(1).join('.')}${count > 1 ? ` and ${count - 1} more` : ''}`;
    const message = `catalog ${entry.catalog} (${entry.type} at ${catalogAddress(entry)}): ${problem}; planned without ${tables}`;
    found.push({ code: 'CATALOG_UNREADABLE', severity: 'warning', message });
  }
  return found;
}
