// Which columns of which tables are read, under which names they occur in the releases, and which are indispensable.
// The same lists make the queries, the digests, the grants in the README and the privilege checks.
import type { Engine } from './rows.ts';

/** One column of ours: `names` are tried in order; the first that exists is read. */
export interface WantedColumn {
  readonly alias: string;
  readonly names: readonly string[];
  /** Without it the table cannot be followed. */
  readonly required: boolean;
}

/**
 * The columns that tell of a run, in the digest of each poll. The others (name, team, owner, kind, version …) are frozen at a start, which
 * moves these too and so reads the row anew; without a start the full read of each minute sees them.
 */
export const digestColumns: readonly string[] = [
  'id',
  'state',
  'option_state',
  'restart_count',
  'start_time',
  'end_time',
  'option_time',
  'job_id',
  'cluster_id',
];

const must = (alias: string, ...names: string[]): WantedColumn => ({ alias, names: names.length > 0 ? names : [alias], required: true });
const may = (alias: string, ...names: string[]): WantedColumn => ({ alias, names: names.length > 0 ? names : [alias], required: false });

const shared: readonly WantedColumn[] = [
  must('id'),
  must('create_time'),
  must('state'),
  must('start_time'),
  must('end_time'),
  must('option_time'),
  must('deploy_mode', 'deploy_mode', 'execution_mode'),
  may('team_id'),
  may('user_id'),
  may('job_type'),
  may('option_state'),
  may('tracking'),
  may('release', 'release', 'launch'),
  may('restart_count'),
  may('version_id'),
];

/** Columns of the application tables; duration and metrics change at each poll of the console and are left out. */
export const appColumns: Readonly<Record<Engine, readonly WantedColumn[]>> = {
  flink: [
    ...shared,
    must('name', 'job_name'),
    must('job_id'),
    may('cluster_id', 'cluster_id', 'app_id'), // the YARN id is app_id before 2.1.4
    may('flink_cluster_id'),
  ],
  spark: [...shared, must('name', 'app_name'), must('cluster_id')],
};

/** Columns of t_app_log and of t_flink_log, its name in the releases. */
export const logColumns: readonly WantedColumn[] = [
  must('id'),
  must('app_id'),
  may('option_name'),
  may('success'),
  may('create_time', 'create_time', 'option_time'),
  may('cluster_id', 'cluster_id', 'yarn_app_id'),
  may('exception'),
  may('job_type'),
];

/** t_flink_log of the releases knows one engine only. */
export const releaseLogColumns: readonly WantedColumn[] = logColumns.filter(({ alias }) => alias !== 'job_type');

/** The column that opts an application in; made by `migrate`, or by StreamPark's own proposal of the same name. */
export const optInColumn = 'lineage_enable';

export const appTables: Readonly<Record<Engine, string>> = { flink: 't_flink_app', spark: 't_spark_app' };
export const logTables = ['t_app_log', 't_flink_log'] as const;

/** Views that may stand in for tables which hold secrets of others; `migrate` prints their definition. */
export const settingView = 'lineage_setting';
export const variableView = 'lineage_variable';

/** Every other table of StreamPark that is read, with its columns. */
export const sideTables: Readonly<Record<string, readonly string[]>> = {
  t_flink_cluster: ['id', 'cluster_state'],
  t_setting: ['setting_key', 'setting_value'],
  t_variable: ['id', 'team_id', 'variable_code', 'variable_value', 'desensitization'],
  t_team: ['id', 'team_name', 'create_time'],
  t_user: ['user_id', 'username', 'create_time'],
  t_flink_project: ['id', 'url'],
  t_flink_sql: ['id', 'app_id', 'sql', 'version'],
  t_flink_effective: ['id', 'app_id', 'target_type', 'target_id'],
  t_flink_config: ['id', 'app_id', 'format', 'content'],
  t_flink_env: ['id', 'version', 'flink_conf', 'is_default'],
  t_spark_sql: ['id', 'app_id', 'sql', 'version'],
  t_spark_effective: ['id', 'app_id', 'target_type', 'target_id'],
  t_spark_config: ['id', 'app_id', 'format', 'content'],
  t_spark_env: ['id', 'version', 'spark_conf', 'is_default'],
};

/** What tells which tables a JAR or Python application moves: without them such a run is told without datasets. */
export const programColumns: readonly string[] = ['jar', 'main_class', 'args'];

/** Columns read only when an application's script or names are loaded. */
export const detailColumns: Readonly<Record<Engine, readonly string[]>> = {
  flink: ['dynamic_properties', 'description', 'tags', ...programColumns, 'resource_from', 'project_id', 'module'],
  spark: ['app_properties', 'description', 'tags'],
};

/** What of a project is read where it is there: its branch is `branches` before 2.1.5. */
export const projectColumns: Readonly<Record<string, readonly string[]>> = { t_flink_project: ['refs', 'branches', 'repository'] };

/** Columns that only a look into the past reads; without them the script of an earlier run is known less often. */
export const historyColumns: Readonly<Record<string, readonly string[]>> = {
  t_flink_sql: ['create_time'],
  t_spark_sql: ['create_time'],
  t_flink_app_backup: ['app_id', 'sql_id', 'create_time'],
  t_app_backup: ['app_id', 'sql_id', 'create_time'],
  t_spark_app_backup: ['app_id', 'sql_id', 'create_time'],
};
