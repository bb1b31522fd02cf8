// Check of the zone of StreamPark's times. A console writes option_time with its own clock at each request, so under the
// right zone none of them lies in the future; under a zone too far west the newest ones do.
import { sql } from 'kysely';
import { appTables, type Source, type ZoneClock, zoneClock } from '../../watch/watch.ts';
import type { Check } from './context.ts';
import { type CheckResult, coded, failure, ok, warn } from './result.ts';

const what = 'source: time zone';
/** Clock difference between console and database that is tolerated. */
const skewMs = 2 * 60_000;

/** Compares the zone in force with the newest write of the console. */
export const checkTimezone: Check = async ({ settings, facts }) => {
  if (facts === undefined) return [];
  const { now, serverZone } = facts.read;
  let clock: ZoneClock;
  try {
    clock = zoneClock(settings.sourceTimezone, null, serverZone, now);
  } catch (error) {
    return [failure(what, error)];
  }
  const raw = await newestRequest(facts.source);
  return [judge(clock, raw, now)];
};

function judge(clock: ZoneClock, raw: string | null, now: number): CheckResult {
  const name = clock.from === 'configured' ? `${clock.zone} (configured)` : `${clock.zone} (the server's, until a fresh write tells)`;
  const at = raw === null ? null : clock.toInstant(raw);
  if (at === null) return ok(what, `${name}; no write of the console to compare with`);
  const ahead = at - now;
  if (ahead <= skewMs) return ok(what, `${name}; the newest request was ${duration(-ahead)} ago`);
  const detail = `under ${name} the newest request, ${raw}, lies ${duration(ahead)} in the future`;
  if (clock.from === 'configured') return coded('fail', what, 'SOURCE_TIMEZONE', detail);
  return warn(
    what,
    detail,
    'Nothing to do: the zone is learned at the next start or stop of an application. To be sure at once set sourceTimezone, such as +08:00.',
  );
}

/** Newest option_time as raw text; null when nobody ever started anything. */
async function newestRequest(source: Source): Promise<string | null> {
  const { flink, spark } = await source.features();
  const times: string[] = [];
  for (const table of [appTables.flink, ...(spark === null ? [] : [appTables.spark])]) {
    if (table === appTables.flink && !flink.columns.some((column) => column.alias === 'option_time')) continue;
    const { rows } = await sql<{ at: string | null }>`select max(option_time) as at from ${sql.table(table)}`.execute(source.database.db);
    if (typeof rows[0]?.at === 'string') times.push(rows[0].at);
  }
  return times.sort().at(-1) ?? null;
}

function duration(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / 60_000));
  if (minutes < 120) return `${minutes} min`;
  return minutes < 72 * 60 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1440)} days`;
}
