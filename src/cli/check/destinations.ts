// Checks of the destinations: one is configured, and each can be reached without sending an event.
import { type DestinationSettings, effectiveSettings } from '../../settings/settings.ts';
import type { Check, CheckContext } from './context.ts';
import { type CheckResult, coded, ok } from './result.ts';

/** All probes side by side; one that hangs is given up after the time limit. */
export const checkDestinations: Check = async (context) => {
  const effective = effectiveSettings(context.settings, context.facts?.read.settings ?? {});
  const { destinations, problems, namespace } = effective;
  const wrong = problems.map((problem) => coded('fail', 'destination: gravitino', 'CONFIG_INVALID', problem));
  const { openLineage } = context.settings;
  if (effective.openLineage === 'used')
    wrong.push(...openLineage.problems.map((problem) => coded('warn', 'destination: OpenLineage', 'OPENLINEAGE_OPTION', problem)));
  if (effective.openLineage === 'unused')
    wrong.push(ok('destination: OpenLineage', `not used, for our settings name the destinations: ${openLineage.sources.join(', ')}`));
  if (effective.disabled) return [...wrong, coded('warn', 'destination: any', 'OPENLINEAGE_DISABLED', 'nothing is sent')];
  if (destinations.length === 0) return [...wrong, coded('warn', 'destination: any', 'NOT_CONFIGURED', 'no address and no destination')];
  const probes = await Promise.all(destinations.map((destination) => probe(destination, context)));
  return [...wrong, ok('destination: namespace', namespace), ...probes];
};

async function probe(destination: DestinationSettings, { openTransport, probeTimeoutMs }: CheckContext): Promise<CheckResult> {
  const what = `destination: ${destination.name}`;
  const signal = AbortSignal.timeout(probeTimeoutMs);
  try {
    const transport = openTransport(destination);
    try {
      const late = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error(`no answer within ${probeTimeoutMs / 1000} s`)), { once: true });
      });
      const { ok: reached, detail } = await Promise.race([transport.probe(signal), late]);
      return reached
        ? ok(what, detail)
        : coded('fail', what, 'TRANSPORT_PAUSED', detail, 'Correct the address or the token of this destination, or start it.');
    } finally {
      await transport.close();
    }
  } catch (error) {
    const detail = error instanceof Error ? error.message : 'failed';
    return coded('fail', what, 'TRANSPORT_LATER', detail, 'Check the address of this destination, the network, and that it is running.');
  }
}
