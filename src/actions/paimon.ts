// Apache Paimon's actions (paimon-flink-action): `<action> --warehouse … --database … --table …`. Names of actions and arguments are
// written with `-` or `_`; a table is given by warehouse, database and name or by its path.
import type { TableUse } from '../lineage/lineage.ts';
import type { Recognised } from './actions.ts';
import { type Parameters, parametersOf } from './arguments.ts';
import { syncDatabase, syncTable } from './paimon-sync.ts';
import { lastParts, paimonTable, tablePath } from './paimon-table.ts';
import { literalNames, matches, tableIdParts } from './patterns.ts';
import { copied, leftOut, missing, nothing, type Read, type Tool, united } from './tool.ts';

const underscored = (key: string): string => key.replaceAll('-', '_');

/** Rewrites a table in place. */
function rewrite(given: Parameters): Read {
  const itself = targetTable(given);
  return itself === undefined ? missing('--warehouse, --database, --table or --path') : copied({ sources: [itself], sink: itself });
}

/** Changes a table without reading another. */
function change(given: Parameters): Read {
  const itself = targetTable(given);
  return itself === undefined ? missing('--warehouse, --database, --table or --path') : copied({ sources: [], sink: itself });
}

function targetTable(given: Parameters): TableUse | undefined {
  const path = tablePath(given);
  return path === undefined ? undefined : paimonTable(path, given.pairs('catalog_conf'));
}

function compactDatabase(given: Parameters): Read {
  const tables = given.one('including_tables');
  const catalog = { ...given.pairs('catalog_conf') };
  const warehouse = given.one('warehouse') ?? catalog['warehouse'];
  if (warehouse === undefined) return missing('--warehouse');
  if (tables === undefined) return leftOut('PATTERN_UNRESOLVED', 'without --including_tables all tables of the databases are compacted');
  return united(
    tables.split('|').map((written) => {
      const parts = tableIdParts(written.replaceAll('\\.', '.'));
      const names = parts.map(literalNames);
      const [database, table] = names.map((found) => (found?.length === 1 ? found[0] : undefined));
      if (parts.length !== 2 || database === undefined || table === undefined)
        return leftOut('PATTERN_UNRESOLVED', `table ${written} is a pattern`);
      const included = matches(given.one('including_databases') ?? '.*', database);
      const excluded = given.one('excluding_tables');
      if (included !== true || (excluded !== undefined && matches(excluded.replaceAll('\\.', '.'), `${database}.${table}`) !== false)) {
        return included === false
          ? nothing
          : leftOut('PATTERN_UNRESOLVED', `whether table ${database}.${table} is compacted is not certain`);
      }
      const itself = paimonTable({ warehouse, database, table }, catalog);
      return copied({ sources: [itself], sink: itself });
    }),
  );
}

function clone(given: Parameters): Read {
  const [database, table] = [given.one('database'), given.one('table')];
  const catalog = given.pairs('catalog_conf');
  const targetCatalog = given.pairs('target_catalog_conf');
  const [from, to] = [given.one('warehouse') ?? catalog['warehouse'], given.one('target_warehouse') ?? targetCatalog['warehouse']];
  if (to === undefined) return missing('--target_warehouse');
  if (database === undefined || table === undefined)
    return leftOut('PATTERN_UNRESOLVED', 'without --database and --table all tables are cloned');
  const sink = paimonTable(
    { warehouse: to, database: given.one('target_database') ?? database, table: given.one('target_table') ?? table },
    targetCatalog,
  );
  // newer versions clone Hive tables unless they are told otherwise; where those lie, only the metastore knows
  const isPaimon = given.one('clone_from')?.toLowerCase() === 'paimon' || (!given.has('clone_from') && catalog['metastore'] !== 'hive');
  if (!isPaimon) {
    const finding = { code: 'LOCATION_UNKNOWN', message: `where table ${database}.${table} of the metastore lies is not known` } as const;
    return { transfers: [{ sources: [], sink }], findings: [finding] };
  }
  return from === undefined
    ? missing('--warehouse')
    : copied({ sources: [paimonTable({ warehouse: from, database, table }, catalog)], sink });
}

/** The source is a table beside the target, or one that `--source_sql` makes. */
function mergeInto(given: Parameters): Read {
  const target = tablePath(given);
  if (target === undefined) return missing('--warehouse, --database, --table or --path');
  const catalog = given.pairs('catalog_conf');
  const sink = paimonTable(target, catalog);
  const written = given.one('source_table');
  if (written === undefined) return missing('--source_table');
  const parts = lastParts(written);
  if (given.has('source_sql') || parts.length > 2) {
    const finding = {
      code: 'JOB_TABLES_UNKNOWN',
      message: `source table ${written} is defined by --source_sql or in another catalog`,
    } as const;
    return { transfers: [{ sources: [], sink }], findings: [finding] };
  }
  const [table = '', database = target.database] = [...parts].reverse();
  return copied({ sources: [paimonTable({ warehouse: target.warehouse, database, table }, catalog)], sink });
}

