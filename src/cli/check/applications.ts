// What came of each opted-in application: the event that arrived last, and what went wrong last, with its cure.
import { type AppKey, appKey, type ListedApp } from '../../watch/watch.ts';
import type { AppResult } from '../apps/results.ts';
import { counted } from '../table.ts';
import { type CheckResult, coded, ok } from './result.ts';

/** So many are named of those with an error, and of those without; `apps` lists all. */
const [mostFailing, mostWell] = [50, 20];

/** One finding for each application, those with an error first. */
export function applicationResults(applications: readonly ListedApp[], results: ReadonlyMap<AppKey, AppResult>): CheckResult[] {
  const findings = applications.filter((app) => app.optIn).map((app) => findingOf(app, results.get(appKey(app.engine, app.id))));
  const failing = findings.filter(({ level }) => level !== 'ok');
  const well = findings.filter(({ level }) => level === 'ok');
  const unnamed = Math.max(0, failing.length - mostFailing) + Math.max(0, well.length - mostWell);
  return [
    ...failing.slice(0, mostFailing),
    ...well.slice(0, mostWell),
    ...(unnamed === 0 ? [] : [ok('applications', `${counted(unnamed, 'more application')}; \`streampark-lineage apps\` lists all`)]),
  ];
}

function findingOf(app: ListedApp, result: AppResult | undefined): CheckResult {
  const what = `application: ${appKey(app.engine, app.id)}`;
  const { lastDelivered: sent, lastError: error } = result ?? { lastDelivered: null, lastError: null };
  const success = sent === null ? 'nothing delivered lately' : `last delivered: ${sent.type} ${sent.at} to ${sent.destination}`;
  if (error === null) return ok(what, success);
  return coded('warn', what, error.code, `${success}; last error: ${error.at} ${error.message}`, error.cure);
}
