// Checks of the opt-in, of what would be reported twice, and of names that two applications share.
import { effectiveSettings, type OptIn } from '../../settings/settings.ts';
import { appKey, type ListedApp } from '../../watch/watch.ts';
import type { Check, CheckContext } from './context.ts';
import { type CheckResult, coded, ok, warn } from './result.ts';

/** Which applications are opted in, and by which rule. */
export const checkOptIn: Check = async ({ settings, facts }) => {
  if (facts === undefined) return [];
  const { applications } = facts;
  const rule = settings.optIn;
  const results = rule === 'column' ? [] : listResults(rule, applications);
  const on = applications.filter((app) => app.optIn);
  const found = `${on.length} of ${applications.length} applications`;
  const cure =
    rule === 'column' ? 'Opt applications in with `streampark-lineage apps enable flink:<id>`.' : 'Name teams or applications under optIn.';
  return [
    ...results,
    on.length === 0 ? warn('opt-in: applications', `${found}: nothing will be reported`, cure) : ok('opt-in: applications', found),
    ...duplicates(on, settings.events.jobName),
  ];
};

const keyOf = (app: ListedApp): string => appKey(app.engine, app.id);

/** Names in the lists that mean nothing are most likely mistyped. */
function listResults(rule: Exclude<OptIn, 'column'>, applications: readonly ListedApp[]): CheckResult[] {
  const keys = new Set<string>(applications.map(keyOf));
  const teams = new Set(applications.flatMap((app) => [app.teamName, app.teamId]));
  const unknown = [
    ...rule.teams.filter((team) => !teams.has(team)).map((team) => `team ${team}`),
    ...[...rule.apps, ...rule.except].filter((key) => !keys.has(key)),
  ];
  const what = 'opt-in: lists';
  if (unknown.length === 0)
    return [ok(what, `${rule.teams.length} teams, ${rule.apps.length} applications, ${rule.except.length} exceptions`)];
  return [
    warn(what, `not in this database: ${unknown.join(', ')}`, 'Correct the names under optIn; a team is given by its name or its id.'),
  ];
}

/** Applications whose job names would be equal; of two the later-created one gets its id appended. */
function duplicates(applications: readonly ListedApp[], template: string): CheckResult[] {
  const names = new Map<string, ListedApp[]>();
  for (const app of applications) {
    const name = template
      .replaceAll('{app}', app.name)
      .replaceAll('{team}', app.teamName ?? '')
      .replaceAll('{id}', app.id);
    names.set(name, [...(names.get(name) ?? []), app]);
  }
  const shared = [...names].filter(([, apps]) => apps.length > 1);
  if (shared.length === 0) return [];
  const text = shared.slice(0, 5).map(([name, apps]) => `${name} (${apps.map(keyOf).join(', ')})`);
  return [coded('warn', 'opt-in: job names', 'JOB_NAME_DUPLICATE', `${text.join('; ')}${shared.length > text.length ? '; …' : ''}`)];
}

/** A console that contains the upstream proposal (PR #4498) reads the same rows and would report the same runs. */
export const checkDoubleReport: Check = async ({ settings, facts }: CheckContext) => {
  if (facts === undefined) return [];
  const what = 'opt-in: one reporter';
  const { nativeListener } = effectiveSettings(settings, facts.read.settings);
  const address = facts.read.settings['lineage.gravitino.address'] !== undefined;
  if (!nativeListener && !address) return [ok(what, 'nothing in t_setting makes a console report by itself')];
  const cures = [
    ...(nativeListener ? ['set lineage.flink.native.listener.enable to false'] : []),
    ...(address ? ['give the address by the settings file or the environment and empty its row in t_setting'] : []),
  ];
  const detail = [
    ...(nativeListener ? ['lineage.flink.native.listener.enable is true'] : []),
    ...(address ? ['lineage.gravitino.address stands in t_setting'] : []),
  ].join(' and ');
  return [
    warn(
      what,
      `${detail}: a console with lineage of its own would report the same runs a second time`,
      `If your console has lineage settings of its own, ${cures.join(', or ')}; or take the same names and run ids with events.jobNaming: app and identity.profile: streampark-4498. Otherwise nothing is to be done.`,
    ),
  ];
};
