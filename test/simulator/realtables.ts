// Writes what a simulated console writes into a real database: the development version's tables, those of release 2.1.7, or one of the mixtures
// that upgrades by hand leave behind.
import { copyScript } from '../e2e/scene.ts';
import { encoded } from '../support/smallconsole.ts';
import { deleteText, insertText, quoted, type RowValues, updateText } from '../support/sqltext.ts';
import { type Family, smallDatabase, type TestDatabase } from '../support/streampark.ts';
import { sessionCluster, type World, type Write } from './console.ts';

export interface RealTables {
  readonly database: TestDatabase;
  /** Applies writes in their order. */
  write(writes: readonly Write[]): Promise<void>;
  drop(): Promise<void>;
}

/** How a database's tables differ from those of the development version. */
interface Shape {
  readonly deployMode: 'deploy_mode' | 'execution_mode';
  readonly log: 't_app_log' | 't_flink_log';
  /** The log's columns are named as in release 2.1.7, and none tells the engine. */
  readonly oldLog: boolean;
  readonly spark: boolean;
}

/**
 * `forced`: the upgrade script to 2.2 run over its errors (the log is renamed, nothing else). `patched`: development tables in which
 * the deploy mode kept its name. `renamed`: the column is new, the log is not.
 */
export type ShapeName = World['release'] | 'forced' | 'patched' | 'renamed';

const shapes: Readonly<Record<ShapeName, Shape>> = {
  dev: { deployMode: 'deploy_mode', log: 't_app_log', oldLog: false, spark: true },
  '2.1.7': { deployMode: 'execution_mode', log: 't_flink_log', oldLog: true, spark: false },
  forced: { deployMode: 'execution_mode', log: 't_app_log', oldLog: true, spark: false },
  patched: { deployMode: 'execution_mode', log: 't_app_log', oldLog: false, spark: true },
  renamed: { deployMode: 'deploy_mode', log: 't_flink_log', oldLog: true, spark: false },
};

/** Names of the log's columns in release 2.1.7, where they differ. */
const oldLogNames: Readonly<Record<string, string>> = { create_time: 'option_time', cluster_id: 'yarn_app_id' };

/** The script of one version writes into a topic of its own: `v3`. */
const scriptOf = (version: number): string => copyScript('orders', `v${version}`);

/** A fresh database with tables of this shape. */
export async function openRealTables(family: Family, name: ShapeName): Promise<RealTables> {
  const database = await smallDatabase(family);
  const shape = shapes[name];
  try {
    const changes = reshaped(family, shape);
    if (changes !== '') await database.query(changes);
    await database.query(insertText(family, 't_flink_cluster', { id: sessionCluster, cluster_name: 'session', cluster_state: 1 }));
  } catch (error) {
    await database.drop();
    throw error;
  }
  const flag = family === 'mysql' ? 'tinyint' : 'boolean';

  const named = (kind: 'app' | 'log', engine: Write['engine'], columns: RowValues): RowValues =>
    Object.fromEntries(
      Object.entries(columns)
        .filter(([name]) => !(shape.oldLog && kind === 'log' && name === 'job_type'))
        .map(([name, value]) => {
          if (name === 'name') return [engine === 'flink' ? 'job_name' : 'app_name', value];
          if (kind === 'app') return [name === 'deploy_mode' && engine === 'flink' ? shape.deployMode : name, value];
          return [(shape.oldLog ? oldLogNames[name] : undefined) ?? name, name === 'success' ? value === 1 : value];
        }),
    );

  const statements = (write: Write): string[] => {
    const { table, engine, id, columns, isNew } = write;
    const [sqlTable, effective] = [`t_${engine}_sql`, `t_${engine}_effective`];
    switch (table) {
      case 'cluster':
        return isNew ? [] : [updateText(family, 't_flink_cluster', { id }, columns ?? {})];
      case 'column':
        return ['t_flink_app', ...(shape.spark ? ['t_spark_app'] : [])].map((app) =>
          columns === null ? `alter table ${app} drop column lineage_enable` : `alter table ${app} add lineage_enable ${flag}`,
        );
      case 'script': {
        const version = Number(columns?.['version']);
        const row = Number(id) * 1000 + version;
        return [
          deleteText(family, sqlTable, { id: row }),
          insertText(family, sqlTable, { id: row, app_id: id, sql: encoded(scriptOf(version)), version, candidate: 0 }),
          deleteText(family, effective, { app_id: id, target_type: 2 }),
          insertText(family, effective, { app_id: id, target_type: 2, target_id: row }),
        ];
      }
      case 'log': {
        return [columns === null ? deleteText(family, shape.log, { id }) : insertText(family, shape.log, named('log', engine, columns))];
      }
      case 'app': {
        const app = `t_${engine}_app`;
        if (columns === null)
          return [
            deleteText(family, sqlTable, { app_id: id }),
            deleteText(family, effective, { app_id: id }),
            deleteText(family, app, { id }),
          ];
        return [
          isNew ? insertText(family, app, named('app', engine, columns)) : updateText(family, app, { id }, named('app', engine, columns)),
        ];
      }
    }
  };

  return {
    database,
    async write(writes) {
      const text = writes.flatMap(statements).join(';\n');
      if (text !== '') await database.query(text);
    },
    drop: () => database.drop(),
  };
}

/** Makes the development version's tables into others; empty when they are these. */
function reshaped(family: Family, { deployMode, log, oldLog, spark }: Shape): string {
  const rename = (table: string, from: string, to: string) =>
    `alter table ${table} rename column ${quoted(family, from)} to ${quoted(family, to)}`;
  return [
    ...(deployMode === 'deploy_mode' ? [] : [rename('t_flink_app', 'deploy_mode', deployMode)]),
    ...(oldLog
      ? [...Object.entries(oldLogNames).map(([from, to]) => rename('t_app_log', from, to)), 'alter table t_app_log drop column job_type']
      : []),
    ...(log === 't_app_log' ? [] : [`alter table t_app_log rename to ${log}`]),
    ...(spark ? [] : ['app', 'sql', 'effective', 'config', 'env'].map((name) => `drop table t_spark_${name}`)),
  ].join(';\n');
}
