// Writes one line per event to a stream, normally standard output.
import type { Transport } from './transport.ts';

/** What is needed of a writable stream. */
export interface LineOutput {
  write(text: string, done: (error?: Error | null) => void): unknown;
}

export function consoleTransport(output: LineOutput): Transport {
  return {
    kind: 'console',
    send: (event) =>
      new Promise((resolve) => {
        output.write(`${event.replace(/[\r\n]+/g, ' ')}\n`, (error) => {
          if (error === undefined || error === null) return resolve({ kind: 'sent' });
          const code = (error as NodeJS.ErrnoException).code ?? error.name;
          resolve({ kind: 'paused', reason: `the output cannot be written (${code})` });
        });
      }),
    probe: async () => ({ ok: true, detail: 'standard output' }),
    close: async () => undefined,
  };
}
