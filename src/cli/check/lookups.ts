// Checks of what names are looked up with: only what the settings allow to be asked is asked.
import { probeNames } from '../../names/names.ts';
import type { Check } from './context.ts';
import { coded, ok } from './result.ts';

export const checkLookups: Check = async ({ settings, now }) => {
  const probed = await probeNames(settings.identity, now);
  return probed.map(({ subject, count, problem }) =>
    problem === undefined ? ok(`names: ${subject}`, `${count} found`) : coded('warn', `names: ${subject}`, 'LOOKUP_FAILED', problem),
  );
};
