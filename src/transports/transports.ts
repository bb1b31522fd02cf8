// Stage transports: bytes -> sent / later / never / paused. One file per kind; nothing of the domain is known here.
import type { DestinationSettings } from '../settings/settings.ts';
import { consoleTransport, type LineOutput } from './console.ts';
import { fileTransport } from './file.ts';
import { httpTransport } from './http.ts';
import type { Transport } from './transport.ts';

export type { SendResult } from '../outbox/outbox.ts';
export { targetOf } from './http.ts';
export type { Transport } from './transport.ts';

export interface TransportParts {
  /** Version of this program, for the User-Agent header. */
  readonly version: string;
  /** Where the console transport writes. */
  readonly output: LineOutput;
  /** ms since the epoch. */
  readonly now?: () => number;
}

/**
 * Makes the transport of a destination; nothing is connected or opened before the first use.
 * @throws ConfigError when a certificate file cannot be read
 */
export function createTransport(destination: DestinationSettings, parts: TransportParts): Transport {
  switch (destination.type) {
    case 'http':
      return httpTransport(destination, { version: parts.version, now: parts.now ?? Date.now });
    case 'file':
      return fileTransport(destination.path);
    case 'console':
      return consoleTransport(parts.output);
  }
}

/**
 * Which events a destination takes unless its settings say otherwise: job events are understood by Marquez only, and
 * set the edges of a streaming job there.
 */
export function eventKindsOf(destination: DestinationSettings): 'run' | 'job' | 'both' {
  if (destination.events !== undefined) return destination.events;
  return destination.type === 'http' && destination.preset === 'marquez' ? 'both' : 'run';
}

/** How long a send may be on its way. */
export function timeoutOf(destination: DestinationSettings): number {
  return destination.type === 'http' ? destination.timeout : 0;
}

/** Order keys in flight at once: as configured for http, one after the other elsewhere. */
export function concurrencyOf(destination: DestinationSettings): number {
  return destination.type === 'http' ? destination.concurrency : 1;
}
