// The way out that a module of the user's makes. What it throws is tried again; it refuses an event for good only by saying so.
import type { Extension } from '../extension/extension.ts';
import type { SendResult } from '../outbox/outbox.ts';
import type { ExtensionDestination, Transport } from './transport.ts';

export function extensionTransport({ name, options, timeout }: ExtensionDestination, extension: Extension): Transport {
  return {
    kind: 'extension',
    async send(event, _signal, mayBegin): Promise<SendResult> {
      if (mayBegin?.() === false) return { kind: 'later', reason: 'not begun', serverError: false };
      const said = await extension.send(JSON.parse(event) as Record<string, unknown>, name, options, timeout);
      // An answer that keeps failing for one event while others pass ends as a dead letter, as a 5xx would.
      if ('problem' in said) return { kind: 'later', reason: `transport of the extension: ${said.problem}`, serverError: true };
      return said.value.kind === 'later' ? { ...said.value, serverError: false } : said.value;
    },
    async probe() {
      const said = await extension.probe(name, options, timeout);
      return 'problem' in said ? { ok: false, detail: said.problem } : { ok: true, detail: said.value };
    },
    close: () => extension.closeTransport(name, options),
  };
}
