// The worker's answer to a plan request, checked at the edge and turned into a PlannedScript: positions in terms of the stored
// text, messages short and without secrets.
import { z } from 'zod';
import { type Diagnostic, PlanError } from '../errors/errors.ts';
import { cureOf } from './cures.ts';
import { storedPositions } from './locate.ts';
import { maskText } from './mask.ts';
import type {
  ColumnFacts,
  ColumnLineage,
  ExternalTable,
  PlannedInsert,
  PlannedScript,
  PreparedScript,
  SourceColumn,
  TableFacts,
} from './script.ts';

const failure = z.object({
  class: z.string(),
  message: z.string().nullish(),
  line: z.number().int().nullish(),
  column: z.number().int().nullish(),
});
const path = z.tuple([z.string(), z.string(), z.string()]);
const texts = z.record(z.string(), z.string());

const table = z.object({
  path,
  role: z.enum(['sink', 'source']),
  temporary: z.boolean(),
  options: texts,
  columns: z.array(
    z.object({
      name: z.string(),
      type: z.string(),
      kind: z.enum(['physical', 'metadata', 'computed']),
      comment: z.string().nullish(),
    }),
  ),
  primaryKey: z.array(z.string()),
  partitionKeys: z.array(z.string()),
  comment: z.string().nullish(),
});

const indirect = z.object({
  table: z.number().int(),
  field: z.string(),
  masking: z.literal(true).optional(),
  type: z.literal('INDIRECT'),
  subtype: z.enum(['JOIN', 'GROUP_BY', 'FILTER', 'SORT', 'WINDOW', 'CONDITIONAL']),
});
const origin = z.discriminatedUnion('type', [
  indirect,
  indirect.extend({ type: z.literal('DIRECT'), subtype: z.enum(['IDENTITY', 'TRANSFORMATION', 'AGGREGATION']) }),
]);

const inputs = z.object({ inputs: z.array(z.object({ path, role: z.enum(['scan', 'lookup', 'model']) })) });

const insert = z.object({
  line: z.number().int(),
  column: z.number().int(),
  target: path,
  plan: z.unknown(),
  planError: failure.nullish(),
  tree: inputs.nullable(),
  text: inputs.nullish(),
  tables: z.array(table),
  columns: z.record(z.string(), z.array(origin)).optional(),
  expressions: texts.optional(),
  indirect: z.array(indirect).optional(),
  columnsError: failure.nullish(),
  /** Tables whose columns were taken from their use. */
  inferred: z.array(path).default([]),
});

const statement = z.object({
  line: z.number().int(),
  column: z.number().int(),
  op: z.string().nullish(),
  status: z.enum(['ok', 'error', 'ignored']),
  error: failure.nullish(),
  /** Whether its syntax made up for the error. */
  text: z.boolean().optional(),
  /** Whether the columns used of undeclared tables did. */
  inferred: z.boolean().optional(),
});

const answer = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    statements: z.array(statement),
    prelude: z.array(statement).optional(),
    catalogs: z.record(z.string(), z.object({ type: z.string().nullish(), options: texts })),
    inserts: z.array(insert),
    undeclared: z.array(path).default([]),
    given: z.array(path).default([]),
  }),
  z.object({ ok: z.literal(false), error: failure }),
]);

const maxMessage = 500;

const fromText = 'its tables were taken from the text alone';

/** What was asked: the script, and whether its INSERTs were to be compiled. `verdict`: why no more than its text was read. */
export interface PlanRequest {
  readonly prepared: PreparedScript;
  readonly compile: boolean;
  readonly verdict?: PlanError | undefined;
}

/**
 * Reads one answer.
 * @throws PlanError PLAN_INTERNAL when the worker failed as a whole or its answer has another shape
 */
