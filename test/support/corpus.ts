// The corpus of scripts: `test/fixtures/scripts/<name>.sql` with the answer beside it, derived by hand from the SQL.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { distillLineage, nameLineage } from '../../src/identity/identity.ts';
import { extractLineage, type Pipeline, type ScriptLineage } from '../../src/lineage/lineage.ts';
import { type PlannedScript, type Planner, type PreparedScript, prepareText, type SourceColumn, type Tier } from '../../src/plan/plan.ts';
import { repositoryRoot } from './shared.ts';

/**
 * What a script gives, in a form that is easily written by hand. Datasets are `namespace name`, with `lookup` in front where they
 * are looked up; source columns are `table.field` as the script names them, with the use behind unless it is the value itself; the
 * column `*` is what decides about whole rows; skipped tables are `table REASON`; diagnostics are `CODE line`.
 */
export interface Answer {
  readonly tier: Tier | 'none';
  readonly inserts: readonly {
    readonly inputs: readonly string[];
    readonly sink: string;
    /** null where they are not known. */
    readonly columns: Readonly<Record<string, readonly string[]>> | null;
  }[];
  readonly skipped: readonly string[];
  readonly diagnostics: readonly string[];
}

export interface CorpusCase {
  readonly name: string;
  readonly sql: string;
  readonly expected: Answer;
  /** The Flink version that its syntax needs; 1.15 where absent. */
  readonly since: string | undefined;
  /** What is different before Flink 2.0. */
  readonly before2: Partial<Answer> | undefined;
}

const folder = join(repositoryRoot, 'test', 'fixtures', 'scripts');

/** All scripts, by name. */
export function corpus(): CorpusCase[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => {
      const name = file.slice(0, -'.sql'.length);
      const written = parse(readFileSync(join(folder, `${name}.yaml`), 'utf8')) as Partial<Answer & CorpusCase>;
      const { tier = 'plan', inserts = [], skipped = [], diagnostics = [], since, before2 } = written;
      const sql = readFileSync(join(folder, file), 'utf8');
      return { name, sql, expected: { tier, inserts, skipped, diagnostics }, since, before2 };
    });
}

const settings = { profile: 'openlineage', jdbcNameRule: '1.54' } as const;

export const prepared = (sql: string, engineVersion: string | null = null): PreparedScript =>
  prepareText({ sql, variables: [], engineVersion }, { maxScriptBytes: 8 * 1024 * 1024 });

/** Plans a script as `explain` does and gives its answer. */
export async function answerOf(planner: Planner, sql: string, engineVersion: string | null = null): Promise<Answer> {
  return answer(await planner.plan(prepared(sql, engineVersion)));
}

/** The answer of a planned script; `extract` stands for the stage lineage. */
export function answer(planned: PlannedScript, extract: typeof extractLineage = extractLineage): Answer {
  const lineage = extract(planned);
  const all = lineage.pipelines.map((pipeline) => ({ pipeline, named: named(lineage, [pipeline]) }));
  const skipped = named(lineage, lineage.pipelines).skipped.map(({ table, reason }) => `${table[2]} ${reason}`);
  return {
    tier: (['text', 'tree', 'plan'] as const).find((tier) => lineage.pipelines.some((pipeline) => pipeline.tier === tier)) ?? 'none',
    inserts: all.flatMap(({ pipeline, named: { pipelines } }) =>
      pipelines.map(({ sink, inputs }) => ({
        inputs: inputs.map(({ role, dataset }) => `${role === 'scan' ? '' : `${role} `}${dataset.namespace} ${dataset.name}`).sort(),
        sink: `${sink.dataset.namespace} ${sink.dataset.name}`,
        columns: columnsOf(pipeline),
      })),
    ),
    skipped: [...new Set(skipped)].sort(),
    diagnostics: lineage.diagnostics
      .filter(({ code }) => code !== 'PLANNER_VERSION')
      .map(({ code, line }) => (line === undefined ? code : `${code} ${line}`)),
  };
}

const named = (lineage: ScriptLineage, pipelines: readonly Pipeline[]) => nameLineage(distillLineage({ ...lineage, pipelines }), settings);

function columnsOf({ columns, inputs }: Pipeline): Record<string, string[]> | null {
  if (columns === null) return null;
  const uses = (origins: readonly SourceColumn[]) => [
    ...new Set(
      origins
        .map(({ source, field, subtype }) => `${inputs[source]?.facts.path[2]}.${field}${subtype === 'IDENTITY' ? '' : ` ${subtype}`}`)
        .sort(),
    ),
  ];
  return {
    ...Object.fromEntries(Object.entries(columns.columns).map(([column, origins]) => [column, uses(origins)])),
    ...(columns.influences.length === 0 ? {} : { '*': uses(columns.influences) }),
  };
}

/** An answer with everything in the order of `answer`. */
export function comparable(found: Answer): Answer {
  return {
    ...found,
    inserts: found.inserts.map(({ inputs, sink, columns }) => ({
      inputs: [...inputs].sort(),
      sink,
      columns: columns && Object.fromEntries(Object.entries(columns).map(([column, origins]) => [column, [...origins].sort()])),
    })),
    skipped: [...found.skipped].sort(),
  };
}
