// Flink CDC pipelines (3.x): a YAML file of source, sink and routes.
import { decodeStored } from '../plan/plan.ts';
import type { Finding, Program, Recognised, Transfer } from './actions.ts';
import { parametersOf } from './arguments.ts';
import { type Definition, readDefinition } from './definition.ts';
import { sinkTable, sourceTable, tableDepth } from './flink-cdc-tables.ts';
import { literalNames, matches, splitList, tableIdParts } from './patterns.ts';
import type { Tool } from './tool.ts';

const longest = 1024 * 1024;

/** The text of the pipeline: the first argument itself, what StreamPark's own client is given, or the application's config. */
function textOf(program: Program, words: readonly string[]): string | undefined {
  const [first = ''] = words;
  const encoded = parametersOf(words).one('sql');
  return [first, encoded === undefined ? '' : decoded(encoded), program.config ?? ''].find((text) => readDefinition(text) !== undefined);
}

function decoded(text: string): string {
  try {
    return decodeStored(text, longest);
  } catch {
    return '';
  }
}

const patternLeft = (table: string): Finding => ({ code: 'PATTERN_UNRESOLVED', message: `source table ${table} is a pattern` });

function transfersOf(definition: Definition): { transfers: Transfer[]; findings: Finding[] } {
  const { source, sink } = definition;
  const depth = tableDepth(source['type'] ?? '');
  if (depth === undefined) {
    return {
      transfers: [],
      findings: [{ code: 'CONNECTOR_UNKNOWN', message: `no rule for source ${(source['type'] ?? '').slice(0, 100)}` }],
    };
  }
  const transfers: Transfer[] = [];
  const findings: Finding[] = [];
  for (const written of splitList(source['tables'] ?? '')) {
    const tables = literalTables(written, depth);
    if (tables === undefined) findings.push(patternLeft(written));
    for (const id of tables ?? []) {
      const excluded = matchesAny(splitList(source['tables.exclude'] ?? ''), id);
      if (excluded === true) continue;
      const targets = excluded === undefined ? undefined : targetsOf(definition, id);
      if (targets === undefined) {
        const what = excluded === undefined ? 'tables.exclude' : 'a route';
        findings.push({ code: 'PATTERN_UNRESOLVED', message: `what ${what} says of table ${id.join('.')} is not certain` });
      }
      for (const target of targets ?? []) {
        const table = sinkTable(sink, target, id);
        if (table === undefined) {
          findings.push({
            code: 'CONNECTOR_UNKNOWN',
            message: `no rule for table ${target.join('.')} in sink ${(sink['type'] ?? '').slice(0, 100)}`,
          });
        } else transfers.push({ sources: [sourceTable(source, id)], sink: table });
      }
    }
  }
  if (source['tables'] === undefined) findings.push({ code: 'JOB_ARGUMENT_MISSING', message: 'the source has no tables' });
  return { transfers: byTarget(transfers), findings };
}

/** `db.(a|b)` and `db.a` as table ids; undefined for a pattern. */
function literalTables(written: string, depth: number): string[][] | undefined {
  const parts = tableIdParts(written);
  const names = parts.map(literalNames);
  if (parts.length !== depth || names.some((name) => name === undefined)) return undefined;
  // more than one list of alternatives would name pairs that may not exist
  if (names.filter((name) => (name?.length ?? 0) > 1).length > 1) return undefined;
  return names.reduce<string[][]>((ids, name) => ids.flatMap((id) => (name ?? []).map((part) => [...id, part])), [[]]);
}

function matchesAny(patterns: readonly string[], id: readonly string[]): boolean | undefined {
  const found = patterns.map((pattern) => matchesId(pattern, id));
  return found.includes(true) ? true : found.includes(undefined) ? undefined : false;
}

/** What a pattern with another number of parts matches, the releases do not agree on. */
function matchesId(pattern: string, id: readonly string[]): boolean | undefined {
  const parts = tableIdParts(pattern);
  if (parts.length !== id.length) return undefined;
  const found = parts.map((part, i) => matches(part, id[i] ?? ''));
  return found.includes(false) ? false : found.includes(undefined) ? undefined : true;
}

/** Where a table goes: to the target of every route that matches (of the first, where the pipeline says so), else to its own name. */
function targetsOf({ route, routeMode }: Definition, id: readonly string[]): string[][] | undefined {
  const targets: string[][] = [];
  for (const { from, to, symbol } of route) {
    const matched = matchesId(from, id);
    if (matched === undefined) return undefined;
    if (!matched) continue;
    const target = symbol === undefined || symbol === '' ? to : to.replaceAll(symbol, id.at(-1) ?? '');
    // groups of the pattern
    if (/\$\d/.test(target)) return undefined;
    targets.push(tableIdParts(target));
    if (routeMode?.toUpperCase() === 'FIRST_MATCH') break;
  }
  return targets.length === 0 ? [[...id]] : targets;
}

/** Tables that go into one target are its inputs together. */
function byTarget(transfers: readonly Transfer[]): Transfer[] {
  const found = new Map<string, { sources: Transfer['sources'][number][]; sink: Transfer['sink'] }>();
  for (const { sources, sink } of transfers) {
    const key = JSON.stringify(sink);
    const entry = found.get(key) ?? { sources: [], sink };
    entry.sources.push(...sources);
    found.set(key, entry);
  }
  return [...found.values()];
}

export const flinkCdc: Tool = {
  name: 'flink-cdc',
  mainClasses: [
    'org.apache.flink.cdc.cli.CliExecutor',
    'org.apache.flink.cdc.cli.CliFrontend',
    'com.ververica.cdc.cli.CliFrontend',
    'org.apache.streampark.flink.cdc.cli.CDCClient',
  ],
  jars: /^flink-cdc-(?:dist|cli)-.*\.jar$/,
  read(program, words): Recognised {
    const text = textOf(program, words);
    const definition = text === undefined ? undefined : readDefinition(text);
    if (text === undefined || definition === undefined) {
      const message = 'the text of the pipeline is not stored in StreamPark: the argument is the path of a file';
      return { tool: 'flink-cdc', action: 'pipeline', transfers: [], findings: [{ code: 'JOB_FILE_NOT_STORED', message }] };
    }
    const action = `${definition.source['type']} to ${definition.sink['type']}`;
    return { tool: 'flink-cdc', action, definition: text, ...transfersOf(definition) };
  },
  actions: [
    {
      action: 'pipeline',
      arguments: '`source.tables`, `tables.exclude`, `route` (`source-table`, `sink-table`, `replace-symbol`), `pipeline.route-mode`',
      reported:
        'each table that is named → its target, from MySQL, PostgreSQL, SQL Server, Oracle, OceanBase to Doris, StarRocks, Kafka, Paimon, Iceberg, Fluss, Elasticsearch, OceanBase',
      not: 'tables behind a pattern; pipelines whose file is not stored (only its path is an argument); columns of `transform`',
    },
  ],
};