export function readAnswer(message: unknown, { prepared, compile, verdict }: PlanRequest, flinkVersion: string): PlannedScript {
  const parsed = answer.safeParse(message);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new PlanError('PLAN_INTERNAL', `the planner's answer has another shape at ${issue?.path.join('.')}: ${issue?.message}`);
  }
  const said = (error: z.output<typeof failure>) => usefulLine(error, prepared.secrets);
  if (!parsed.data.ok) throw new PlanError('PLAN_INTERNAL', said(parsed.data.error));
  const { statements, prelude = [], catalogs, inserts } = parsed.data;
  const locate = storedPositions(prepared);
  const diagnostics: Diagnostic[] = [...prepared.diagnostics];
  if (verdict) diagnostics.push({ code: verdict.code, severity: 'warning', message: `${verdict.message}; ${fromText}` });
  prelude.forEach(({ error }, i) => {
    if (!error) return;
    const message = `${prepared.prelude[i]?.origin ?? 'the prelude'}: ${said(error)}`;
    diagnostics.push({ code: 'PRELUDE_INVALID', severity: 'warning', message });
  });
  for (const { line, column, op, status, error, text, inferred } of statements) {
    if (status === 'error' && error && !inferred) {
      const at = { line: error.line ?? line, column: error.column ?? column };
      const message = text ? `${said(error)}; ${fromText}` : said(error);
      diagnostics.push({ code: 'PLAN_PARSE', severity: text ? 'warning' : 'error', message, ...locate(at), ...cured(error) });
    } else if (status === 'ignored' && !/^(?:set|reset)/i.test(op ?? '')) {
      const message = `${op ?? 'the statement'} was not executed`;
      diagnostics.push({ code: 'PLAN_STATEMENT_IGNORED', severity: 'warning', message, ...locate({ line, column }) });
    }
  }
  for (const { line, column, planError, tree, text, columnsError, inferred } of inserts) {
    if (text) continue;
    if (inferred.length > 0) {
      const message = `the columns of ${inferred.map((table) => table.join('.')).join(', ')} are not known; those that are used were taken from their use`;
      diagnostics.push({ code: 'COLUMNS_INFERRED', severity: 'warning', message, ...locate({ line, column }) });
      continue;
    }
    if (columnsError)
      diagnostics.push({ code: 'COLUMNS_UNKNOWN', severity: 'warning', message: said(columnsError), ...locate({ line, column }) });
    if (!planError && compile) continue;
    const severity = tree === null ? 'error' : 'warning';
    const message = planError ? said(planError) : 'compiling it took all time or memory of the planner';
    diagnostics.push({ code: 'PLAN_COMPILE', severity, message, ...locate({ line, column }), ...cured(planError) });
  }
  if (inserts.length === 0 && !diagnostics.some((d) => d.severity === 'error')) {
    diagnostics.push({ code: 'PLAN_NO_INSERT', severity: 'warning', message: 'the script has no INSERT' });
  }
  return {
    flinkVersion,
    inserts: inserts.map((found): PlannedInsert => {
      const { target, plan, tree, text, tables } = found;
      return {
        ...locate(found),
        target,
        plan: plan ?? null,
        tree,
        text: text ?? null,
        tables: tables.map((t) => ({ ...facts(t), role: t.role })),
        columns: columnsOf(found),
      };
    }),
    catalogs: Object.fromEntries(Object.entries(catalogs).map(([name, { type, options }]) => [name, { type: type ?? null, options }])),
    builtIn: { catalog: prepared.catalog, database: prepared.database },
    undeclared: parsed.data.undeclared,
    external: externalTables(parsed.data),
    diagnostics: diagnostics.sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)),
  };
}

function externalTables({ inserts, given, undeclared }: Extract<z.output<typeof answer>, { ok: true }>): ExternalTable[] {
  const known = new Set(given.map((table) => JSON.stringify(table)));
  const inferred = new Set(inserts.flatMap((insert) => insert.inferred.map((table) => JSON.stringify(table))));
  const used = new Map(inserts.flatMap(({ tables }) => tables.map((table) => [JSON.stringify(table.path), table.path] as const)));
  return [
    ...[...used].filter(([key]) => known.has(key)).map(([, table]): ExternalTable => ({ table, way: 'prelude' })),
    ...undeclared.map((table): ExternalTable => ({ table, way: inferred.has(JSON.stringify(table)) ? 'inferred' : 'text' })),
  ];
}

function columnsOf({ columns, indirect = [], expressions }: z.output<typeof insert>): ColumnLineage | null {
  const sourceColumn = ({ table: source, masking, ...use }: z.output<typeof origin>): SourceColumn => ({
    source,
    ...use,
    ...(masking === true && { masking }),
  });
  if (columns === undefined) return null;
  return {
    columns: Object.fromEntries(Object.entries(columns).map(([name, origins]) => [name, origins.map(sourceColumn)])),
    influences: indirect.map(sourceColumn),
    ...(expressions !== undefined && { expressions }),
  };
}

function facts({ path, temporary, options, columns, primaryKey, partitionKeys, comment }: z.output<typeof table>): TableFacts {
  return {
    path,
    temporary,
    options,
    columns: columns.map(
      ({ name, type, kind, comment }): ColumnFacts => ({ name, type, kind, ...(typeof comment === 'string' ? { comment } : {}) }),
    ),
    primaryKey,
    partitionKeys,
    ...(typeof comment === 'string' ? { comment } : {}),
  };
}

function cured(error: z.output<typeof failure> | null | undefined): { readonly cure?: string } {
  const cure = cureOf(error?.message ?? '');
  return cure === undefined ? {} : { cure };
}

/** The first line that says something, without secrets and cut to a bearable length. Masked before it is cut, so that no half secret stays. */
function usefulLine({ class: name, message }: z.output<typeof failure>, secrets: readonly string[]): string {
  const line = maskText(message ?? '', secrets)
    .split(/[\r\n]+/)
    .map((part) => part.trim())
    .find((part) => part !== '');
  const text = line ?? name;
  return text.length > maxMessage ? `${text.slice(0, maxMessage)}…` : text;
}
