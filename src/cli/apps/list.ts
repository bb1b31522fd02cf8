// `apps`: every application with its opt-in, the rule that decided, what was last reported of it, and what went wrong last.
import { type ErrorCode, errorCatalogue } from '../../errors/errors.ts';
import type { OptIn } from '../../settings/settings.ts';
import { type AppKey, appKey, type ListedApp, type Source } from '../../watch/watch.ts';
import { alignedLines } from '../table.ts';
import type { AppResult } from './results.ts';
import { stateName } from './states.ts';

export interface ListContext {
  readonly source: Source;
  readonly optIn: OptIn;
  /** What came of each application of which the state tables know. */
  readonly results: () => Promise<ReadonlyMap<AppKey, AppResult>>;
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
}

export interface ListFlags {
  /** Name or id. */
  readonly team: string | undefined;
  /** Also those that are not opted in. */
  readonly all: boolean;
  readonly json: boolean;
}

/**
 * Prints the applications.
 * @throws SourceError
 */
export async function listApps(flags: ListFlags, context: ListContext): Promise<0> {
  const applications = await context.source.listApps(flags.team === undefined ? {} : { team: flags.team });
  const shown = flags.all ? applications : applications.filter((app) => app.optIn);
  const results = shown.length === 0 ? new Map<AppKey, AppResult>() : await context.results();
  const rows = shown.map((app) => ({
    app: appKey(app.engine, app.id),
    name: app.name,
    team: app.teamName ?? app.teamId ?? '',
    state: stateName(app.engine, String(app.state)),
    optIn: app.optIn,
    rule: ruleText(app, context.optIn),
    ...(results.get(appKey(app.engine, app.id)) ?? { lastResult: null, lastDelivered: null, lastError: null }),
  }));
  if (flags.json) {
    context.out(JSON.stringify(rows));
    return 0;
  }
  const head = ['APP', 'NAME', 'TEAM', 'STATE', 'OPT-IN', 'RULE', 'LAST RESULT', 'LAST DELIVERED', 'LAST ERROR'];
  const cells = rows.map(({ lastDelivered: sent, lastError: error, ...row }) => [
    ...[row.app, row.name, row.team, row.state, row.optIn ? 'yes' : 'no', row.rule, row.lastResult ?? '-'],
    sent === null ? '-' : `${sent.type} ${sent.at}`,
    error === null ? '-' : `${error.code} ${error.at}`,
  ]);
  if (rows.length > 0) for (const line of alignedLines([head, ...cells])) context.out(line);
  const codes = new Set<ErrorCode>(rows.flatMap(({ lastError }) => (lastError === null ? [] : [lastError.code])));
  for (const code of [...codes].sort()) context.err(`${code}: ${errorCatalogue[code].cause} -> ${errorCatalogue[code].cure}`);
  const on = applications.filter((app) => app.optIn).length;
  const hidden = applications.length - shown.length;
  context.err(`${on} of ${applications.length} applications are opted in${hidden > 0 ? '; --all shows the others too' : ''}`);
  if (context.optIn === 'column' && applications.some((app) => app.lineageEnable === undefined)) {
    context.err('There is no column lineage_enable yet: run `streampark-lineage migrate up --target streampark`.');
  }
  return 0;
}

/** What decided, as the settings call it. */
function ruleText({ rule, lineageEnable }: ListedApp, optIn: OptIn): string {
  if (optIn === 'column') return lineageEnable === undefined ? 'column missing' : 'column';
  const names = { column: 'column', team: 'optIn.teams', app: 'optIn.apps', except: 'optIn.except' };
  return rule === null ? 'in no list' : names[rule];
}