const actions: Readonly<Record<string, (given: Parameters) => Read>> = {
  mysql_sync_table: (given) => syncTable(given, 'mysql'),
  postgres_sync_table: (given) => syncTable(given, 'postgres'),
  mongodb_sync_table: (given) => syncTable(given, 'mongodb'),
  kafka_sync_table: (given) => syncTable(given, 'kafka'),
  pulsar_sync_table: (given) => syncTable(given, 'pulsar'),
  mysql_sync_database: (given) => syncDatabase(given, 'mysql'),
  mongodb_sync_database: (given) => syncDatabase(given, 'mongodb'),
  kafka_sync_database: (given) => syncDatabase(given, 'kafka'),
  pulsar_sync_database: (given) => syncDatabase(given, 'pulsar'),
  compact: rewrite,
  sort_compact: rewrite,
  rescale: rewrite,
  compact_database: compactDatabase,
  merge_into: mergeInto,
  delete: change,
  clone,
};

/** Actions on metadata, old snapshots and partitions: no data moves from table to table. */
const housekeeping = new Set([
  'create_tag',
  'create_tag_from_timestamp',
  'create_tag_from_watermark',
  'create_or_replace_tag',
  'replace_tag',
  'rename_tag',
  'delete_tag',
  'expire_tags',
  'create_branch',
  'delete_branch',
  'fast_forward',
  'merge_branch',
  'rollback_to',
  'rollback_to_timestamp',
  'rollback_to_watermark',
  'expire_snapshots',
  'expire_changelogs',
  'expire_partitions',
  'drop_partition',
  'mark_partition_done',
  'remove_orphan_files',
  'remove_unexisting_files',
  'reset_consumer',
  'clear_consumers',
  'compact_manifest',
  'rewrite_file_index',
  'repair',
  'query_service',
]);

export const paimon: Tool = {
  name: 'paimon',
  mainClasses: ['org.apache.paimon.flink.action.FlinkActions', 'org.apache.flink.table.store.connector.action.FlinkActions'],
  jars: /^(?:paimon-flink-action|flink-table-store-dist)-.*\.jar$/,
  read(_program, [first = '', ...words]): Recognised {
    const action = underscored(first.toLowerCase());
    const rule = Object.hasOwn(actions, action) ? actions[action] : undefined;
    if (rule !== undefined) return { tool: 'paimon', action, ...rule(parametersOf(words, underscored)) };
    const unknown = leftOut('JOB_ACTION_UNKNOWN', `action ${first.slice(0, 100) || '(none)'} is not known`);
    return { tool: 'paimon', action, ...(housekeeping.has(action) ? nothing : unknown) };
  },
  actions: [
    {
      action: '`mysql_sync_table`, `postgres_sync_table`, `mongodb_sync_table`',
      arguments: '`--warehouse`, `--database`, `--table`, `--*_conf`, `--catalog_conf`',
      reported: 'each table that is named → the Paimon table',
      not: 'tables behind a pattern',
    },
    {
      action: '`kafka_sync_table`, `pulsar_sync_table`',
      arguments: 'as above; `topic`',
      reported: 'each topic → the Paimon table',
      not: '`topic-pattern`',
    },
    {
      action: '`mysql_sync_database`, `mongodb_sync_database`',
      arguments:
        '`--including_tables a\\|b`, `--excluding_tables`, `--table_mapping`, `--table_prefix`, `--table_suffix` and their `_db` forms, `--merge_shards`',
      reported: 'each table that is named → its Paimon table',
      not: 'all tables of a database when none is named, patterns, several databases with several tables',
    },
    {
      action: '`kafka_sync_database`, `pulsar_sync_database`',
      arguments: 'as above',
      reported: 'one topic → each table that is named',
      not: 'several topics (which table comes from which is in the messages only), `--table_prefix_db`, `--table_suffix_db`',
    },
    {
      action: '`compact`, `sort_compact`, `rescale`, `compact_database`',
      arguments: '`--warehouse`, `--database`, `--table` or `--path`; `--including_databases`, `--including_tables db.a\\|db.b`',
      reported: 'the table, as input and output',
      not: 'a database without `--including_tables`',
    },
    {
      action: '`merge_into`',
      arguments: '`--source_table`, `--warehouse`, `--database`, `--table`',
      reported: 'source → target',
      not: 'a source that `--source_sql` makes (the target is reported alone)',
    },
    { action: '`delete`', arguments: '`--warehouse`, `--database`, `--table`', reported: 'the table, as output', not: '' },
    {
      action: '`clone`',
      arguments: '`--warehouse`, `--database`, `--table`, `--target_*`, `--clone_from`',
      reported: 'table → its copy',
      not: 'whole databases; Hive tables as source (the copy is reported alone)',
    },
    { action: 'tags, branches, snapshots, partitions, orphan files', arguments: '', reported: 'the run, without datasets', not: '' },
  ],
};
