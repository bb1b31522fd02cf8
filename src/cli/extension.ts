// The user's module as commands open it: what goes wrong in it is a coded line and a metric.
import { ConfigError } from '../errors/errors.ts';
import { type Extension, type ExtensionCall, openExtension } from '../extension/extension.ts';
import { ownConnectorProblems } from '../identity/identity.ts';
import type { Log, Metrics } from '../ops/ops.ts';
import type { Settings } from '../settings/settings.ts';

/** For commands with log and metrics. @throws ConfigError EXTENSION_INVALID */
export const extensionFor = (
  settings: Settings,
  { log, metrics }: { readonly log: Log; readonly metrics: Metrics },
): Promise<Extension | undefined> =>
  opened(settings, ({ part, of, result, seconds, problem }) => {
    metrics.extensionCalls.inc({ part, result });
    metrics.extensionSeconds.observe({ part }, seconds);
    if (result === 'ok') return;
    metrics.conditions.inc({ code: 'EXTENSION_FAILED' });
    log.warn({ stage: 'extension', code: 'EXTENSION_FAILED', part, of, ms: Math.round(seconds * 1000) }, sentence(part, of, problem));
  });

async function opened(settings: Settings, report: (call: ExtensionCall) => void): Promise<Extension | undefined> {
  const extension = await openExtension(settings, report);
  const problems = ownConnectorProblems({}, extension?.connectors);
  if (problems.length === 0) return extension;
  await extension?.close();
  throw new ConfigError('EXTENSION_INVALID', problems.join('; '));
}

const sentence = (part: string, of: string, problem: string | undefined): string =>
  `${part}${of === '' ? '' : ` ${of.slice(0, 100)}`}: ${problem ?? 'failed'}`;

/** For commands that print: what fails is told on stderr, once. @throws ConfigError EXTENSION_INVALID */
export function extensionNoting(settings: Settings): Promise<Extension | undefined> {
  const said = new Set<string>();
  return opened(settings, ({ part, of, problem }: ExtensionCall) => {
    if (problem === undefined) return;
    const line = `EXTENSION_FAILED: ${sentence(part, of, problem)}\n`;
    if (!said.has(line)) process.stderr.write(line);
    said.add(line);
  });
}
