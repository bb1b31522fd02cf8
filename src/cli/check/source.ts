// Checks of StreamPark's database: it answers, is new enough, is StreamPark's, and a poll as `run` makes it works.
import { sql } from 'kysely';
import { selectCure } from '../../optin/optin.ts';
import { type Features, pollMemory, type Source } from '../../watch/watch.ts';
import { checkColumns } from './columns.ts';
import type { CheckInput, SourceFacts } from './context.ts';
import { type CheckResult, coded, failure, ok, warn } from './result.ts';

/** The findings, and what the later checks need; no facts when the source cannot be read. */
export async function checkSource(input: CheckInput): Promise<{ results: CheckResult[]; facts: SourceFacts | undefined }> {
  const { source, settings, now } = input;
  let what = 'source: connection';
  if (source === undefined) {
    const detail = settings.source.url === undefined ? 'source.url is not set' : 'source.url is not a database URL';
    const cure =
      'Set STREAMPARK_LINEAGE_SOURCE_URL to the URL of the database that StreamPark uses: mysql://user:password@host:3306/streampark or postgres://…';
    return { results: [coded('fail', what, 'CONFIG_INVALID', detail, cure)], facts: undefined };
  }
  const results: CheckResult[] = [];
  try {
    const began = now();
    await source.clock();
    results.push(ok(what, `${source.label} answers in ${now() - began} ms`), await server(source));
    what = 'source: schema';
    const features = await source.features();
    const log = features.log?.table ?? 'no log table';
    const spark = features.spark === null ? 'no Spark tables' : 'Spark tables';
    results.push(ok(what, `columns of StreamPark ${features.release}; ${log}; ${spark}`), ...privileges(features));
    if (settings.optIn === 'column') results.push(...(await checkColumns(source)));
    what = 'source: poll';
    const applications = await source.listApps();
    const start = now();
    const { result } = await source.pollOnce(pollMemory(), new Set());
    if (result.kind === 'skipped') throw result.error;
    results.push(ok(what, `${result.rows.size} applications read in ${now() - start} ms`), storedRows(Object.keys(result.settings)));
    return { results, facts: { source, read: result, applications } };
  } catch (error) {
    return { results: [...results, failure(what, error)], facts: undefined };
  }
}

/** The oldest servers supported, as major and minor. */
const oldest = { PostgreSQL: [13, 0], MariaDB: [10, 6], MySQL: [5, 7] } as const;

async function server({ database }: Source): Promise<CheckResult> {
  const { rows } = await sql<{ version: string }>`select version() as version`.execute(database.db);
  const text = rows[0]?.version ?? '';
  const name = database.family === 'postgres' ? 'PostgreSQL' : /mariadb/i.test(text) ? 'MariaDB' : 'MySQL';
  const [, version = '?', major = '0', minor = '0'] = /((\d+)\.(\d+)[\d.]*)/.exec(text) ?? [];
  const [needMajor, needMinor] = oldest[name];
  const old = Number(major) < needMajor || (Number(major) === needMajor && Number(minor) < needMinor);
  if (!old) return ok('source: server', `${name} ${version}`);
  const need = `${name} ${needMajor}.${needMinor}`;
  return warn(
    'source: server',
    `${name} ${version} is older than ${need}, the oldest that is supported`,
    `Upgrade the server to ${need} or newer.`,
  );
}

/** What must be readable has been read already; here is what else exists and is hidden. */
function privileges({ problems, catalog }: Features): CheckResult[] {
  const what = 'source: privileges';
  if (problems.length === 0) return [ok(what, `the needed columns of ${catalog.size} tables can be read`)];
  return problems.map(({ code, message }) => coded('warn', what, code, message, selectCure));
}

/** Values are not shown: one of them is a token. */
function storedRows(keys: readonly string[]): CheckResult {
  const detail =
    keys.length === 0 ? 'no lineage.* value; they come from the settings file or the environment' : `with a value: ${keys.join(', ')}`;
  return ok('source: t_setting', detail);
}
