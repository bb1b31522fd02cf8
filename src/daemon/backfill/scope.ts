// Which applications a backfill looks at, in which order, and what their jobs are called.
import { ConfigError } from '../../errors/errors.ts';
import type { AppRow, Engine, ListedApp } from '../../watch/watch.ts';

export interface BackfillScope {
  /** Whatever their opt-in says. */
  readonly all: boolean;
  /** Id or name of a team. */
  readonly team: string | null;
  /** Only runs that were alive at or after this instant, ms since the epoch. */
  readonly since: number | null;
}

export interface Selection {
  /** Ids by engine, in id order. */
  readonly ids: Readonly<Record<Engine, readonly string[]>>;
  readonly total: number;
  /** Applications that share a job name with this one, or may: those selected, and those that the daemon reports. */
  readonly namesakes: (app: AppRow) => readonly AppRow[];
}

/**
 * Selects.
 * @param listed the same applications with their teams' names
 * @throws ConfigError when no application has this team
 */
export function select(rows: readonly AppRow[], listed: readonly ListedApp[], scope: BackfillScope): Selection {
  const inTeam = new Set(
    listed.filter((app) => scope.team === app.teamId || scope.team === app.teamName).map((app) => `${app.engine}:${app.id}`),
  );
  if (scope.team !== null && inTeam.size === 0)
    throw new ConfigError('CONFIG_INVALID', `--team ${scope.team}: no application belongs to it`);
  const chosen = rows.filter((row) => (scope.all || row.optIn) && (scope.team === null || inTeam.has(`${row.engine}:${row.id}`)));
  const ids = { flink: idsOf(chosen, 'flink'), spark: idsOf(chosen, 'spark') };
  const byName = new Map<string, AppRow[]>();
  for (const row of new Set([...chosen, ...rows.filter((row) => row.optIn)])) {
    const same = byName.get(row.name);
    if (same === undefined) byName.set(row.name, [row]);
    else same.push(row);
  }
  return { ids, total: chosen.length, namesakes: (app) => byName.get(app.name) ?? [] };
}

const idsOf = (rows: readonly AppRow[], engine: Engine): string[] => rows.filter((row) => row.engine === engine).map((row) => row.id);
