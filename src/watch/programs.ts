// What StreamPark stored for one JAR or Python application. Nothing is decoded or interpreted here.
import { sql } from 'kysely';
import { programColumns } from './columns.ts';
import { filled, type RawRow, text } from './normalise.ts';
import type { StoredProgram } from './rows.ts';
import { columnOrNull, configOf, environmentOf, first, has, id, type ScriptQuery, variablesOf } from './scripts.ts';

/** The program of a Flink application with everything that decides what it does; null when the application is gone. */
export async function loadProgram(query: ScriptQuery): Promise<StoredProgram | null> {
  const { db, features, appId } = query;
  const columns = ['job_type', 'version_id', 'team_id', 'dynamic_properties', ...programColumns].map((c) =>
    columnOrNull(features, 't_flink_app', c),
  );
  const app: RawRow | null = await first(db, sql<RawRow>`select ${sql.join(columns)} from t_flink_app where id = ${id(appId)}`);
  if (app === null) return null;
  const environment = await environmentOf(query, filled(app['version_id']));
  const teamId = filled(app['team_id']);
  return {
    jobType: Number(app['job_type']) === 3 ? 'python' : 'jar',
    readable: programColumns.every((column) => has(features, 't_flink_app', column)),
    jar: filled(app['jar']),
    mainClass: filled(app['main_class']),
    args: text(app['args']),
    variables: teamId === null ? [] : await variablesOf(db, features, teamId),
    config: await configOf(query),
    dynamicProperties: filled(app['dynamic_properties']),
    engineVersion: filled(environment?.['version']),
    engineConf: filled(environment?.['conf']),
  };
}
