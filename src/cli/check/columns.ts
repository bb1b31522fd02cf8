// Check of the opt-in column, before the poll that would stumble over one that cannot serve.
import { inspectTables, unusable } from '../../optin/optin.ts';
import type { Source } from '../../watch/watch.ts';
import { type CheckResult, coded, ok } from './result.ts';

/**
 * One finding for each application table.
 * @throws SourceError
 */
export async function checkColumns({ database }: Source): Promise<CheckResult[]> {
  const { tables } = await inspectTables(database);
  return tables.map(({ table, optIn }) => {
    const what = `opt-in: ${table}`;
    if (optIn === undefined)
      return coded('warn', what, 'OPT_IN_COLUMN_MISSING', 'no column lineage_enable, or none that this user may read');
    if (optIn.problem === undefined) return ok(what, `column lineage_enable (${optIn.type})`);
    const error = unusable(table, optIn.problem);
    return coded('fail', what, error.code, error.message, error.cure);
  });
}
