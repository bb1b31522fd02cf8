// Stage transports: bytes -> sent / later / never / paused. One file per kind; nothing of the domain is known here.
import { ConfigError } from '../errors/errors.ts';
import type { Extension } from '../extension/extension.ts';
import type { DestinationSettings } from '../settings/settings.ts';
import { consoleTransport, type LineOutput } from './console.ts';
import { extensionTransport } from './extension.ts';
import { fileTransport } from './file.ts';
import { httpTransport } from './http.ts';
import { kafkaTransport } from './kafka.ts';
import { pinned } from './pinned.ts';
import { backends } from './presets.ts';
import { transformed, transformedBy } from './transform.ts';
import type { Transport } from './transport.ts';

export type { SendResult } from '../outbox/outbox.ts';
export { targetOf } from './http.ts';
export { kafkaClient } from './kafka.ts';
export type { EventTransform } from './transform.ts';
export type { Transport } from './transport.ts';

export interface TransportParts {
  /** Version of this program, for the User-Agent header. */
  readonly version: string;
  /** Where the console transport writes. */
  readonly output: LineOutput;
  readonly extension?: Extension | undefined;
  /** ms since the epoch. */
  readonly now?: () => number;
}

/**
 * Makes the transport of a destination; nothing is connected or opened before the first use.
 * @throws ConfigError when a certificate file cannot be read, or a destination needs an extension that is not there
 */
export function createTransport(destination: DestinationSettings, parts: TransportParts): Transport {
  const { transform, name } = destination;
  const { extension } = parts;
  const plain = wayOut(destination, parts);
  const out = destination.spec == null ? plain : pinned(plain, destination.spec);
  const own = transform === undefined ? out : transformed(out, transform, name);
  return extension?.has.transform === true ? transformedBy(own, extension, name) : own;
}

function wayOut(destination: DestinationSettings, parts: TransportParts): Transport {
  switch (destination.type) {
    case 'http':
      return httpTransport(destination, { version: parts.version, now: parts.now ?? Date.now });
    case 'kafka':
      return kafkaTransport(destination);
    case 'file':
      return fileTransport(destination);
    case 'console':
      return consoleTransport(parts.output);
    case 'extension':
      if (parts.extension !== undefined) return extensionTransport(destination, parts.extension);
      throw new ConfigError('EXTENSION_INVALID', `destination ${destination.name} is of type extension, and extensions.module is not set`);
  }
}

/** Which events a destination takes unless its settings say otherwise. */
export function eventKindsOf(destination: DestinationSettings): 'run' | 'job' | 'both' {
  return destination.events ?? (destination.type === 'http' ? backends[destination.preset].events : 'run');
}

/** How long a send may be on its way. */
export function timeoutOf(destination: DestinationSettings): number {
  return 'timeout' in destination ? destination.timeout : 0;
}

/** Order keys in flight at once: as configured for http and kafka, one after the other elsewhere. */
export function concurrencyOf(destination: DestinationSettings): number {
  return 'concurrency' in destination ? destination.concurrency : 1;
}
