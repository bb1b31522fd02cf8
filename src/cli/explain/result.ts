// The answer of `explain`: a script's lineage as JSON.
import { prepareProgram } from '../../actions/actions.ts';
import { type Diagnostic, type ErrorCode, PlanError } from '../../errors/errors.ts';
import {
  type ColumnOrigin,
  columnLineage,
  distillLineage,
  distillTransfers,
  dividedNames,
  type NamedLineage,
  type NamedTable,
  withoutToolCatalogs,
} from '../../identity/identity.ts';
import { extractLineage } from '../../lineage/lineage.ts';
import type { Names } from '../../names/names.ts';
import { type ExternalTable, maskText, type Planner, type PreparedScript, type TablePath, type Tier } from '../../plan/plan.ts';
import type { StoredProgram } from '../../watch/watch.ts';

interface ExplainedTable {
  readonly table: TablePath;
  readonly connector: string | null;
  readonly namespace: string;
  readonly name: string;
}

/** One object per script; its form is fixed, scripts depend on it. */
export interface Explained {
  /** Only of a JAR application that is a known tool. */
  readonly program?: { readonly tool: string; readonly action: string };
  readonly tier: Tier | 'none';
  /** Why there are no datasets, where that is as it should be. */
  readonly note?: string;
  readonly pipelines: readonly {
    readonly tier: Tier;
    readonly sink: ExplainedTable;
    readonly inputs: readonly (ExplainedTable & { readonly role: string })[];
    readonly columns: Readonly<Record<string, readonly ColumnOrigin[]>>;
  }[];
  readonly skipped: readonly {
    readonly table: TablePath;
    readonly connector: string | null;
    readonly role: string;
    readonly reason: string;
    readonly message: string;
  }[];
  readonly diagnostics: readonly Diagnostic[];
  /** How the tables that the script does not declare were found; absent where it declares all. */
  readonly external?: readonly ExternalTable[];
}

/**
 * Plans a script and names its tables. What fails is a diagnostic with tier `none`.
 * @param before what was explained together with it so far, which the script is added to: a table under two names is a finding
 * @throws PlanError PLANNER_UNAVAILABLE
 */
export async function explainScript(
  planner: Planner,
  names: Pick<Names, 'lineage' | 'own'>,
  prepare: () => PreparedScript,
  before: NamedLineage[] = [],
): Promise<Explained> {
  try {
    const prepared = prepare();
    const planned = await planner.plan(prepared);
    const lineage = extractLineage(planned);
    const named = await names.lineage(distillLineage(lineage, names.own));
    const divided = divisions(before, named);
    before.push(named);
    return {
      tier: weakest(lineage.pipelines.map((p) => p.tier)),
      ...shownOf(named),
      diagnostics: [...lineage.diagnostics, ...assumedLocations(named), ...divided],
      ...(planned.external.length > 0 ? { external: planned.external } : {}),
    };
  } catch (error) {
    if (!(error instanceof PlanError) || error.code === 'PLANNER_UNAVAILABLE') throw error;
    return { tier: 'none', pipelines: [], skipped: [], diagnostics: [{ code: error.code, severity: 'error', message: error.message }] };
  }
}

/** What a JAR or Python application says by its arguments; tier `none` when it is no known tool. */
export async function explainProgram(names: Pick<Names, 'lineage'>, stored: StoredProgram): Promise<Explained> {
  if (!stored.readable) {
    const message = 'the columns jar, main_class and args of t_flink_app may not be read';
    return { tier: 'none', pipelines: [], skipped: [], diagnostics: [{ code: 'SOURCE_PRIVILEGE', severity: 'warning', message }] };
  }
  const { recognised, secrets, unknownVariables } = prepareProgram(stored);
  const warning = (code: ErrorCode, message: string): Diagnostic => ({ code, severity: 'warning', message: maskText(message, secrets) });
  if (recognised === undefined) {
    const what = maskText(stored.mainClass ?? stored.jar ?? 'no main class', secrets);
    return { tier: 'none', pipelines: [], skipped: [], diagnostics: [warning('JOB_NOT_RECOGNISED', `${what} is no known tool`)] };
  }
  const { tool, action, transfers, findings } = recognised;
  const named = withoutToolCatalogs(await names.lineage(distillTransfers(transfers)));
  return {
    program: { tool, action: maskText(action, secrets) },
    tier: 'text',
    ...shownOf(named),
    diagnostics: [
      ...unknownVariables.map((name) => warning('VARIABLE_UNKNOWN', `the variable ${name} is not defined or blank`)),
      ...findings.map(({ code, message }) => warning(code, message)),
      ...assumedLocations(named),
    ],
  };
}

const shownOf = (named: NamedLineage): Pick<Explained, 'pipelines' | 'skipped'> => ({
  pipelines: named.pipelines.map((pipeline) => ({
    tier: pipeline.tier,
    sink: tableOf(pipeline.sink),
    inputs: pipeline.inputs.map((input) => ({ ...tableOf(input), role: input.role })),
    columns: columnsOf(pipeline),
  })),
  skipped: named.skipped.map(({ table, connector, role, reason, message }) => ({ table, connector, role, reason, message })),
});

/** The form of the entries is fixed. */
const columnsOf = (pipeline: NamedLineage['pipelines'][number]): Readonly<Record<string, readonly ColumnOrigin[]>> =>
  Object.fromEntries(
    Object.entries(columnLineage(pipeline)).map(([name, origins]) => [
      name,
      origins.map(({ masking: _, ...origin }) => origin as ColumnOrigin),
    ]),
  );

const tableOf = ({
  table,
  connector,
  dataset,
}: {
  table: TablePath;
  connector: string | null;
  dataset: { namespace: string; name: string };
}): ExplainedTable => ({
  table,
  connector,
  namespace: dataset.namespace,
  name: dataset.name,
});

/** A script is only as certain as its least certain INSERT; without any it failed as a whole. */
function weakest(tiers: readonly Tier[]): Tier | 'none' {
  return (['text', 'tree', 'plan'] as const).find((tier) => tiers.includes(tier)) ?? 'none';
}

/** One finding per dataset whose name follows the layout of a warehouse because nobody told the location of its table. */
function assumedLocations({ pipelines }: NamedLineage): Diagnostic[] {
  const assumed = pipelines.flatMap(({ sink, inputs }) => [sink, ...inputs]).filter(({ dataset }) => dataset.assumed === true);
  const messages = assumed.map(({ table, dataset }) => {
    return `the location of ${table.join('.')} is assumed from the layout of its warehouse: ${dataset.namespace} ${dataset.name}`;
  });
  return [...new Set(messages)].map((message) => ({ code: 'LOCATION_ASSUMED', severity: 'warning', message }));
}

/** What the script adds to the tables that stand under two names; what was so before was said before. */
function divisions(before: readonly NamedLineage[], named: NamedLineage): Diagnostic[] {
  const known = new Set(dividedNames(before).map(dividedMessage));
  return dividedNames([...before, named])
    .map(dividedMessage)
    .filter((message) => !known.has(message))
    .map((message) => ({ code: 'NAMES_DIVIDED', severity: 'warning', message }));
}

function dividedMessage({ first, second, certain }: ReturnType<typeof dividedNames>[number]): string {
  const shown = ({ table, dataset }: NamedTable) => `${dataset.namespace} ${dataset.name} (${table.join('.')})`;
  return `${shown(first)} and ${shown(second)} ${certain ? 'are' : 'may be'} one table under two names`;
}
