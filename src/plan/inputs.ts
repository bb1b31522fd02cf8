// A stored script, or a plain text, becomes what the planner takes: decoded, variables replaced, split, with the runtime mode
// and the options it would run with. Findings on the way are diagnostics in terms of the stored text.
import type { Diagnostic } from '../errors/errors.ts';
import type { StoredScript, StoredVariable } from '../watch/watch.ts';
import { defaultSettings, type PlanSettings, planSettings, sparkConf } from './config.ts';
import { decodeStored } from './decode.ts';
import { storedPositions } from './locate.ts';
import { maskText } from './mask.ts';
import { alone, catalogsOf, type PlannerSurroundings, preludeOf } from './prelude.ts';
import type { PreparedScript } from './script.ts';
import { findSecrets } from './secrets.ts';
import { sparkCatalog } from './spark.ts';
import { splitScript } from './split.ts';
import { type Finding, selectStatements } from './statements.ts';
import { type Replaced, replaceVariables } from './variables.ts';

export interface PrepareLimits {
  /** Largest decoded script in bytes (`planner.maxScriptBytes`). */
  readonly maxScriptBytes: number;
}

export interface TextInput {
  /** Default flink. */
  readonly engine?: 'flink' | 'spark' | undefined;
  /** Configuration of a Spark application; Flink takes none. */
  readonly conf?: Readonly<Record<string, string>> | undefined;
  readonly sql: string;
  readonly variables: readonly StoredVariable[];
  readonly engineVersion: string | null;
}

/**
 * Prepares what StreamPark stored. `around` is what the settings add: preludes and functions, of which a Spark script has none.
 * @throws PlanError SQL_CORRUPT, SQL_TOO_LARGE
 */
export function prepareScript(stored: StoredScript, limits: PrepareLimits, around: PlannerSurroundings = alone): PreparedScript {
  const storedText = decodeStored(stored.sql, limits.maxScriptBytes);
  const script = { storedText, variables: stored.variables, engineVersion: stored.engineVersion };
  return stored.engine === 'spark'
    ? prepareSpark(script, sparkConf(stored), limits)
    : prepare(script, planSettings(stored), limits, { ...around, team: stored.team });
}

/**
 * Prepares a script given as text, with default settings.
 * @throws PlanError SQL_TOO_LARGE
 */
export function prepareText(input: TextInput, limits: PrepareLimits, around: PlannerSurroundings = alone): PreparedScript {
  const storedText = decodeStored(input.sql, limits.maxScriptBytes);
  const script = { storedText, variables: input.variables, engineVersion: input.engineVersion };
  if (input.engine === 'spark') return prepareSpark(script, input.conf ?? {}, limits);
  return prepare(script, defaultSettings, limits, {
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
  found.push(...unclosed(split));
  return {
    engine: 'flink',
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

/** A Spark script: the console splits it as it does Flink's, and Spark takes each piece. It always runs as a batch. */
function prepareSpark(script: DecodedScript, conf: Readonly<Record<string, string>>, limits: PrepareLimits): PreparedScript {
  const { storedText, engineVersion } = script;
  const replaced = replaceVariables(storedText, script.variables, limits.maxScriptBytes);
  const split = splitScript(replaced.text);
  const locate = storedPositions({ storedText, ...replaced });
  return {
    engine: 'spark',
    storedText,
    text: replaced.text,
    statements: split.pieces,
    prelude: [],
    functions: {},
    inferColumns: false,
    catalogs: [],
    catalog: sparkCatalog,
    database: 'default',
    options: conf,
    mode: 'batch',
    engineVersion,
    origins: replaced.origins,
    secrets: allSecrets(replaced),
    diagnostics: [...unresolved(replaced, split.blanked), ...unclosed(split).map((finding) => ({ ...finding, ...locate(finding) }))],
  };
}

function unclosed({ unclosed: open }: ReturnType<typeof splitScript>): Finding[] {
  if (open === null) return [];
  return [{ code: 'PLAN_PARSE', severity: 'error', message: `the ${open.what} is never closed`, line: open.line, column: open.column }];
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
