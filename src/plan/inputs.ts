// A stored script, or a plain text, becomes what the planner takes: decoded, variables replaced, split, with the runtime mode
// and the options it would run with. Findings on the way are diagnostics in terms of the stored text.
import type { Diagnostic } from '../errors/errors.ts';
import type { StoredScript, StoredVariable } from '../watch/watch.ts';
import { defaultSettings, type PlanSettings, planSettings } from './config.ts';
import { decodeStored } from './decode.ts';
import { storedPositions } from './locate.ts';
import { maskText } from './mask.ts';
import { alone, catalogsOf, type PlannerSurroundings, preludeOf } from './prelude.ts';
import type { PreparedScript } from './script.ts';
import { findSecrets } from './secrets.ts';
import { splitScript } from './split.ts';
import { type Finding, selectStatements } from './statements.ts';
import { type Replaced, replaceVariables } from './variables.ts';

export interface PrepareLimits {
  /** Largest decoded script in bytes (`planner.maxScriptBytes`). */
  readonly maxScriptBytes: number;
}

export interface TextInput {
  readonly sql: string;
  readonly variables: readonly StoredVariable[];
  readonly engineVersion: string | null;
}

/**
 * Prepares what StreamPark stored. `around` is what the settings add: preludes and functions. A Spark script is decoded, not split: its `statements` are empty and it is not planned.
 * @throws PlanError SQL_CORRUPT, SQL_TOO_LARGE
 */
export function prepareScript(stored: StoredScript, limits: PrepareLimits, around: PlannerSurroundings = alone): PreparedScript {
  const storedText = decodeStored(stored.sql, limits.maxScriptBytes);
  const script = { storedText, variables: stored.variables, engineVersion: stored.engineVersion };
  return stored.engine === 'spark'
    ? undivided(script, limits)
    : prepare(script, planSettings(stored), limits, { ...around, team: stored.team });
}

/**
 * Prepares a script given as text, with default settings.
 * @throws PlanError SQL_TOO_LARGE
 */
export function prepareText(input: TextInput, limits: PrepareLimits, around: PlannerSurroundings = alone): PreparedScript {
  const storedText = decodeStored(input.sql, limits.maxScriptBytes);
  return prepare({ storedText, variables: input.variables, engineVersion: input.engineVersion }, defaultSettings, limits, {
    ...around,
    team: [],
  });
}

interface DecodedScript {
  readonly storedText: string;
  readonly variables: readonly StoredVariable[];
  readonly engineVersion: string | null;
}

function prepare(
  script: DecodedScript,
  settings: PlanSettings,
  limits: PrepareLimits,
  around: PlannerSurroundings & { readonly team: readonly string[] },
): PreparedScript {
  const { storedText, engineVersion } = script;
  const replaced = replaceVariables(storedText, script.variables, limits.maxScriptBytes);
  const split = splitScript(replaced.text);
  const selected = selectStatements(split.pieces);
  const locate = storedPositions({ storedText, ...replaced });
  const prelude = preludeOf({ ...around, ...settings, script: split.blanked });
  const secrets = [...new Set([...allSecrets(replaced), ...prelude.secrets])];
  const found: Finding[] = [...selected.findings];
  if (split.hashComment !== null) {
    const message = 'StreamPark takes a line that begins with # for SQL and fails; write -- instead';
    found.push({ code: 'PLAN_STATEMENT_REFUSED', severity: 'warning', message, ...split.hashComment });
  }
  if (split.unclosed !== null) {
    const { what, line, column } = split.unclosed;
    found.push({ code: 'PLAN_PARSE', severity: 'error', message: `the ${what} is never closed`, line, column });
  }
  return {
    storedText,
    text: replaced.text,
    statements: selected.statements,
    prelude: prelude.statements,
    functions: around.functions,
    inferColumns: around.inferColumns,
    catalogs: catalogsOf(around.catalogs, split.blanked, around.team),
    mode: runtimeMode(selected.mode ?? settings.mode),
    catalog: settings.catalog,
    database: settings.database,
    options: settings.options,
    engineVersion,
    origins: replaced.origins,
    secrets,
    diagnostics: [
      ...prelude.diagnostics.map((found) => ({ ...found, message: maskText(found.message, secrets) })),
      ...unresolved(replaced, split.blanked),
      ...found.map((finding) => ({ ...finding, message: maskText(finding.message, secrets), ...locate(finding) })),
    ],
  };
}

function undivided(script: DecodedScript, limits: PrepareLimits): PreparedScript {
  const replaced = replaceVariables(script.storedText, script.variables, limits.maxScriptBytes);
  return {
    storedText: script.storedText,
    text: replaced.text,
    statements: [],
    prelude: [],
    functions: {},
    inferColumns: false,
    catalogs: [],
    catalog: defaultSettings.catalog,
    database: defaultSettings.database,
    options: {},
    mode: 'batch',
    engineVersion: script.engineVersion,
    origins: replaced.origins,
    secrets: allSecrets(replaced),
    diagnostics: [],
  };
}

/** AUTOMATIC runs as streaming in StreamPark, and so does everything it does not know. */
function runtimeMode(written: string | undefined): 'streaming' | 'batch' {
  return written?.trim().toUpperCase() === 'BATCH' ? 'batch' : 'streaming';
}

function allSecrets(replaced: Replaced): readonly string[] {
  return [...new Set([...replaced.secrets, ...findSecrets(replaced.text)])];
}

/** Placeholders that stay; one in a comment is no finding. */
function unresolved(replaced: Replaced, blanked: string): Diagnostic[] {
  return replaced.unknown
    .filter(({ name }) => blanked.includes(`\${${name}}`))
    .map(({ name, ambiguous, line, column }) => ({
      code: ambiguous ? 'VARIABLE_AMBIGUOUS' : 'VARIABLE_UNKNOWN',
      severity: 'warning',
      message: ambiguous ? `the variable ${name} is defined twice with different values` : `the variable ${name} is not defined or blank`,
      line,
      column,
    }));
}
