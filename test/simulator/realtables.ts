// Writes what a simulated console writes into a real database: the development version's tables, or those of release 2.1.7.
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

/** Column names of release 2.1.7, where they differ. */
const oldNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  app: { deploy_mode: 'execution_mode' },
  log: { create_time: 'option_time', cluster_id: 'yarn_app_id' },
};

/** The script of one version writes into a topic of its own: `v3`. */
const scriptOf = (version: number): string => copyScript('orders', `v${version}`);

/** A fresh database with the tables of the world's release. */
export async function openRealTables(family: Family, release: World['release']): Promise<RealTables> {
  const database = await smallDatabase(family);
  const old = release === '2.1.7';
  try {
    if (old) await database.query(downgrade(family));
    await database.query(insertText(family, 't_flink_cluster', { id: sessionCluster, cluster_name: 'session', cluster_state: 1 }));
  } catch (error) {
    await database.drop();
    throw error;
  }
  const flag = family === 'mysql' ? 'tinyint' : 'boolean';

  const named = (kind: 'app' | 'log', engine: Write['engine'], columns: RowValues): RowValues =>
    Object.fromEntries(
      Object.entries(columns)
        .filter(([name]) => !(old && kind === 'log' && name === 'job_type'))
        .map(([name, value]) => {
          if (name === 'name') return [engine === 'flink' ? 'job_name' : 'app_name', value];
          return [(old ? oldNames[kind]?.[name] : undefined) ?? name, name === 'success' ? value === 1 : value];
        }),
    );

  const statements = (write: Write): string[] => {
    const { table, engine, id, columns, isNew } = write;
    const [sqlTable, effective] = [`t_${engine}_sql`, `t_${engine}_effective`];
    switch (table) {
      case 'cluster':
        return isNew ? [] : [updateText(family, 't_flink_cluster', { id }, columns ?? {})];
      case 'column':
        return ['t_flink_app', ...(old ? [] : ['t_spark_app'])].map((app) =>
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
        const log = old ? 't_flink_log' : 't_app_log';
        return [columns === null ? deleteText(family, log, { id }) : insertText(family, log, named('log', engine, columns))];
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

/** Makes the development version's tables into those of 2.1.7: other names, no Spark. */
function downgrade(family: Family): string {
  const rename = (table: string, from: string, to: string) =>
    `alter table ${table} rename column ${quoted(family, from)} to ${quoted(family, to)}`;
  return [
    rename('t_flink_app', 'deploy_mode', 'execution_mode'),
    'alter table t_app_log rename to t_flink_log',
    rename('t_flink_log', 'create_time', 'option_time'),
    rename('t_flink_log', 'cluster_id', 'yarn_app_id'),
    'alter table t_flink_log drop column job_type',
    ...['app', 'sql', 'effective', 'config', 'env'].map((name) => `drop table t_spark_${name}`),
  ].join(';\n');
}
