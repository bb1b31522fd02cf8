// Command `check`: every precondition, each with its cure. Looks only; changes nothing and never throws.

import { createNames } from '../names/names.ts';
import type { Settings } from '../settings/settings.ts';
import type { StateOptions } from '../state/state.ts';
import { createTransport } from '../transports/transports.ts';
import { openSource, type Source } from '../watch/watch.ts';
import { checkCatalogs } from './check/catalogs.ts';
import type { Check, CheckInput } from './check/context.ts';
import { checkDestinations } from './check/destinations.ts';
import { checkExtension } from './check/extension.ts';
import { checkLookups } from './check/lookups.ts';
import { checkNames } from './check/names.ts';
import { checkDoubleReport, checkOptIn } from './check/optin.ts';
import { checkPlanner } from './check/planner.ts';
import { plannerProbe } from './check/probe.ts';
import { type CheckResult, failure, resultLines } from './check/result.ts';
import { checkSource } from './check/source.ts';
import { checkState } from './check/state.ts';
import { checkTimezone } from './check/timezone.ts';
import { stateOptionsOf } from './connect.ts';
import { extensionNoting } from './extension.ts';
import { noteFailures } from './names.ts';
import { plannerFrom } from './planner.ts';
import { version } from './version.ts';

/** After the source, in the order in which they are printed; they run side by side. */
const checks: readonly { readonly area: string; readonly check: Check }[] = [
  { area: 'opt-in', check: checkOptIn },
  { area: 'opt-in', check: checkDoubleReport },
  { area: 'source: time zone', check: checkTimezone },
  { area: 'state', check: checkState },
  { area: 'planner', check: checkPlanner },
  { area: 'catalog', check: checkCatalogs },
  { area: 'destination', check: checkDestinations },
  { area: 'names', check: checkLookups },
  { area: 'extension', check: checkExtension },
];

/** Runs all checks; what a check throws is a finding too. */
export async function runChecks(input: CheckInput): Promise<CheckResult[]> {
  const { results, facts } = await checkSource(input);
  const others = await Promise.all(
    checks.map(async ({ area, check }) => {
      try {
        return await check({ ...input, facts });
      } catch (error) {
        return [failure(area, error)];
      }
    }),
  );
  return [...results, ...others.flat()];
}

/** Prints the findings: 1 when one of them is `fail`. */
export function report(results: readonly CheckResult[], json: boolean, out: (line: string) => void): 0 | 1 {
  const failed = results.filter((result) => result.level === 'fail').length;
  const warned = results.filter((result) => result.level === 'warn').length;
  if (json) out(JSON.stringify({ ok: failed === 0, results }));
  else {
    for (const line of resultLines(results)) out(line);
    out(failed + warned === 0 ? 'all well' : `${failed} failed, ${warned} warnings`);
  }
  return failed > 0 ? 1 : 0;
}

/** Runs the command on what the settings name. */
export async function checkCommand(settings: Settings, options: { readonly json: boolean }): Promise<0 | 1> {
  const source = tried(() => openSource(settings));
  const extension = await extensionNoting(settings).catch((error: unknown) => ({ error }));
  const usable = extension !== undefined && 'error' in extension ? undefined : extension;
  try {
    const results = await runChecks({
      settings,
      source,
      stateOptions: tried(() => stateOptionsOf(settings)),
      extension,
      openTransport: (destination) => createTransport(destination, { version, output: process.stdout, extension: usable }),
      planner: plannerProbe(settings, process.env),
      now: Date.now,
      probeTimeoutMs: 10_000,
    });
    return report(results, options.json, (line) => void process.stdout.write(`${line}\n`));
  } finally {
    await usable?.close();
    await source?.close();
  }
}

/** `check --names`: compares the names that would be reported with those that a destination knows. */
export async function checkNamesCommand(
  settings: Settings,
  destination: string | undefined,
  options: { readonly json: boolean },
): Promise<0 | 1> {
  const source = openSource(settings);
  const planner = plannerFrom(settings, () => undefined);
  const extension = await extensionNoting(settings);
  const names = createNames(settings.identity, { now: Date.now, notify: noteFailures(), extension });
  planner.start();
  try {
    const results = await checkNames({ settings, source, planner, names, destination });
    return report(results, options.json, (line) => void process.stdout.write(`${line}\n`));
  } finally {
    await names.close();
    await extension?.close();
    await planner.stop();
    await source.close();
  }
}

/** A URL that is missing or wrong is a finding of the check that needs it. */
function tried<T extends Source | StateOptions>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
