// What OpenLineage's own configuration has to do with this daemon, told when it begins or changes.
import type { Conditions, Log } from '../ops/ops.ts';
import type { Effective, Settings } from '../settings/settings.ts';

interface Told {
  readonly settings: Pick<Settings, 'openLineage'>;
  readonly log: Log;
  readonly conditions: Pick<Conditions, 'raise' | 'clear'>;
}

/**
 * Makes a function for every reading of the settings: it names what is not supported while that configuration is in use, and says
 * once when it is there and not used.
 */
export function openLineageReport({ settings, log, conditions }: Told): (now: Pick<Effective, 'openLineage'>) => void {
  const { problems, sources } = settings.openLineage;
  let before: Effective['openLineage'];
  return ({ openLineage }) => {
    for (const problem of problems) {
      if (openLineage === 'used') conditions.raise('OPENLINEAGE_OPTION', problem, problem);
      else conditions.clear('OPENLINEAGE_OPTION', problem);
    }
    if (openLineage === 'unused' && before !== 'unused')
      log.info({ stage: 'settings', sources }, "OpenLineage's own configuration is not used: our settings name the destinations");
    before = openLineage;
  };
}
